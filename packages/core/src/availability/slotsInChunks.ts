/**
 * A long answer is worked out a few dates at a time, so that others get their
 * turn between them, and ends at a bound.
 *
 * - A slice begins with a local date and ends with one. The first covers two weeks,
 *   which most callers ask for; each later one as many dates as are likely to have
 *   {@link slotsAtOnce}.
 * - An answer ends with the last whole date that fits into {@link maxSlots}, and
 *   says with which to go on. Of a date that alone has more, which only a class can,
 *   the first are listed, and it goes on with the date after it.
 */
import * as Effect from "effect/Effect"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"
import type { Slot } from "./remainingSlots.ts"

/** The most slots in one answer. */
export const maxSlots = 10_000

/** They take some 3 ms of the processor from the first question to the last letter. */
const slotsAtOnce = 2000

const firstDays = 14

/** The dates of an answer, both included. */
export interface Dates {
  readonly first: LocalDate.LocalDate
  readonly last: LocalDate.LocalDate
}

/**
 * Tells the slots of some dates slice by slice, by start, and then the date to go
 * on with, if there is more than one answer holds. `find` is asked for the slots
 * of some dates; it may end at `most` of them, which is one more than are told.
 */
export const streamSlots = (
  zone: Zone,
  { first, last }: Dates,
  find: (dates: Dates, most: number) => Effect.Effect<ReadonlyArray<Slot>>,
  tell: (slots: ReadonlyArray<Slot>) => Effect.Effect<void>
): Effect.Effect<LocalDate.LocalDate | undefined> => {
  const from = (
    begin: LocalDate.LocalDate,
    days: number,
    told: number
  ): Effect.Effect<LocalDate.LocalDate | undefined> => {
    const end = LocalDate.make(Math.min(begin + days - 1, last))
    const left = maxSlots - told
    return Effect.flatMap(find({ first: begin, last: end }, left + 1), (slots) => {
      if (slots.length > left) return cut(begin, slots, left, told)
      const next = LocalDate.addDays(end, 1)
      return Effect.zipRight(
        tell(slots),
        next > last
          ? Effect.succeed(undefined)
          : Effect.zipRight(yieldToEventLoop, from(next, daysAfter(days, slots.length), told + slots.length))
      )
    })
  }

  const cut = (begin: LocalDate.LocalDate, slots: ReadonlyArray<Slot>, left: number, told: number) => {
    const date = dateOf(zone, begin, slots[left])
    const whole = slots.slice(0, left).filter(({ startsAt }) => startsAt < zone.startOf(date))
    if (told + whole.length > 0) return Effect.as(tell(whole), date)
    const next = LocalDate.addDays(date, 1)
    return Effect.as(tell(slots.slice(0, left)), next > last ? undefined : next)
  }

  return from(first, firstDays, 0)
}

/** A season that begins later must not come as one slice, so it grows step by step. */
const daysAfter = (days: number, slots: number): number =>
  Math.max(1, Math.floor(Math.min(days * slotsAtOnce / Math.max(1, slots), days * 4)))

/** The date that a slot starts on. It lasts until the next one begins, whatever clocks show meanwhile. */
const dateOf = (zone: Zone, begin: LocalDate.LocalDate, slot: Slot | undefined): LocalDate.LocalDate => {
  let date = begin
  if (slot === undefined) return date
  while (zone.startOf(LocalDate.addDays(date, 1)) <= slot.startsAt) {
    date = LocalDate.addDays(date, 1)
  }
  return date
}
