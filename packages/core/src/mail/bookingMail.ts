/**
 * Composes emails to a guest about a booking. They describe the current state of the booking, which can be newer than
 * the task. For example, a payment request that is sent after the cancellation shows the booking as canceled.
 */
import { computeBalance, dueNowCents, onlinePaymentCents } from "../booking/balance.ts"
import type { Booking, Cancelled, Held } from "../booking/Booking.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { guestName } from "../booking/guestName.ts"
import { formatAmount } from "../money/formatAmount.ts"
import { howMany } from "../offering/howMany.ts"
import { type Info, noInfo } from "../offering/Offering.ts"
import type { Org } from "../org/Org.ts"
import { withFullStop } from "../org/withFullStop.ts"
import { isWithheld, type Payment } from "../payment/Payment.ts"
import type { Task, TaskKind } from "../task/Task.ts"
import { fromContent, type Link, type MailContent, type Row } from "./automatedMail.ts"
import type { CheckInCode } from "./CheckInCode.ts"
import { makeLocalTimeFormat } from "./localTimeFormat.ts"
import type { Mail } from "./Mailer.ts"
import { mapUrl, type MeetingPoint } from "./MeetingPoint.ts"
import { greeting, toSingleLine } from "./sanitizeHeader.ts"
import { toICalendar } from "./toICalendar.ts"

/**
 * Composes the email about the current state of a booking. The same task, record, and meeting point always produce the
 * same result. `publicUrl` has no trailing slash.
 */
export const composeBookingMail = (
  task: Pick<Task, "id" | "dueAt">,
  kind: TaskKind,
  record: BookingRecord,
  place: MeetingPoint | undefined,
  org: Org,
  publicUrl: string,
  options: BookingMailOptions = {}
): Mail & { readonly calendar: NonNullable<Mail["calendar"]> } => {
  const content = bookingMail(kind, record, place, org, publicUrl, options)
  const { customer } = record
  return {
    ...fromContent(task.id, { email: customer.email, name: guestName(record) }, content),
    // Use the task's time instead of the sending time so that a repeated email is identical.
    calendar: toICalendar([record], place, org, ({ handle }) => `${publicUrl}/b/${handle}`, task.dueAt)
  }
}

export interface BookingMailOptions {
  /** A secret to append to the booking page link. It proves that the guest reads email at the address. */
  readonly mailed?: string
  /** Whether the offering can be booked again on the public page. */
  readonly isBookable?: boolean
  /** Whether replies to the email reach the outfitter. */
  readonly canReply?: boolean
  /** Information for guests before the trip. */
  readonly info?: Info | undefined
  /** Draws the QR code for a confirmation. By default, there is no code. */
  readonly drawCode?: CheckInCode["Type"]["png"] | undefined
  /** The payments for a canceled booking. */
  readonly payments?: ReadonlyArray<Pick<Payment, "mismatch">>
}

export const bookingMail = (
  kind: TaskKind,
  record: BookingRecord,
  place: MeetingPoint | undefined,
  org: Org,
  publicUrl: string,
  options: BookingMailOptions = {}
): MailContent => {
  const { booking } = record
  const about = aboutOf(record, place, org, publicUrl, options)
  if (kind === "mail.returned") return refundMail(booking, { ...about, total: about.paid })
  switch (booking.status) {
    case "held":
      return kind === "mail.moved"
        ? movedMail(booking, about)
        : kind === "mail.updated"
        ? updatedMail(booking, about)
        : heldMail(booking, about)
    case "confirmed":
      return kind === "mail.moved"
        ? movedMail(booking, about)
        : kind === "mail.updated"
        ? updatedMail(booking, about)
        : kind === "mail.payment"
        ? balanceDue(booking, about)
        : confirmedMail(booking, about)
    case "cancelled":
      return cancelledMail(kind, booking, about)
  }
}

