/** An org's guests: the searchable list, a guest with bookings and notes, and the page to erase a guest. */
import { invalid } from "@trailbook/core"
import type { BookingView } from "@trailbook/core/booking"
import { conversationsList } from "@trailbook/core/conversation"
import {
  customersDelete,
  customersGet,
  customersList,
  customersUpdate,
  customersUpsert
} from "@trailbook/core/customer"
import { getNameInitial } from "../../ui/PlaceholderImage.tsx"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { formatQuantity, getGuestName, isErased, isLiveBooking, StatusTag } from "../bookings/bookingText.tsx"
import { Button, Card, Checkbox, EmptyNote, Field, Link } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { Form, formPage, makeOperationForm } from "../kit/operationForm.tsx"
import { confirmPage, page, redirectTo, usePage } from "../kit/page.tsx"

/** All guests, newest first, or the results of a search. */
export const guestsPage = listPage("/guests", customersList, {
  search: { label: "Find a guest", placeholder: "Name, email, or phone" },
  csv: ({ format }) => ({
    Name: ({ name }) => name,
    Email: ({ email }) => email,
    Phone: ({ phone }) => phone,
    Notes: ({ notes }) => notes,
    Since: ({ created_at }) => format.localDate(created_at)
  }),
  view: ({ format }, { rows }) => ({
    title: "Guests",
    lead: "All guests, newest first.",
    actions: <Button to="/guests/new">Add a guest</Button>,
    empty: "No guests yet. Guests appear here after their first booking.",
    noMatch: "No guests match. Try part of the name, email, or phone number.",
    rows: (
      <ul class="rows">
        {rows.map(({ created_at, email, id, name, phone }) => (
          <li key={id}>
            <span class="who" aria-hidden="true">{getNameInitial(getGuestName({ email, name, phone }))}</span>
            <div class="grow">
              <Link class="title" to={`/guests/${id}`} dir="auto">{getGuestName({ email, name, phone })}</Link>
              <p class="soft small" dir="auto">{[name === "" ? "" : email, phone].filter(Boolean).join(" · ")}</p>
            </div>
            <p class="soft small">{`since ${format.day(created_at)}, ${format.localDate(created_at).slice(0, 4)}`}</p>
          </li>
        ))}
      </ul>
    )
  })
})

const fields = {
  name: "Name",
  phone: "Phone",
  notes: { label: "Notes", hint: "Visible only to your team.", rows: 5 },
  metadata: { label: "Custom data (JSON)", hint: "A JSON object.", summary: "For developers" }
} as const

/** Adds a guest without a booking. Empty fields do not overwrite an existing guest's values. */
export const newGuestPage = formPage("/guests/new", customersUpsert, {
  fields: {
    email: {
      label: "Email",
      hint: "Identifies the guest. If a guest with this address already exists, " +
        "these details replace the saved details."
    },
    ...fields
  },
  omitsEmpty: true,
  view() {
    return {
      title: "Add a guest",
      lead: "No email is sent. Guests who book are added automatically.",
      button: "Add guest",
      back: "/guests",
      backLabel: "Cancel"
    }
  },
  *submit({ run }, input) {
    const { id } = yield* run(customersUpsert, input)
    return redirectTo(`/guests/${id}`, "saved")
  }
})

const contactForm = makeOperationForm(customersUpdate, fields)

const addedEmail = {
  name: "email",
  label: "Email",
  hint: "Identifies the guest and cannot be changed later.",
  optional: "optional",
  input: { type: "email", maxLength: 254, autocomplete: "off" }
} as const

/** A guest with bookings, contact details, and notes. */
export const guestPage = page("/guests/:id", {
  *view({ now, run, ...context }) {
    const guest = yield* run(customersGet, { id: context.id })
    const { bookings, email, id, phone } = guest
    const { data: [conversation] } = yield* run(conversationsList, { customer_id: id, limit: 1 })
    const upcomingBookings = bookings.filter((booking) => booking.starts_at > now && isLiveBooking(booking, now))
    const otherBookings = bookings.filter((booking) => !upcomingBookings.includes(booking)).toReversed()
    const isErasedGuest = isErased(guest)
    return {
      title: getGuestName(guest),
      lead: isErasedGuest ? "The guest's data was erased on request. The bookings are kept without a name." : (
        <>
          {email === "" ? "No email address" : <a href={`mailto:${email}`} dir="ltr">{email}</a>}
          {phone !== "" && (
            <>
              {" · "}
              <PhoneLink phone={phone} />
            </>
          )}
        </>
      ),
      actions: isErasedGuest ? undefined : (
        <>
          {conversation !== undefined && (
            <Button icon="message-square" to={`/inbox/${conversation.id}`}>Messages</Button>
          )}
          <Button to={`/bookings/new?${new URLSearchParams({ guest: id })}`}>New booking</Button>
        </>
      ),
      body: (
        <div class="two">
          <div class="stack">
            <BookingsCard title="Upcoming" bookings={upcomingBookings} empty="No upcoming bookings." />
            {otherBookings.length > 0 && <BookingsCard title="Past and canceled" bookings={otherBookings} />}
          </div>
          {!isErasedGuest && (
            <div class="stack">
              <Form of={contactForm} title="Contact and notes" values={{ ...guest }} button="Save">
                {(fields) => (
                  <>
                    {email === "" && <Field {...addedEmail} value={context.rejection?.form["email"]} />}
                    {fields()}
                    <p class="soft small">
                      The email address identifies the guest and cannot be changed. A booking with another address
                      creates another guest.
                    </p>
                  </>
                )}
              </Form>
              <Card id="erase" title="Erase guest data" pad="stack">
                <p class="soft">
                  Use this when a guest asks you to erase their data. You can review the data before it is deleted.
                </p>
                <p>
                  <Button look="bad" to={`/guests/${id}/erase`}>Erase…</Button>
                </p>
              </Card>
            </div>
          )}
        </div>
      )
    }
  },
  *submit(context) {
    const { email = "" } = context.form
    const { id } = yield* context.run(customersUpdate, {
      ...yield* contactForm.read(context),
      ...(email === "" ? {} : { email }),
      id: context.id
    })
    return redirectTo(`/guests/${id}`, "saved")
  }
})

