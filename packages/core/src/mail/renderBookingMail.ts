/**
 * Composes emails to a guest about a booking. They describe the current state of the booking, which can be newer than
 * the task. For example, a payment request sent after the cancellation shows the booking as canceled.
 */
import { computeBalance, computeDueNowCents, getOnlinePaymentCents } from "../booking/balance.ts"
import type { Booking, CancelledBooking, HeldBooking } from "../booking/Booking.ts"
import { type BookingRecord, getGuestName } from "../booking/BookingView.ts"
import { formatAmount } from "../money/Currency.ts"
import { formatQuantity } from "../offering/formatQuantity.ts"
import { emptyTripInfo, type TripInfo } from "../offering/Offering.ts"
import type { Org } from "../org/Org.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import { isMoneyWithheld, type Payment } from "../payment/Payment.ts"
import type { Task, TaskKind } from "../task/Task.ts"
import { type LabeledLink, type MailContent, type MailRow, renderAutomatedMail } from "./automatedMail.ts"
import { makeLocalTimeFormat } from "./localTimeFormat.ts"
import type { CheckInCode, Mail } from "./Mailer.ts"
import { getMapUrl, type MeetingPoint } from "./MeetingPoint.ts"
import { toICalendar } from "./toICalendar.ts"
import { formatGreeting, toSingleLine } from "./toSingleLine.ts"

/**
 * Composes the email about the current state of a booking. The same task, record, and meeting point always produce the
 * same result. `publicUrl` has no trailing slash.
 */
export const composeBookingMail = (
  task: Pick<Task, "id" | "dueAt">,
  kind: TaskKind,
  record: BookingRecord,
  meetingPoint: MeetingPoint | undefined,
  org: Org,
  publicUrl: string,
  options: BookingMailOptions = {}
): Mail & { readonly calendar: NonNullable<Mail["calendar"]> } => {
  const { booking, customer } = record
  const content = composeContent(kind, booking, makeMailValues(record, meetingPoint, org, publicUrl, options))
  return {
    ...renderAutomatedMail(task.id, { email: customer.email, name: getGuestName(record) }, content),
    // Use the task's time instead of the sending time so that a repeated email is identical.
    calendar: toICalendar([record], meetingPoint, org, ({ handle }) => `${publicUrl}/b/${handle}`, task.dueAt)
  }
}

export interface BookingMailOptions {
  /** A secret to append to the booking page link. It proves that the guest reads email at the address. */
  readonly mailedSecret?: string
  /** Whether the offering can be booked again on the public page. */
  readonly isBookable?: boolean
  /** Whether replies to the email reach the outfitter. */
  readonly canReply?: boolean
  /** Information for guests before the trip. */
  readonly info?: TripInfo | undefined
  /** Draws the QR code for a confirmation. By default, there is no code. */
  readonly drawCode?: CheckInCode["Type"]["png"] | undefined
  /** The payments for a canceled booking. */
  readonly payments?: ReadonlyArray<Pick<Payment, "mismatch">>
}

const composeContent = (kind: TaskKind, booking: Booking, values: MailValues): MailContent => {
  if (kind === "mail.returned") return composeRefundMail(booking, { ...values, total: values.paid })
  if (booking.status === "cancelled") return composeCancelledMail(kind, booking, values)
  if (kind === "mail.moved") return composeMovedMail(booking, values)
  if (kind === "mail.updated") return composeUpdatedMail(booking, values)
  if (booking.status === "held") return composeHeldMail(booking, values)
  return kind === "mail.payment" ? composeBalanceDueMail(booking, values) : composeConfirmedMail(booking, values)
}

