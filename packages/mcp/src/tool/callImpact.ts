/**
 * Determines a call's side effects in advance: the affected bookings, refunds, and emails. The confirmation and the
 * result's note list these effects. Reads use the caller's permissions, so a caller without read access sees no impact.
 */
import { type Refusal, refuse } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { automationsList, automationsUpdate } from "@trailbook/core/automation"
import { bookingsCancel, bookingsGet, bookingsList } from "@trailbook/core/booking"
import {
  conversationsDelete,
  conversationsGet,
  messagesBroadcast,
  savedRepliesDelete,
  savedRepliesList
} from "@trailbook/core/conversation"
import { customersDelete, customersGet } from "@trailbook/core/customer"
import { formatAmount } from "@trailbook/core/money"
import { offeringsDelete, offeringsGet, offeringsGetHours, offeringsSetHours } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import { orgGet, orgUpdate } from "@trailbook/core/org"
import {
  isMoneyWithheld,
  loadOnlineRefunds,
  paymentsList,
  paymentsRefund,
  splitOnlineRefund,
  sumCents
} from "@trailbook/core/payment"
import { type RefundChoice, refundChoices } from "@trailbook/core/pricing"
import { proposalsApprove, proposalsList, proposalsUndo } from "@trailbook/core/proposal"
import { sessionsCancel, sessionsList } from "@trailbook/core/session"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import { webhooksCreate, webhooksDelete, webhooksList } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import type { OperationCaller } from "../OperationCaller.ts"
import { sessionsCancelManyOperation } from "../staff/sessionsCancelManyTool.ts"
import { isUnknownRecord, type UnknownRecord } from "./compactResult.ts"
import { formatFields } from "./renderText.ts"
import { formatLocalTime } from "./toLocalTimes.ts"

export interface CallImpact {
  /** The name of the affected resource. */
  readonly resourceNames: ReadonlyArray<string>
  /** The call's effects, as sentences in the future tense. */
  readonly futureEffects: ReadonlyArray<string>
  /** The same effects in the past tense, for the result's note. */
  readonly pastEffects: ReadonlyArray<string>
  readonly affected?: Readonly<Record<string, number>>
  /** The records that determine the effects. If any of them changes, the preview is out of date. */
  readonly state?: unknown
  /** Whether another tool can undo the call, even though its operation is marked as destructive. */
  readonly reversible?: boolean
}

/** Returns `undefined` if the call has no effect, would be rejected, or has no effect beyond what its name implies. */
type ImpactLoader = (
  call: OperationCaller,
  actor: Actor["Type"],
  input: UnknownRecord
) => Effect.Effect<CallImpact | undefined, Refusal>

type Booking = (typeof bookingsGet)["output"]["Type"]

export const loadImpact =
  (call: OperationCaller) =>
  (actor: Actor["Type"], { name }: Operation.Any, input: UnknownRecord): Effect.Effect<CallImpact | undefined> => {
    const load = Object.hasOwn(impactLoaders, name) ? impactLoaders[name] : undefined
    // Ignore errors here. If the resource is missing or hidden, the call itself is rejected.
    return load === undefined
      ? Effect.succeed(undefined)
      : Effect.catchAllCause(load(call, actor, input), () => Effect.succeed(undefined))
  }

/** Whether an operation's impact can be determined. */
export const canLoadImpact = ({ name }: Operation.Any): boolean => Object.hasOwn(impactLoaders, name)

/**
 * Formats text from a guest, marked and quoted as in tool results. The result is empty if the caller cannot see guest
 * data.
 */
const quoteGuestText = (fields: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const texts = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""))
  return Object.keys(texts).length === 0 ? [] : [formatFields({ guest_wrote: texts })]
}

const loadBookingImpact: ImpactLoader = (call, actor, { id, refund }) =>
  Effect.gen(function*() {
    const booking = yield* call(actor, bookingsGet, { id: String(id) })
    if (booking.status === "cancelled") return undefined
    const { customer, offering, reference } = booking
    const impact = yield* loadCancelImpact(
      call,
      actor,
      [booking],
      refundChoices.find((choice) => choice === refund) ?? "full"
    )
    return {
      ...impact,
      futureEffects: [
        ...impact.futureEffects,
        "bookings_restore can undo this within 24 hours, except for emails and refunds."
      ],
      reversible: true,
      resourceNames: [
        reference,
        ...quoteGuestText({ name: customer.name, email: customer.name === "" ? customer.email : "" }),
        offering.name,
        ...yield* loadStartText(call, actor, booking.starts_at)
      ]
    }
  })

const loadSessionImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.gen(function*() {
    const session = yield* findScheduledSession(call, actor, String(id))
    if (session === undefined) return undefined
    const { name } = yield* call(actor, offeringsGet, { id: session.offering_id })
    const impact = yield* loadCancelImpact(
      call,
      actor,
      yield* loadLiveBookings(call, actor, { session_id: session.id }),
      "all"
    )
    return {
      ...impact,
      state: [session, impact.state],
      resourceNames: [name, ...yield* loadStartText(call, actor, session.starts_at)]
    }
  })

const loadSessionsImpact: ImpactLoader = (call, actor, { ids }) =>
  Effect.gen(function*() {
    if (!Array.isArray(ids)) return undefined
    const lookups = yield* Effect.forEach(new Set(ids.map(String)), (id) => findScheduledSession(call, actor, id))
    const sessions = lookups.filter((session) => session !== undefined)
    if (sessions.length === 0) return undefined
    const bookings = yield* Effect.forEach(sessions, ({ id }) => loadLiveBookings(call, actor, { session_id: id }))
    const impact = yield* loadCancelImpact(call, actor, bookings.flat(), "all")
    const descriptions = yield* Effect.forEach(sessions, ({ offering_id, starts_at }, at) =>
      Effect.gen(function*() {
        const { name } = yield* call(actor, offeringsGet, { id: offering_id })
        const spots = (bookings[at] ?? []).reduce((sum, { quantity }) => sum + quantity, 0)
        return [name, ...yield* loadStartText(call, actor, starts_at), count(spots, "spot")].join(", ")
      }))
    return { ...impact, state: [sessions, impact.state], resourceNames: [descriptions.join("; ")] }
  })

const loadOfferingImpact: ImpactLoader = (call, actor, { cancel_bookings: cancelsBookings, id }) =>
  Effect.gen(function*() {
    const { id: offering_id, name } = yield* call(actor, offeringsGet, { id: String(id) })
    const from = Instant.format(yield* currentTime)
    const bookings = yield* loadLiveBookings(call, actor, { offering_id, from })
    if (bookings.length > 0 && cancelsBookings !== true) {
      const holds = bookings.filter(({ status }) => status === "held").length
      return yield* refuse("has_bookings", bookings.length - holds, holds)
    }
    return { ...yield* loadCancelImpact(call, actor, bookings, "all"), resourceNames: [name] }
  })

const loadCustomerImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.gen(function*() {
    const customer = yield* call(actor, customersGet, { id: String(id) })
    const now = Instant.format(yield* currentTime)
    const upcomingBookings = customer.bookings.filter((booking) =>
      booking.status !== "cancelled" && booking.starts_at > now
    )
    const effect = `${count(upcomingBookings.length, "upcoming booking")} for this guest ${
      upcomingBookings.length === 1 ? "remains" : "remain"
    }, without a name or contact details.`
    return {
      resourceNames: quoteGuestText({ name: customer.name, email: customer.email }),
      futureEffects: [effect],
      pastEffects: [effect],
      affected: { upcoming_bookings: upcomingBookings.length },
      state: customer
    }
  })

const loadConversationImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.gen(function*() {
    const { customer, from_email, from_name, thread } = yield* call(actor, conversationsGet, { id: String(id) })
    // The call will be rejected, because this guest must be deleted with `customers.delete`.
    if (customer !== null) return undefined
    const messageCount = thread.filter(({ type }) => type !== "booking").length
    return {
      resourceNames: quoteGuestText({ name: from_name ?? "", email: from_email ?? "" }),
      futureEffects: [`${count(messageCount, "message")} and all attached files are erased.`],
      pastEffects: [`Erased: ${count(messageCount, "message")} and all attached files.`],
      affected: { messages_erased: messageCount },
      state: thread
    }
  })

const loadWebhookImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.map(call(actor, webhooksList, {}), ({ data }) => {
    const webhook = data.find((webhook) => webhook.id === id)
    return webhook && {
      resourceNames: [webhook.url],
      futureEffects: ["The webhook receives no more events, and its secret is deleted."],
      pastEffects: [`No more events are sent to ${webhook.url}.`],
      state: webhook
    }
  })

const loadProposalImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.gen(function*() {
    const { data } = yield* call(actor, proposalsList, { status: "pending", limit })
    const proposal = data.find((proposal) => proposal.id === id)
    if (proposal === undefined) return undefined
    const { actions, money, title } = proposal
    const bookings = new Set(
      actions.flatMap(({ facts: { booking_id: bookingId, booking_ids: bookingIds } }) =>
        [bookingIds ?? bookingId ?? []].flat()
      )
    )
    const bodies = new Set(actions.flatMap(({ input: { body } }) => typeof body === "string" ? [body] : []))
    const cents = actions.reduce(
      (sum, { facts, money }) => sum + (money === true ? Number(facts.refund_cents ?? 0) : 0),
      0
    )
    return {
      resourceNames: [title],
      futureEffects: [
        actions.length === 0
          ? "This call runs no actions."
          : `This call runs ${count(actions.length, "action")}: ${
            [...new Set(actions.map(({ kind }) => kind))].join(", ")
          }.`,
        ...(bookings.size === 0 ? [] : [`This call affects ${count(bookings.size, "booking")}.`]),
        ...(cents > 0
          ? [`This call refunds ${formatAmount(cents, (yield* call(actor, orgGet, {})).currency)} in total.`]
          : money
          ? ["This call refunds money."]
          : []),
        ...[...bodies].slice(0, 3).map((body) => `Guests get this message: ${JSON.stringify(body.slice(0, 500))}.`)
      ],
      pastEffects: [],
      affected: { bookings: bookings.size, refunded_cents: cents },
      state: proposal,
      reversible: actions.every(({ reversible }) => reversible === true)
    }
  })

const loadNewWebhookImpact: ImpactLoader = (_call, _actor, { events = ["*"], url }) =>
  Effect.succeed(
    typeof url !== "string" || !URL.canParse(url) ? undefined : {
      resourceNames: [url],
      futureEffects: [
        `This URL will receive guests' names, email addresses, phone numbers, and notes with each event (${
          [events].flat().join(", ")
        }).`
      ],
      pastEffects: [`From now on, guest data is sent to ${url}.`]
    }
  )

const impactLoaders: Readonly<Record<string, ImpactLoader>> = {
  [bookingsCancel.name]: loadBookingImpact,
  [sessionsCancel.name]: loadSessionImpact,
  [sessionsCancelManyOperation.name]: loadSessionsImpact,
  [offeringsDelete.name]: loadOfferingImpact,
  [customersDelete.name]: loadCustomerImpact,
  [conversationsDelete.name]: loadConversationImpact,
  [proposalsApprove.name]: loadProposalImpact,
  [webhooksDelete.name]: loadWebhookImpact,
  [webhooksCreate.name]: loadNewWebhookImpact
}

const loadSavedReplyImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.map(call(actor, savedRepliesList, {}), ({ data }) => {
    const reply = data.find((reply) => reply.id === id)
    return reply &&
      { resourceNames: [reply.title], futureEffects: ["This saved reply is deleted."], pastEffects: [], state: reply }
  })

const loadUndoImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.map(call(actor, proposalsList, { status: "done", limit }), ({ data }) => {
    const proposal = data.find((proposal) => proposal.id === id)
    return proposal && {
      resourceNames: [proposal.title],
      futureEffects: ["This call cancels the sessions that the proposal created."],
      pastEffects: [],
      state: proposal
    }
  })

const loadBroadcastImpact: ImpactLoader = (call, actor, { body, target }) =>
  Effect.gen(function*() {
    if (!isUnknownRecord(target)) return undefined
    const { date, offering_id, session_id } = target
    const zone = Zone.get((yield* call(actor, orgGet, {})).timezone)
    const day = typeof date === "string" ? LocalDate.parse(date) : undefined
    const bookings = typeof session_id === "string"
      ? yield* loadLiveBookings(call, actor, { session_id })
      : typeof offering_id === "string"
      ? yield* loadLiveBookings(call, actor, { offering_id, from: Instant.format(yield* currentTime) })
      : day === undefined
      ? []
      : yield* loadLiveBookings(call, actor, {
        from: Instant.format(zone.startOf(day)),
        to: Instant.format(zone.startOf(LocalDate.addDays(day, 1)))
      })
    const guests = [
      ...new Set(bookings.filter(({ status }) => status === "confirmed").map((booking) => booking.customer.id))
    ]
    return {
      resourceNames: [`guests of ${formatFields(target)}`],
      futureEffects: [`${count(guests.length, "email")} will be sent to guests: ${JSON.stringify(body)}.`],
      pastEffects: [],
      affected: { guests_mailed: guests.length },
      state: guests
    }
  })

