/** Tests searches. Results must match core's rule applied to all rows in memory. */
import { type Booking, type BookingStatus, bookingStatuses } from "@trailbook/core/booking"
import {
  compareInboxOrder,
  containsTerms,
  parseQueryTerms,
  toInboxCursor,
  toMessageSearchTerms
} from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import * as Message from "@trailbook/core/conversation/message/Message"
import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { booking } from "../../generator/booking.ts"
import { customer } from "../../generator/customer.ts"
import { origin } from "../../generator/moment.ts"
import { orgData } from "../../generator/orgData.ts"
import { forAll } from "../forAll.ts"
import { law, lawForAll, makeLawsWithStoredData } from "../Law.ts"
import {
  compareByStart,
  readAllPages,
  readAllPagesByCreation,
  sortNewestFirst,
  toBookingRecord
} from "../rowAssertions.ts"
import { seedOneOfEachResource } from "../sampleRows.ts"
import { createEmptyOrg, newId, type SeededOrg, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"

/** Describes how a search text is derived from existing data. */
interface SearchInput {
  readonly of: "name" | "email" | "phone" | "reference" | "nothing"
  /** The index of the customer or booking. */
  readonly at: number
  /** The number of characters to take from the field's value. */
  readonly length: number
  readonly backwards: boolean
  readonly spelling: "as it is" | "loud" | "quiet" | "decomposed"
  /** Text to append. */
  readonly besides: string
}

/** Pattern wildcards, fragments of addresses and phone numbers, and text that matches everything or nothing. */
const suffixes = [
  "%",
  "_",
  "\\",
  "a",
  "A",
  "@",
  "%a",
  "_@",
  "a.co",
  "B.CO",
  "'",
  " ",
  "*",
  "?",
  "719",
  "0",
  "+1 555",
  "elena"
]

const searchInput: FastCheck.Arbitrary<SearchInput> = FastCheck.record({
  of: FastCheck.constantFrom("name", "name", "email", "phone", "reference", "nothing"),
  at: FastCheck.nat({ max: 1000 }),
  length: FastCheck.constantFrom(1, 2, 3, 5, 100),
  backwards: FastCheck.boolean(),
  spelling: FastCheck.constantFrom("as it is", "loud", "quiet", "decomposed"),
  besides: FastCheck.oneof({ arbitrary: FastCheck.constant(""), weight: 2 }, {
    arbitrary: FastCheck.constantFrom(...suffixes),
    weight: 1
  })
})

const spellers: Readonly<Record<SearchInput["spelling"], (text: string) => string>> = {
  "as it is": (text) => text,
  loud: (text) => text.toUpperCase(),
  quiet: (text) => text.toLowerCase(),
  decomposed: (text) => text.normalize("NFD")
}

/** Builds the search text for these rows. */
const toSearchText = (
  { at, backwards, besides, length, of, spelling }: SearchInput,
  customers: ReadonlyArray<Customer.Customer>,
  bookings: ReadonlyArray<Booking>
): string => {
  const reference = bookings[at % Math.max(bookings.length, 1)]?.reference ?? ""
  const customer = customers[at % Math.max(customers.length, 1)]
  const value = of === "nothing" || customer === undefined
    ? ""
    : of === "reference"
    ? backwards ? `${reference.slice(0, 4)}-${reference.slice(4)}` : reference
    : customer[of]
  // Truncate the text by code point, because a user cannot type half of a surrogate pair.
  const text = of === "reference" ? value : Array.from(value).slice(0, length).join("")
  const words = `${spellers[spelling](text)} ${besides}`.split(" ")
  return (backwards ? words.toReversed() : words).join(" ").trim()
}

const findCustomers = ({ bookings, customers }: SeededOrg, q: string) =>
  sortNewestFirst(
    customers.filter((customer) =>
      matchesSearch(
        parseSearchQuery(q),
        toSearchTerms(customer),
        bookings.filter(({ customerId }) => customerId === customer.id).map(({ reference }) => reference)
      )
    )
  )

interface Filters {
  readonly status: BookingStatus | undefined
  readonly filtersByOffering: boolean
  readonly order: "asc" | "desc"
}

const filters: FastCheck.Arbitrary<Filters> = FastCheck.record({
  status: FastCheck.constantFrom(undefined, undefined, ...bookingStatuses),
  filtersByOffering: FastCheck.boolean(),
  order: FastCheck.constantFrom("asc", "desc")
})

const toQuery = ({ filtersByOffering, order, status }: Filters, { offerings, orgId }: SeededOrg, q: string) => ({
  orgId,
  q,
  order,
  status,
  offeringId: filtersByOffering ? offerings[0]?.id : undefined
})

const findBookings = (seededOrg: SeededOrg, { offeringId, order, q, status }: ReturnType<typeof toQuery>) => {
  const matches = seededOrg.bookings
    .filter((booking) => (status ?? booking.status) === booking.status)
    .filter((booking) => (offeringId ?? booking.offeringId) === booking.offeringId)
    .filter(({ customerId, reference }) => {
      const guest = seededOrg.customers.find(({ id }) => id === customerId)
      return guest !== undefined && matchesSearch(parseSearchQuery(q), toSearchTerms(guest), [reference])
    })
    .toSorted(compareByStart)
  return (order === "asc" ? matches : matches.toReversed()).map(toBookingRecord(seededOrg))
}

const limits = FastCheck.integer({ min: 1, max: 4 })

const seededOrgLaw = makeLawsWithStoredData(seedOrg)

export const searchLaws = [
  seededOrgLaw(
    "customers/search",
    "finds guests by word prefixes and by booking references",
    FastCheck.tuple(orgData(6), searchInput),
    function*(seededOrg, search) {
      const q = toSearchText(search, seededOrg.customers, seededOrg.bookings)
      assert.deepStrictEqual(
        yield* Store.customers.list({ orgId: seededOrg.orgId, q, limit: 1000 }),
        findCustomers(seededOrg, q),
        q
      )
    }
  ),

  seededOrgLaw(
    "customers/search-pages",
    "returns every match of a customer search exactly once across pages",
    FastCheck.tuple(orgData(6), searchInput, limits),
    function*(seededOrg, search, limit) {
      const { orgId } = seededOrg
      const q = toSearchText({ ...search, length: 1 }, seededOrg.customers, seededOrg.bookings)
      const pages = yield* readAllPagesByCreation(limit, (after) => Store.customers.list({ orgId, q, after, limit }))
      assert.deepStrictEqual(pages, findCustomers(seededOrg, q), q)
    }
  ),

  lawForAll(
    "customers/search-letters",
    "ignores case, accents, and word order in a search, even in non-Latin alphabets",
    customer,
    function*(row) {
      const { id: orgId } = yield* createEmptyOrg
      const guest = { ...row, orgId, erasedAt: null, email: "a@a.co", name: "Jürgen Ångström Жанна Ñandú" }
      yield* Store.customers.put([guest])
      for (const q of ["jürgen", "JURGEN", "ÅNGSTRÖM jurgen", "angstrom", "жанна", "ЖАННА", "ñANDÚ", "nan a.co"]) {
        assert.deepStrictEqual(yield* Store.customers.list({ orgId, q, limit: 10 }), [guest], q)
      }
    }
  ),

  lawForAll(
    "customers/search-changed",
    "finds a changed or erased guest only by their current data",
    FastCheck.tuple(customer, customer, searchInput, searchInput),
    function*([before, after, ...searches]) {
      const { id: orgId } = yield* createEmptyOrg
      const id = newId()
      const rows = [{ ...before, orgId, id }, { ...after, orgId, id }]
      const queries = searches.flatMap((search) => rows.map((row) => toSearchText(search, [row], [])))
      for (const row of rows) {
        yield* Store.customers.put([row])
        for (const q of queries) {
          const matches = matchesSearch(parseSearchQuery(q), toSearchTerms(row), []) ? [row] : []
          assert.deepStrictEqual(yield* Store.customers.list({ orgId, q, limit: 10 }), matches, q)
        }
      }
    }
  ),

  seededOrgLaw(
    "bookings/search",
    "finds bookings that match the filters by reference or by guest",
    FastCheck.tuple(orgData(12), searchInput, filters),
    function*(seededOrg, search, filters) {
      const query = toQuery(filters, seededOrg, toSearchText(search, seededOrg.customers, seededOrg.bookings))
      assert.deepStrictEqual(
        yield* Store.bookings.list({ ...query, limit: 1000 }),
        findBookings(seededOrg, query),
        query.q
      )
    }
  ),

  seededOrgLaw(
    "bookings/search-pages",
    "returns every match of a booking search exactly once across pages",
    FastCheck.tuple(orgData(12), searchInput, filters, limits),
    function*(seededOrg, search, filters, limit) {
      const query = toQuery(
        filters,
        seededOrg,
        toSearchText({ ...search, length: 1 }, seededOrg.customers, seededOrg.bookings)
      )
      const pages = yield* readAllPages(
        limit,
        (after) => Store.bookings.list({ ...query, after, limit }),
        ({ booking: { id, startsAt: at } }) => ({ at, id })
      )
      assert.deepStrictEqual(pages, findBookings(seededOrg, query), query.q)
    }
  )
]

// Searches over many rows. An adapter may search many rows with a different strategy, but must return the same results.

/** The number of guests, which is more than a storage adapter would scan row by row. */
const guestCount = 2300
const bookingCount = 600
/** The number of conversations, enough that several hundred come after the matches. */
const conversationCount = 1500

const names = ["Ann Smith", "Bo Smith", "Elena Rodríguez", "Cy Jones"] as const
/** The name of one guest in 100. */
const rareName = "Zoë Quill"

const makeGuest = (orgId: string, at: number): Customer.Customer =>
  Customer.make({
    id: newId(),
    orgId,
    name: at % 100 === 0 ? rareName : names[at % names.length] ?? rareName,
    email: `guest${at}@river.example.com`,
    phone: `719-555-${String(at).padStart(4, "0")}`,
    createdAt: Instant.addMinutes(origin, at % 7)
  })

/** Every customer's email address contains "guest". Some searches add another common word, and others a rare one. */
const searches = FastCheck.tuple(
  searchInput,
  FastCheck.constantFrom("", "guest", "smith", "ann", "zoe", "719", "555-0", "quill guest", "bo jones")
)

export const largeSearchLaws = [
  law(
    "customers/search-crowd",
    "finds the newest matching guests among thousands, whether one, many, or all match",
    function*(conditions) {
      const { customer: { orgId } } = yield* seedOneOfEachResource
      const guests = Array.from({ length: guestCount }, (_, at) => makeGuest(orgId, at))
      const words = new Map(guests.map((row) => [row.id, toSearchTerms(row)]))
      yield* Store.customers.put(guests)
      const newest = sortNewestFirst(guests)
      yield* forAll(conditions, searches, ([search, common]) => {
        const q = `${toSearchText(search, guests, [])} ${common}`
        const matches = newest.filter((row) => matchesSearch(parseSearchQuery(q), words.get(row.id) ?? [], []))
        return Effect.gen(function*() {
          const first = yield* Store.customers.list({ orgId, q, limit: 20 })
          assert.deepStrictEqual(first, matches.slice(0, 20), q)
          const last = first.at(-1)
          if (last === undefined) return
          const after = { at: last.createdAt, id: last.id }
          assert.deepStrictEqual(yield* Store.customers.list({ orgId, q, after, limit: 20 }), matches.slice(20, 40), q)
        })
      })
    }
  ),

  law(
    "bookings/search-crowd",
    "finds the first matching bookings among hundreds, whether one, many, or all match",
    function*(conditions) {
      const { customer: { orgId }, offering } = yield* seedOneOfEachResource
      const guests = Array.from({ length: guestCount }, (_, at) => makeGuest(orgId, at))
      const bookingRows = FastCheck.sample(booking, { numRuns: bookingCount, seed: 7 }).map((booking, at): Booking => {
        const id = newId()
        const uniqueFields = {
          id,
          orgId,
          handle: id,
          checkInToken: id,
          idempotency: { ...booking.idempotency, key: id }
        }
        const customerId = guests[(at * 7) % 400]?.id ?? ""
        return {
          ...booking,
          ...uniqueFields,
          offeringId: offering.id,
          customerId,
          reference: `B${String(at).padStart(7, "0")}`
        }
      })
      yield* Store.customers.put(guests)
      yield* Store.bookings.put(bookingRows)
      const sortedRows = bookingRows.toSorted(compareByStart)
      const words = new Map(guests.map((row) => [row.id, toSearchTerms(row)]))
      const query = {
        orgId,
        order: "asc" as const,
        limit: 20
      }
      yield* forAll(conditions, searches, ([search, common]) => {
        const q = `${toSearchText(search, guests, bookingRows)} ${common}`
        const matches = sortedRows.filter(({ customerId, reference }) =>
          matchesSearch(parseSearchQuery(q), words.get(customerId) ?? [], [reference])
        )
        return Effect.map(Store.bookings.list({ ...query, q }), (records) => {
          assert.deepStrictEqual(records.map(({ booking }) => booking.id), matches.slice(0, 20).map(({ id }) => id), q)
        })
      })
    }
  ),

  law(
    "conversations/search-crowd",
    "finds the first matching conversations among hundreds, whether one, many, or all match",
    function*() {
      const { customer: { orgId } } = yield* seedOneOfEachResource
      const guests = Array.from({ length: conversationCount }, (_, at) => makeGuest(orgId, at))
      const conversations = guests.map(({ id: customerId }, at): Conversation.Conversation => ({
        ...Conversation.make({ id: newId(), orgId, token: newId(), customerId, createdAt: origin }),
        lastMessageId: newId(),
        lastAt: Instant.addMinutes(origin, at % 700),
        lastBy: at % 3 === 0 ? "outfitter" : "guest",
        snoozedUntil: at % 50 === 0 ? Instant.addMinutes(origin, 10_000) : null
      }))
      const messages = conversations.map((row, at) =>
        Message.make({
          id: row.lastMessageId ?? "",
          orgId,
          conversationId: row.id,
          customerId: row.customerId,
          direction: "to_outfitter",
          body: `About the trip. ${at % 90 === 0 ? "Wetsuits?" : ""} ${at === 1 ? "Oars?" : ""}`,
          sentBy: "guest",
          channel: "page",
          createdAt: row.lastAt
        })
      )
      yield* Store.customers.put(guests)
      yield* Store.conversations.put(conversations)
      yield* Store.messages.put(messages)
      const now = Instant.addMinutes(origin, 5000)
      const toCursor = (row: Conversation.Conversation) => toInboxCursor(row, now)
      const sortedRows = conversations.map((row, at) => ({ row, guest: guests[at], message: messages[at] }))
        .toSorted((a, b) => compareInboxOrder(toCursor(a.row), toCursor(b.row)))
      const filters = { orgId, now }
      for (const q of ["trip", "wetsuit", "oars", "about wetsuits", "zoe", "guest77@river.example.com", "nowhere"]) {
        const matchIds = sortedRows.filter(({ guest, message }) =>
          guest !== undefined && message !== undefined &&
          (matchesSearch(parseSearchQuery(q), toSearchTerms(guest), []) ||
            containsTerms(parseQueryTerms(q), toMessageSearchTerms(message)))
        ).map(({ row }) => row.id)
        const first = yield* Store.conversations.list({ ...filters, q, limit: 12 })
        assert.deepStrictEqual(first.map(({ conversation }) => conversation.id), matchIds.slice(0, 12), q)
        const last = first.at(-1)
        if (last === undefined) continue
        const rest = yield* Store.conversations.list({
          ...filters,
          q,
          after: toInboxCursor(last.conversation, now),
          limit: 500
        })
        assert.deepStrictEqual(rest.map(({ conversation }) => conversation.id), matchIds.slice(12, 512), q)
      }
    }
  )
]
