/**
 * Delivers events to webhook endpoints. A worker holds a lease on an endpoint, so only one worker at a time delivers to
 * it. Events are sent oldest first, one request at a time, and each at least once.
 *
 * - A successful delivery moves the endpoint's cursor, which is stored before the next request. After a crash, at most
 *   one event is sent again.
 * - A failure stops the endpoint at the failed event. Delivery is retried when the endpoint has a new event, and
 *   every 5 minutes.
 * - A run ends after 50 events, so that other endpoints get their turn.
 * - Each event is read right before it is sent, so data that an erasure has removed is not sent.
 * - A request starts only if the lease outlasts the request's timeout. If a worker is suspended past its lease and
 *   another worker claims the endpoint, the first worker finds that its claim is void and ends its run.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type EventView, eventView } from "../event/Events.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { StoredEvent } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Secrets } from "../port/Secrets.ts"
import type { Refusal } from "../Refusal.ts"
import { currentTime, monotonicMillis } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import {
  classifyResponse,
  type DeliveryFault,
  getWebhookSecretLocation,
  type SendResult,
  type Webhook,
  WebhookSender,
  WebhookStore,
  webhookTestEvent,
  webhookView
} from "./Webhook.ts"

/**
 * A worker's claim on an endpoint, with a lease. The claim becomes void when the worker releases it or when the
 * endpoint is rewound or removed. It also becomes void when another worker claims the endpoint, which changes `fence`.
 * A claim whose lease has expired stays valid until another worker claims the endpoint.
 */
export interface DeliveryClaim {
  readonly webhook: Webhook
  readonly fence: number
  /** All events up to this ID were delivered or filtered out. */
  readonly cursor: number
  /** The ID of the org's newest event when a failure stopped the endpoint, or null if it is not stopped. */
  readonly stoppedAt: number | null
  /** Whether a stopped endpoint is due for a retry, regardless of new events. */
  readonly retryDue: boolean
}

/**
 * The endpoints with pending events, and their claims. Any number of workers can try to claim an endpoint, but only one
 * claim on it is valid at a time. Leases and retries use the database's clock, if it has one, so process clocks can
 * differ.
 *
 * Each call is a separate transaction, which is durable when the call returns.
 */
export class DeliveryQueue extends Context.Tag("@trailbook/core/DeliveryQueue")<
  DeliveryQueue,
  {
    /**
     * Claims the endpoint with the oldest last attempt among those that are active, unclaimed, and have pending events.
     * An endpoint that is not stopped is pending if its org has an event after its cursor. A stopped endpoint is
     * pending if its org has an event after `stoppedAt` or its retry is due. Skips all endpoints of the orgs in
     * `exceptOrgs`. Also skips the stopped endpoints of the orgs in `exceptStoppedOf`, or of all orgs if it is
     * `"every"`, because an endpoint that failed is likely to be slow again.
     */
    readonly claim: (options: {
      readonly leaseMs: number
      readonly exceptOrgs: ReadonlyArray<string>
      readonly exceptStoppedOf: ReadonlyArray<string> | "every"
    }) => Effect.Effect<Option.Option<DeliveryClaim>>
    /**
     * Returns up to `limit` events after `after` that the endpoint subscribes to, oldest first, including recent
     * events. `head` is the ID of the org's newest event in the same snapshot.
     */
    readonly pending: (webhook: Webhook, after: number, limit: number) => Effect.Effect<{
      readonly events: ReadonlyArray<StoredEvent>
      readonly head: number
    }>
    /**
     * Moves the cursor, records a 2xx response, resumes a stopped endpoint, and renews the lease. Returns false if the
     * claim is void.
     */
    readonly recordSuccess: (
      claim: DeliveryClaim,
      cursor: number,
      status: number,
      leaseMs: number
    ) => Effect.Effect<boolean>
    /** Renews the lease. Returns false if the claim is void. */
    readonly renew: (claim: DeliveryClaim, leaseMs: number) => Effect.Effect<boolean>
    /**
     * Records a failure, stops the endpoint at the org's newest event, schedules a retry after `retryMs`, and ends the
     * lease. Returns false if the claim is void.
     */
    readonly recordFailure: (claim: DeliveryClaim, failure: {
      readonly status: number
      readonly fault: DeliveryFault
      readonly retryMs: number
    }) => Effect.Effect<boolean>
    /**
     * Ends the lease. If `passed` is given, all events up to that event were filtered out. The cursor, or `stoppedAt`
     * for a stopped endpoint, then moves to that event. Void claims are ignored.
     */
    readonly release: (claim: DeliveryClaim, passed?: number) => Effect.Effect<void>
  }
