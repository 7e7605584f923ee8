/**
 * Caches results, so that 100 trips at the same location need only one request.
 * - A result is valid for 30 minutes. Concurrent lookups for the same key share one request.
 * - A failure is retried after 5 minutes. Until then, the previous result is returned. It includes its age, so the
 *   caller can reject a result that is too old.
 * - A full cache evicts the least recently refreshed entry.
 */
import type { SignalUnavailable } from "@trailbook/core/forecast"
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
  /** The latest successful result. */
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
        const entry = entries.get(key)
        if (entry?.underWay !== undefined) return Deferred.await(entry.underWay)
        if (entry?.answer !== undefined && now < entry.until) return Effect.succeed(entry.answer)
        const underWay = Deferred.unsafeMake<A | SignalUnavailable>(FiberId.none)
        keep(key, { until: 0, answer: entry?.answer, last: entry?.last, underWay })
        // The fiber is a daemon, because other lookups share its request and an interrupted lookup must not cancel it.
        const request = Effect.onExit(
          Effect.map(ask(key), (answer): A | SignalUnavailable => {
            const last = isSignal(answer) ? answer : entry?.last
            const result = last ?? answer
            const until = now + (isSignal(answer) ? goodForMs : againAfterMs)
            keep(key, { until, answer: result, last, underWay: undefined })
            return result
          }),
          (exit) => {
            if (!Exit.isSuccess(exit)) entries.delete(key)
            return Deferred.done(underWay, exit)
          }
        )
        return Effect.zipRight(Effect.forkDaemon(request), Deferred.await(underWay))
      }))
}
