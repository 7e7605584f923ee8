/**
 * An outfitter with a trip for many guests. The process calls the operations directly, so it measures only the engine.
 * Other benchmarks measure HTTP.
 */
import type { Refusal } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { databaseOf } from "../domain.ts"
import { drive, type LoadResult } from "../load.ts"

/** The same engine as in `trailbook serve`. */
export const world = (url: string) =>
  Layer.unwrapEffect(
    Effect.map(
      loadAdapter(databaseOf(url)),
      ({ batches, storage }) => Layer.provideMerge(engineLayer(NodeIds.layer, batches), storage)
    )
  )

export interface Outfitter {
  readonly orgId: string
  readonly session: string
  /** Runs an operation and returns its result. */
  readonly call: (name: string, input: object) => Effect.Effect<ReturnType<typeof JSON.parse>, Refusal>
  /** Books seats for the given number of new guests and returns the guests. */
  readonly book: (count: number, clients: number) => Effect.Effect<BookingLoad>
}

export interface BookingLoad {
  readonly result: LoadResult
  readonly customers: ReadonlyArray<string>
}

/** Runs `calls` calls with at most `clients` of them in flight. Every call must succeed. */
export const runCalls = (
  calls: number,
  clients: number,
  one: (call: number) => Effect.Effect<unknown, unknown>
): Effect.Effect<LoadResult> =>
  Effect.promise(() => drive({ calls, clients }, (call) => Effect.runPromise(Effect.as(one(call), 200))))

export const openOutfitter = Effect.gen(function*() {
  const { id: orgId } = yield* (yield* Orgs).create({ name: "Bench River Co.", timezone: "America/Denver" })
  const registry = yield* Registry
  const call: Outfitter["call"] = (name, input) =>
    Effect.provideService(registry.run(name, input), Actor, makeHostActor({ orgId }))
  const offering = yield* call("offerings.create", { name: "Browns Canyon", kind: "class", capacity: 10_000 })
  const starts_at = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const { data: [session] } = yield* call("sessions.create", { offering_id: offering.id, starts_at })
  let guests = 0
  const book: Outfitter["book"] = (count, clients) =>
    Effect.gen(function*() {
      const customers: Array<string> = []
      const result = yield* runCalls(count, clients, () =>
        Effect.map(
          call("bookings.create", {
            offering_id: offering.id,
            session_id: session.id,
            customer: { email: `guest${guests++}@example.com`, name: "Elena Rodríguez" }
          }),
          ({ customer_id }) => void customers.push(customer_id)
        ))
      return { result, customers }
    })
  const outfitter: Outfitter = { orgId, session: session.id, call, book }
  return outfitter
})
