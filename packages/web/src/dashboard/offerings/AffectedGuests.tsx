import { hostConflict, type Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { bookingsList, type BookingView } from "@trailbook/core/booking"
import { isMoneyWithheld, loadOnlineRefunds, paymentsList, sumCents } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { isLiveBooking } from "../bookings/bookingText.tsx"
import { Link } from "../kit/elements.tsx"
import { type PageContext, usePage } from "../Page.ts"

/** Describes the cancellations, notifications, and refunds, one per sentence. */
export const loadAffectedBookingsSummary = (
  { format, run }: Pick<PageContext, "format" | "run">,
  { bookings, isMore }: AffectedBookings
): Effect.Effect<ReadonlyArray<ComponentChildren>, Refusal, Actor> =>
  Effect.gen(function*() {
    if (bookings.length === 0) return ["No bookings are affected, so no email is sent and nothing is refunded."]
    const quantity = bookings.reduce((sum, booking) => sum + booking.quantity, 0)
    const { cents, count, disputed } = yield* loadRefunds(run, bookings)
    const prefix = isMore ? "more than " : ""
    return [
      <>
        <b>{`${isMore ? "More than " : ""}${formatCount(bookings.length, "booking")}`}</b>
        {` for ${formatCount(quantity, unitName(bookings[0]))} ${bookings.length === 1 ? "is" : "are"} canceled.`}
      </>,
      "Each booked guest gets an email.",
      count === 0 && disputed > 0
        ? "Nothing is refunded."
        : count === 0
        ? "Nothing was paid online, so nothing is refunded automatically. Refund other payments to the guests yourself."
        : `Online payments for ${formatCount(count, "booking")} are refunded in full: ${prefix}${
          format.money(cents)
        } in total.`,
      ...(disputed === 0 ? [] : [
        `${formatCount(disputed, "payment")} ${
          disputed === 1 ? "is" : "are"
        } disputed and will not be refunded. The guest's bank decides. ` +
        "Respond to the dispute through your payment provider first."
      ])
    ]
  })

/** Lists the affected guests. */
export const AffectedGuests = ({ affected: { bookings, isMore } }: { readonly affected: AffectedBookings }) => {
  const { format } = usePage()
  const isTimed = bookings.some(({ starts_at }) => starts_at !== bookings[0]?.starts_at)
  return bookings.length === 0 ? null : (
    <details open={bookings.length <= maxExpanded}>
      <summary>Booked guests</summary>
      <ul class="rows">
        {bookings.slice(0, maxShown).map((booking) => (
          <li key={booking.id}>
            <div class="grow">
              <Link to={`/bookings/${booking.id}`} dir="auto">
                {booking.customer.name === "" ? booking.customer.email : booking.customer.name}
              </Link>
              {isTimed && <p class="soft small num">{format.moment(booking.starts_at)}</p>}
            </div>
            <span class="num">
              {`${formatCount(booking.quantity, unitName(booking))} · ${format.money(booking.total_cents)}`}
            </span>
            {booking.status === "held"
              ? <span class="tag">Held</span>
              : booking.payment_intent_id === null
              ? booking.total_cents > 0 && <span class="tag">Not paid online</span>
              : <span class="tag ok">Paid online</span>}
          </li>
        ))}
      </ul>
      {bookings.length > maxShown && (
        <p class="soft small">
          {`${isMore ? "More than " : ""}${formatCount(bookings.length - maxShown, "booking")} not shown.`}
        </p>
      )}
    </details>
  )
}

const maxShown = 100
const maxExpanded = 12

const unitName = (booking: BookingView | undefined) => booking?.offering.kind === "rental" ? "item" : "guest"

export const formatCount = (n: number, singular: string): string => `${n} ${singular}${n === 1 ? "" : "s"}`

/** The bookings that a cancellation affects. */
interface AffectedBookings {
  /** Confirmed bookings and active holds, up to {@link maxAffectedBookings}. */
  readonly bookings: ReadonlyArray<BookingView>
  /** Whether there are more affected bookings. */
  readonly isMore: boolean
}

/** The maximum number of bookings in the preview. The cancellation itself has no limit. */
const maxAffectedBookings = 500

/** Loads a session's bookings, or an offering's upcoming bookings. */
export const loadAffectedBookings = (
  { now, run }: Pick<PageContext, "now" | "run">,
  where: { readonly session_id: string } | { readonly offering_id: string }
) =>
  Effect.gen(function*() {
    const timeFilter = "offering_id" in where ? { from: now } : {}
    const confirmedPage = yield* run(bookingsList, {
      ...where,
      ...timeFilter,
      status: "confirmed",
      limit: maxAffectedBookings
    })
    const heldPage = yield* run(bookingsList, { ...where, status: "held", limit: maxAffectedBookings })
    const liveHolds = heldPage.data.filter((booking) => isLiveBooking(booking, now))
    const affected: AffectedBookings = {
      bookings: [...confirmedPage.data, ...liveHolds].toSorted((a, b) => a.starts_at < b.starts_at ? -1 : 1),
      isMore: confirmedPage.next_cursor !== undefined || heldPage.next_cursor !== undefined
    }
    return affected
  })

/** Loads the total of the online refunds and the number of bookings to refund. */
const loadRefunds = (run: PageContext["run"], bookings: ReadonlyArray<BookingView>) =>
  Effect.map(loadOnlineRefunds(bookings, "all", (query) => run(paymentsList, query)), (refunds) => ({
    count: refunds.filter((parts) => parts.length > 0).length,
    cents: sumCents(refunds.flat()),
    /** Disputed payments are not refunded. */
    disputed: bookings.filter(({ dispute, refund }) => isMoneyWithheld(dispute) && refund === null).length
  }))

/** The refusal if the affected bookings have changed since the preview. */
export const changedBookingsRefusal = hostConflict(
  "changed_meanwhile",
  "Some bookings changed while this page was open. Nothing was canceled. Review the bookings again."
)
