/**
 * The database's clock, for everybody who works on it: whether a hold has ended is
 * then no matter of whose machine asks. The time is this process's monotonic clock
 * and how far the database's is from that, which is asked now and then: so it
 * costs no round trip to know what time it is, and a machine whose clock is set
 * notices nothing.
 *
 * What remains is at most half a round trip, some tenths of a millisecond nearby.
 * Places do not rely on it (`docs/decisions/0004-capacity-rules.md`).
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface PostgresClock {
  readonly clock: Clock.Clock
  /**
   * Asks the database, if that was not done for some seconds, over a connection that is in no transaction. No unit of
   * work waits for it: a database that is silent would keep each of them twice as long.
   */
  readonly tick: (connection: Pick<Connection, "run">) => Effect.Effect<void>
}

/** What was heard of the database's clock, by this process's monotonic one. */
interface Sample {
  readonly at: number
  /** How far the database's clock is from the monotonic one, in milliseconds. */
  readonly offset: number
  /** How wrong that may be: half of the time that asking took. */
  readonly error: number
}

const askAfterMs = 3000

/** A closer sample of so long ago counts no more: two machines' seconds are not of one length. */
const keptMs = 60_000

/** By how many milliseconds in one of them two clocks may part; crystals are ten times better. */
const drift = 0.0005

const asked = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now"

/** Asks for the time over a connection and goes on from there. */
export const make = (
  connection: Pick<Connection, "run">,
  base: Clock.Clock,
  monotonic: () => number = () => performance.now()
): Effect.Effect<PostgresClock, unknown> => {
  const sample = ({ run }: Pick<Connection, "run">): Effect.Effect<Sample, unknown> =>
    Effect.suspend(() => {
      const before = monotonic()
      return Effect.map(run<{ readonly now: number }>(asked, []), ([row]) => {
        const at = monotonic()
        const error = (at - before) / 2
        return { at, offset: (row?.now ?? Number.NaN) - (before + error), error }
      })
    })
  return Effect.map(sample(connection), (first) => {
    let best = first
    let askedAt = first.at
    const millis = () => Math.trunc(monotonic() + best.offset)
    return {
      clock: {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: millis,
        currentTimeMillis: Effect.sync(millis),
        // For lengths of time, which the machine's own knows best.
        unsafeCurrentTimeNanos: () => base.unsafeCurrentTimeNanos(),
        currentTimeNanos: base.currentTimeNanos,
        sleep: (duration) => base.sleep(duration)
      },
      tick: (connection) =>
        Effect.suspend(() => {
          if (monotonic() - askedAt < askAfterMs) return Effect.void
          askedAt = monotonic()
          return Effect.match(sample(connection), {
            onSuccess: (heard) => {
              best = better(best, heard)
            },
            // Whoever the connection is for hears of it with their first statement.
            onFailure: () => {}
          })
        })
    }
  })
}

/** The closer one of two samples, unless it is too old, or cannot be true any more: the database's clock was set. */
const better = (before: Sample, heard: Sample): Sample => {
  if (Number.isNaN(heard.offset)) return before
  const age = heard.at - before.at
  const agree = Math.abs(before.offset - heard.offset) <= before.error + heard.error + age * drift
  return agree && before.error + age * drift <= heard.error && age < keptMs ? before : heard
}

/**
 * Has everything that is made with a layer go by this clock, unless it was given a
 * clock of its own before: that of a host or a test.
 */
export const use = ({ clock }: PostgresClock): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Effect.clock, (current) => current === real ? Effect.withClockScoped(clock) : Effect.void)

/** The machine's own clock, which a program has that was given no other. */
export const real: Clock.Clock = Context.get(DefaultServices.liveServices, Clock.Clock)
