/**
 * The start times on the selected day, as radio buttons with the remaining capacity. Long lists are grouped by time of
 * day.
 */
import type { SlotView } from "@trailbook/core/availability"
import { getZoneCity } from "../text/Format.ts"
import { HiddenFields } from "../ui/Field.tsx"
import { getPersistentParameters, href } from "../ui/href.ts"
import { getSlotKey } from "./BookingSelection.ts"
import { isMonthExpanded, NearestDays } from "./Calendar.tsx"
import {
  buildOfferingPath,
  formatSelectionTotal,
  getSelectedQuantity,
  type OfferingPageProps,
  SelectionLink
} from "./OfferingPageProps.tsx"
import { isNearlyFull } from "./page/OfferingsPage.tsx"

export const TimePicker = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView, context } = picked
  const { format, org, text: { book } } = context
  const isAnyFree = monthView.slots.some((slot) => hasEnoughCapacity(picked, slot))
  if (monthView.date === null) return <NoAvailability picked={picked} />
  const [firstSlot] = monthView.slots
  return (
    <section class="stack times" aria-labelledby="times">
      <div class="times-head">
        <h2 id="times" tabIndex={-1}>{book.timesOn(format.date(monthView.date))}</h2>
        {!isMonthExpanded(picked) && (
          <SelectionLink
            picked={picked}
            class="small all-dates"
            swap="month"
            name="month"
            value={monthView.month.slice(0, 7)}
          >
            {book.allDates}
          </SelectionLink>
        )}
      </div>
      {isAnyFree ? <StartTimes picked={picked} /> : (
        <>
          <p>{book.noTimes}</p>
          <NearestDays picked={picked} />
        </>
      )}
      {firstSlot !== undefined && (
        <p class="soft small">
          {book.timesHint(format.zone(firstSlot.starts_at), getZoneCity(org.timezone))}
          <span data-zone={org.timezone} data-device-time={book.device("{city}")} />
        </p>
      )}
      <Closures picked={picked} />
    </section>
  )
}

const StartTimes = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView, context, contactDetails } = picked
  const { text: { book } } = context
  const list = (
    <>
      <fieldset class="stack">
        <legend class="sr">{book.chooseTime}</legend>
        {groupByPartOfDay(picked).map(([part, slots]) => (
          <div class="stack tight" key={part}>
            {part !== undefined && <h3 class="soft small">{book.parts[part]}</h3>}
            <ul class="slots num">
              {slots.map((slot) => <Slot key={getSlotKey(slot)} picked={picked} slot={slot} />)}
            </ul>
          </div>
        ))}
      </fieldset>
      <div class="next">
        <p class="sum-line num">
          <span>{book.total}</span>
          <span>{formatSelectionTotal(picked)}</span>
        </p>
        <button class="btn wide" disabled={monthView.total_cents === null}>{book.go}</button>
      </div>
    </>
  )
  // If contact details were typed, the picker is already inside a form.
  if (contactDetails !== undefined) return list
  return (
    <form class="stack" method="get" action={context.site.link(buildOfferingPath(picked, "/details"))}>
      <HiddenFields
        values={{
          date: monthView.date ?? undefined,
          ...getSelectedQuantity(monthView),
          ...getPersistentParameters(context.url)
        }}
      />
      {list}
    </form>
  )
}

const Slot = ({ picked, slot }: { readonly picked: OfferingPageProps; readonly slot: SlotView }) => {
  const { monthView, context: { format, text: { book } } } = picked
  const id = getSlotKey(slot)
  const isFree = hasEnoughCapacity(picked, slot)
  const freeSlots = monthView.slots.filter((slot) => hasEnoughCapacity(picked, slot))
  // If the selected start time became unavailable, none is preselected, because the guest must choose another.
  const isChosen = isFree &&
    (picked.slot === id || freeSlots.length === 1 ||
      picked.slot === undefined && !picked.isLost && freeSlots[0] === slot)
  const roomLabel = slot.remaining === 0 ? book.full : book.left(slot.remaining)
  return (
    <li class="slot">
      <label>
        <input type="radio" name="slot" value={id} required checked={isChosen} disabled={!isFree} />
        <span>
          {format.time(slot.starts_at)}
          <small class={isFree && isNearlyFull(slot) ? "low" : undefined}>{roomLabel}</small>
        </span>
      </label>
    </li>
  )
}

/** Explains why the month has no availability and links to the next available month. */
const NoAvailability = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView: { nothing_free: unavailability }, context } = picked
  const { format, org, text: { book } } = context
  const date = unavailability?.next === undefined ? undefined : format.localDate(unavailability.next.starts_at)
  return (
    <section class="stack times" aria-live="polite">
      <h2 id="times" tabIndex={-1}>{book.none[unavailability?.because ?? "past"]}</h2>
      <Closures picked={picked} />
      {date !== undefined && (
        <p>
          <SelectionLink picked={picked} class="btn" swap="times" name="date" value={date}>
            {book.nextOpen(format.date(date))}
          </SelectionLink>
        </p>
      )}
      <p>
        <a href={href(context, `/book/${org.slug}/question`)}>{book.askInstead}</a>
      </p>
    </section>
  )
}

/** The month's closed dates, with the outfitter's reason. */
const Closures = (
  { picked: { monthView, context: { format, text: { book } } } }: { readonly picked: OfferingPageProps }
) =>
  monthView.closures.length === 0 ? null : (
    <ul class="plain small">
      {monthView.closures.map(({ end_time, from_date, reason, start_time, to_date }) => (
        <li key={`${from_date} ${start_time} ${reason}`}>
          {[
            format.date(from_date),
            ...(to_date === from_date ? [] : [` – ${format.date(to_date)}`]),
            ...(start_time === null || end_time === null
              ? []
              : [`, ${format.wall(start_time)} – ${format.wall(end_time)}`])
          ].join("")}
          {" · "}
          <b dir="auto">{book.closed(reason)}</b>
        </li>
      ))}
    </ul>
  )

/** Whether the requested quantity fits. For an appointment, a party of any size takes one unit of capacity. */
export const hasEnoughCapacity = (
  { monthView: { offering, quantity } }: Pick<OfferingPageProps, "monthView">,
  { remaining }: SlotView
): boolean => remaining >= (offering.kind === "appointment" ? 1 : quantity)

/** Longer lists of start times are grouped by time of day. */
const maxUngrouped = 12

type PartOfDay = readonly [part: number | undefined, slots: ReadonlyArray<SlotView>]

const groupByPartOfDay = ({ monthView: { slots }, context: { org } }: OfferingPageProps): ReadonlyArray<PartOfDay> => {
  if (slots.length <= maxUngrouped) return [[undefined, slots]]
  const hourFormat = new Intl.DateTimeFormat("en-US", { hour: "numeric", hourCycle: "h23", timeZone: org.timezone })
  const partStarts = [0, 6, 12, 17]
  const parts = new Map<number, Array<SlotView>>()
  for (const slot of slots) {
    const hour = Number(hourFormat.format(new Date(slot.starts_at)))
    const part = partStarts.findLastIndex((begin) => hour >= begin)
    const partSlots = parts.get(part)
    if (partSlots === undefined) parts.set(part, [slot])
    else partSlots.push(slot)
  }
  return [...parts]
}
