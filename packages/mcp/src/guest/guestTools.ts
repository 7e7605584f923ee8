/**
 * The tools for guests' assistants. Each tool runs one of the public booking page's operations as a visitor to that
 * page. A booking is only held until the guest confirms it with a payment or an emailed link, so an assistant alone
 * cannot confirm a booking.
 */
import { invalid, type Refusal } from "@trailbook/core"
import { SlotView } from "@trailbook/core/availability"
import { formatAmount } from "@trailbook/core/money"
import {
  publicAvailability,
  publicBook,
  PublicBookingView,
  type PublicListingView,
  PublicMonthView,
  PublicOfferingView,
  type PublicOrgView,
  publicPageGet,
  publicQuote,
  PublicQuoteView
} from "@trailbook/core/operation"
import * as Operation from "@trailbook/core/operation/Operation"
import { formatCancellationPolicy } from "@trailbook/core/pricing"
import * as Instant from "@trailbook/core/time/Instant"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { ToolOutput } from "../staff/staffTool.ts"
import type { UnknownRecord } from "../tool/compactResult.ts"
import { formatClosedReason, noAvailabilityReasons } from "../tool/shortenResult.ts"

/** Runs a booking page operation, which decodes its own input. */
export type PublicOperationRunner = <Op extends Operation.Operation.Declared>(
  operation: Op,
  input: UnknownRecord
) => Effect.Effect<Operation.Operation.Output<Op>, Refusal>

export interface GuestContext {
  readonly run: PublicOperationRunner
  readonly org: PublicOrgView
  readonly now: Instant.Instant
  readonly page: string
}

export interface GuestTool {
  readonly operation: Operation.Operation.Any
  readonly run: (context: GuestContext, input: UnknownRecord) => Effect.Effect<ToolOutput, Refusal>
}

const maxRows = 20

const Trip = Schema.Struct({
  ...PublicOfferingView.pick("id", "name", "kind", "description", "location", "duration_minutes", "max_per_booking")
    .fields,
  from_cents: Schema.Number,
  next: Schema.NullOr(SlotView)
})

const toTrip = ({ from_cents, price_cents, ...offering }: PublicListingView): typeof Trip.Type => ({
  ...Struct.pick(offering, "id", "name", "kind", "location", "duration_minutes", "max_per_booking", "next"),
  description: Array.from(offering.description).slice(0, 300).join(""),
  from_cents: from_cents ?? price_cents
})

