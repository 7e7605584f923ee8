/** Tests searches. Results must match core's rule applied to all rows in memory. */
import { type BookingStatus, bookingStatuses } from "@trailbook/core/booking"
import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import { assert } from "chai"
import * as FastCheck from "effect/FastCheck"
import { customer } from "../../generator/customer.ts"
import { orgData } from "../../generator/orgData.ts"
import { searchInput, toSearchText } from "../../generator/searchInput.ts"
import { compareByStart, readAllByCreation, readAllPages, sortNewestFirst, toBookingRecord } from "../compare.ts"
import { lawForAll, makeLawsWithStoredData } from "../Law.ts"
import { createEmptyOrg, newId, type SeededOrg, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"

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
      const pages = yield* readAllByCreation(limit, (after) => Store.customers.list({ orgId, q, after, limit }))
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