/** Returns the values that all emails use, as text. */
const aboutOf = (
  record: BookingRecord,
  place: MeetingPoint | undefined,
  { currency, name, ...org }: Org,
  publicUrl: string,
  { canReply = false, drawCode, info = noInfo, isBookable = false, mailed = "", payments = [] }: BookingMailOptions
) => {
  const { booking, offering } = record
  const outfitter = toSingleLine(name)
  const map = mapUrl(place)
  return {
    outfitter,
    subject: (news: string) => `${news}: ${outfitter} (${booking.reference})`,
    total: formatAmount(booking.totalCents, currency),
    amount: (cents: number) => formatAmount(cents, currency),
    paid: formatAmount(onlinePaymentCents(booking), currency),
    dueNow: formatAmount(dueNowCents(booking), currency),
    clock: makeLocalTimeFormat(org.timezone),
    what: { label: "What", value: toSingleLine(offering.name) },
    where: place === undefined ? [] : [{ label: "Where", value: place.words }],
    map: map === undefined ? [] : [{ label: "Meeting point on a map", url: map }],
    booked: { label: "Booked", value: howMany(offering.kind, booking.quantity) },
    before: [
      ...lines("Bring", info.bring),
      ...lines("Requirements", info.requirements),
      ...lines("Minimum age", info.min_age === null ? "" : `${info.min_age} years`),
      ...lines("Phone", org.phone ?? "")
    ],
    waiver: info.waiver_url === null ? [] : [{ label: "Read and sign the waiver", url: info.waiver_url }],
    reference: { label: "Reference", value: booking.reference },
    page: { label: "View your booking", url: `${publicUrl}/b/${booking.handle}${mailed}` },
    again: isBookable ? [{ label: "Book again", url: `${publicUrl}/book/${org.slug}/${offering.id}` }] : [],
    drawCode: drawCode && (() => drawCode(`${publicUrl}/c/${booking.checkInToken}`)),
    payments,
    frame: {
      outfitter,
      greeting: greeting(guestName(record)),
      closing: [
        (canReply ? "Questions? Reply to this email." : "Questions? Message us on your booking page.") +
        (org.replyWindow === null ? "" : ` Expected reply time: ${toSingleLine(org.replyWindow)}`),
        // The name can end with a period.
        `You are receiving this email because you have a booking with ${withFullStop(outfitter)}`
      ]
    }
  }
}
const lines = (label: string, value: string): ReadonlyArray<Row> =>
  value === "" ? [] : [{ label, value: toSingleLine(value) }]

type About = ReturnType<typeof aboutOf>

const heldMail = (booking: Held, about: About): MailContent => ({
  ...about.frame,
  news: "held",
  subject: about.subject("Payment required"),
  heading: "Pay to confirm your booking",
  paragraphs: [keptUntil(booking, about)],
  rows: upcomingRows(booking, about, [{ label: "When", value: about.clock.span(booking) }]),
  ...payFirst(booking, about)
})

const confirmedMail = (booking: Booking, about: About): MailContent => ({
  ...about.frame,
  news: "confirmed",
  subject: about.subject("Booking confirmed"),
  heading: "Your booking is confirmed",
  paragraphs: [`Your booking with ${about.outfitter} is confirmed. We look forward to seeing you.`],
  rows: [...upcomingRows(booking, about, [{ label: "When", value: about.clock.span(booking) }]), ...about.before],
  action: about.page,
  ...about.drawCode && {
    image: { png: about.drawCode(), alt: "QR code for check-in", caption: "Show this code when you arrive." }
  },
  further: [...about.waiver, ...about.map]
})

const movedMail = (booking: Exclude<Booking, Cancelled>, about: About): MailContent => ({
  ...about.frame,
  news: "moved",
  subject: about.subject("New booking time"),
  heading: "Your booking has a new time",
  paragraphs: [
    `The time of your booking with ${about.outfitter} has changed. Everything else stays the same.`,
    ...(booking.status === "held" ? [keptUntil(booking, about)] : [])
  ],
  rows: upcomingRows(booking, about, times(booking, about)),
  ...(booking.status === "held" ? payFirst(booking, about) : { action: about.page, further: about.map })
})

const updatedMail = (booking: Exclude<Booking, Cancelled>, about: About): MailContent => ({
  ...about.frame,
  news: "updated",
  subject: about.subject("Booking changed"),
  heading: "Your booking has changed",
  paragraphs: [
    `${about.outfitter} changed your booking. The time stays the same.`,
    ...(booking.status === "held" ? [keptUntil(booking, about)] : [])
  ],
  rows: [
    about.what,
    { label: "When", value: about.clock.span(booking) },
    ...about.where,
    about.booked,
    ...changedPrice(booking, about),
    about.reference
  ],
  action: about.page,
  further: about.map
})

