import type { Event } from "@trailbook/client/operations"
import { Refusal } from "@trailbook/core"
import { Bookings, bookingView } from "@trailbook/core/booking"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Struct from "effect/Struct"
import { exportStream } from "./exportStream.ts"
import type { On } from "./hook/On.ts"
import type { CallScope, Lifecycle } from "./Lifecycle.ts"
import { makeCalls } from "./makeCalls.ts"
import { makeEventStream } from "./makeEventStream.ts"
import { parseActorDetails } from "./option/parseDetails.ts"
import type { ActorOptions, EventsOptions, Outfitter } from "./Outfitter.ts"
import { trailbookError } from "./trailbookError.ts"

/** Creates an outfitter's API for an actor. */
export const makeOutfitter = (
  lifecycle: Lifecycle,
  /**
   * Returns the ID of the org. The function runs on each call, because the ID may be unknown until the database is
   * open.
   */
  orgId: (call: CallScope) => Promise<string>,
  on: On,
  actor: ActorOptions = {}
): Outfitter => {
  const { calls, tried } = makeCalls(lifecycle, orgId, actor)
  const events = (options?: EventsOptions): AsyncIterableIterator<Event> =>
    makeEventStream(calls.events.list, lifecycle.ended, options)
  return {
    ...calls,
    events: Object.assign(events, calls.events),
    exported: () => exportStream(lifecycle, orgId, actor),
    on: (type, handler, options) => {
      if (actor.scopes?.includes("read") === false) throw trailbookError(mayNotRead)
      return on(type, handler, options)
    },
    try: tried,
    within: (transaction) => {
      const { calls, tried } = makeCalls(lifecycle.within(transaction), orgId, actor)
      return { ...Struct.omit(calls, "webhooks"), try: Struct.omit(tried, "webhooks") }
    },
    paid: async ({ cents = null, currency = null, id, payment_id: paymentId = null, payment_intent_id: intent }) =>
      lifecycle.during(async (call) => {
        const key = { orgId: await orgId(call), id }
        return call.run(
          Effect.flatMap(
            Bookings,
            ({ pay }) => Effect.map(pay(key, intent, { paymentId, cents, currency }), bookingView)
          )
        )
      }),
    as: (input) => {
      const { scopes = actor.scopes, source = actor.source } = parseOptions(input)
      return makeOutfitter(lifecycle, orgId, on, { scopes, source })
    }
  }
}

/** Validates the actor. Without this check, a mistake would not surface until a later booking. */
const parseOptions = (input: ActorOptions): ActorOptions =>
  Either.getOrThrowWith(Effect.runSync(Effect.either(parseActorDetails(input))), trailbookError)

const mayNotRead = new Refusal({ code: "forbidden", message: "on: requires the read scope" })
