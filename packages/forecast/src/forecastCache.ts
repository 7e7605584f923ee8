/**
 * Caches results, so that 100 trips at one location cause one request.
 * - A result is valid for 30 minutes. Concurrent lookups of a key share one request.
 * - A failure is retried after 5 minutes. Until then the last result is returned. It contains its age, so the caller
 *   can reject an old one.
 * - A full cache evicts the entry that was requested least recently.
 */
import type { SignalUnavailable } from "@trailbook/core/forecast/SignalUnavailable"
import { currentTime } from "@trailbook/core/time/currentTime"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"

interface Entry<A> {
  /** The entry is refreshed after this instant. */
  readonly until: Instant | number
  readonly answer: A | SignalUnavailable | undefined
  /** The latest result that was no failure. */
  readonly last: A | undefined
  readonly underWay: Deferred.Deferred<A | SignalUnavailable> | undefined
}

const minuteMs = 60_000
const goodForMs = 30 * minuteMs
const againAfterMs = 5 * minuteMs
const maxEntries = 1000

export const makeForecastCache = <A extends { readonly _tag: string }>(
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
        // The fiber is a daemon because other lookups share the request. An interrupted lookup must not cancel it.
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
