/**
 * A clock that follows the database's clock. All processes share the database's clock, so a hold's expiry does not
 * depend on one machine's clock. The time is this process's monotonic clock plus a measured offset, which is refreshed
 * periodically. Reading the time therefore needs no round trip, and changes to the machine's clock have no effect.
 *
 * The time can be wrong by up to half a round trip, which is a few tenths of a millisecond on a local network. Capacity
 * checks do not rely on this precision (`docs/decisions/0004-capacity-rules.md`).
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
   * Measures the offset in the background if the last measurement is several seconds old. The connection must not be in
   * a transaction. Units of work do not wait for the measurement, because an unresponsive database would then delay
   * them twice.
   */
  readonly tick: (connection: Pick<Connection, "run">) => Effect.Effect<void>
}

/** One measurement of the database's clock, relative to this process's monotonic clock. */
interface Sample {
  readonly at: number
  /** The offset of the database's clock from the monotonic clock, in milliseconds. */
  readonly offset: number
  /** The maximum error of `offset`, which is half the round trip. */
  readonly error: number
}

const measureIntervalMs = 3000

/**
 * The maximum age of a sample. Older samples are dropped even if they are more precise, because the clocks of two
 * machines drift apart.
 */
const maxSampleAgeMs = 60_000

/** The assumed maximum drift between two clocks, as a fraction. Quartz crystals drift by only a tenth of that. */
const maxDrift = 0.0005

const statement = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now"

/** Measures the offset on a connection and creates the clock. */
export const make = (
  connection: Pick<Connection, "run">,
  base: Clock.Clock,
  monotonic: () => number = () => performance.now()
): Effect.Effect<PostgresClock, unknown> => {
  const takeSample = ({ run }: Pick<Connection, "run">): Effect.Effect<Sample, unknown> =>
    Effect.suspend(() => {
      const startedAt = monotonic()
      return Effect.map(run<{ readonly now: number }>(statement, []), ([row]) => {
        const at = monotonic()
        const error = (at - startedAt) / 2
        return { at, offset: (row?.now ?? Number.NaN) - (startedAt + error), error }
      })
    })
  return Effect.map(takeSample(connection), (first) => {
    let best = first
    let measuredAt = first.at
    const millis = () => Math.trunc(monotonic() + best.offset)
    return {
      clock: {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: millis,
        currentTimeMillis: Effect.sync(millis),
        // Durations are measured with the machine's own clock, which is the most precise.
        unsafeCurrentTimeNanos: () => base.unsafeCurrentTimeNanos(),
        currentTimeNanos: base.currentTimeNanos,
        sleep: (duration) => base.sleep(duration)
      },
      tick: (connection) =>
        Effect.suspend(() => {
          if (monotonic() - measuredAt < measureIntervalMs) return Effect.void
          measuredAt = monotonic()
          return Effect.match(takeSample(connection), {
            onSuccess: (newer) => {
              best = chooseSample(best, newer)
            },
            // Ignore the failure. The next statement on this connection will report the same problem to its own caller.
            onFailure: () => {}
          })
        })
    }
  })
}

/**
 * Returns the more precise of two samples. Returns the newer one if the older one is too old, or if they contradict
 * each other because the database's clock was changed.
 */
const chooseSample = (older: Sample, newer: Sample): Sample => {
  if (Number.isNaN(newer.offset)) return older
  const age = newer.at - older.at
  const isConsistent = Math.abs(older.offset - newer.offset) <= older.error + newer.error + age * maxDrift
  return isConsistent && older.error + age * maxDrift <= newer.error && age < maxSampleAgeMs ? older : newer
}

/** Sets this clock for all services that are built with the layer, unless a host or a test has already set a clock. */
export const installClock = ({ clock }: PostgresClock): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Effect.clock, (current) => current === systemClock ? Effect.withClockScoped(clock) : Effect.void)

/** The default clock, for programs that do not set one. */
export const systemClock: Clock.Clock = Context.get(DefaultServices.liveServices, Clock.Clock)
