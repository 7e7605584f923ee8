import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { availabilityGet, type SlotView } from "@trailbook/core/availability"
import type { OfferingView } from "@trailbook/core/offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { getSlotKey } from "../../book/BookingSelection.ts"
import { getZoneCity } from "../../text/Format.ts"
import { type PageContext, usePage } from "../Page.ts"

type Link = (query: { readonly from?: string; readonly date?: string }) => string

/** The days with their remaining capacity, as links. */
export const DayLinks = ({ link, open: { date, days, earlier, later } }: {
  readonly open: SlotDays
  readonly link: Link
}) => {
  const { format } = usePage()
  const [first] = days
  return (
    <nav class="stack tight" aria-label="Days">
      <ul class="days">
        {days.map((day) => (
          <li key={day.date}>
            <a
              class="btn"
              href={link({ from: first?.date ?? day.date, date: day.date })}
              aria-current={day.date === date ? "date" : undefined}
            >
              <span>{format.shortDate(day.date)}</span>
              <small class={day.free === 0 ? "soft" : undefined}>{availabilityText(day)}</small>
            </a>
          </li>
        ))}
      </ul>
      <p class="acts">
        {earlier !== undefined && <a class="btn" href={link({ from: earlier })}>Earlier</a>}
        <a class="btn" href={link({ from: later })}>Later</a>
      </p>
    </nav>
  )
}

const availabilityText = ({ all, free }: { readonly free: number; readonly all: number }): string =>
  all === 0 ? "no times" : free === 0 ? "full" : free === 1 ? "1 time" : `${free} times`

/** The start times on the selected day with their remaining capacity, as radio buttons. */
export const TimeChoices = ({ chosen, name, open: { date, hasRoom, slots } }: {
  readonly open: SlotDays
  readonly name: string
  readonly chosen: string | undefined
}) => {
  const { format, org } = usePage()
  const [first] = slots
  if (first === undefined) {
    return <p class="soft" id={name}>{`No available times on ${format.date(date)}. Choose another day.`}</p>
  }
  return (
    <fieldset class="stack tight" id={name}>
      <legend class="label">{format.date(date)}</legend>
      <p class="hint">{`${getZoneCity(org.timezone)} time (${format.zone(first.starts_at)})`}</p>
      <ul class="starts num">
        {slots.map((slot) => {
          const value = getSlotKey(slot)
          const isFree = hasRoom(slot)
          return (
            <li key={value}>
              <label>
                <input
                  type="radio"
                  name={name}
                  value={value}
                  required
                  disabled={!isFree}
                  checked={isFree && value === chosen}
                />
                <span>
                  {format.time(slot.starts_at)}
                  <small>{capacityText(slot, isFree)}</small>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

const capacityText = ({ capacity, remaining }: SlotView, isFree: boolean): string =>
  remaining === 0 ? "Full" : isFree ? `${remaining} of ${capacity} left` : `Only ${remaining} left`

/** An offering's start times over several days, with the remaining capacity and the selected day. */
export interface SlotDays {
  /** The days, each with its number of available (`free`) and total (`all`) start times. */
  readonly days: ReadonlyArray<{ readonly date: string; readonly free: number; readonly all: number }>
  /** The selected day. */
  readonly date: string
  /** The start times on the selected day. */
  readonly slots: ReadonlyArray<SlotView>
  /** The first day of the previous range. `later` is the first day of the next range. No range starts before today. */
  readonly earlier: string | undefined
  readonly later: string
  readonly hasRoom: (slot: SlotView) => boolean
}

/** The number of days per range. */
const daysPerRange = 14

/**
 * Loads the days and start times. If no date is given, selects the first day with availability, even if it is months
 * ahead.
 */
export const loadSlotDays = ({ clock: { today }, format, run }: PageContext, {
  from,
  date,
  offering,
  periods,
  quantity
}: {
  readonly offering: Pick<OfferingView, "id" | "kind">
  /** The requested quantity. Start times with less capacity are shown as full. */
  readonly quantity: number
  readonly periods: number
  readonly from: string | undefined
  readonly date: string | undefined
}): Effect.Effect<SlotDays, Refusal, Actor> =>
  Effect.gen(function*() {
    const neededSeats = offering.kind === "appointment" ? 1 : quantity
    const hasRoom = ({ remaining }: SlotView) => remaining >= neededSeats
    const loadDays = (from: LocalDate.LocalDate) =>
      run(availabilityGet, {
        id: offering.id,
        from: LocalDate.format(from),
        to: LocalDate.format(LocalDate.addDays(from, daysPerRange - 1)),
        ...(offering.kind === "rental" ? { periods } : {})
      })
    const selectedDay = date === undefined ? undefined : LocalDate.parse(date)
    const fromDay = from === undefined ? undefined : LocalDate.parse(from)
    // Use `from` only if its range contains the selected day.
    const isInRange = fromDay !== undefined &&
      (selectedDay === undefined || (selectedDay >= fromDay && selectedDay < fromDay + daysPerRange))
    let firstDay = LocalDate.make(Math.max(today, (isInRange ? fromDay : selectedDay) ?? today))
    let availability = yield* loadDays(firstDay)
    const nextSlot = availability.nothing_free?.next
    if (selectedDay === undefined && fromDay === undefined && nextSlot !== undefined) {
      firstDay = LocalDate.parse(format.localDate(nextSlot.starts_at)) ?? firstDay
      availability = yield* loadDays(firstDay)
    }
    const endDay = availability.next_from === undefined ? undefined : LocalDate.parse(availability.next_from)
    const dayCount = Math.min(daysPerRange, Math.max(1, (endDay ?? Infinity) - firstDay))
    const byDate = Arr.groupBy(availability.data, ({ starts_at }) => format.localDate(starts_at))
    const days = Array.from({ length: dayCount }, (_, at) => {
      const date = LocalDate.format(LocalDate.addDays(firstDay, at))
      const slots = byDate[date] ?? []
      return { date, free: slots.filter(hasRoom).length, all: slots.length }
    })
    const isShown = selectedDay !== undefined && days.some(({ date }) => date === LocalDate.format(selectedDay))
    const visibleDate = isShown
      ? LocalDate.format(selectedDay)
      : days.find(({ free }) => free > 0)?.date ?? LocalDate.format(firstDay)
    return {
      days,
      date: visibleDate,
      slots: byDate[visibleDate] ?? [],
      earlier: firstDay > today
        ? LocalDate.format(LocalDate.make(Math.max(today, LocalDate.addDays(firstDay, -daysPerRange))))
        : undefined,
      later: LocalDate.format(LocalDate.addDays(firstDay, dayCount)),
      hasRoom
    }
  })

/** Converts a start time's form value to operation input. */
export const parseSlot = (slot: string): { readonly starts_at: string } | { readonly session_id: string } =>
  slot.includes("T") ? { starts_at: slot } : { session_id: slot }
