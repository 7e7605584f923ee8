/**
 * The operations for a guest's booking page. The handle authorizes access to exactly one booking, so no operation takes
 * a booking ID. Guests see and change the booking's messages and the details entered for the booking, but never the
 * stored customer.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor, GuestActor } from "../actor/Actor.ts"
import { Availability } from "../availability/Availability.ts"
import { SlotView, slotView } from "../availability/AvailabilityView.ts"
import { computeBalance } from "../booking/balance.ts"
import { bookingsMove } from "../booking/bookingOperations.ts"
import { Bookings } from "../booking/Bookings.ts"
import { getBookingWeight, placeRefusals } from "../booking/checkPlace.ts"
import { getGuestPermissions, isEmailLinkSecret } from "../booking/GuestAccess.ts"
import { GuestConversations } from "../conversation/GuestConversations.ts"
import { messagesSend } from "../conversation/message/messageOperations.ts"
import { makeProveEmail } from "../customer/EmailProof.ts"
import { AttachmentView, attachmentView } from "../file/StoredFile.ts"
import { toMeetingPoint } from "../mail/MeetingPoint.ts"
import { toICalendar } from "../mail/toICalendar.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/Orgs.ts"
import { Checkouts } from "../payment/online/Checkouts.ts"
import { isCurrentCheckout } from "../payment/online/openCheckout.ts"
import { Payments, queryPaymentAccount } from "../payment/online/Payments.ts"
import { PaymentStore } from "../payment/Payment.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, refuse, unavailable } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Field from "../wire/Field.ts"
import { Ok, ok } from "../wire/View.ts"
import { GuestPageView, guestPageView } from "./GuestPageView.ts"
import * as PageOperation from "./PageOperation.ts"
import type { OperationHandlers } from "./Registry.ts"

const secretField = Field.text({ min: 1, max: 100 })
const passFields = { pass: Field.describedOptional("the secret from an emailed link", secretField) }

const makeOperation = PageOperation.makePageOperations("guest")

export const guestGet = makeOperation("guest.get", {
  input: Schema.Struct(passFields),
  output: GuestPageView,
  refusals: ["not_found"]
})

export const guestAvailability = makeOperation("guest.availability", {
  input: Schema.Struct({
    from: Field.describedOptional("the first local date", Field.localDate),
    to: Field.describedOptional("the last local date", Field.localDate)
  }),
  output: Schema.Struct({
    timezone: Field.withDescription("the time zone for the dates", Schema.String),
    data: Field.withDescription(
      "the start times available for this booking, counting its current seats as free",
      Schema.Array(SlotView)
    )
  }),
  refusals: ["not_found"]
})

export const guestMove = makeOperation("guest.move", {
  input: bookingsMove.input.omit("id"),
  exactlyOne: bookingsMove.exactlyOne,
  output: Ok,
  refusals: [...placeRefusals, "booking_cancelled", "hold_expired", "changes_closed"]
})

export const guestCancel = makeOperation("guest.cancel", {
  input: Schema.Struct({}),
  output: Ok,
  refusals: ["not_found", "changes_closed"]
})

export const guestWrite = makeOperation("guest.write", {
  input: Schema.Struct({
    body: Field.withDescription("the message text", Field.text({ min: 1, max: 5000 })),
    key: Field.describedOptional("a UUID per form, so that a resubmitted form sends the message only once", Field.uuid),
    attachments: messagesSend.input.fields.attachments
  }),
  output: Ok,
  refusals: ["not_found", "customer_erased", "attachment_used"]
})

export const guestSent = makeOperation("guest.sent", {
  input: Schema.Struct({ key: guestWrite.input.fields.key }),
  output: Schema.Struct({
    sent: Field.withDescription("whether the form with this key was already sent", Schema.Boolean)
  })
})

export const guestRead = makeOperation("guest.read", {
  input: Schema.Struct(passFields),
  output: Ok,
  refusals: ["not_found"]
})

export const guestFile = makeOperation("guest.file", {
  input: Schema.Struct({ id: Field.withDescription("the file", Field.uuid), ...passFields }),
  output: AttachmentView,
  refusals: ["not_found"]
})

export const guestLink = makeOperation("guest.link", {
  input: Schema.Struct({}),
  output: Ok,
  refusals: ["not_found", "customer_erased"]
})

export const guestOpen = makeOperation("guest.open", {
  input: Schema.Struct({ link: Field.withDescription("the secret in an emailed link", secretField) }),
  output: Schema.Struct({
    pass: Field.withDescription("a secret that gives access to all messages for 1 hour", Schema.String)
  }),
  refusals: ["not_found"]
})

export const guestProve = makeOperation("guest.prove", {
  input: Schema.Struct({ link: Field.withDescription("the secret from the link in the booking email", secretField) }),
  output: Ok,
  refusals: ["not_found", "booking_cancelled", "hold_expired"]
})

export const guestCheckout = makeOperation("guest.checkout", {
  input: Schema.Struct({
    opens_balance: Field.describedOptional(
      "whether to open a checkout for a confirmed booking's balance",
      Field.boolean
    )
  }),
  output: Schema.Struct({ url: Field.withDescription("the payment page URL", Schema.String) }),
  refusals: ["not_found", "booking_cancelled", "hold_expired"]
})

export const guestCalendar = makeOperation("guest.calendar", {
  input: Schema.Struct({
    page: Field.withDescription("the booking page URL", Field.text({ min: 1, max: 2000 }))
  }),
  output: Schema.Struct({ ics: Field.withDescription("the booking as an iCalendar object", Schema.String) }),
  refusals: ["not_found"]
})

export const guestOperations = [
  guestGet,
  guestAvailability,
  guestMove,
  guestCancel,
  guestWrite,
  guestSent,
  guestRead,
  guestFile,
  guestLink,
  guestOpen,
  guestProve,
  guestCheckout,
  guestCalendar
] as const

/** The `guest` scope is granted only to `Guest` actors, which have a booking ID. */
const bookingKeyOf = (actor: Actor["Type"]): OrgKey => ({ orgId: actor.orgId, id: (actor as GuestActor).bookingId })