/** Returns the values that all emails use, as text. */
const makeMailValues = (
  record: BookingRecord,
  meetingPoint: MeetingPoint | undefined,
  { currency, name, ...org }: Org,
  publicUrl: string,
  { canReply = false, drawCode, info = emptyTripInfo, isBookable = false, mailedSecret = "", payments = [] }:
    BookingMailOptions
) => {
  const { booking, offering } = record
  const outfitter = toSingleLine(name)
  const mapHref = getMapUrl(meetingPoint)
  const pageLink = { label: "View your booking", url: `${publicUrl}/b/${booking.handle}${mailedSecret}` }
  return {
    outfitter,
    subject: (title: string) => `${title}: ${outfitter} (${booking.reference})`,
    total: formatAmount(booking.totalCents, currency),
    amount: (cents: number) => formatAmount(cents, currency),
    paid: formatAmount(getOnlinePaymentCents(booking), currency),
    dueNow: formatAmount(computeDueNowCents(booking), currency),
    clock: makeLocalTimeFormat(org.timezone),
    offeringRow: { label: "What", value: toSingleLine(offering.name) },
    meetingPointRows: meetingPoint === undefined ? [] : [{ label: "Where", value: meetingPoint.words }],
    mapLinks: mapHref === undefined ? [] : [{ label: "Meeting point on a map", url: mapHref }],
    quantityRow: { label: "Booked", value: formatQuantity(offering.kind, booking.quantity) },
    infoRows: [
      ...toOptionalRows("Bring", info.bring),
      ...toOptionalRows("Requirements", info.requirements),
      ...toOptionalRows("Minimum age", info.min_age === null ? "" : `${info.min_age} years`),
      ...toOptionalRows("Phone", org.phone ?? "")
    ],
    waiverLinks: info.waiver_url === null ? [] : [{ label: "Read and sign the waiver", url: info.waiver_url }],
    referenceRow: { label: "Reference", value: booking.reference },
    pageLink,
    bookAgainLinks: isBookable ? [{ label: "Book again", url: `${publicUrl}/book/${org.slug}/${offering.id}` }] : [],
    drawCode: drawCode && (() => drawCode(`${publicUrl}/c/${booking.checkInToken}`)),
    payments,
    common: {
      outfitter,
      greeting: formatGreeting(getGuestName(record)),
      action: pageLink,
      further: [],
      closing: [
        (canReply ? "Questions? Reply to this email." : "Questions? Message us on your booking page.") +
        (org.replyWindow === null ? "" : ` Expected reply time: ${toSingleLine(org.replyWindow)}`),
        // The name can end with a period.
        `You are receiving this email because you have a booking with ${ensureFinalPeriod(outfitter)}`
      ]
    }
  }
}
const toOptionalRows = (label: string, value: string): ReadonlyArray<MailRow> =>
  value === "" ? [] : [{ label, value: toSingleLine(value) }]

type MailValues = ReturnType<typeof makeMailValues>

const composeHeldMail = (booking: HeldBooking, values: MailValues): MailContent => ({
  ...values.common,
  news: "held",
  subject: values.subject("Payment required"),
  heading: "Pay to confirm your booking",
  paragraphs: [describeHold(booking, values)],
  rows: toUpcomingRows(booking, values, [{ label: "When", value: values.clock.span(booking) }]),
  ...toPaymentLinks(booking, values)
})

const composeConfirmedMail = (booking: Booking, values: MailValues): MailContent => ({
  ...values.common,
  news: "confirmed",
  subject: values.subject("Booking confirmed"),
  heading: "Your booking is confirmed",
  paragraphs: [`Your booking with ${values.outfitter} is confirmed. We look forward to seeing you.`],
  rows: [
    ...toUpcomingRows(booking, values, [{ label: "When", value: values.clock.span(booking) }]),
    ...values.infoRows
  ],
  ...values.drawCode && {
    image: { png: values.drawCode(), alt: "QR code for check-in", caption: "Show this code when you arrive." }
  },
  further: [...values.waiverLinks, ...values.mapLinks]
})

const composeMovedMail = (booking: Exclude<Booking, CancelledBooking>, values: MailValues): MailContent => ({
  ...values.common,
  news: "moved",
  subject: values.subject("New booking time"),
  heading: "Your booking has a new time",
  paragraphs: [
    `The time of your booking with ${values.outfitter} has changed. Everything else stays the same.`,
    ...(booking.status === "held" ? [describeHold(booking, values)] : [])
  ],
  rows: toUpcomingRows(booking, values, toTimeRows(booking, values)),
  ...(booking.status === "held"
    ? toPaymentLinks(booking, values)
    : { further: values.mapLinks })
})