const balanceDue = (booking: Booking, about: About): MailContent => {
  const due = about.amount(computeBalance(booking).dueCents)
  return {
    ...about.frame,
    news: "held",
    subject: about.subject("Payment requested"),
    heading: `Payment due: ${due}`,
    paragraphs: [`${due} is due for your booking with ${about.outfitter}. You can pay on your booking page.`],
    rows: [
      about.what,
      { label: "When", value: about.clock.span(booking) },
      about.booked,
      ...balance(booking, about),
      about.reference
    ],
    action: { ...about.page, label: `Pay ${due}` },
    further: []
  }
}

/** Returns rows for the stored price lines, the total, and the balance. */
const changedPrice = (booking: Booking, about: About): ReadonlyArray<Row> => [
  ...(booking.price?.lines ?? []).filter(({ included }) => !included).map(({ name, quantity, total_cents }) => ({
    label: `${quantity === 1 ? "" : `${quantity} × `}${toSingleLine(name)}`,
    value: about.amount(total_cents)
  })),
  ...balance(booking, about)
]

const balance = (booking: Booking, { amount, total }: About): ReadonlyArray<Row> => {
  const { dueCents, owedCents, paidCents } = computeBalance(booking)
  const row = (label: string, cents: number) => ({ label, value: amount(cents) })
  return [
    { label: "Total", value: total },
    ...(paidCents > 0 ? [row("Paid", paidCents)] : []),
    ...(dueCents > 0 && paidCents > 0 ? [row("Balance due", dueCents)] : []),
    ...(owedCents > 0 ? [row("Owed to you", owedCents)] : [])
  ]
}

const cancelledMail = (kind: TaskKind, booking: Cancelled, about: About): MailContent => ({
  ...about.frame,
  news: "cancelled",
  ...(kind === "mail.expired"
    ? { subject: about.subject("Hold expired"), heading: "Your hold expired" }
    : { subject: about.subject("Booking canceled"), heading: "Your booking is canceled" }),
  paragraphs: [endOf(kind, booking, about), ...refundText(booking, about)],
  rows: [
    about.what,
    { label: "Was on", value: about.clock.span(booking), over: true },
    about.booked,
    about.reference
  ],
  action: about.page,
  further: about.again
})

/**
 * Returns the reason that the booking ended. If a hold was paid too late, the text about the refund contains the
 * reason.
 */
const endOf = (kind: TaskKind, { confirmedAt }: Cancelled, { outfitter, payments }: About): string => {
  if (kind === "mail.guest_cancelled") return `You canceled your booking with ${withFullStop(outfitter)}`
  if (kind === "mail.expired") {
    const reason = payments.length === 0
      ? "because it was not confirmed"
      : payments.every(({ mismatch }) => mismatch === null)
      ? "because no payment arrived"
      : "before your payment could be confirmed"
    return `Your hold with ${outfitter} expired ${reason}. Your spot was released.`
  }
  return confirmedAt === null ? `Your booking with ${outfitter} is canceled.` : `${outfitter} canceled your booking.`
}

const refundMail = (booking: Booking, about: About): MailContent => ({
  ...about.frame,
  news: "returned",
  ...(booking.status === "cancelled"
    ? {
      subject: about.subject("Refund in progress"),
      heading: "Your payment is being refunded",
      paragraphs: [
        `We received a payment of ${about.total} for your canceled booking with ${
          withFullStop(about.outfitter)
        } Your ` +
        "refund is being processed. It goes to the card or account you paid with and can take a few days."
      ]
    }
    : {
      subject: about.subject("Second payment: refund in progress"),
      heading: "Your second payment is being refunded",
      paragraphs: [
        `We received a second payment of ${about.total} for your booking with ${
          withFullStop(about.outfitter)
        } Your refund is being processed. ` +
        "It goes to the card or account you paid with and can take a few days.",
        "Your booking has not changed."
      ]
    }),
  rows: [
    about.what,
    { label: booking.status === "cancelled" ? "Was on" : "When", value: about.clock.span(booking) },
    about.booked,
    about.reference
  ],
  action: about.page,
  further: []
})