const search: GuestTool = {
  operation: Operation.make("trips.search", {
    route: ["GET", "/trips"],
    scope: "visit",
    summary: "Find trips.",
    input: Schema.Struct({
      q: Field.optional(
        Field.withDescription("words from the name, description, or location", Field.text({ max: 100 }))
      )
    }),
    output: Schema.Struct({ currency: Schema.String, data: Schema.Array(Trip) }),
    tool: {
      title: "Find trips",
      toolset: "bookings",
      description: "Lists bookable trips with the lowest price, including mandatory fees, and the next start."
    }
  }),
  run: ({ org: { currency }, page, run }, { q = "", ...otherFields }) =>
    Effect.gen(function*() {
      const unknown = Object.keys(otherFields)[0]
      if (unknown !== undefined) return yield* invalid(`${unknown.slice(0, 100)}: is not a field of trips_search`)
      if (typeof q !== "string" || q.length > 100) {
        return yield* invalid("q: must be a string of at most 100 characters")
      }
      const { offerings } = yield* run(publicPageGet, {})
      const words = q.toLowerCase().split(/\s+/)
      const matches = offerings.filter(({ description, location, name }) => {
        const text = `${name} ${description} ${location}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      return {
        answer: { currency, data: matches.slice(0, maxRows).map(toTrip) },
        notes: [
          matches.length > maxRows
            ? `${matches.length - maxRows} more trips match. Add words to q to narrow the results.`
            : matches.length > 0
            ? "Next, call trip_availability with the id for dates, the price, and the cancellation terms."
            : offerings.length > 0
            ? "No trips match. Call again without q."
            : `No trips can be booked right now. The guest can ask the outfitter at ${page}/question.`
        ]
      }
    })
}

const availability: GuestTool = {
  operation: Operation.make("trip.availability", {
    route: ["GET", "/trips/:id"],
    scope: "visit",
    summary: "Get a trip's dates, starts, and price.",
    input: publicAvailability.input,
    output: Schema.Struct({
      ...PublicMonthView.pick("quantity", "party", "extras", "periods", "lines", "total_cents", "date", "days").fields,
      cancellation: Schema.String
    }),
    tool: {
      title: "Check availability",
      toolset: "bookings",
      description:
        "Lists free days in a month and free starts on a day, with rates, the party's total, and the cancellation " +
        "terms."
    }
  }),
  run: ({ org, run }, input) =>
    Effect.gen(function*() {
      const month = yield* run(publicAvailability, input)
      const { cancellation_policy: policy, id, kind } = month.offering
      const { nothing_free: noSlots, slots, total_cents: total } = month
      const hasCapacity = slots.some(({ remaining }) => remaining >= (kind === "appointment" ? 1 : month.quantity))
      return {
        answer: {
          ...Struct.pick(month.offering, "id", "name", "kind", "location", "duration_minutes", "max_per_booking"),
          ...Struct.pick(month.offering, "pricing", "info"),
          ...Struct.pick(month, "quantity", "total_cents", "date", "horizon"),
          ...(kind === "rental" ? { periods: month.periods } : {}),
          currency: org.currency,
          cancellation: formatCancellationPolicy(policy, org.currency),
          ...withoutEmptyLists({
            ...Struct.pick(month, "party", "extras", "lines", "closures", "days"),
            starts: slots
          }),
          ...(noSlots?.next === undefined ? {} : { next_free: noSlots.next })
        },
        notes: [
          ...(Number(input.quantity) > month.quantity
            ? [
              `One booking can have at most ${month.quantity} spots, so this response shows availability for ${month.quantity}.`
            ]
            : []),
          ...(noSlots === null ? [] : [
            `No starts are free in this month: ${
              noSlots.closed_reason === undefined
                ? noAvailabilityReasons[noSlots.because]
                : formatClosedReason(noSlots.closed_reason)
            }.${noSlots.next === undefined ? "" : " next_free is the first later start."}`
          ]),
          ...(total === null
            ? ["This party cannot be booked. Choose rates from pricing and at most max_per_booking spots."]
            : hasCapacity
            ? [
              `Next, call booking_quote with offering_id ${id} and a start's ${
                kind === "class" ? "session_id" : "starts_at"
              }.`
            ]
            : slots.length > 0 && noSlots === null
            ? [`No start on ${month.date} has room for ${month.quantity}. Choose another day from days.`]
            : [])
        ]
      }
    })
}

const quote: GuestTool = {
  operation: Operation.make("booking.quote", {
    route: ["GET", "/quote"],
    scope: "visit",
    summary: "Get a booking's price and terms.",
    input: publicQuote.input,
    output: Schema.Struct({ ...PublicQuoteView.omit("cancellation_policy").fields, cancellation: Schema.String }),
    tool: {
      title: "Get a price",
      toolset: "bookings",
      description:
        "Returns the total with all fees, the amount due online now, and the cancellation terms. Reserves nothing."
    }
  }),
  run: ({ run }, input) =>
    Effect.map(run(publicQuote, input), ({ cancellation_policy: policy, ...price }) => ({
      answer: { ...price, cancellation: formatCancellationPolicy(policy, price.currency) },
      notes: [
        "Show the total and the cancellation terms to the guest. If the guest agrees, call booking_hold with " +
        `expected_total_cents ${price.total_cents}.`,
        price.due_now_cents > 0
          ? `The guest then pays ${formatAmount(price.due_now_cents, price.currency)} at checkout_url.`
          : "No online payment is due. The guest then confirms with an emailed link."
      ]
    }))
}

const hold: GuestTool = {
  operation: Operation.make("booking.hold", {
    route: ["POST", "/hold"],
    scope: "visit",
    summary: "Hold spots for a guest.",
    input: Schema.Struct({
      ...publicBook.input.fields,
      expected_total_cents: Field.withDescription("total_cents of the quote", Field.integer(0, Number.MAX_SAFE_INTEGER))
    }),
    output: PublicBookingView.omit("handle"),
    hints: { openWorld: true, idempotent: true, idempotencyKey: "idempotency_key" },
    tool: {
      title: "Hold a booking",
      toolset: "bookings",
      description:
        "Holds the spots for at least 30 minutes, without obligation. The guest confirms by paying at checkout_url " +
        "or with an emailed link. To check whether the booking is confirmed, repeat the same call."
    }
  }),
  run: ({ now, org: { currency }, page, run }, input) =>
    input.expected_total_cents === undefined
      ? invalid("expected_total_cents: is required, from booking_quote")
      : Effect.map(run(publicBook, input), (booking) => {
        const { checkout_url: checkoutUrl, expires_at: expiresAt, status } = booking
        const isExpired = expiresAt !== null && (Instant.parse(expiresAt) ?? Instant.min) <= now
        return {
          answer: {
            ...Struct.omit(booking, "handle"),
            due_now_cents: checkoutUrl === null ? 0 : booking.due_now_cents,
            currency
          },
          notes: [
            status === "confirmed"
              ? "The booking is confirmed. The confirmation email contains the link to change or cancel it."
              : status === "cancelled"
              ? "The booking is canceled. To book again, use a new idempotency_key."
              : isExpired
              ? "This hold expired, so nothing is reserved. To book again, use a new idempotency_key."
              : checkoutUrl === null
              ? "The booking is held but not yet confirmed. Tell the guest to open the link in the email before the " +
                `hold expires. Only that confirms the booking. Questions: ${page}/question.`
              : "The booking is held but not yet confirmed. Give checkout_url to the guest. Only a payment there " +
                "before the hold expires confirms the booking. Never pay for the guest without the guest's consent " +
                "to the total and the terms."
          ]
        }
      })
}

export const guestTools: ReadonlyArray<GuestTool> = [search, availability, quote, hold]

/** The tool that places a hold. */
export const holdToolName = hold.operation.name

/** Omits empty lists. */
const withoutEmptyLists = (lists: Readonly<Record<string, ReadonlyArray<unknown>>>): UnknownRecord =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
