import type { SlotView } from "@trailbook/core/availability"
import { zoneCity } from "../../text/Format.ts"
import { usePage } from "../Page.ts"
import { type OpenDays, slotName } from "./openDays.ts"

type Link = (query: { readonly from?: string; readonly date?: string }) => string

/** The days with their remaining capacity, as links. */
export const Days = ({ link, open: { date, days, earlier, later } }: {
  readonly open: OpenDays
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
              <small class={day.free === 0 ? "soft" : undefined}>{leftOf(day)}</small>
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

const leftOf = ({ all, free }: { readonly free: number; readonly all: number }): string =>
  all === 0 ? "no times" : free === 0 ? "full" : free === 1 ? "1 time" : `${free} times`

/** The start times on the selected day with their remaining capacity, as radio buttons. */
export const Times = ({ chosen, name, open: { date, hasRoom, slots } }: {
  readonly open: OpenDays
  readonly name: string
  readonly chosen: string | undefined
}) => {
  const { format, org } = usePage()
  const [first] = slots
  if (first === undefined) {
    return (
      <p class="soft" id={name}>
        {`No available times on ${format.date(date)}. Choose another day.`}
      </p>
    )
  }
  return (
    <fieldset class="stack tight" id={name}>
      <legend class="label">{format.date(date)}</legend>
      <p class="hint">{`${zoneCity(org.timezone)} time (${format.zone(first.starts_at)})`}</p>
      <ul class="starts num">
        {slots.map((slot) => {
          const value = slotName(slot)
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
                  <small>{roomOf(slot, isFree)}</small>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

const roomOf = ({ capacity, remaining }: SlotView, isFree: boolean): string =>
  remaining === 0 ? "Full" : isFree ? `${remaining} of ${capacity} left` : `Only ${remaining} left`