/** Returns the rows for a guest who will attend. */
const upcomingRows = (booking: Booking, about: About, when: ReadonlyArray<Row>): ReadonlyArray<Row> => [
  about.what,
  ...when,
  ...about.where,
  about.booked,
  ...total(booking, about),
  about.reference
]

const keptUntil = ({ checkoutUrl, expiresAt }: Held, { clock, outfitter }: About): string => {
  const holdText = `${outfitter} is holding your spot until ${clock.time(expiresAt)}.`
  return checkoutUrl === null
    ? `${holdText} Your booking is not confirmed yet.`
    : `${holdText} Pay before then to confirm your booking. After that, your spot may be sold.`
}

const total = (booking: Booking, about: About): ReadonlyArray<Row> => {
  const { paidAt, totalCents } = booking
  if (totalCents === 0) return []
  const { dueCents, paidCents } = computeBalance(booking)
  if (paidAt !== null && paidCents > 0 && dueCents > 0) return balance(booking, about)
  const isDeposit = booking.status === "held" && booking.paymentDue && dueNowCents(booking) < totalCents
  const state = isDeposit ? `${about.dueNow} due now` : paidAt === null ? "not paid yet" : "paid"
  return [{ label: "Total", value: `${about.total}, ${state}` }]
}

// Returns the rows with the old and the new time. A move to another session at the same time has only one time to show.
const times = (booking: Booking, { clock }: About): ReadonlyArray<Row> => {
  const now = clock.span(booking)
  const before = booking.previous === null ? now : clock.span(booking.previous)
  return before === now
    ? [{ label: "When", value: now }]
    : [{ label: "New time", value: now }, { label: "Old time", value: before, over: true }]
}

// Returns the payment link as the main action. A hold that is not paid online has no checkout URL.
const payFirst = (
  { checkoutUrl }: Held,
  { dueNow, map, page }: About
): { readonly action: Link; readonly further: ReadonlyArray<Link> } =>
  checkoutUrl === null
    ? { action: page, further: map }
    : { action: { label: `Pay ${dueNow}`, url: checkoutUrl }, further: [page, ...map] }

/** Returns the text about payments and refunds for a guest whose booking was canceled. */
const refundText = (
  booking: Cancelled,
  { amount, paid: total, payments }: Pick<About, "amount" | "paid" | "payments">
): ReadonlyArray<string> => {
  const { cancelledAt, dispute, keepCents, paidAt, paymentIntentId, refund, startsAt } = booking
  if (onlinePaymentCents(booking) === 0) return []
  if (paymentIntentId === null) {
    return [
      payments.some(({ mismatch }) => mismatch !== null)
        ? "We received a payment that does not match your booking and are checking it."
        : "You have not been charged online."
    ]
  }
  if (refund !== null) {
    const paidText = paidAt === null
      ? `We received your payment of ${total} after your hold expired.`
      : `You paid ${total}.`
    return [
      refund.cents < onlinePaymentCents(booking)
        ? `${paidText} Under the cancellation policy, ${amount(refund.cents)} is refunded. ${
          partialRefunds[refund.status]
        }`
        : `${paidText} ${refunds[refund.status]}`
    ]
  }
  if (isWithheld(dispute)) {
    return [`You paid ${total}. This payment is disputed, so your bank decides whether it is refunded.`]
  }
  return [
    keepCents > 0 && startsAt > cancelledAt
      ? `You paid ${total}. No refund was issued.`
      : `You paid ${total}. No refund was issued because your booking had already started.`
  ]
}

const delayed = "Your refund is delayed. It will be retried automatically, and the outfitter has been notified."

const partialRefunds = {
  due: "The refund goes to the card or account you paid with and can take a few days.",
  done: "The refund was sent to the card or account you paid with. It can take a few days to appear there.",
  refused: delayed
}

/** The texts about a refund. An email can be sent before or after the refund, so it describes the current state. */
const refunds = {
  due: "Your refund is being processed. It goes to the card or account you paid with and can take a few days.",
  done: "The full amount was refunded to the card or account you paid with. It can take a few days to appear there.",
  refused: delayed
}
