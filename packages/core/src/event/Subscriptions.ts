/**
 * Delivers events to subscribers in the host application. A subscriber has a name, and the database stores its cursor
 * in the org's log under that name.
 *
 * - Events are delivered oldest first, one at a time, at least once, and only if the feed contains them. A subscriber
 *   never receives an event from a rolled-back transaction, and never receives an event while one with a lower ID could
 *   still appear.
 * - The cursor is stored before the next event is delivered. After a crash, at most one event is delivered again.
 * - A failed event blocks its subscription and is retried after 1, 2, 4 … seconds, at most 5 minutes apart. Other
 *   subscriptions continue.
 * - Only one process at a time delivers to a subscription, with a one-minute lease per event. If an event takes longer,
 *   another process can deliver it concurrently.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { StoredEvent } from "../port/EventLog.ts"
import { monotonicMillis } from "../time/currentTime.ts"
import { Events, type EventType } from "./Events.ts"

/** The error when a subscriber fails to process an event. The message is logged, so it must not name guests. */
export class SubscriberFailed extends Data.TaggedError("SubscriberFailed")<{ readonly message: string }> {}

export interface Subscriber extends SubscriptionKey {
  readonly type: EventType | "*"
  /** The start of a new subscription. Ignored if the subscription exists. */
  readonly from: StartPosition
  /** Processes an event. An event can be delivered more than once. */
  readonly tell: (event: StoredEvent) => Effect.Effect<void, SubscriberFailed>
  /** Whether the subscriber has been canceled. Read before each event. */
  readonly isCanceled: Effect.Effect<boolean>
}

/** A subscriber's claim, and when it expires on this machine's monotonic clock. */
export interface LeasedSubscriber {
  readonly subscriber: Subscriber
  readonly claim: SubscriptionClaim
  readonly until: number
}

/**
 * The number of delivered events, and why the run ended:
 *
 * - `done`: No event is pending, or 50 events were delivered.
 * - `failed`: An event failed.
 * - `void`: The claim was lost.
 * - `asked`: The worker is stopping, or the subscriber was canceled.
 */
export interface DeliveryBatchResult {
  readonly delivered: number
  readonly end: "done" | "failed" | "void" | "asked"
}

export class Subscriptions extends Context.Tag("@trailbook/core/Subscriptions")<
  Subscriptions,
  {
    /** Claims unclaimed subscriptions with pending events. */
    readonly claim: (
      subscribers: ReadonlyArray<Subscriber>
    ) => Effect.Effect<ReadonlyArray<LeasedSubscriber>>
    /**
     * Delivers up to 50 events. `isEnding` is read before each event. An interruption cancels the current delivery and
     * keeps the claim.
     */
    readonly run: (lease: LeasedSubscriber, isEnding: Effect.Effect<boolean>) => Effect.Effect<DeliveryBatchResult>
    /** Releases a claim so that the next worker does not have to wait for the lease to expire. */
    readonly release: (lease: LeasedSubscriber) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(Subscriptions, Effect.suspend(() => makeSubscriptions))
}

