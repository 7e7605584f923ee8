import { type Booking, BookingStore } from "@trailbook/core/booking"
import type { PlaceClock } from "@trailbook/core/capacity"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The memory adapter with one faulty port. */
export const breakPort = <Id extends Storage, Port extends object>(
  tag: Context.Tag<Id, Port>,
  instead: (port: Port) => Partial<Port>
): Layer.Layer<Storage> =>
  Layer.provideMerge(
    Layer.effect(tag, Effect.map(tag, (port) => ({ ...port, ...instead(port) }))),
    // The compiler cannot infer that a storage port requires only the storage.
    Memory.layer as Layer.Layer<Storage | Id>
  )

/** The memory adapter, except that it alters every booking that it stores, whether new or changed. */
export const storingBookings = (
  other: (bookings: ReadonlyArray<Booking>) => ReadonlyArray<Booking>
): Layer.Layer<Storage> =>
  breakPort(BookingStore, ({ put, update }) => ({
    put: (bookings) => put(other(bookings)),
    update: (bookings) => update(other(bookings))
  }))

/** Makes a write that should fail succeed silently. */
export const swallowFailures =
  <A extends ReadonlyArray<unknown>>(write: (...rows: A) => Effect.Effect<void>) => (...rows: A) =>
    Effect.catchAllDefect(write(...rows), () => Effect.void)

/** Writes places without their recorded expiry. */
export const dropJudgedAt =
  <Row extends PlaceClock>(write: (rows: ReadonlyArray<Row>) => Effect.Effect<void>) => (rows: ReadonlyArray<Row>) =>
    write(rows.map((row) => ({ ...row, judgedAt: Instant.make(0) })))

/** Writes each row in a separate statement. */
export const oneByOne =
  <Row>(write: (rows: ReadonlyArray<Row>) => Effect.Effect<void>) => (rows: ReadonlyArray<Row>): Effect.Effect<void> =>
    Effect.forEach(rows, (row) => write([row]), { discard: true })

/** Reads each row in a separate statement, so duplicates are returned twice. */
export const eachAsked =
  <Key, Row>(ask: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Row>>) =>
  (keys: ReadonlyArray<Key>): Effect.Effect<ReadonlyArray<Row>> =>
    Effect.map(Effect.forEach(keys, (key) => ask([key])), (groups) => groups.flat())
