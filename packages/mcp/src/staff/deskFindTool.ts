import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { bookingsList, BookingView } from "@trailbook/core/booking"
import { customersList, CustomerView } from "@trailbook/core/customer"
import { offeringsList, OfferingView } from "@trailbook/core/offering"
import { canSeeGuests } from "@trailbook/core/operation"
import * as Operation from "@trailbook/core/operation/Operation"
import { orgGet } from "@trailbook/core/org"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OperationCaller } from "../OperationCaller.ts"
import { makeStaffTool } from "./staffTool.ts"

const FoundOffering = OfferingView.pick("id", "name", "kind", "active", "price_cents")

const operation = Operation.make("desk.find", {
  route: ["GET", "/desk/find"],
  summary: "Find bookings, guests, and offerings.",
  input: Schema.Struct({
    q: Field.withDescription(
      "name, phone, email, trip, or reference, with or without a day (YYYY-MM-DD, today, tomorrow, or a weekday)",
      Field.text({ min: 1, max: 100 })
    )
  }),
  output: Schema.Struct({
    bookings: Field.withDescription("upcoming first", Schema.Array(BookingView)),
    customers: Field.withDescription("the guests", Schema.Array(CustomerView)),
    offerings: Field.withDescription("the matching offerings", Schema.Array(FoundOffering))
  }),
  tool: {
    title: "Find anything",
    toolset: "bookings",
    description:
      "Start here: searches bookings, guests, and offerings by name, phone, email, reference, trip, and day, " +
      "such as \"Lee raft saturday\"."
  }
})

type Booking = typeof BookingView.Type

/** These limits keep a result below about 2,000 tokens. */
const maxBookings = 8
const maxOthers = 4
const limit = 500

export const deskFindTool = makeStaffTool(operation, (call, actor, { q }) =>
  Effect.gen(function*() {
    const zone = Zone.get((yield* call(actor, orgGet, {})).timezone)
    const now = yield* currentTime
    const { date, words } = parseQuery(q, zone.dateAt(now))
    const span = date === undefined
      ? { from: Instant.format(now) }
      : { from: Instant.format(zone.startOf(date)), to: Instant.format(zone.startOf(LocalDate.addDays(date, 1))) }
    const { data: offerings } = yield* call(actor, offeringsList, { limit })
    // A word from a trip's name, such as "raft" in "Rafting", is not part of the guest's name.
    const tripWords = words.filter((word) => offerings.some(({ name }) => hasWord(name, word)))
    const guestWords = words.filter((word) => !tripWords.includes(word))
    const trips = tripWords.length === 0
      ? []
      : offerings.filter(({ name }) => tripWords.every((word) => hasWord(name, word)))
    const find = makeFind(call, actor)

    const query = words.join(" ")
    const matches = words.length === 0 ? yield* find(span) : yield* find({ ...span, q: query })
    // If no upcoming booking matches, the query may be about a past trip.
    const pastMatches = date === undefined && matches.length === 0
      ? yield* find({ to: span.from, q: query, order: "desc" })
      : []
    const tripMatches = yield* Effect.forEach(trips.slice(0, maxOthers), ({ id }) =>
      find({ ...span, offering_id: id, ...(guestWords.length === 0 ? {} : { q: guestWords.join(" ") }) }))
    const bookings = [
      ...new Map([...matches, ...pastMatches, ...tripMatches.flat()].map((booking) => [booking.id, booking])).values()
    ]
    const customers = words.length === 0 || !canSeeGuests(actor)
      ? []
      : yield* findCustomers(call, actor, [query, guestWords.join(" ")])
    const page = bookings.slice(0, maxBookings)
    return {
      answer: {
        bookings: page,
        customers,
        offerings: trips.slice(0, maxOthers).map(({ active, id, kind, name, price_cents }) => ({
          id,
          name,
          kind,
          active,
          price_cents
        }))
      },
      notes: [
        ...(page.length === bookings.length
          ? []
          : ["More bookings match. Add a name or a day, or use bookings_list."]),
        ...(page.length + customers.length + trips.length > 0 ? [] : [
          `Nothing matches ${JSON.stringify(q)}. Try one word of the name, the beginning of the email address, some ` +
          "digits of the phone number, or the reference."
        ]),
        ...(date === undefined
          ? []
          : [`schedule_get with from=${LocalDate.format(date)} returns all departures on that day.`])
      ]
    }
  }))

const makeFind = (call: OperationCaller, actor: Actor["Type"]) =>
(
  filter: Schema.Schema.Encoded<(typeof bookingsList)["input"]>
): Effect.Effect<ReadonlyArray<Booking>, Refusal> =>
  Effect.map(call(actor, bookingsList, { ...filter, limit: maxBookings + 1 }), ({ data }) => data)

/** Runs the searches in order and returns the guests from the first one that finds any. */
const findCustomers = (call: OperationCaller, actor: Actor["Type"], searches: ReadonlyArray<string>) =>
  Effect.reduce(
    searches.filter((q) => q !== ""),
    [] as ReadonlyArray<typeof CustomerView.Type>,
    (guests, q) =>
      guests.length > 0
        ? Effect.succeed(guests)
        : Effect.map(call(actor, customersList, { q, limit: maxOthers }), ({ data }) => data)
  )

const hasWord = (name: string, word: string): boolean =>
  word.length > 2 &&
  name.toLowerCase().split(/[^\p{L}\p{N}]+/u).some((part) =>
    part.startsWith(word.toLowerCase()) || word.toLowerCase().startsWith(part) && part.length > 3
  )

/** Separates the date in the query from the other words. */
const parseQuery = (q: string, today: LocalDate.LocalDate) => {
  const words = q.split(/[\s,]+/).filter((word) => word !== "")
  const at = words.findIndex((word) => parseDay(word, today) !== undefined)
  return { date: parseDay(words[at] ?? "", today), words: words.filter((_, index) => index !== at) }
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

const parseDay = (word: string, today: LocalDate.LocalDate): LocalDate.LocalDate | undefined => {
  const lower = word.toLowerCase()
  if (lower === "today") return today
  if (lower === "tomorrow") return LocalDate.addDays(today, 1)
  const weekday = weekdays.indexOf(lower)
  return weekday < 0 ? LocalDate.parse(word) : LocalDate.addDays(today, (weekday - LocalDate.weekday(today) + 7) % 7)
}