const composeUpdatedMail = (booking: Exclude<Booking, CancelledBooking>, values: MailValues): MailContent => ({
  ...values.common,
  news: "updated",
  subject: values.subject("Booking changed"),
  heading: "Your booking has changed",
  paragraphs: [
    `${values.outfitter} changed your booking. The time stays the same.`,
    ...(booking.status === "held" ? [describeHold(booking, values)] : [])
  ],
  rows: [
    values.offeringRow,
    { label: "When", value: values.clock.span(booking) },
    ...values.meetingPointRows,
    values.quantityRow,
    ...toPriceRows(booking, values),
    values.referenceRow
  ],
  further: values.mapLinks
})

const composeBalanceDueMail = (booking: Booking, values: MailValues): MailContent => {
  const due = values.amount(computeBalance(booking).dueCents)
  return {
    ...values.common,
    news: "held",
    subject: values.subject("Payment requested"),
    heading: `Payment due: ${due}`,
    paragraphs: [`${due} is due for your booking with ${values.outfitter}. You can pay on your booking page.`],
    rows: [
      values.offeringRow,
      { label: "When", value: values.clock.span(booking) },
      values.quantityRow,
      ...toBalanceRows(booking, values),
      values.referenceRow
    ],
    action: { ...values.pageLink, label: `Pay ${due}` }
  }
}

/** Returns rows for the stored price lines, the total, and the balance. */
const toPriceRows = (booking: Booking, values: MailValues): ReadonlyArray<MailRow> => [
  ...(booking.price?.lines ?? []).filter(({ included }) => !included).map(({ name, quantity, total_cents }) => ({
    label: `${quantity === 1 ? "" : `${quantity} × `}${toSingleLine(name)}`,
    value: values.amount(total_cents)
  })),
  ...toBalanceRows(booking, values)
]

const toBalanceRows = (booking: Booking, { amount, total }: MailValues): ReadonlyArray<MailRow> => {
  const { dueCents, owedCents, paidCents } = computeBalance(booking)
  const row = (label: string, cents: number) => ({ label, value: amount(cents) })
  return [
    { label: "Total", value: total },
    ...(paidCents > 0 ? [row("Paid", paidCents)] : []),
    ...(dueCents > 0 && paidCents > 0 ? [row("Balance due", dueCents)] : []),
    ...(owedCents > 0 ? [row("Owed to you", owedCents)] : [])
  ]
}

const composeCancelledMail = (kind: TaskKind, booking: CancelledBooking, values: MailValues): MailContent => ({
  ...values.common,
  news: "cancelled",
  ...(kind === "mail.expired"
    ? { subject: values.subject("Hold expired"), heading: "Your hold expired" }
    : { subject: values.subject("Booking canceled"), heading: "Your booking is canceled" }),
  paragraphs: [describeEnd(kind, booking, values), ...describeRefund(booking, values)],
  rows: [
    values.offeringRow,
    { label: "Was on", value: values.clock.span(booking), isObsolete: true },
    values.quantityRow,
    values.referenceRow
  ],
  further: values.bookAgainLinks
})

