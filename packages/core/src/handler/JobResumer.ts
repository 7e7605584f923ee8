/**
 * Taking up what was begun in parts and left: the process died, its database was
 * away, or the caller's time was over. Whoever does a part writes down when. What
 * nobody has touched for a while is anybody's; should two take it up at once, each
 * part is done by one of them all the same.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Cancellations } from "../booking/cancellation/Cancellations.ts"
import { CustomerErasure } from "../customer/erasure/Erasures.ts"
import { type ResumableJob, ResumableJobStore } from "../job/ResumableJobStore.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"

/**
 * @category services
 */
export class JobResumer extends Context.Tag("@trailbook/core/JobResumer")<
  JobResumer,
  {
    /** What nobody has gone on with for 15 seconds, at most `limit`; from now on somebody does. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ResumableJob>>
    /** Goes on until it is finished or, asked between two parts, the worker is `ending`. */
    readonly resume: (row: ResumableJob, ending: Effect.Effect<boolean>) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    JobResumer,
    Effect.gen(function*() {
      const cancellations = yield* Cancellations
      const erasures = yield* CustomerErasure
      const unfinished = yield* ResumableJobStore
      const { run } = yield* UnitOfWork

      const taken = (row: ResumableJob, now: Instant.Instant) =>
        run(Effect.gen(function*() {
          const found = yield* unfinished.lock(row)
          // It was finished, or taken up, since it was listed.
          if (Option.isNone(found) || found.value.touchedAt !== row.touchedAt) return []
          const mine = { ...found.value, touchedAt: now }
          yield* unfinished.put(mine)
          return [mine]
        }))

      return JobResumer.of({
        claim: (limit) =>
          Effect.gen(function*() {
            const now = yield* currentTime
            const left = yield* unfinished.untouchedSince(Instant.make(now - untouchedMs), limit)
            return (yield* Effect.forEach(left, (row) => taken(row, now))).flat()
          }),
        resume: (row, ending) =>
          row.subject === "customer" || row.subject === "conversation"
            ? erasures.resume(row, ending)
            : cancellations.resume(row, ending)
      })
    })
  )
}

/** Longer than any part takes. */
const untouchedMs = 15_000
