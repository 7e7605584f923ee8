/**
 * Telling the program itself what happened. A subscriber has a name, and under
 * that name the database keeps how far it has come in its org's log.
 *
 * - It is told of events oldest first, one at a time, each at least once, and only
 *   of those that the feed serves: of what was undone, or may still be overtaken,
 *   it never hears.
 * - What it has dealt with is written down before it is told of the next event.
 *   Whoever dies in between leaves one event that it is told of again.
 * - An event that it fails at stays the next one, and is tried again after 1, 2, 4 …
 *   seconds, at most 5 minutes apart. Other names go on meanwhile.
 * - Of any number of processes one at a time tells a name, and holds a lease on it.
 *   It lasts for a minute from event to event; one that takes longer may be told
 *   of to another process while this one is still at it.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { StoredEvent } from "../port/EventLog.ts"
import { monotonicMillis } from "../time/monotonicMillis.ts"
import { Events } from "./Events.ts"
import type { EventType } from "./eventTypes.ts"
import {
  type StartPosition,
  type SubscriptionClaim,
  type SubscriptionKey,
  SubscriptionStore
} from "./SubscriptionStore.ts"

/**
 * A subscriber has not dealt with an event. The message is logged: it may name no
 * guest.
 *
 * @category errors
 */
export class SubscriberFailed extends Data.TaggedError("SubscriberFailed")<{ readonly message: string }> {}

/**
 * @category models
 */
export interface Subscriber extends SubscriptionKey {
  readonly type: EventType | "*"
  /** Where it begins when nothing is known of its name; not looked at afterwards. */
  readonly from: StartPosition
  /** It may be told of one event several times. */
  readonly tell: (event: StoredEvent) => Effect.Effect<void, SubscriberFailed>
  /** Whether it wants to be told of nothing more; asked before each event. */
  readonly over: Effect.Effect<boolean>
}

/**
 * A claim for a subscriber, and until when it is ours by this machine's clock that
 * only goes forward.
 *
 * @category models
 */
export interface LeasedSubscriber {
  readonly subscriber: Subscriber
  readonly claim: SubscriptionClaim
  readonly until: number
}

/**
 * What a run did: of how many events it told, and why it ended. It is `done` when
 * nothing waits or a turn of 50 is over, `failed` at an event, `void` when the claim
 * was lost, `asked` when it was asked to end or the subscriber is over.
 *
 * @category models
 */
export interface DeliveryBatch {
  readonly told: number
  readonly end: "done" | "failed" | "void" | "asked"
}

/**
 * @category services
 */
