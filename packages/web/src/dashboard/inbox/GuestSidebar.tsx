import type { BookingView } from "@trailbook/core/booking"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { formatPaymentState } from "../bookings/bookingText.tsx"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { toDateTimeLocal } from "../parts/dateTimes.ts"
import { getConversationGuest } from "./InboxPage.tsx"
import type { ThreadView } from "./ThreadEntry.tsx"

/** A conversation's sidebar: guest, bookings, and actions. */
export const GuestSidebar = ({ booking, thread, wrong }: {
  readonly thread: ThreadView
  readonly booking: BookingView | undefined
  /** The snooze form's error message. */
  readonly wrong: string | undefined
}) => {
  const { format, now, org } = usePage()
  const guest = getConversationGuest(thread)
  const isSnoozed = thread.snoozed_until !== null && thread.snoozed_until > thread.now
  return (
    <aside class="guest-side stack" aria-label="Guest">
      <p class="line">
        <span class="who" aria-hidden="true">{getNameInitials(guest.name)}</span>
        {thread.customer === null
          ? <b dir="auto">{guest.name}</b>
          : (
            <Link to={`/guests/${thread.customer.id}`} dir="auto">
              <b>{guest.name}</b>
            </Link>
          )}
      </p>
      <dl class="about">
        {booking !== undefined && (
          <>
            <dt>{booking.ends_at < thread.now ? "Last trip" : "Next trip"}</dt>
            <dd>
              <Link to={`/bookings/${booking.id}`} dir="auto">{booking.offering.name}</Link>
              <span class="soft">
                {`${format.moment(booking.starts_at)} · ${booking.quantity} ${
                  booking.quantity === 1 ? "spot" : "spots"
                }`}
                {booking.status !== "confirmed" && ` · ${booking.status === "cancelled" ? "canceled" : booking.status}`}
              </span>
            </dd>
            <dt>Reference</dt>
            <dd>
              <code>{booking.reference}</code>
            </dd>
            <dt>Payment</dt>
            <dd>{formatPaymentState(format, booking)}</dd>
          </>
        )}
        {guest.email !== "" && (
          <>
            <dt>Email</dt>
            <dd dir="ltr">{guest.email}</dd>
          </>
        )}
        {guest.phone !== "" && (
          <>
            <dt>Phone</dt>
            <dd>
              <PhoneLink phone={guest.phone} />
            </dd>
          </>
        )}
      </dl>
      <form class="stack" method="post" encType="multipart/form-data" aria-label="Conversation actions">
        <p class="acts">
          {thread.status === "open"
            ? <button class="btn" name="do" value="done">Mark done</button>
            : <button class="btn" name="do" value="open">Reopen</button>}
          {thread.unread
            ? <button class="btn" name="do" value="read">Mark read</button>
            : <button class="btn plain" name="do" value="unread">Mark unread</button>}
        </p>
        {isSnoozed && thread.snoozed_until !== null && (
          <p class="acts">
            <span class="tag">Snoozed until {format.moment(thread.snoozed_until)}</span>
            <button class="btn plain" name="do" value="wake">End snooze</button>
          </p>
        )}
        <details open={wrong !== undefined}>
          <summary>Snooze</summary>
          <div class="stack tight">
            <p class="acts">
              <button class="btn" name="snooze" value="hours">3 hours</button>
              <button class="btn" name="snooze" value="tomorrow">{`Tomorrow, ${format.wall("08:00")}`}</button>
              <button class="btn" name="snooze" value="monday">{`Monday, ${format.wall("08:00")}`}</button>
            </p>
            {wrong !== undefined && <p class="bad small" id="until-wrong" role="alert">{wrong}</p>}
            <p class="field">
              <label for="until">{`Until (${format.zone(thread.now)})`}</label>
              <input
                id="until"
                name="until"
                type="datetime-local"
                min={toDateTimeLocal(now, org.timezone)}
                aria-describedby={wrong === undefined ? undefined : "until-wrong"}
              />
            </p>
            <p>
              <button class="btn" name="snooze" value="until">Snooze until then</button>
            </p>
          </div>
        </details>
      </form>
      {thread.customer === null && !guest.isErased && (
        <p>
          <Link class="small bad" to={`/inbox/${thread.id}/erase`}>Erase this question…</Link>
        </p>
      )}
    </aside>
  )
}

const getNameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()