/**
 * The maximum number of bookings to show. A guest with more bookings is usually a program, not a person. The booking
 * list shows them all.
 */
const maxShownBookings = 100

const BookingsCard = ({ bookings, empty, title }: {
  readonly title: string
  readonly bookings: ReadonlyArray<BookingView>
  readonly empty?: string
}) => {
  const { format, now } = usePage()
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {bookings.length > 0 && <span class="soft num">{bookings.length}</span>}
      </header>
      {bookings.length === 0 && <EmptyNote>{empty}</EmptyNote>}
      <ul class="rows">
        {bookings.slice(0, maxShownBookings).map((booking) => (
          <li key={booking.id}>
            <div class="grow">
              <Link class="title" to={`/bookings/${booking.id}`} dir="auto">{booking.offering.name}</Link>
              <p class="soft small num">
                {`${format.longDay(booking.starts_at)}, ${format.time(booking.starts_at)} · ${booking.reference}`}
              </p>
            </div>
            <span class="num">
              {`${formatQuantity(format, booking.offering.kind, booking.quantity)} · ${
                format.money(booking.total_cents)
              }`}
            </span>
            <StatusTag booking={booking} now={now} />
          </li>
        ))}
      </ul>
      {bookings.length > maxShownBookings && (
        <p class="pad soft small">
          {`The first ${maxShownBookings} of ${format.number(bookings.length)} bookings are shown.`}
        </p>
      )}
    </section>
  )
}

/** Erases a guest, after showing which data is deleted and which is kept. */
export const eraseGuestPage = confirmPage("/guests/:id/erase", {
  *view({ format, now, run, ...context }) {
    const guest = yield* run(customersGet, { id: context.id })
    const { bookings, email, id } = guest
    const title = "Erase this guest?"
    if (isErased(guest)) {
      return { title, reason: "This guest's data was already erased.", back: "/guests", backLabel: "All guests" }
    }
    const upcomingBookings = bookings.filter((booking) => booking.starts_at > now && isLiveBooking(booking, now))
    const [nextBooking] = upcomingBookings
    return {
      title,
      lead: <span dir="auto">{[...new Set([getGuestName(guest), email])].filter(Boolean).join(", ")}</span>,
      happens: [
        ...nextBooking === undefined ? [] : [
          <b>
            {upcomingBookings.length === 1
              ? "The guest has an upcoming booking on "
              : `The guest has ${upcomingBookings.length} upcoming bookings, the first on `}
            {`${
              format.longDay(nextBooking.starts_at)
            }. Erasure does not cancel bookings. Afterward, you cannot contact the guest `}
            {`about ${
              upcomingBookings.length === 1 ? "that booking" : "those bookings"
            }. First cancel any booking that is no longer needed. `}
            <Link to={`/guests/${id}`}>View bookings</Link>
          </b>
        ],
        "The guest's name, email address, phone number, and your notes are permanently deleted.",
        "All messages with this guest are deleted, including photos and documents.",
        "Notes and metadata on the guest's bookings are deleted.",
        "This data is also removed from past events and from proposals awaiting approval.",
        bookings.length === 0
          ? "The guest has no bookings."
          : `${bookings.length === 1 ? "The booking is" : `The ${bookings.length} bookings are`} kept without a ` +
            "name, but with the activity, date, price, and reference. Your reports do not change.",
        "Copies outside Trailbook, such as email in your mailbox, exports, and the payment provider's records, " +
        "are not deleted."
      ],
      children: <Checkbox name="sure" label="The guest requested erasure" checked={false} required />,
      button: "Erase permanently",
      back: `/guests/${id}`,
      backLabel: "Keep guest"
    }
  },
  *submit({ form, id, run }) {
    if (form["sure"] !== "on") return yield* invalid("Not erased. Confirm that the guest requested erasure.")
    yield* run(customersDelete, { id })
    return redirectTo("/guests", "erased")
  }
})
