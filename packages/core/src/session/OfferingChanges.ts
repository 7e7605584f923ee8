/**
 * Changes offerings while they are being booked. Appointment and rental bookings lock the offering row. Class bookings
 * lock only a session, so a change to a class locks all of its upcoming sessions. Bookings that already hold their
 * locks finish before the change, and later bookings see the changed class. Without these locks, a booking could rely
 * on a capacity that had already been lowered, or book a class that had already been paused.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Offering, OfferingSettings } from "../offering/Offering.ts"
import type { OfferingRefusals } from "../offering/OfferingDecider.ts"
import { loadOffering, makeWriteOffering } from "../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import { SessionStore } from "./Session.ts"

export class OfferingChanges extends Context.Tag("@trailbook/core/OfferingChanges")<
  OfferingChanges,
  {
    /** Updates the settings in the patch. Existing bookings do not change. */
    readonly update: (
      key: OrgKey,
      patch: Partial<OfferingSettings>
    ) => Effect.Effect<Offering, Refusal<"not_found"> | OfferingRefusals["Update"]>
  }
>() {
  static readonly layer = Layer.effect(OfferingChanges, Effect.suspend(() => makeOfferingChanges))
}

const makeOfferingChanges = Effect.gen(function*() {
  const offerings = yield* OfferingStore
  const sessions = yield* SessionStore
  const { run } = yield* UnitOfWork
  const write = yield* makeWriteOffering

  return OfferingChanges.of({
    update: (key, patch) =>
      run(Effect.gen(function*() {
        const before = yield* Effect.flatMap(offerings.lock([key]), loadOffering(key))
        // Sessions that have started cannot be booked, so they are not locked.
        if (before.kind === "class") yield* sessions.lockUpcoming(key, yield* currentTime)
        return yield* write(before, { _tag: "Update", patch })
      }))
  })
})
