import type { guestAvailability, GuestPageView } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import { getSlotKey } from "../book/BookingSelection.ts"
import type { Page } from "../ui/Document.tsx"
import { HiddenFields } from "../ui/Field.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { FactRow } from "../ui/TripInfo.tsx"
import { formatDates } from "./BookingStatus.tsx"
import { cardPage } from "./cardPages.tsx"

/** An available start time. */
export type Slot = Operation.Output<typeof guestAvailability>["data"][number]

/** Renders the start times available over several days. */
export const movePage = (context: OrgRenderContext, page: GuestPageView, { earlier, from, later, slots, to, wrong }: {
  readonly from: string
  readonly to: string
  readonly slots: ReadonlyArray<Slot>
  readonly earlier: string | undefined
  readonly later: string
  readonly wrong: "lost" | "choose" | undefined
}): Page => {
  const { format, text: { guest: { move } } } = context
  const { booking, offering } = page
  const moveUrl = (query: Record<string, string> = {}) => href(context, `/b/${booking.handle}/move`, query)
  // Submitting a GET form replaces the query, so `lang` must be a hidden field.
  const lang = context.url.searchParams.get("lang") ?? undefined
  const dates = [...new Set(slots.map(({ starts_at }) => format.localDate(starts_at)))]
  return {
    title: move.title,
    style: "guest",
    body: (
      <Layout shown={context}>
        <p>
          <a href={href(context, `/b/${booking.handle}`)}>{context.text.frame.back}</a>
        </p>
        <div class="stack tight">
          <h1>{move.title}</h1>
          <p dir="auto">{offering.name}</p>
          <p class="soft">{move.lead(formatDates(context, booking))}</p>
        </div>
        {wrong !== undefined && <p class="note wrong" role="alert">{move[wrong]}</p>}
        <div class="card pad stack">
          <form class="pair" method="get" action={moveUrl()}>
            <HiddenFields values={{ lang }} />
            <p class="field">
              <label for="from">{move.from}</label>
              <input id="from" type="date" name="from" value={from} required />
            </p>
            <button class="btn ghost">{move.show}</button>
          </form>
          {slots.length === 0 ?
            <output>{move.none(format.date(from), format.date(to))}</output> :
            (
              <form class="stack" method="get" action={moveUrl()}>
                <HiddenFields values={{ lang, from }} />
                <div class="days">
                  {dates.map((date) => (
                    <fieldset key={date} class="stack tight">
                      <legend class="label">{format.date(date)}</legend>
                      <div class="starts">
                        {slots.filter(({ starts_at }) => format.localDate(starts_at) === date).map((slot) => (
                          <label key={getSlotKey(slot)}>
                            <input type="radio" name="to" value={getSlotKey(slot)} required />
                            <span>{format.time(slot.starts_at)}</span>
                          </label>
                        ))}
                      </div>
                    </fieldset>
                  ))}
                </div>
                <p class="go">
                  <button class="btn">{move.next}</button>
                </p>
              </form>
            )}
          <p class="acts">
            {earlier !== undefined && <a class="btn ghost" href={moveUrl({ from: earlier })}>{move.earlier}</a>}
            <a class="btn ghost" href={moveUrl({ from: later })}>{move.later}</a>
          </p>
        </div>
      </Layout>
    )
  }
}

/** Renders the confirmation page for a move, with the changes. */
export const moveConfirmationPage = (context: OrgRenderContext, page: GuestPageView, { from, slot }: {
  readonly from: string
  readonly slot: Slot
}): Page => {
  const { text: { guest: { move } } } = context
  const { booking, offering } = page
  const moveUrl = href(context, `/b/${booking.handle}/move`)
  const heading = (
    <div class="stack tight">
      <h1>{move.check}</h1>
      <p dir="auto">{offering.name}</p>
    </div>
  )
  return cardPage(
    context,
    { title: move.check, script: "guest", heading },
    <>
      <dl class="sum">
        <FactRow label={move.old}>
          <s>{formatDates(context, booking)}</s>
        </FactRow>
        <FactRow label={move.new}>
          <b>{formatDates(context, slot)}</b>
        </FactRow>
      </dl>
      <p>{move.same}</p>
      <form class="acts" method="post" action={moveUrl} data-once="">
        <HiddenFields values={{ to: getSlotKey(slot), from }} />
        <button class="btn">{move.do}</button>
        <a class="btn ghost" href={href(context, `/b/${booking.handle}`)}>{move.stay}</a>
      </form>
    </>
  )
}
