/** An outfitter in this process, and its actions. */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import * as Effect from "effect/Effect"

/** An unvalidated JSON value. */
type Json = ReturnType<typeof JSON.parse>

export const call = (name: string, input: unknown): Effect.Effect<Json, unknown, Actor | Registry> =>
  Effect.flatMap(Registry, (registry) => registry.run(name, input))

export const outfitter = Effect.map(
  Effect.flatMap(Orgs, (orgs) => orgs.create({ name: "Salida River Co.", timezone: "America/Denver" })),
  ({ id }) => ({
    orgId: id,
    as: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provideService(work, Actor, makeHostActor({ orgId: id }))
  })
)

export type Outfitter = Effect.Effect.Success<typeof outfitter>

/** Creates a class with 10,000 seats and returns the input that books it. */
export const openClass = Effect.gen(function*() {
  const offering = yield* call("offerings.create", { name: "Browns Canyon", kind: "class", capacity: 10_000 })
  const startsAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const { data: [session] } = yield* call("sessions.create", { offering_id: offering.id, starts_at: startsAt })
  return { offering_id: offering.id, session_id: session.id }
})