const makeSubscriptions = Effect.gen(function*() {
  const events = yield* Events
  const store = yield* SubscriptionStore

  /** Returns a page of the events after `cursor` that match this subscriber. */
  const loadPage = ({ orgId, type }: Subscriber, cursor: number, limit: number) =>
    events.list({ orgId, after: cursor, type: type === "*" ? undefined : type, limit })

  /** Returns the cursors of subscriptions with pending events. Creates missing subscriptions first. */
  const loadCursors = (subscribers: ReadonlyArray<Subscriber>): Effect.Effect<ReadonlyMap<string, number>> =>
    Effect.flatMap(store.waiting(subscribers), (rows) => {
      const newKeys = new Set(rows.filter(({ cursor }) => cursor === null).map(toKey))
      if (newKeys.size === 0) {
        return Effect.succeed(new Map(rows.map((row) => [toKey(row), row.cursor ?? 0])))
      }
      const newSubscribers = subscribers.filter((subscriber) => newKeys.has(toKey(subscriber)))
      return Effect.zipRight(store.begin(newSubscribers), loadCursors(subscribers))
    })

  const claim = (subscriber: Subscriber, cursor: number) =>
    Effect.gen(function*() {
      // Claiming writes to the database, so first check that a pending event is old enough.
      const { nextAfter } = yield* loadPage(subscriber, cursor, 1)
      if (nextAfter === cursor) return []
      const now = yield* monotonicMillis
      const newClaim = yield* store.claim(subscriber, leaseMs)
      return Option.toArray(Option.map(newClaim, (claim) => ({ subscriber, claim, until: now + leaseMs })))
    })

  return Subscriptions.of({
    claim: (subscribers) =>
      Effect.gen(function*() {
        if (subscribers.length === 0) return []
        const cursors = yield* loadCursors(subscribers)
        const claims = yield* Effect.forEach(subscribers, (subscriber) => {
          const cursor = cursors.get(toKey(subscriber))
          return cursor === undefined ? Effect.succeed([]) : claim(subscriber, cursor)
        })
        return claims.flat()
      }),
    run: ({ claim, subscriber, until: first }, isEnding) =>
      Effect.gen(function*() {
        let { cursor, failures } = claim
        let until = first
        for (let delivered = 0; delivered < maxEvents; delivered++) {
          if ((yield* isEnding) || (yield* subscriber.isCanceled)) {
            yield* store.release(claim)
            return { delivered, end: "asked" as const }
          }
          if ((yield* monotonicMillis) >= until) {
            // If another worker has since claimed the subscription, the release has no effect.
            yield* store.release(claim)
            return { delivered, end: "void" as const }
          }
          // Read each event immediately before its delivery, because a guest may have been erased during an earlier
          // delivery.
          const { events: [event], nextAfter } = yield* loadPage(subscriber, cursor, 1)
          if (event === undefined) {
            yield* store.release(claim, nextAfter)
            return { delivered, end: "done" as const }
          }
          // Record the outcome even on interruption; otherwise, the event would be delivered again.
          const end = yield* Effect.uninterruptibleMask((restore) =>
            Effect.gen(function*() {
              const failure = yield* restore(attempt(subscriber, event))
              if (failure !== undefined) {
                yield* logFailure(subscriber, event, failure)
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
          if (end !== undefined) return { delivered, end }
        }
        yield* store.release(claim)
        return { delivered: maxEvents, end: "done" as const }
      }),
    release: ({ claim }) => store.release(claim)
  })
})

const leaseMs = 60_000
const maxEvents = 50

const retryMsAfter = (failures: number): number => Math.min(1000 * 2 ** failures, 5 * 60_000)

const toKey = ({ name, orgId }: SubscriptionKey): string => `${orgId} ${name}`

/**
 * Delivers an event and returns the failure, or undefined if the delivery succeeded. A defect counts as a failure, so
 * that the event is retried.
 */
const attempt = ({ tell }: Subscriber, event: StoredEvent): Effect.Effect<SubscriberFailed | undefined> =>
  tell(event).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.fail(
        new SubscriberFailed({
          message: `The subscriber crashed: ${defect instanceof Error ? defect.name : typeof defect}.`
        })
      )
    ),
    Effect.as(undefined),
    Effect.catchAll(Effect.succeed)
  )

const logFailure = ({ name }: Subscriber, { id }: StoredEvent, { message }: SubscriberFailed): Effect.Effect<void> =>
  Effect.logWarning("Subscriber failed, retrying the event", message).pipe(
    Effect.annotateLogs({ subscriber: name, event: id })
  )

/** A named cursor in an org's log. Subscribers with that name have processed every event up to the cursor. */
export interface SubscriptionKey {
  readonly orgId: string
  readonly name: string
}

/** The start of a new subscription: after the org's newest event, or before its first event. */
export type StartPosition = "now" | "start"

/**
 * A worker's claim on a subscription, with a lease. A claim becomes void when the worker releases it, or when another
 * worker claims the subscription, which changes `fence`. A claim whose lease has expired stays valid until another
 * worker claims the subscription.
 */
export interface SubscriptionClaim extends SubscriptionKey {
  readonly fence: number
  /** Every event up to this cursor has been processed or filtered out. */
  readonly cursor: number
  /** How many times the delivery of the next event has failed. */
  readonly failures: number
}

/**
 * Stores subscriptions' cursors and claims. Any number of workers can try to claim a subscription, but only one can
 * hold the claim at a time. Leases and retries use the storage's clock, if the storage has one.
 *
 * Each call is a separate transaction that is durable when the call returns. A subscription must reference an existing
 * org. A write that violates this rule fails as a defect.
 */
export class SubscriptionStore extends Context.Tag("@trailbook/core/SubscriptionStore")<
  SubscriptionStore,
  {
    /**
     * Creates missing subscriptions. With `now`, a subscription starts before every event committed after this call.
     */
    readonly begin: (
      places: ReadonlyArray<SubscriptionKey & { readonly from: StartPosition }>
    ) => Effect.Effect<void>
    /**
     * Returns the unclaimed subscriptions whose org has an event after their cursor. After a failure, a subscription is
     * returned only once its next retry is due. Subscriptions that do not exist yet are returned with a null cursor.
     */
    readonly waiting: (
      places: ReadonlyArray<SubscriptionKey>
    ) => Effect.Effect<ReadonlyArray<SubscriptionKey & { readonly cursor: number | null }>>
    /** Claims an unclaimed subscription. After a failure, the claim succeeds only once the next retry is due. */
    readonly claim: (place: SubscriptionKey, leaseMs: number) => Effect.Effect<Option.Option<SubscriptionClaim>>
    /**
     * Moves the cursor to a processed event, resets failures, and renews the lease. Returns false if the claim is void.
     */
    readonly advance: (claim: SubscriptionClaim, cursor: number, leaseMs: number) => Effect.Effect<boolean>
    /**
     * Counts a failure and ends the lease. The next attempt is due after `retryMs`. Returns false if the claim is void.
     */
    readonly postpone: (claim: SubscriptionClaim, retryMs: number) => Effect.Effect<boolean>
    /**
     * Ends the lease. If `passed` is set, all events up to that event were filtered out, so the cursor moves there and
     * the failure count is reset. Void claims are ignored.
     */
    readonly release: (claim: SubscriptionClaim, passed?: number) => Effect.Effect<void>
  }
>() {}
