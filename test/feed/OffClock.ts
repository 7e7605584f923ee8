/**
 * A server clock with an offset in milliseconds that can change at runtime. Only the reported time jumps. Sleeps keep
 * their duration.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface OffClock extends Clock.Clock {
  readonly setOff: (byMillis: number) => void
}

export const offClock = (): OffClock => {
  const right = Clock.make()
  let off = 0
  const millis = () => right.unsafeCurrentTimeMillis() + off
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) => right.sleep(duration),
    setOff: (byMillis) => {
      off = byMillis
    }
  }
}