const loadRefundImpact: ImpactLoader = (
  call,
  actor,
  { amount_cents: cents, id, method, payment_id: paymentId, reduce_price: reducesPrice }
) =>
  Effect.gen(function*() {
    const booking = yield* call(actor, bookingsGet, { id: String(id) })
    const amount = formatAmount(Number(cents), booking.currency)
    const priceEffects = booking.status === "cancelled"
      ? []
      : [reducesPrice === true ? "The price is reduced by this amount." : "The guest owes this amount again."]
    if (typeof method === "string") {
      const effects = [`This call records a refund of ${amount} (method: ${method}).`, ...priceEffects]
      return { resourceNames: [booking.reference], futureEffects: effects, pastEffects: [], state: booking }
    }
    const { data } = yield* call(actor, paymentsList, { booking_id: booking.id, method: "online", limit })
    const isOfPayment = ({ id, refund_of }: (typeof data)[number]) => [id, refund_of].includes(String(paymentId))
    const refunds = splitOnlineRefund(paymentId === undefined ? data : data.filter(isOfPayment), Number(cents))
    const available = sumCents(refunds)
    if (available < Number(cents)) {
      return yield* refuse(
        "amount_too_large",
        `amount_cents: must be at most ${
          formatAmount(available, booking.currency)
        }, the amount that can be refunded online.`
      )
    }
    return {
      resourceNames: [booking.reference],
      futureEffects: [
        `This call refunds ${amount} to the guest from ${count(refunds.length, "online payment")}.`,
        ...priceEffects
      ],
      pastEffects: [],
      affected: { refunds: refunds.length, refunded_cents: available },
      state: [booking, data]
    }
  })

const loadDialImpact: ImpactLoader = (call, actor, { automation, dial }) =>
  Effect.map(call(actor, automationsList, {}), ({ data }) => {
    const current = data.find((item) => item.automation === automation)
    return current && current.dial !== dial
      ? {
        resourceNames: [current.automation],
        futureEffects: [
          `The dial changes from ${current.dial} to ${String(dial)}.`,
          ...(dial === "do_tell" || dial === "do_quiet"
            ? ["From then on, the agent cancels, moves, and refunds bookings and emails guests without approval."]
            : [])
        ],
        pastEffects: [],
        state: current
      }
      : undefined
  })

const loadDailyCapImpact: ImpactLoader = (call, actor, { ops_daily_cap: cap }) =>
  Effect.map(call(actor, orgGet, {}), (org) => ({
    resourceNames: [org.name],
    futureEffects: [`The agent can act ${String(cap)} times a day without approval, instead of ${org.ops_daily_cap}.`],
    pastEffects: [],
    state: org.ops_daily_cap
  }))

const loadNoHoursImpact: ImpactLoader = (call, actor, { id }) =>
  Effect.gen(function*() {
    const { name } = yield* call(actor, offeringsGet, { id: String(id) })
    const { data } = yield* call(actor, offeringsGetHours, { id: String(id) })
    return {
      resourceNames: [name],
      futureEffects: [
        `All opening hours are removed (${
          count(data.length, "row")
        }), so nothing can be booked. Existing bookings are kept.`
      ],
      pastEffects: [],
      state: data
    }
  })

/** Operations that are reversible, but that reach many guests, move money, or let the agent act. */
const farReaching: Readonly<
  Record<string, { readonly load: ImpactLoader; readonly applies: (input: UnknownRecord) => boolean }>
> = {
  [messagesBroadcast.name]: { load: loadBroadcastImpact, applies: () => true },
  [paymentsRefund.name]: { load: loadRefundImpact, applies: () => true },
  [automationsUpdate.name]: { load: loadDialImpact, applies: ({ dial }) => dial !== undefined },
  [orgUpdate.name]: { load: loadDailyCapImpact, applies: ({ ops_daily_cap: cap }) => cap !== undefined },
  [offeringsSetHours.name]: {
    load: loadNoHoursImpact,
    applies: ({ hours }) => Array.isArray(hours) && hours.length === 0
  }
}

/** Destructive operations whose results need no note about their effects. */
const previewOnlyLoaders: Readonly<Record<string, ImpactLoader>> = {
  [savedRepliesDelete.name]: loadSavedReplyImpact,
  [proposalsUndo.name]: loadUndoImpact
}

export const hasWideImpact = ({ name }: Operation.Any, input: UnknownRecord): boolean =>
  Object.hasOwn(farReaching, name) && farReaching[name]?.applies(input) === true

/** Whether some calls to the operation are far-reaching. */
export const mayHaveWideImpact = ({ name }: Operation.Any): boolean => Object.hasOwn(farReaching, name)

/** Determines the effects for a preview. Fails if the call would be rejected. */
export const previewImpact = (call: OperationCaller) =>
(
  actor: Actor["Type"],
  { name }: Operation.Any,
  input: UnknownRecord
): Effect.Effect<CallImpact | undefined, Refusal> =>
  ({ ...impactLoaders, ...previewOnlyLoaders }[name] ?? farReaching[name]?.load)?.(call, actor, input) ??
    Effect.succeed(undefined)

