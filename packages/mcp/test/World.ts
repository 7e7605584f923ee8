/** An in-memory outfitter with bookable offerings, and callers of every kind. */
import { Actor, type ApiKeyScope, makeHostActor, VisitorAccess } from "@trailbook/core/actor"
import type { AssistantCalls } from "@trailbook/core/assistant"
import { Bookings } from "@trailbook/core/booking"
import * as Decider from "@trailbook/core/Decider"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { makeUpdateBookingAndPayments } from "@trailbook/core/payment/online/updateBookingAndPayments"
import { paymentDecider } from "@trailbook/core/payment/PaymentDecider"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { Caller } from "../src/Caller.ts"
import { allTools, type ToolFilter } from "../src/ToolFilter.ts"

export interface World {
  readonly registry: Registry["Type"]
  readonly clock: SettableClock.SettableClock
  readonly actor: Actor["Type"]
  /** Another outfitter in the same storage. */
  readonly neighbor: Actor["Type"]
  readonly caller: (filter?: Partial<ToolFilter> & { readonly scopes?: ReadonlyArray<ApiKeyScope> }) => Caller
  readonly run: <A, E>(effect: Effect.Effect<A, E, AssistantCalls | Registry | VisitorAccess>) => Promise<A>
  readonly sign: VisitorAccess["Type"]["sign"]
  /** Pays for a booking online as the guest. Each distinct `intent` is a separate payment. */
  readonly pay: (id: string, intent?: string) => Promise<void>
  /** Disputes a booking's payments. */
  readonly dispute: (id: string) => Promise<void>
  /** Calls an operation the same way the API does. The default actor is the outfitter. */
  readonly call: (name: string, input?: object, actor?: Actor["Type"]) => Promise<Answer>
}

/** The fields that the tests read from a JSON response. */
export interface Answer {
  readonly id: string
  readonly [field: string]: unknown
  readonly data: ReadonlyArray<Answer>
}

/** A Saturday in summer, at 8 a.m. in Denver. */
export const start = Instant.parse("2027-06-05T14:00:00Z") ?? Instant.min

const engine = coreLayer({ batches: { concurrency: 1, maxBatchSize: 64 } }).pipe(
  Layer.provideMerge(Layer.mergeAll(Memory.layer, Payments.layerNone, TestIds.layer(1), layerNone))
)

export const world = async (): Promise<World> => {
  const clock = await Effect.runPromise(SettableClock.make(start))
  // Services keep the clock they were created with.
  const runtime = ManagedRuntime.make(Layer.provide(engine, Layer.setClock(clock)))
  const run: World["run"] = (effect) => runtime.runPromise(Effect.withClock(effect, clock))
  const registry = await run(Registry)
  const { sign } = await run(VisitorAccess)
  const [actor, neighbor] = await runtime.runPromise(Effect.gen(function*() {
    const orgs = yield* Orgs
    const ownOrg = yield* orgs.create({ name: "Salida River Co.", timezone: "America/Denver" })
    const otherOrg = yield* orgs.create({ name: "Nordfjord", timezone: "Europe/Oslo" })
    return [actorOf(ownOrg.id), actorOf(otherOrg.id)] as const
  }))
  return {
    registry,
    clock,
    actor,
    neighbor,
    caller: ({ scopes, ...selection } = {}) => ({
      actor: { ...actor, ...(scopes === undefined ? {} : { scopes: new Set(scopes) }) },
      toolFilter: { ...allTools, ...selection }
    }),
    run,
    sign,
    pay: (id, intent = "") =>
      runtime.runPromise(
        Effect.flatMap(Bookings, ({ pay }) => pay({ orgId: actor.orgId, id }, `intent ${id}${intent}`)).pipe(
          Effect.asVoid,
          Effect.withClock(clock)
        )
      ),
    dispute: (id) => runtime.runPromise(Effect.withClock(disputePayment({ id, orgId: actor.orgId }), clock)),
    call: (name, input = {}, as = actor) =>
      run(Effect.provideService(registry.run(name, input), Actor, makeHostActor({ orgId: as.orgId }))) as Promise<
        Answer
      >
  }
}

const disputePayment = (key: { readonly id: string; readonly orgId: string }) =>
  Effect.flatMap(makeUpdateBookingAndPayments, (update) =>
    update(key, (now, _booking, payments) => ({
      result: undefined,
      payments: payments.filter(({ status }) => status === "paid").map((payment) =>
        Either.getOrThrow(Decider.run(paymentDecider)(payment, { _tag: "Dispute", now, status: "open" })).state
      )
    })))

const actorOf = (orgId: string): Actor["Type"] => makeHostActor({ orgId, source: "mcp" })
