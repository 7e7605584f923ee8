import { type Booking, computeBalance } from "@trailbook/core/booking"
import type { LedgerEntry } from "@trailbook/core/payment"
import {
  type ReportQuery,
  type ReportStore,
  toGuestStart,
  toReceivedAmount,
  toReportBooking,
  toReportEntry
} from "@trailbook/core/report"
import type { Position } from "@trailbook/core/wire"
import { assert } from "chai"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { edgeMoment, moment, origin, resolveEdgeMoment } from "../../generator/moment.ts"
import { orgData } from "../../generator/orgData.ts"
import { ledgerEntry } from "../../generator/payment.ts"
import { makeLawsWithStoredData } from "../Law.ts"
import { assertSameRows, compareById, compareByStart, readAllPages } from "../rowAssertions.ts"
import { newId, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"

export const groupBy = <A>(
  rows: ReadonlyArray<A>,
  key: (row: A) => string
): ReadonlyArray<readonly [string, ReadonlyArray<A>]> =>
  Object.entries(Arr.groupBy(rows, key)).sort(([a], [b]) => a < b ? -1 : 1)

export const sumBy = <A>(rows: ReadonlyArray<A>, getValue: (row: A) => number): number =>
  rows.reduce((total, row) => total + getValue(row), 0)

/** Returns the rows as sorted text, so that the order of the report does not matter. */
export const sortRows = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  rows.map((row) => JSON.stringify(row)).sort()

const seededOrgLaw = makeLawsWithStoredData(seedOrg)

/** The amounts are small enough that their sums are exact. */
const cents = FastCheck.integer({ min: 1, max: 2 ** 31 - 1 })

export const reportLaws = [
  seededOrgLaw(
    "reports/day",
    "sums arrivals and balances by start in [from, to), and returns the largest balances and the next holds to expire",
    FastCheck.tuple(orgData(20), edgeMoment, edgeMoment, moment, moment, FastCheck.integer({ min: 1, max: 4 })),
    function*({ bookings, orgId }, first, last, now, expireBy, limit) {
      const [from = origin, to = origin] = [first, last].map((one) =>
        resolveEdgeMoment(one, bookings.map(({ startsAt }) => startsAt))
      )
      const rows = bookings
        .filter(({ startsAt, status }) => status !== "held" && startsAt >= from && startsAt < to)
        .map((booking) => ({ ...booking, ...computeBalance(booking) }))
      const toStart = Struct.pick("startsAt", "sessionId", "offeringId", "currency")
      const starts = Object.values(Arr.groupBy(rows, (row) => JSON.stringify(toStart(row))))
      const balances = starts.map((group) => ({
        ...toStart(group[0]),
        arrived: sumBy(group, ({ attendance }) => attendance?.arrived ?? 0),
        due: group.filter(({ dueCents }) => dueCents > 0).length,
        dueCents: sumBy(group, ({ dueCents }) => dueCents),
        owed: group.filter(({ owedCents }) => owedCents > 0).length,
        owedCents: sumBy(group, ({ owedCents }) => owedCents)
      })).filter(({ arrived, due, owed }) => arrived + due + owed > 0)
      const holds = bookings.flatMap((booking) =>
        booking.status === "held" && now < booking.expiresAt && booking.expiresAt <= expireBy
          ? [{ id: booking.id, rank: booking.expiresAt }]
          : []
      )
      const openItems = ([
        ["due", rows.map(({ dueCents, id }) => ({ id, rank: -dueCents }))],
        ["owed", rows.map(({ id, owedCents }) => ({ id, rank: -owedCents }))],
        ["hold", holds]
      ] as const).map(([kind, candidates]) =>
        candidates.filter(({ rank }) => kind === "hold" || rank < 0).toSorted((a, b) =>
          a.rank - b.rank || compareById(a, b)
        )
          .map(({ id }) => ({ kind, id }))
      )
      const query = { orgId, from, to, now, expireBy }
      const report = yield* Store.reports.day({ ...query, limit: 1000 })
      assertSameRows(report.balances, balances)
      assert.deepStrictEqual(report.open, openItems.flat())
      const limitedReport = yield* Store.reports.day({ ...query, limit })
      assert.deepStrictEqual(limitedReport.open, openItems.flatMap((items) => items.slice(0, limit)))
      assert.deepStrictEqual(yield* Store.reports.day({ ...query, orgId: newId(), limit }), { balances: [], open: [] })
    }
  ),

  seededOrgLaw(
    "reports/rows",
    "pages through bookings, entries, earlier payments, and guests' trips in [from, to), excluding test accounts",
    FastCheck.tuple(
      orgData(12),
      FastCheck.array(FastCheck.tuple(ledgerEntry, cents, FastCheck.nat()), { maxLength: 9 }),
      edgeMoment,
      edgeMoment,
      FastCheck.subarray(["a", "b"]),
      FastCheck.integer({ min: 1, max: 4 })
    ),
    function*({ bookings: seeded, orgId, twinId }, ledgerRows, first, last, testAccounts, limit) {
      // A cancellation clears the attendance.
      const bookings = seeded.map((booking) =>
        booking.status === "cancelled" ? { ...booking, attendance: null } : booking
      )
      yield* Store.bookings.put(bookings)
      const entries = ledgerRows.flatMap(([entry, cents, at]) => {
        const { id: bookingId } = bookings[at % bookings.length] ?? {}
        return bookingId === undefined ? [] : [{ ...entry, cents, id: newId(), orgId, bookingId }]
      })
      yield* Store.ledger.put([...entries, ...entries.map((entry) => ({ ...entry, id: newId(), orgId: twinId }))])
      const times = [
        ...bookings.flatMap(({ createdAt, startsAt }) => [startsAt, createdAt]),
        ...entries.flatMap(({ doneAt }) => doneAt ?? [])
      ]
      const [from = origin, to = origin] = [first, last].map((one) => resolveEdgeMoment(one, times))
      const assertPages = <Row extends Position>(
        rows: ReadonlyArray<Row>,
        page: (query: ReportQuery) => Effect.Effect<ReadonlyArray<Row>, never, ReportStore>
      ) =>
        Effect.map(
          readAllPages<Row, ReportStore>(
            limit,
            (after) => page({ orgId, from, to, testAccounts, after, limit }),
            ({ at, id }) => ({ at, id })
          ),
          (pages) =>
            assert.deepStrictEqual(
              pages,
              rows.filter(({ at }) => at >= from && at < to).toSorted((a, b) => a.at - b.at || compareById(a, b))
            )
        )
      const isTest = ({ connection }: LedgerEntry) => connection !== null && testAccounts.includes(connection)
      const findEntries = ({ id }: Booking) => entries.filter(({ bookingId }) => bookingId === id)
      const countedBookings = bookings.filter((booking) => !findEntries(booking).some(isTest))
      for (const status of ["confirmed", "cancelled"] as const) {
        const statusBookings = countedBookings.filter((booking) => booking.status === status)
        for (const basis of ["start", "booked"] as const) {
          yield* assertPages(
            statusBookings.map((booking) => toReportBooking(booking, basis, findEntries(booking))),
            (query) => Store.reports.bookings({ ...query, status, basis })
          )
        }
      }
      yield* assertPages(
        entries.filter((entry) => !isTest(entry)).flatMap((entry) => toReportEntry(entry) ?? []),
        Store.reports.entries
      )
      const bookedRows = countedBookings.filter(({ status }) => status !== "held")
      yield* assertPages(
        bookedRows.map((booking) => toReceivedAmount(booking, findEntries(booking), from)),
        Store.reports.receivedBefore
      )
      const findStarts = (guest: string) =>
        bookings.filter(({ customerId }) => customerId === guest).toSorted(compareByStart)
      yield* assertPages(
        bookedRows.filter(({ status }) => status === "confirmed").map((booking) =>
          toGuestStart(booking, findStarts(booking.customerId))
        ),
        Store.reports.guestStarts
      )
    }
  )
]