/** Returns why the booking ended. If a hold was paid too late, the text about the refund gives the reason instead. */
const describeEnd = (
  kind: TaskKind,
  { confirmedAt }: CancelledBooking,
  { outfitter, payments }: MailValues
): string => {
  if (kind === "mail.guest_cancelled") return `You canceled your booking with ${ensureFinalPeriod(outfitter)}`
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

const composeRefundMail = (booking: Booking, values: MailValues): MailContent => ({
  ...values.common,
  news: "returned",
  ...(booking.status === "cancelled"
    ? {
      subject: values.subject("Refund in progress"),
      heading: "Your payment is being refunded",
      paragraphs: [
        `We received a payment of ${values.total} for your canceled booking with ${
          ensureFinalPeriod(values.outfitter)
        } Your ` +
        "refund is being processed. It goes to the card or account you paid with and can take a few days."
      ]
    }
    : {
      subject: values.subject("Second payment: refund in progress"),
      heading: "Your second payment is being refunded",
      paragraphs: [
        `We received a second payment of ${values.total} for your booking with ${
          ensureFinalPeriod(values.outfitter)
        } Your refund is being processed. ` +
        "It goes to the card or account you paid with and can take a few days.",
        "Your booking has not changed."
      ]
    }),
  rows: [
    values.offeringRow,
    { label: booking.status === "cancelled" ? "Was on" : "When", value: values.clock.span(booking) },
    values.quantityRow,
    values.referenceRow
  ]
})

/** Returns the rows for a guest who will attend. */
const toUpcomingRows = (booking: Booking, values: MailValues, when: ReadonlyArray<MailRow>): ReadonlyArray<MailRow> => [
  values.offeringRow,
  ...when,
  ...values.meetingPointRows,
  values.quantityRow,
  ...toTotalRows(booking, values),
  values.referenceRow
]

const describeHold = ({ checkoutUrl, expiresAt }: HeldBooking, { clock, outfitter }: MailValues): string => {
  const holdText = `${outfitter} is holding your spot until ${clock.time(expiresAt)}.`
  return checkoutUrl === null
    ? `${holdText} Your booking is not confirmed yet.`
    : `${holdText} Pay before then to confirm your booking. After that, your spot may be sold.`
}

const toTotalRows = (booking: Booking, values: MailValues): ReadonlyArray<MailRow> => {
  const { paidAt, totalCents } = booking
  if (totalCents === 0) return []
  const { dueCents, paidCents } = computeBalance(booking)
  if (paidAt !== null && paidCents > 0 && dueCents > 0) return toBalanceRows(booking, values)
  const isDeposit = booking.status === "held" && booking.paymentDue && computeDueNowCents(booking) < totalCents
  const state = isDeposit ? `${values.dueNow} due now` : paidAt === null ? "not paid yet" : "paid"
  return [{ label: "Total", value: `${values.total}, ${state}` }]
}

// Returns the rows with the old and the new time. If a booking moves to another session at the same time, there is only
// one time to show.
const toTimeRows = (booking: Booking, { clock }: MailValues): ReadonlyArray<MailRow> => {
  const newTime = clock.span(booking)
  const oldTime = booking.previous === null ? newTime : clock.span(booking.previous)
  return oldTime === newTime
    ? [{ label: "When", value: newTime }]
    : [{ label: "New time", value: newTime }, { label: "Old time", value: oldTime, isObsolete: true }]
}

// Returns the payment link as the main action. A hold that is not paid online has no checkout URL.
const toPaymentLinks = (
  { checkoutUrl }: HeldBooking,
  { dueNow, mapLinks, pageLink }: MailValues
): { readonly action: LabeledLink; readonly further: ReadonlyArray<LabeledLink> } =>
  checkoutUrl === null
    ? { action: pageLink, further: mapLinks }
    : { action: { label: `Pay ${dueNow}`, url: checkoutUrl }, further: [pageLink, ...mapLinks] }

/** Returns the text about payments and refunds for a guest whose booking was canceled. */
const describeRefund = (
  booking: CancelledBooking,
  { amount, paid: total, payments }: Pick<MailValues, "amount" | "paid" | "payments">
): ReadonlyArray<string> => {
  const { cancelledAt, dispute, keepCents, paidAt, paymentIntentId, refund, startsAt } = booking
  if (getOnlinePaymentCents(booking) === 0) return []
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
      refund.cents < getOnlinePaymentCents(booking)
        ? `${paidText} Under the cancellation policy, ${amount(refund.cents)} is refunded. ${
          partialRefundTexts[refund.status]
        }`
        : `${paidText} ${refundTexts[refund.status]}`
    ]
  }
  if (isMoneyWithheld(dispute)) {
    return [`You paid ${total}. This payment is disputed, so your bank decides whether it is refunded.`]
  }
  return [
    keepCents > 0 && startsAt > cancelledAt
      ? `You paid ${total}. No refund was issued.`
      : `You paid ${total}. No refund was issued because your booking had already started.`
  ]
}

const delayedText = "Your refund is delayed. It will be retried automatically, and the outfitter has been notified."

const partialRefundTexts = {
  due: "The refund goes to the card or account you paid with and can take a few days.",
  done: "The refund was sent to the card or account you paid with. It can take a few days to appear there.",
  refused: delayedText
}

/**
 * The refund text for each refund status. An email can be sent before or after the refund, so it describes the current
 * state.
 */
const refundTexts = {
  due: "Your refund is being processed. It goes to the card or account you paid with and can take a few days.",
  done: "The full amount was refunded to the card or account you paid with. It can take a few days to appear there.",
  refused: delayedText
}