/** Describes the effects of canceling these bookings. Each guest is notified, and online payments are refunded. */
const loadCancelImpact = (
  call: OperationCaller,
  actor: Actor["Type"],
  bookings: ReadonlyArray<Booking>,
  choice: RefundChoice | "all"
) =>
  Effect.gen(function*() {
    const cancelsAll = choice === "all"
    const now = yield* currentTime
    const refunds = yield* loadOnlineRefunds(bookings, choice, (query) => call(actor, paymentsList, query))
    const payments = refunds.flat()
    // A booking that has started is refunded only if the outfitter cancels it.
    const disputedBookings = bookings.filter(({ dispute, payment_intent_id: intent, refund, starts_at }) =>
      intent !== null && refund === null && isMoneyWithheld(dispute) && (cancelsAll || starts_at > Instant.format(now))
    )
    const warning = disputedBookings.length === 0 ? [] : [
      `Warning: ${count(disputedBookings.length, "payment")} (${
        disputedBookings.map(({ reference }) => reference).slice(0, 10).join(", ")
      }) will not be refunded because of a dispute. Respond to the dispute through the payment provider first.`
    ]
    const cents = sumCents(payments)
    const { currency } = yield* call(actor, orgGet, {})
    const spots = bookings.reduce((sum, { quantity }) => sum + quantity, 0)
    const bookingsText = `${count(bookings.length, "booking")} for ${count(spots, "spot")}`
    const describeRefunds = (verb: string) =>
      payments.length > 0
        ? `${verb} ${count(payments.length, "payment")}, ${formatAmount(cents, currency)} in total.`
        : bookings.some(({ paid_at: paidAt }) => paidAt !== null)
        ? "Nothing is refunded."
        : "Nothing is refunded because nothing was paid online."
    return {
      futureEffects: bookings.length === 0 ? ["It has no bookings."] : [
        ...(cancelsAll ? [`This call cancels ${bookingsText}.`] : []),
        describeRefunds("This call refunds"),
        ...warning,
        `${count(bookings.length, "email")} will be sent to guests.`
      ],
      pastEffects: bookings.length === 0 ? ["It had no bookings."] : [
        `Canceled: ${bookingsText}.`,
        describeRefunds("Refunds started:"),
        ...warning,
        `Sending ${count(bookings.length, "email")} to guests.`
      ],
      affected: {
        bookings_cancelled: bookings.length,
        refunds: payments.length,
        refunded_cents: cents,
        guests_mailed: bookings.length
      },
      state: bookings
    }
  })

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

const loadStartText = (call: OperationCaller, actor: Actor["Type"], startsAt: string) =>
  Effect.map(call(actor, orgGet, {}), ({ timezone }) => {
    const zone = Zone.get(timezone)
    return [`${formatLocalTime(zone, Instant.parse(startsAt) ?? Instant.min)} in ${zone.name}`]
  })

/** The maximum number of pages to count, at 500 rows per page. */
const maxPages = 10
const limit = 500

/** Finds confirmed bookings and active holds. */
const loadLiveBookings = (
  call: OperationCaller,
  actor: Actor["Type"],
  filter:
    | { readonly session_id: string }
    | { readonly offering_id: string; readonly from: string }
    | { readonly from: string; readonly to: string }
): Effect.Effect<ReadonlyArray<Booking>, Refusal> =>
  Effect.gen(function*() {
    const now = Instant.format(yield* currentTime)
    const bookings: Array<Booking> = []
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages; pages++) {
      const page = yield* call(actor, bookingsList, { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) })
      bookings.push(...page.data.filter(({ expires_at, status }) =>
        status === "confirmed" || (status === "held" && (expires_at ?? "") > now)
      ))
      cursor = page.next_cursor
      if (cursor === undefined) {
        break
      }
    }
    return bookings
  })

/**
 * Finds a scheduled session by its ID. No operation returns a single session, so this function searches the lists,
 * upcoming sessions first.
 */
const findScheduledSession = (call: OperationCaller, actor: Actor["Type"], id: string) =>
  Effect.gen(function*() {
    const now = Instant.format(yield* currentTime)
    for (const range of [{ from: now }, { to: now }]) {
      let cursor: string | undefined
      for (let pages = 0; pages < maxPages; pages++) {
        const page = yield* call(actor, sessionsList, {
          ...range,
          status: "scheduled",
          limit,
          ...(cursor === undefined ? {} : { cursor })
        })
        const match = page.data.find((session) => session.id === id)
        if (match !== undefined) return match
        cursor = page.next_cursor
        if (cursor === undefined) break
      }
    }
    return undefined
  })
