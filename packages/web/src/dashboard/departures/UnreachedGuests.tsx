import type { UnreachedGuestView } from "@trailbook/core/booking"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

interface UnreachedGuest {
  readonly guests: ReadonlyArray<UnreachedGuestView>
  /** Whether to list each guest with the activity and start time. */
  readonly hasTrip: boolean
}

/** Guests who did not receive a message, with their phone numbers. */
export const UnreachedGuests = (props: UnreachedGuest) => (
  <div class="note wrong">
    <UnreachedGuestList {...props} />
  </div>
)

/** The list of unreached guests, without the frame of {@link UnreachedGuests}. */
export const UnreachedGuestList = ({ guests, hasTrip }: UnreachedGuest) => {
  const { format } = usePage()
  return (
    <>
      <p>
        <b>
          {guests.length === 1
            ? "The guest on 1 booking could not be reached."
            : `The guests on ${format.number(guests.length)} bookings could not be reached.`}
        </b>{" "}
        Emails were not delivered. Call these guests.
      </p>
      <ul class="bullets">
        {guests.map(({ booking_id, email, failure, name, offering, phone, quantity, starts_at, status }) => (
          <li key={booking_id}>
            <Link to={`/bookings/${booking_id}`} dir="auto">{name || email || phone}</Link>
            {", "}
            {phone === ""
              ? "no phone number"
              : <PhoneLink phone={phone} />}
            {` · ${quantity === 1 ? "1 guest" : `${format.number(quantity)} guests`}`}
            {status === "cancelled" && " · booking canceled"}
            {hasTrip && <span dir="auto">{` · ${offering}, ${format.moment(starts_at)}`}</span>}
            <br />
            <span class="small" dir="auto">
              {email === "" ? "No email address" : `${email}: ${failure ?? "an earlier email failed"}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
