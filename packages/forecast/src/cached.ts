/**
 * Answers that are kept for a while, so that a hundred trips of one place ask once.
 *
 * - An answer counts for half an hour. Who asks while a question is under way waits for
 *   that one.
 * - What was not answered is asked again after five minutes. Meanwhile, and when it is
 *   not answered again, the last answer is given, however old: it says how old it is,
 *   and whoever uses it decides.
 * - What was asked longest ago is forgotten when there are too many.
 */
import type { SignalUnavailable } from "@trailbook/core/forecast/SignalUnavailable"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"

interface Entry<A> {
  /** Until then it is not asked again. */
  readonly until: Instant | number
  readonly answer: A | SignalUnavailable | undefined
  /** The last one that was no failure. */
  readonly last: A | undefined
  readonly underWay: Deferred.Deferred<A | SignalUnavailable> | undefined
}

const minuteMs = 60_000
const goodForMs = 30 * minuteMs
const againAfterMs = 5 * minuteMs
const maxEntries = 1000

export const cached = <A extends { readonly _tag: string }>(
  ask: (key: string) => Effect.Effect<A | SignalUnavailable>
): (key: string) => Effect.Effect<A | SignalUnavailable> => {
  const entries = new Map<string, Entry<A>>()
  const keep = (key: string, entry: Entry<A>) => {
    entries.delete(key)
    entries.set(key, entry)
    const [eldest] = entries.keys()
    if (entries.size > maxEntries && eldest !== undefined) entries.delete(eldest)
  }
  const isSignal = (answer: A | SignalUnavailable): answer is A => answer._tag !== "NoSignal"

  return (key) =>
    Effect.flatMap(currentTime, (now) =>
      Effect.suspend(() => {
        const known = entries.get(key)
        if (known?.underWay !== undefined) return Deferred.await(known.underWay)
        if (known?.answer !== undefined && now < known.until) return Effect.succeed(known.answer)
        const underWay = Deferred.unsafeMake<A | SignalUnavailable>(FiberId.none)
        keep(key, { until: 0, answer: known?.answer, last: known?.last, underWay })
        // Others wait for it, so that one of them gives up is no reason to.
        const asking = Effect.onExit(
          Effect.map(ask(key), (answer): A | SignalUnavailable => {
            const last = isSignal(answer) ? answer : known?.last
            const given = last ?? answer
            const until = now + (isSignal(answer) ? goodForMs : againAfterMs)
            keep(key, { until, answer: given, last, underWay: undefined })
            return given
          }),
          (exit) => {
            if (!Exit.isSuccess(exit)) entries.delete(key)
            return Deferred.done(underWay, exit)
          }
        )
        return Effect.zipRight(Effect.forkDaemon(asking), Deferred.await(underWay))
      }))
}
