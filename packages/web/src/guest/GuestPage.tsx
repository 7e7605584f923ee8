import type { GuestPageView } from "@trailbook/core/operation"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import { Layout } from "../ui/Layout.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { TripInfo } from "../ui/TripInfo.tsx"
import { BookingStatus } from "./BookingStatus.tsx"
import { CheckInCode } from "./CheckInCode.tsx"
import { bookingStatus, dayText, momentText, timesText } from "./guestPageModel.ts"
import { Messages, type UnsentMessage } from "./Messages.tsx"
import { Summary } from "./Summary.tsx"

/** The completed action, shown as a one-time message. */
export type CompletedAction = "sent" | "asked" | "changed" | "paidNow" | "confirmed"

/**
 * Whether an action is about messages. If so, its notice is shown at the message form, which the redirect scrolls to.
 */
const isOfMessages = (action: CompletedAction): action is "sent" | "asked" => action === "sent" || action === "asked"

/** Renders the guest's booking page. */
export const guestPage = (context: OrgRenderContext, page: GuestPageView, { done, formKey, mailed, unsent }: {
  /** The message form's idempotency key. */
  readonly formKey: string
  readonly done?: CompletedAction | undefined
  /** The secret from the mailed link that opened this page. */
  readonly mailed?: string | undefined
  readonly unsent?: UnsentMessage | undefined
}): Page => {
  const { text: { guest } } = context
  const { booking, offering, place } = page
  const pageUrl = (path: string) => href(context, `/b/${booking.handle}/${path}`)
  const map = place?.map ?? undefined
  const state = bookingStatus(page)
  const isAhead = ["toPay", "toConfirm", "held", "booked"].includes(state)
  return {
    title: guest.title(offering.name),
    script: "guest",
    style: "guest",
    body: (
      <Layout shown={context}>
        {done !== undefined && !isOfMessages(done) && <output class="note">{guest[done]}</output>}
        <BookingStatus shown={context} page={page} mailed={mailed} />
        {mailed !== undefined && !page.email_due && <span hidden data-mailed={pageUrl("mailed")} data-link={mailed} />}
        <div class="split sides">
          <article class="card pad stack">
            <div class="stack tight">
              <h1 dir="auto">{offering.name}</h1>
              <p>
                <time dateTime={booking.starts_at}>{dayText(context, booking)}</time>
                <br />
                <span class="soft">{timesText(context, booking)}</span>
              </p>
              {place !== null && <p class="soft" dir="auto">{place.words}</p>}
            </div>
            {offering.description !== "" && <p class="words" dir="auto">{offering.description}</p>}
            <TripInfo shown={context} info={offering.info} />
            <p class="acts">
              {isAhead && (
                <a class={state === "toPay" ? "btn ghost" : "btn"} href={pageUrl("calendar.ics")} download>
                  {guest.calendar}
                </a>
              )}
              {page.changes.may_move && <a class="btn ghost" href={pageUrl("move")}>{guest.change}</a>}
              {map !== undefined && <a class="btn ghost" href={map} rel="noopener noreferrer">{guest.map}</a>}
              {page.changes.may_cancel && state !== "lapsed" && (
                <a class="btn ghost" href={pageUrl("cancel")}>
                  {booking.paid_cents > 0
                    ? guest.cancelNow(context.format.money(page.changes.back_cents))
                    : guest.cancel}
                </a>
              )}
            </p>
            {["booked", "running"].includes(state) && !page.is_erased && (
              <CheckInCode shown={context} path={booking.check_in_url} />
            )}
            {isAhead && booking.status === "confirmed" && !page.is_erased && (
              <p class="soft small">{changesOf(context, page)}</p>
            )}
            {page.changes.policy !== "" && booking.status !== "cancelled" && (
              <p class="soft small words" dir="auto">{page.changes.policy}</p>
            )}
          </article>
          <Summary shown={context} page={page} />
          <Messages
            shown={context}
            page={page}
            formKey={formKey}
            unsent={unsent}
            done={done !== undefined && isOfMessages(done) ? done : undefined}
          />
        </div>
      </Layout>
    )
  }
}

const changesOf = (context: OrgRenderContext, { changes, org }: GuestPageView): string => {
  const { text: { guest } } = context
  if (changes.until === null) return guest.closedNever(org.name)
  const until = momentText(context, changes.until)
  if (changes.may_cancel && !changes.may_move) return guest.openProven(until)
  return changes.may_cancel ? guest.openUntil(until) : guest.closedSince(org.name, until)
}
