import { hostConflict } from "@trailbook/core"
import { Actor } from "@trailbook/core/actor"
import { BookingCreateHook } from "@trailbook/core/booking"
import type { Subscriber } from "@trailbook/core/event"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingEngine, BookingWorker } from "trailbook/effect"

/** The program's own rule, which is checked while the booking's locks are held. */
const gate = Layer.succeed(
  BookingCreateHook,
  BookingCreateHook.of({
    admit: ({ booking }) =>
      booking.quantity > 6
        ? hostConflict("guide_needed", "Groups of more than six need a guide. Call us.")
        : Effect.void
  })
)

export const engine = BookingEngine.layer({ database: ":memory:" }, { gate })

/** A worker that also notifies the crew of each booking, at least once and in order. */
export const worker = (tell: Subscriber["tell"]) =>
  Layer.unwrapEffect(Effect.map(Actor, ({ orgId }) => {
    const crew: Subscriber = {
      orgId,
      name: "crew",
      type: "booking.confirmed",
      from: "now",
      tell,
      isCanceled: Effect.succeed(false)
    }
    return BookingWorker.layer({ publicUrl: "https://trips.example.com" }, { subscribers: Effect.succeed([crew]) })
  }))