export const guestHandlers = Effect.gen(function*() {
  const availability = yield* Availability
  const bookings = yield* Bookings
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const conversations = yield* GuestConversations
  const ids = yield* Ids
  const { open: openCheckout } = yield* Checkouts
  const onlinePayments = yield* Payments
  const payments = yield* PaymentStore
  const proveEmail = yield* makeProveEmail
  const { snapshot } = yield* UnitOfWork

  const loadFacts = (key: OrgKey) =>
    Effect.gen(function*() {
      const record = yield* bookings.get(key)
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
      const now = yield* currentTime
      return { record, org, now, changes: getGuestPermissions(record.booking, org, now) }
    })

  const loadOffering = ({ offeringId: id, orgId }: { readonly orgId: string; readonly offeringId: string }) =>
    Effect.flatMap(
      offerings.find([{ orgId, id }]),
      ([offering]) =>
        offering === undefined
          ? Effect.dieMessage("Invariant violated: booking without its offering")
          : Effect.succeed(offering)
    )

  const hasAccount = (orgId: string) =>
    Effect.map(queryPaymentAccount(onlinePayments, orgId), (account) => account !== null && account !== undefined)

  /** Records that a mailed link was opened, for both the guest and the booking. */
  const prove = (key: OrgKey) =>
    Effect.gen(function*() {
      const { booking: { customerId: id, orgId } } = yield* bookings.get(key)
      yield* proveEmail({ orgId, id })
      yield* bookings.prove(key)
    })

  return {
    "guest.get": ({ pass }, actor) =>
      Effect.gen(function*() {
        const view = yield* snapshot(Effect.gen(function*() {
          const facts = yield* loadFacts(bookingKeyOf(actor))
          const offering = yield* loadOffering(facts.record.booking)
          return guestPageView({
            ...facts,
            offering,
            thread: yield* conversations.getThread(bookingKeyOf(actor), pass)
          })
        }))
        if (view.booking.status !== "confirmed" || view.booking.due_cents === 0) return view
        // Query outside the snapshot, because the query can run the host application's code.
        return { ...view, pays_balance: yield* hasAccount(actor.orgId) }
      }),
    "guest.availability": ({ from, to }, actor) =>
      Effect.gen(function*() {
        const { record: { booking, offering } } = yield* loadFacts(bookingKeyOf(actor))
        const { slots, timezone } = yield* availability.get({
          offering: { orgId: booking.orgId, id: booking.offeringId },
          from,
          to,
          moving: booking
        })
        const requiredUnits = getBookingWeight(offering, booking.quantity)
        const freeSlots = slots.filter(({ remaining, sessionId, startsAt }) =>
          remaining >= requiredUnits &&
          (sessionId === undefined ? startsAt !== booking.startsAt : sessionId !== booking.sessionId)
        )
        return { timezone, data: freeSlots.map(slotView) }
      }),
    "guest.move": ({ session_id: sessionId, starts_at: startsAt }, actor) =>
      Effect.gen(function*() {
        const { changes, record: { booking } } = yield* loadFacts(bookingKeyOf(actor))
        if (!changes.mayMove) {
          if (booking.status === "cancelled") return yield* refuse("booking_cancelled")
          return yield* refuse("changes_closed")
        }
        yield* bookings.move(bookingKeyOf(actor), { sessionId, startsAt }, { byGuest: true })
        return ok
      }),
    "guest.cancel": (_, actor) =>
      Effect.gen(function*() {
        const { changes, record: { booking } } = yield* loadFacts(bookingKeyOf(actor))
        // Canceling again succeeds.
        if (booking.status === "cancelled") return ok
        if (!changes.mayCancel) return yield* refuse("changes_closed")
        yield* bookings.cancel(bookingKeyOf(actor), "policy", "mail.guest_cancelled")
        return ok
      }),
    "guest.write": ({ attachments, body, key }, actor) =>
      Effect.as(conversations.write(bookingKeyOf(actor), { body, key, files: attachments }), ok),
    "guest.sent": ({ key }, actor) =>
      Effect.map(
        key === undefined ? Effect.succeed(false) : conversations.isSent(bookingKeyOf(actor), key),
        (isSent) => ({ sent: isSent })
      ),
    "guest.read": ({ pass }, actor) => Effect.as(conversations.read(bookingKeyOf(actor), pass), ok),
    "guest.file": ({ id, pass }, actor) =>
      Effect.map(conversations.file(bookingKeyOf(actor), id, pass), attachmentView),
    "guest.link": (_, actor) => Effect.as(conversations.requestLink(bookingKeyOf(actor)), ok),
    "guest.open": ({ link }, actor) =>
      Effect.gen(function*() {
        const pass = yield* conversations.open(bookingKeyOf(actor), link)
        // The link was mailed to the guest, so opening it proves the booking's email address. Show the messages even if
        // the hold can no longer be confirmed.
        yield* Effect.ignore(prove(bookingKeyOf(actor)))
        return { pass }
      }),
    "guest.prove": ({ link }, actor) =>
      Effect.gen(function*() {
        const { org, record: { booking } } = yield* loadFacts(bookingKeyOf(actor))
        if (!isEmailLinkSecret(ids, org, booking, link)) {
          return yield* refuse("unauthorized", "This link is not valid. Open the link in the latest email.")
        }
        yield* prove(bookingKeyOf(actor))
        return ok
      }),
    "guest.checkout": ({ opens_balance: opensBalance = false }, actor) =>
      Effect.gen(function*() {
        const { now, record } = yield* loadFacts(bookingKeyOf(actor))
        const { booking } = record
        if (booking.status === "cancelled") return yield* refuse("booking_cancelled")
        if (booking.status === "confirmed" && computeBalance(booking).dueCents > 0) {
          const unavailableRefusal = unavailable("The payment page is not available right now. Try again later.")
          if (opensBalance) {
            if (!(yield* hasAccount(booking.orgId))) return yield* notFound("payment", booking.reference)
            yield* Effect.mapError(openCheckout(record), () => unavailableRefusal)
          }
          const currentCheckout = (yield* payments.ofBookings([bookingKeyOf(actor)])).find((payment) =>
            payment.status === "open" && isCurrentCheckout(booking, payment, now)
          )
          if (currentCheckout?.status === "open") return { url: currentCheckout.url }
          return yield* opensBalance ? unavailableRefusal : notFound("payment", booking.reference)
        }
        if (booking.status !== "held" || !booking.paymentDue) return yield* notFound("payment", booking.reference)
        if (booking.expiresAt <= now) return yield* refuse("hold_expired")
        return booking.checkoutUrl === null
          ? yield* unavailable("The payment page is not available yet. Your spot is held. Try again.")
          : { url: booking.checkoutUrl }
      }),
    "guest.calendar": ({ page }, actor) =>
      Effect.gen(function*() {
        const { now, org, record } = yield* loadFacts(bookingKeyOf(actor))
        const meetingPoint = toMeetingPoint(yield* loadOffering(record.booking))
        return { ics: toICalendar([record], meetingPoint, org, () => page, now).ics }
      })
  } satisfies OperationHandlers<typeof guestOperations>
})
