/**
 * Computes long responses a few dates at a time so that other requests can run between chunks, and limits the response
 * size.
 *
 * - A chunk consists of complete local dates. The first chunk covers two weeks, the range that most callers request.
 *   Each later chunk covers as many dates as are likely to have {@link targetChunkSlots} slots.
 * - A response ends with the last complete date that fits into {@link maxSlots}, and contains the date to continue
 *   from. Only a class can have more slots than this on a single date. In that case, the first slots of that date are
 *   listed, and the next response starts at the next date.
 */
import * as Effect from "effect/Effect"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"
import type { Slot } from "./remainingSlots.ts"

/** The maximum number of slots per response. */
export const maxSlots = 10_000

/** The target size for a chunk. A chunk of this size takes about 3 ms of CPU time from the query to the last byte. */
const targetChunkSlots = 2000

const firstDays = 14

/** The dates that a response covers, both inclusive. */
export interface DateRange {
  readonly first: LocalDate.LocalDate
  readonly last: LocalDate.LocalDate
}

/**
 * Emits the slots for a date range in chunks, sorted by start. Returns the date to continue from if the response is
 * full. `find` returns the slots in a range of dates. It can stop after `maxRows` slots, one more than the response can
 * still hold.
 */
export const streamSlots = (
  zone: Zone,
  { first, last }: DateRange,
  find: (dates: DateRange, maxRows: number) => Effect.Effect<ReadonlyArray<Slot>>,
  emit: (slots: ReadonlyArray<Slot>) => Effect.Effect<void>
): Effect.Effect<LocalDate.LocalDate | undefined> => {
  const emitFrom = (
    begin: LocalDate.LocalDate,
    days: number,
    count: number
  ): Effect.Effect<LocalDate.LocalDate | undefined> => {
    const end = LocalDate.make(Math.min(begin + days - 1, last))
    const limit = maxSlots - count
    return Effect.flatMap(find({ first: begin, last: end }, limit + 1), (slots) => {
      if (slots.length > limit) return emitLastChunk(begin, slots, limit, count)
      const next = LocalDate.addDays(end, 1)
      return Effect.zipRight(
        emit(slots),
        next > last
          ? Effect.succeed(undefined)
          : Effect.zipRight(yieldToEventLoop, emitFrom(next, computeNextDays(days, slots.length), count + slots.length))
      )
    })
  }

  const emitLastChunk = (begin: LocalDate.LocalDate, slots: ReadonlyArray<Slot>, limit: number, count: number) => {
    const date = findDate(zone, begin, slots[limit])
    const completeSlots = slots.slice(0, limit).filter(({ startsAt }) => startsAt < zone.startOf(date))
    if (count + completeSlots.length > 0) return Effect.as(emit(completeSlots), date)
    const next = LocalDate.addDays(date, 1)
    return Effect.as(emit(slots.slice(0, limit)), next > last ? undefined : next)
  }

  return emitFrom(first, firstDays, 0)
}

/**
 * Returns the number of dates for the next chunk. The number grows by at most a factor of 4, so that a season after a
 * gap is not computed in one chunk.
 */
const computeNextDays = (days: number, slots: number): number =>
  Math.max(1, Math.floor(Math.min(days * targetChunkSlots / Math.max(1, slots), days * 4)))

/**
 * Returns the local date on which a slot starts. A date ends at the start of the next date, regardless of clock
 * changes.
 */
const findDate = (zone: Zone, begin: LocalDate.LocalDate, slot: Slot | undefined): LocalDate.LocalDate => {
  let date = begin
  if (slot === undefined) return date
  while (zone.startOf(LocalDate.addDays(date, 1)) <= slot.startsAt) {
    date = LocalDate.addDays(date, 1)
  }
  return date
}
