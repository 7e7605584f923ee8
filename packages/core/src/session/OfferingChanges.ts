/**
 * Changes offerings while they are sold. Bookings of appointments and rentals lock the row of the offering. Bookings of
 * classes lock only a session, so a change of a class locks all of its upcoming sessions. Earlier bookings finish
 * first, and later ones read the changed class. Otherwise seats could be sold by a capacity that was lowered before, or
 * of a class that was paused.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Offering, Settings } from "../offering/Offering.ts"
import type { OfferingRefusals } from "../offering/OfferingDecider.ts"
import { loadOffering, makeWriteOffering } from "../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import { SessionStore } from "./SessionStore.ts"

export class OfferingChanges extends Context.Tag("@trailbook/core/OfferingChanges")<
  OfferingChanges,
  {
    /** Updates the given settings. Existing bookings do not change. */
    readonly update: (
      key: OrgKey,
      patch: Partial<Settings>
    ) => Effect.Effect<Offering, Refusal<"not_found"> | OfferingRefusals["Update"]>
  }
>() {
  static readonly layer = Layer.effect(
    OfferingChanges,
    Effect.gen(function*() {
      const offerings = yield* OfferingStore
      const sessions = yield* SessionStore
      const { run } = yield* UnitOfWork
      const write = yield* makeWriteOffering

      return OfferingChanges.of({
        update: (key, patch) =>
          run(Effect.gen(function*() {
            const before = yield* Effect.flatMap(offerings.lock([key]), loadOffering(key))
            // Sessions that have started are no longer sold.
            if (before.kind === "class") yield* sessions.lockComing(key, yield* currentTime)
            return yield* write(before, { _tag: "Update", patch })
          }))
      })
    })
  )
}