>() {}

/**
 * A claim, and when it expires on this machine's monotonic clock. The stored lease starts later, so it never expires
 * before this time.
 */
export interface LeasedClaim {
  readonly claim: DeliveryClaim
  readonly until: number
}

/** The endpoints to skip because their orgs already have enough concurrent runs. */
export type ExcludedEndpoints = Omit<Parameters<DeliveryQueue["Type"]["claim"]>[0], "leaseMs">

/**
 * The number of delivered events, and why the run ended. `done` means that no events are pending or that 50 were
 * delivered. `stopped` means that a delivery failed, `void` that the claim was lost, and `asked` that the worker is
 * stopping.
 */
export interface DeliveryRunResult {
  readonly delivered: number
  readonly end: "done" | "stopped" | "void" | "asked"
}

export class Deliveries extends Context.Tag("@trailbook/core/Deliveries")<
  Deliveries,
  {
    /** Claims an endpoint that has pending events and is not excluded. */
    readonly claim: (except: ExcludedEndpoints) => Effect.Effect<Option.Option<LeasedClaim>>
    /**
     * Delivers pending events. Reads `isEnding` before each request, and ends the run if it is true. An interruption
     * cancels the current request and keeps the claim.
     */
    readonly run: (leasedClaim: LeasedClaim, isEnding: Effect.Effect<boolean>) => Effect.Effect<DeliveryRunResult>
    /** Releases a claim, so that the next worker does not have to wait for the lease to expire. */
    readonly release: (leasedClaim: LeasedClaim) => Effect.Effect<void>
    /** Sends a signed `webhook.test` event with the ID 0. The test does not move the cursor and is not recorded. */
    readonly test: (key: OrgKey) => Effect.Effect<SendResult, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(Deliveries, Effect.suspend(() => makeDeliveries))
}