export class Subscriptions extends Context.Tag("@trailbook/core/Subscriptions")<
  Subscriptions,
  {
    /** Claims for those of these subscribers that something waits for and that nobody tells now. */
    readonly claim: (
      subscribers: ReadonlyArray<Subscriber>
    ) => Effect.Effect<ReadonlyArray<LeasedSubscriber>>
    /**
     * Tells of up to 50 events. `ending` is asked before each. Interrupted, it gives up
     * the one under way and keeps the claim.
     */
    readonly run: (leased: LeasedSubscriber, ending: Effect.Effect<boolean>) => Effect.Effect<DeliveryBatch>
    /** Gives a claim back, so that the next worker need not wait for its lease to end. */
    readonly release: (leased: LeasedSubscriber) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function*() {
      const events = yield* Events
      const store = yield* SubscriptionStore

      /** After `cursor` what this subscriber wants and the feed serves. */
      const page = ({ orgId, type }: Subscriber, cursor: number, limit: number) =>
        events.list({ orgId, after: cursor, type: type === "*" ? undefined : type, limit })

      /** The places that something waits at; those of new names are made first. */
      const places = (subscribers: ReadonlyArray<Subscriber>): Effect.Effect<ReadonlyMap<string, number>> =>
        Effect.flatMap(store.waiting(subscribers), (found) => {
          const unknown = new Set(found.filter(({ cursor }) => cursor === null).map(keyOf))
          if (unknown.size === 0) {
            return Effect.succeed(new Map(found.map((place) => [keyOf(place), place.cursor ?? 0])))
          }
          const begun = subscribers.filter((subscriber) => unknown.has(keyOf(subscriber)))
          return Effect.zipRight(store.begin(begun), places(subscribers))
        })

      const claim = (subscriber: Subscriber, cursor: number) =>
        Effect.gen(function*() {
          // What is young waits for nobody, and a claim is written down: look first.
          const { nextAfter } = yield* page(subscriber, cursor, 1)
          if (nextAfter === cursor) return []
          const now = yield* monotonicMillis
          const claimed = yield* store.claim(subscriber, leaseMs)
          return Option.toArray(Option.map(claimed, (claim) => ({ subscriber, claim, until: now + leaseMs })))
        })

      return Subscriptions.of({
        claim: (subscribers) =>
          Effect.gen(function*() {
            if (subscribers.length === 0) return []
            const cursors = yield* places(subscribers)
            const claims = yield* Effect.forEach(subscribers, (subscriber) => {
              const cursor = cursors.get(keyOf(subscriber))
              return cursor === undefined ? Effect.succeed([]) : claim(subscriber, cursor)
            })
            return claims.flat()
          }),
        run: ({ claim, subscriber, until: first }, ending) =>
          Effect.gen(function*() {
            let { cursor, failures } = claim
            let until = first
            for (let told = 0; told < maxEvents; told++) {
              if ((yield* ending) || (yield* subscriber.over)) {
                yield* store.release(claim)
                return { told, end: "asked" as const }
              }
              if ((yield* monotonicMillis) >= until) {
                // Somebody else may have it by now; then this changes nothing.
                yield* store.release(claim)
                return { told, end: "void" as const }
              }
              // Each by itself, as it is now: a guest may have been erased while the handler had the ones before.
              const { events: [event], nextAfter } = yield* page(subscriber, cursor, 1)
              if (event === undefined) {
                yield* store.release(claim, nextAfter)
                return { told, end: "done" as const }
              }
              // What was dealt with is written down, whoever wants to end: else it would be told of again.
              const end = yield* Effect.uninterruptibleMask((restore) =>
                Effect.gen(function*() {
                  const failure = yield* restore(attempt(subscriber, event))
                  if (failure !== undefined) {
                    yield* complaint(subscriber, event, failure)
                    return (yield* store.postpone(claim, retryMsAfter(failures))) ? "failed" as const : "void" as const
                  }
                  const now = yield* monotonicMillis
                  if (!(yield* store.advance(claim, event.id, leaseMs))) return "void" as const
                  until = now + leaseMs
                  cursor = event.id
                  failures = 0
                  return undefined
                })
              )
              if (end !== undefined) return { told, end }
            }
            yield* store.release(claim)
            return { told: maxEvents, end: "done" as const }
          }),
        release: ({ claim }) => store.release(claim)
      })
    })
  )
}

const leaseMs = 60_000
const maxEvents = 50

const retryMsAfter = (failures: number): number => Math.min(1000 * 2 ** failures, 5 * 60_000)

const keyOf = ({ name, orgId }: SubscriptionKey): string => `${orgId} ${name}`

/** What went wrong, if anything did. What it dies of is its failure too: it must not keep its event from being tried again. */
const attempt = ({ tell }: Subscriber, event: StoredEvent): Effect.Effect<SubscriberFailed | undefined> =>
  tell(event).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.fail(
        new SubscriberFailed({ message: `It died: ${defect instanceof Error ? defect.name : typeof defect}.` })
      )
    ),
    Effect.as(undefined),
    Effect.catchAll(Effect.succeed)
  )

const complaint = ({ name }: Subscriber, { id }: StoredEvent, { message }: SubscriberFailed): Effect.Effect<void> =>
  Effect.logWarning("A subscriber failed and is told of the event again.", message).pipe(
    Effect.annotateLogs({ subscriber: name, event: id })
  )
