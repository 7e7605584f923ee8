/**
 * @since 0.1.0
 */
import type { Event } from "@trailbook/client/operations"
import type { Result } from "@trailbook/client/Result"
import { TrailbookError } from "@trailbook/client/TrailbookError"
import { Actor, scopes as allScopes } from "@trailbook/core/actor/Actor"
import { Bookings } from "@trailbook/core/booking/Bookings"
import { bookingView } from "@trailbook/core/booking/BookingView"
import { operations } from "@trailbook/core/operation/layer"
import { Registry } from "@trailbook/core/operation/Registry"
import * as Effect from "effect/Effect"
import { asJson } from "./asJson.ts"
import type { Calls, TriedCalls } from "./Calls.ts"
import { eventsOf } from "./eventsOf.ts"
import type { Lifecycle } from "./Lifecycle.ts"
import type { ActorOptions, EventsOptions, Outfitter } from "./Outfitter.ts"

/**
 * The operations for an outfitter and somebody who acts for it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const outfitterOf = (
  lifecycle: Lifecycle,
  /** Asked with every call: which org it is may only be known once the database is open. */
  orgId: () => Promise<string>,
  actor: ActorOptions = {}
): Outfitter => {
  const run = async (name: string, input: unknown): Promise<unknown> => {
    const { scopes = allScopes, source = "api" } = actor
    const acting = { orgId: await orgId(), source, scopes: new Set(scopes) }
    const given = asJson(input)
    return lifecycle.run(
      Effect.flatMap(Registry, (registry) => registry.run(name, given)).pipe(Effect.provideService(Actor, acting))
    )
  }
  const tried = async (name: string, input: unknown): Promise<Result<unknown>> => {
    try {
      return { ok: true, value: await run(name, input) }
    } catch (error) {
      if (error instanceof TrailbookError) return { ok: false, error }
      throw error
    }
  }
  // The types are read off the same declarations as these names, and the registry reads the input.
  const calls = grouped(run) as unknown as Calls
  const events = (options?: EventsOptions): AsyncIterableIterator<Event> =>
    eventsOf(calls.events.list, lifecycle.ended, options)
  return {
    ...calls,
    events: Object.assign(events, calls.events),
    try: grouped(tried) as unknown as TriedCalls,
    paid: async ({ id, payment_intent_id }) => {
      const key = { orgId: await orgId(), id }
      return lifecycle.run(
        Effect.flatMap(Bookings, ({ pay }) => Effect.map(pay(key, payment_intent_id), bookingView))
      )
    },
    as: ({ scopes = actor.scopes, source = actor.source }) => outfitterOf(lifecycle, orgId, { scopes, source })
  }
}

type Call<A> = (input?: unknown) => Promise<A>

/** `bookings.create` is `create` of `bookings`. */
const grouped = <A>(call: (name: string, input: unknown) => Promise<A>): Record<string, Record<string, Call<A>>> => {
  const groups: Record<string, Record<string, Call<A>>> = {}
  for (const { name } of operations) {
    const [group = "", action = ""] = name.split(".")
    groups[group] = { ...groups[group], [action]: (input) => call(name, input) }
  }
  return groups
}