const makeDeliveries = Effect.gen(function*() {
  const queue = yield* DeliveryQueue
  const secrets = yield* Secrets
  const sender = yield* WebhookSender
  const store = yield* WebhookStore

  const send = (webhook: Webhook, event: Omit<EventView, "created_at">, createdAt: Instant.Instant) =>
    Effect.gen(function*() {
      const secret = yield* secrets.open(webhook.sealedSecret, getWebhookSecretLocation(webhook))
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
        // The sender has a timeout of 5 seconds, but the lease must also outlast a sender that ignores this
        // timeout.
        { duration: requestMs, onTimeout: () => timeoutAnswer, onSuccess: (answer) => answer }
      )
    })

  /** Renews the lease if it could expire during a request. Returns undefined if the claim was lost. */
  const renewIfNeeded = (leasedClaim: LeasedClaim) =>
    Effect.gen(function*() {
      const now = yield* monotonicMillis
      if (leasedClaim.until - now > requestMs) return leasedClaim
      return (yield* queue.renew(leasedClaim.claim, leaseMs)) ? { ...leasedClaim, until: now + leaseMs } : undefined
    })

  /**
   * Sends one event at a time. Each event is read immediately before it is sent, because a guest may be erased
   * during an earlier request.
   */
  const deliverQueue = (first: LeasedClaim, isEnding: Effect.Effect<boolean>) =>
    Effect.gen(function*() {
      const { webhook } = first.claim
      let leasedClaim = first
      for (let delivered = 0; delivered < maxEvents; delivered++) {
        if (yield* isEnding) {
          yield* queue.release(leasedClaim.claim)
          return { delivered, end: "asked" as const }
        }
        const renewedClaim = yield* renewIfNeeded(leasedClaim)
        if (renewedClaim === undefined) return { delivered, end: "void" as const }
        leasedClaim = renewedClaim
        const { events: [event], head } = yield* queue.pending(webhook, leasedClaim.claim.cursor, 1)
        if (event === undefined) {
          yield* queue.release(leasedClaim.claim, head)
          return { delivered, end: "done" as const }
        }
        // Record the response even on interruption. Otherwise, the event would be sent twice.
        const result = yield* Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const outcome = classifyResponse(yield* restore(send(webhook, eventView(event), event.createdAt)))
            const { claim } = leasedClaim
            if (outcome._tag === "Refused") {
              return (yield* queue.recordFailure(claim, { ...outcome, retryMs })) ? "stopped" as const : undefined
            }
            const now = yield* monotonicMillis
            if (!(yield* queue.recordSuccess(claim, event.id, outcome.status, leaseMs))) return undefined
            leasedClaim = {
              claim: { ...claim, cursor: event.id, stoppedAt: null, retryDue: false },
              until: now + leaseMs
            }
            return "taken" as const
          })
        )
        if (result === undefined) return { delivered, end: "void" as const }
        if (result === "stopped") return { delivered, end: "stopped" as const }
      }
      yield* queue.release(leasedClaim.claim)
      return { delivered: maxEvents, end: "done" as const }
    })

  return Deliveries.of({
    claim: (except) =>
      Effect.gen(function*() {
        const now = yield* monotonicMillis
        const claim = yield* queue.claim({ leaseMs, ...except })
        return Option.map(claim, (claim) => ({ claim, until: now + leaseMs }))
      }),
    run: (leasedClaim, isEnding) =>
      Effect.gen(function*() {
        const { claim } = leasedClaim
        const firstAction = getNextDeliveryAction(claim)
        if (firstAction._tag === "LookAfter") {
          const { events, head } = yield* queue.pending(claim.webhook, firstAction.eventId, 1)
          if (events.length === 0) {
            yield* queue.release(claim, head)
            return { delivered: 0, end: "done" as const }
          }
        }
        return yield* deliverQueue(leasedClaim, isEnding)
      }),
    release: ({ claim }) => queue.release(claim),
    test: (key) =>
      Effect.gen(function*() {
        const webhook = yield* Effect.flatMap(store.find(key), failIfNotFound("webhook", key.id))
        return yield* send(
          webhook,
          { id: 0, type: webhookTestEvent.type, data: webhookView(webhook) },
          yield* currentTime
        )
      })
  })
})

const leaseMs = 30_000
const retryMs = 5 * 60_000
const maxEvents = 50

/** The sender's 5-second timeout, plus 1 second of overhead. */
const requestMs = 6000

const timeoutAnswer: SendResult = { _tag: "Unreachable", fault: "timeout" }

/** A run's first action. */
type DeliveryAction =
  /** Deliver events from the cursor onward. */
  | { readonly _tag: "Deliver" }
  /**
   * Look for the next subscribed event after this one. A stopped endpoint resumes before its retry only if there is
   * such an event.
   */
  | { readonly _tag: "LookAfter"; readonly eventId: number }

/**
 * Returns the first action of a run. A stopped endpoint resumes once there is a new event that it subscribes to, and
 * otherwise every 5 minutes. It is claimed whenever its org has a new event, so the run must check whether the endpoint
 * subscribes to that event.
 */
export const getNextDeliveryAction = (
  { retryDue, stoppedAt }: Pick<DeliveryClaim, "retryDue" | "stoppedAt">
): DeliveryAction => stoppedAt === null || retryDue ? { _tag: "Deliver" } : { _tag: "LookAfter", eventId: stoppedAt }
