import type { BookingView } from "@trailbook/core/booking/BookingView"
import { conversationsList } from "@trailbook/core/conversation/conversationOperations"
import { customersGet, customersUpdate } from "@trailbook/core/customer/customerOperations"
import * as Effect from "effect/Effect"
import { isActive, StatusTag } from "../bookings/facts.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { DashboardContext, FormAction, PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { IconLink } from "../parts/Icon.tsx"
import { GuestFields, labels } from "./GuestFields.tsx"
import { guestIn, typedGuest } from "./guestForm.ts"

/** A guest with bookings, contact details, and notes. */
export const view: PageView = ({ clock: { stamp: now }, param, refused, run, shown }) =>
  Effect.gen(function*() {
    const { site } = shown
    const guest = yield* run(customersGet, { id: param("id") })
    const { bookings, email, id, name, phone } = guest
    const { data: [conversation] } = yield* run(conversationsList, { customer_id: id, limit: 1 })
    const coming = bookings.filter((booking) => booking.starts_at > now && isActive(booking, now))
    const others = bookings.filter((booking) => !coming.includes(booking)).toReversed()
    // Erased guests have no email address.
    const isErased = email === ""
    const form = makeForm(refused, labels, typedGuest(guest))
    return {
      title: isErased ? "Erased guest" : name === "" ? email : name,
      part: "guests",
      isLive: false,
      lead: isErased ? "The guest's data was erased on request. The bookings are kept without a name." : (
        <>
          <a href={`mailto:${email}`} dir="ltr">{email}</a>
          {phone !== "" && (
            <>
              {" · "}
              <a href={`tel:${phone.replaceAll(/[^\d+]/g, "")}`}>{phone}</a>
            </>
          )}
        </>
      ),
      actions: isErased ? undefined : (
        <>
          {conversation !== undefined && (
            <IconLink site={site} icon="message-square" href={site.link(`/dashboard/inbox/${conversation.id}`)}>
              Messages
            </IconLink>
          )}
          <a class="btn" href={`${site.link("/dashboard/bookings/new")}?${new URLSearchParams({ guest: id })}`}>
            New booking
          </a>
        </>
      ),
      body: (
        <div class="two">
          <div class="stack">
            <Bookings title="Upcoming" bookings={coming} shown={shown} now={now} empty="No upcoming bookings." />
            {others.length > 0 && (
              <Bookings title="Past and canceled" bookings={others} shown={shown} now={now} empty="" />
            )}
          </div>
          {!isErased && (
            <div class="stack">
              <form class="card" method="post" action={site.link(`/dashboard/guests/${id}`)}>
                <header>
                  <h2>Contact and notes</h2>
                </header>
                <div class="pad stack">
                  <FormErrorNote of={form.mistakes} />
                  <GuestFields of={form} />
                  <p class="soft small">
                    The email address identifies the guest and cannot be changed. A booking with another address creates
                    another guest.
                  </p>
                  <p>
                    <button class="btn main">Save</button>
                  </p>
                </div>
              </form>
              <Card id="erase" title="Erase guest data" pad="stack">
                <p class="soft">Use this when a guest asks for erasure. You can review what is deleted first.</p>
                <p>
                  <a class="btn bad" href={site.link(`/dashboard/guests/${id}/erase`)}>Erase…</a>
                </p>
              </Card>
            </div>
          )}
        </div>
      )
    }
  })

/** Guests with more bookings are usually automated. The booking list shows all of them. */
const shownAtMost = 100

const Bookings = (
  { bookings, empty, now, shown: { format, site }, title }: {
    readonly title: string
    readonly bookings: ReadonlyArray<BookingView>
    readonly shown: DashboardContext
    readonly now: string
    readonly empty: string
  }
) => (
  <section class="card" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {bookings.length > 0 && <span class="soft num">{bookings.length}</span>}
    </header>
    {bookings.length === 0 && <Empty>{empty}</Empty>}
    <ul class="rows">
      {bookings.slice(0, shownAtMost).map((booking) => (
        <li key={booking.id}>
          <div class="grow">
            <a class="title" href={site.link(`/dashboard/bookings/${booking.id}`)} dir="auto">
              {booking.offering.name}
            </a>
            <p class="soft small num">
              {`${format.longDay(booking.starts_at)}, ${format.time(booking.starts_at)} · ${booking.reference}`}
            </p>
          </div>
          <span class="num">{`${booking.quantity} × · ${format.money(booking.total_cents)}`}</span>
          <StatusTag booking={booking} now={now} />
        </li>
      ))}
    </ul>
    {bookings.length > shownAtMost && (
      <p class="pad soft small">{`The first ${shownAtMost} of ${format.number(bookings.length)} are shown.`}</p>
    )}
  </section>
)

export const act: FormAction = ({ form, param, run }) =>
  Effect.gen(function*() {
    const { id } = yield* run(customersUpdate, { id: param("id"), ...yield* guestIn(form) })
    return withFlash(`/dashboard/guests/${id}`, "saved")
  })
