/**
 * Pushing events to endpoints. An endpoint is delivered to by one worker
 * at a time, who holds a lease on it: its events go out oldest first, one
 * request at a time, each at least once.
 *
 * - An event that was taken moves the endpoint's cursor, which is written down
 *   before the next request. Whoever dies in between leaves one event that is
 *   sent again.
 * - A failure stops the endpoint at its event. It goes on from there with its next
 *   event, and every 5 minutes.
 * - A run ends after 50 events: then it is others' turn.
 * - Each event is read right before its request begins, and goes out as it is then: what an erasure has taken
 *   away does not leave any more.
 * - No request is begun unless the lease outlasts it. A worker that stood still
 *   until its lease ended finds that its claim is void, and ends its run.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type EventView, eventView } from "../event/EventView.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { Secrets } from "../port/Secrets.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { monotonicMillis } from "../time/monotonicMillis.ts"
import { classifyResponse } from "./classifyResponse.ts"
import { type Claim, DeliveryQueue } from "./DeliveryQueue.ts"
import { nextDeliveryAction } from "./nextDeliveryAction.ts"
import { secretPlace, type Webhook } from "./Webhook.ts"
import { type Answer, WebhookSender } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"
import { webhookTest } from "./webhookTest.ts"
import { webhookView } from "./WebhookView.ts"

/**
 * A claim, and until when it is ours by this machine's clock that only goes
 * forward. What the storage counts begins later, so the lease ends no earlier.
 *
 * @category models
 */
export interface LeasedClaim {
  readonly claim: Claim
  readonly until: number
}

/**
 * Endpoints that are passed over, because their orgs have enough runs under way.
 *
 * @category models
 */
export type ExcludedEndpoints = Omit<Parameters<DeliveryQueue["Type"]["claim"]>[0], "leaseMs">

/**
 * What a run did: how many events were taken, and why it ended. It is `done`
 * when nothing waits or a turn of 50 is over, `stopped` by a failure, `void`
 * when the claim was lost, `asked` when it was asked to end.
 *
 * @category models
 */
export interface Run {
  readonly delivered: number
  readonly end: "done" | "stopped" | "void" | "asked"
}

/**
 * @category services
 */
export class Deliveries extends Context.Tag("@trailbook/core/Deliveries")<
  Deliveries,
  {
    /** Claims an endpoint that waits and is not to be passed over. */
    readonly claim: (except: ExcludedEndpoints) => Effect.Effect<Option.Option<LeasedClaim>>
    /**
     * Delivers what waits. `ending` is asked before each request. Interrupted, it
     * gives up the request under way and keeps the claim.
     */
    readonly run: (leased: LeasedClaim, ending: Effect.Effect<boolean>) => Effect.Effect<Run>
    /** Gives a claim back, so that the next worker need not wait for its lease to end. */
    readonly release: (leased: LeasedClaim) => Effect.Effect<void>
    /**
     * Sends an event of the type `webhook.test` with the id 0 now, signed like any
     * other. It moves no cursor and is not written down.
     */
    readonly test: (key: OrgKey) => Effect.Effect<Answer, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const queue = yield* DeliveryQueue
      const secrets = yield* Secrets
      const sender = yield* WebhookSender
      const store = yield* WebhookStore

      const send = (webhook: Webhook, event: Omit<EventView, "created_at">, createdAt: Instant.Instant) =>
        Effect.gen(function*() {
          const secret = yield* secrets.open(webhook.sealedSecret, secretPlace(webhook))
          return yield* Effect.timeoutTo(
            sender.send({
              webhookId: webhook.id,
              url: webhook.url,
              secret,
              eventId: event.id,
              eventType: event.type,
              body: JSON.stringify({ ...event, created_at: Instant.format(createdAt) }),
              at: yield* currentTime
            }),
            // The sender keeps to 5 seconds by itself; the lease must outlast one that does not.
            { duration: requestMs, onTimeout: () => unanswered, onSuccess: (answer) => answer }
          )
        })

      /** Makes sure that the lease outlasts a request; `undefined` when it was lost. */
      const covered = (leased: LeasedClaim) =>
        Effect.gen(function*() {
          const now = yield* monotonicMillis
          if (leased.until - now > requestMs) return leased
          return (yield* queue.renew(leased.claim, leaseMs)) ? { ...leased, until: now + leaseMs } : undefined
        })

      /** One event at a time, read again right before it is sent: a guest may be erased while those before it are. */
      const turn = (first: LeasedClaim, ending: Effect.Effect<boolean>) =>
        Effect.gen(function*() {
          const { webhook } = first.claim
          let leased = first
          for (let delivered = 0; delivered < maxEvents; delivered++) {
            if (yield* ending) {
              yield* queue.release(leased.claim)
              return { delivered, end: "asked" as const }
            }
            const sure = yield* covered(leased)
            if (sure === undefined) return { delivered, end: "void" as const }
            leased = sure
            const { events: [event], head } = yield* queue.pending(webhook, leased.claim.cursor, 1)
            if (event === undefined) {
              yield* queue.release(leased.claim, head)
              return { delivered, end: "done" as const }
            }
            // An answer that was heard is written down, whoever wants to end: else the event would go out twice.
            const kept = yield* Effect.uninterruptibleMask((restore) =>
              Effect.gen(function*() {
                const outcome = classifyResponse(yield* restore(send(webhook, eventView(event), event.createdAt)))
                const { claim } = leased
                if (outcome._tag === "Refused") {
                  return (yield* queue.failed(claim, { ...outcome, retryMs })) ? "stopped" as const : undefined
                }
                const now = yield* monotonicMillis
                if (!(yield* queue.delivered(claim, event.id, outcome.status, leaseMs))) return undefined
                leased = {
                  claim: { ...claim, cursor: event.id, stoppedAt: null, retryDue: false },
                  until: now + leaseMs
                }
                return "taken" as const
              })
            )
            if (kept === undefined) return { delivered, end: "void" as const }
            if (kept === "stopped") return { delivered, end: "stopped" as const }
          }
          yield* queue.release(leased.claim)
          return { delivered: maxEvents, end: "done" as const }
        })

      return Deliveries.of({
        claim: (except) =>
          Effect.gen(function*() {
            const now = yield* monotonicMillis
            const claim = yield* queue.claim({ leaseMs, ...except })
            return Option.map(claim, (claim) => ({ claim, until: now + leaseMs }))
          }),
        run: (leased, ending) =>
          Effect.gen(function*() {
            const { claim } = leased
            const beginning = nextDeliveryAction(claim)
            if (beginning._tag === "LookAfter") {
              const { events, head } = yield* queue.pending(claim.webhook, beginning.eventId, 1)
              if (events.length === 0) {
                yield* queue.release(claim, head)
                return { delivered: 0, end: "done" as const }
              }
            }
            return yield* turn(leased, ending)
          }),
        release: ({ claim }) => queue.release(claim),
        test: (key) =>
          Effect.gen(function*() {
            const webhook = Option.getOrUndefined(yield* store.find(key))
            if (webhook === undefined) return yield* notFound("webhook", key.id)
            return yield* send(
              webhook,
              { id: 0, type: webhookTest.type, data: webhookView(webhook) },
              yield* currentTime
            )
          })
      })
    })
  )
}

const leaseMs = 30_000
const retryMs = 5 * 60_000
const maxEvents = 50

/** The 5 seconds that a receiver has to answer, and one for what is around a request. */
const requestMs = 6000

const unanswered: Answer = { _tag: "Unreachable", fault: "timeout" }
