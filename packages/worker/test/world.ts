/** In-memory orgs with webhooks. Tests choose the receivers' responses. */
import { Events, type EventType, Subscriptions } from "@trailbook/core/event"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import {
  Deliveries,
  type DeliveryFault,
  type LeasedClaim,
  type SendResult,
  type Webhook
} from "@trailbook/core/webhook"
import { Webhooks } from "@trailbook/core/webhook/Webhooks"
import * as MemoryStorage from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"

export const start = Instant.make(Date.UTC(2026, 4, 1, 15))

export const outsideServices = Layer.mergeAll(
  MemoryStorage.layer,
  FakeWebhookSender.layer,
  FakeSecrets.makeFakeSecretsLayer(),
  TestIds.layer(1)
)

/** A test's services, with the clock at `start`. */
export const world = Layer.mergeAll(Deliveries.layer, Webhooks.layer, Subscriptions.layer).pipe(
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(outsideServices),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(start)))
)

export const orgId = (n: number) => `0197a1b2-0000-7000-8000-${`${n}`.padStart(12, "0")}`

export const org = (n = 1) =>
  Effect.gen(function*() {
    const store = yield* OrgStore
    const createdAt = yield* currentTime
    yield* store.put(
      Org.make({ id: orgId(n), name: "River", slug: `river-${n}`, timezone: "America/Denver", createdAt })
    )
  })

export const url = (name: string) => `https://${name}.example/hook`

/** Creates an endpoint by name. */
export const endpoint = (
  name: string,
  options: { readonly org?: number; readonly events?: ReadonlyArray<string> } = {}
) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    Effect.map(
      Effect.orDie(
        webhooks.create({ orgId: orgId(options.org ?? 1), url: url(name), events: options.events ?? ["*"] })
      ),
      ({ webhook }) => webhook
    ))

/** Appends events in one transaction. */
export const emitEvents = (types: ReadonlyArray<EventType>, n = 1) =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const { run } = yield* UnitOfWork
    const createdAt = yield* currentTime
    yield* run(
      log.append(types.map((type) => ({ orgId: orgId(n), type, data: { type }, person: null, createdAt })))
    )
  })

export const movedType = "booking.moved" as const
export const cancelledType = "booking.cancelled" as const

export const claim = Effect.flatMap(Deliveries, ({ claim }) => claim({ exceptOrgs: [], exceptStoppedOf: [] }))

export const claimLease: Effect.Effect<LeasedClaim, never, Deliveries> = Effect.map(
  claim,
  Option.getOrThrowWith(() => new Error("Nothing waits."))
)

export const notEnding = Effect.succeed(false)
export const run = (lease: LeasedClaim, ending: Effect.Effect<boolean> = notEnding) =>
  Effect.flatMap(Deliveries, (deliveries) => deliveries.run(lease, ending))

/** Claims and runs deliveries until none is due. */
export const runAll: Effect.Effect<number, never, Deliveries> = Effect.flatMap(claim, (lease) =>
  Option.isNone(lease)
    ? Effect.succeed(0)
    : Effect.flatMap(run(lease.value), ({ delivered }) => Effect.map(runAll, (rest) => delivered + rest)))

/** Returns the event IDs that an address received, in order, including rejected events. */
export const readDeliveredIds = (name: string) =>
  Effect.flatMap(
    FakeWebhookSender,
    ({ got }) =>
      Effect.map(got, (all) => all.filter((delivery) => delivery.url === url(name)).map(({ eventId }) => eventId))
  )

export const status = (status: number): SendResult => ({ _tag: "Answered", status })
export const unreachableAnswer = (fault: Exclude<DeliveryFault, "status">): SendResult => ({
  _tag: "Unreachable",
  fault
})

export const setAnswer = (name: string, answer: SendResult | Effect.Effect<SendResult>) =>
  Effect.flatMap(
    FakeWebhookSender,
    (receivers) => receivers.answer(url(name), () => Effect.isEffect(answer) ? answer : Effect.succeed(answer))
  )

/** Returns an endpoint as it appears in its org's API response. */
export const deliveryStatus = (webhook: Webhook) =>
  Effect.flatMap(Webhooks, ({ list }) =>
    Effect.map(list(webhook.orgId), (all) => {
      const current = all.find(({ id }) => id === webhook.id)
      return current === undefined ? undefined : [current.lastStatus, current.lastError, current.lastAttemptAt] as const
    }))
