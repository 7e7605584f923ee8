/**
 * Compares reports for random seasons with those of a second implementation, which reads only the event feed and local
 * dates.
 */
import type { Refusal } from "@trailbook/core"
import { BookingView } from "@trailbook/core/booking"
import type { Offering } from "@trailbook/core/offering/Offering"
import { LedgerEntryView, ledgerEntryView } from "@trailbook/core/payment"
import type { ReportStore } from "@trailbook/core/report"
import * as reportOperations from "@trailbook/core/report/reportOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Position } from "@trailbook/core/wire"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import { origin } from "@trailbook/testkit/generator/moment"
import { type OrgSnapshot, readOrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { groupBy, sortRows, sumBy } from "@trailbook/testkit/law/booking/reportLaws"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { decodeAnswer, minuteMs, race, type TwoServerFixture } from "./race/TwoServerFixture.ts"

const dayMs = 1440 * minuteMs

/** Creates two activities with departures on five days, and a rental that is open from 9:00 to 17:00. */
const openSeason = ({ call, offer }: TwoServerFixture, next: () => number) =>
  Effect.gen(function*() {
    const pricing = {
      rates: [
        { id: "adult", name: "Adult", price_cents: 9501, places: 1 },
        { id: "child", name: "Child", price_cents: 7000, places: 1 }
      ],
      extras: [{ id: "suit", name: "Wetsuit", price_cents: 1500, per: "place" }]
    }
    const plain = yield* offer({ kind: "class", name: "Canyon", capacity: 9, price_cents: 8000 })
    const family = yield* offer({ kind: "class", name: "Family", capacity: 9, price_cents: 9501, pricing })
    const rental = yield* offer({ kind: "rental", capacity: 3, price_cents: 3000, duration_minutes: 120 })
    const closedDate = LocalDate.format(LocalDate.make(Math.floor(origin / dayMs) + next() % 4))
    const flood = {
      from_date: closedDate,
      to_date: closedDate,
      start_time: "12:00",
      end_time: "14:30",
      reason: "Flood"
    }
    if (next() % 2 === 0) yield* call("closures.create", { ...flood, offering_id: rental })
    const fees = [
      { id: "park", name: "Park fee", cents: 300, per: "place" },
      { id: "tax", name: "Tax", percent_bps: 825, per: "order_value", tax: true }
    ]
    if (next() % 2 === 0) yield* call("org.update", { fees })
    for (const offering_id of [plain, family]) {
      for (let day = 0; day < 5; day++) {
        const starts_at = Instant.format(Instant.addMinutes(origin, day * 1440 + 600 + (next() % 24) * 60))
        yield* call("sessions.create", { offering_id, starts_at, capacity: 4 + next() % 6 })
      }
    }
    return [plain, family, rental] as const
  })

/** Plays random guest and staff actions over several days. Some of these actions are refused. */
const playSeason = (fixture: TwoServerFixture, next: () => number) =>
  Effect.gen(function*() {
    const { book, bookings, call, clock, slots } = fixture
    const [plain, family, rental] = yield* openSeason(fixture, next)
    const createdBookings: Array<BookingView> = []
    const entries: Array<string> = []
    const pick = <A>(from: ReadonlyArray<A>): A | undefined => from[next() % Math.max(1, from.length)]
    const methods = ["cash", "card", "transfer", "voucher"]
    for (let step = 0; step < 40; step++) {
      const booking = pick(createdBookings)
      const id = booking?.id ?? ""
      const money = { id, method: pick(methods), amount_cents: 1 + next() % 9000 }
      const offering_id = pick([plain, family, rental]) ?? plain
      const actions: Record<number, Effect.Effect<unknown, Refusal>> = {
        0: call("bookings.cancel", { id }),
        1: Effect.flatMap(slots(booking?.offering_id ?? plain), (free) => call("bookings.move", { id, ...pick(free) })),
        2: call("bookings.check_in", { id }),
        3: call("bookings.mark_no_show", { id }),
        4: clock.advance((1 + next() % 30) * 60 * minuteMs),
        5: call("payments.refund", money),
        6: Effect.suspend(() => call("payments.void", { id: pick(entries) })),
        7: booking === undefined
          ? Effect.void
          : bookings.pay({ orgId: fixture.orgId, id }, `pi_${id}`),
        8: Effect.gen(function*() {
          const { data } = yield* decodeAnswer(Schema.Struct({ data: Schema.Array(BookingView) }))(
            call("bookings.list", {})
          )
          createdBookings.splice(0, createdBookings.length, ...data)
        })
      }
      const pay = Effect.map(
        decodeAnswer(LedgerEntryView)(call("payments.record", { ...money, allow_overpayment: next() % 3 === 0 })),
        (entry) => entries.push(entry.id)
      )
      const order = Effect.flatMap(slots(offering_id), (free) =>
        Effect.map(
          book({
            offering_id,
            ...pick(free),
            customer: { email: `guest${next() % 4}@a.co` },
            ...(next() % 4 === 0 ? { hold_minutes: 30 } : {}),
            ...(offering_id === family ? rollParty(next()) : { quantity: 1 + next() % 2 })
          }),
          (booking) => createdBookings.push(booking)
        ))
      const roll = next() % 22
      yield* Effect.either(
        roll < 9 ? actions[roll] ?? Effect.void : roll > 19 ? actions[4] ?? Effect.void : roll < 13 ? pay : order
      )
    }
  })

const rollParty = (roll: number) => ({
  party: [{ rate_id: "adult", quantity: 1 + roll % 2 }, ...(roll % 3 === 0 ? [{ rate_id: "child", quantity: 1 }] : [])],
  ...(roll % 5 === 0 ? { extras: [{ extra_id: "suit", quantity: 1 }] } : {})
})

const Feed = Schema.decodeUnknownSync(BookingView)
const EntryOfFeed = Schema.decodeUnknownSync(
  Schema.Struct({ ...LedgerEntryView.fields, booking: BookingView.pick("id", "paid_cents", "owed_cents") })
)

/** Returns the last state of each booking and entry in the feed. */
const findLastStates = ({ entries, events }: OrgSnapshot) => {
  const bookings = new Map<string, BookingView>()
  const money = new Map<string, LedgerEntryView>()
  for (const { data, type } of events) {
    if (type.startsWith("booking.")) {
      const view = Feed(data)
      bookings.set(view.id, view)
    }
    if (!type.startsWith("payment.")) continue
    const { booking: { id, owed_cents, paid_cents }, ...entry } = EntryOfFeed(data)
    money.set(entry.id, entry)
    const booking = bookings.get(id)
    // A payment or refund at the desk after a cancellation emits no booking event.
    if (booking?.status === "cancelled") bookings.set(id, { ...booking, kept_cents: paid_cents - owed_cents })
  }
  // The host application's payments emit no ledger entry events.
  for (const entry of entries) if (entry.method === "online") money.set(entry.id, ledgerEntryView(entry))
  return { bookings: [...bookings.values()].filter(({ status }) => status !== "held"), money: [...money.values()] }
}

const denver = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Denver", dateStyle: "short" })
const localTimeFormat = new Intl.DateTimeFormat("en-GB", {
  timeZone: "America/Denver",
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23"
})
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const toLocalDate = (time: string | number): string => denver.format(new globalThis.Date(time))

const placeInWeek = (time: string | number): readonly [weekday: number, startTime: string] => {
  const [day = "", at = ""] = localTimeFormat.format(new globalThis.Date(time)).split(/,? /)
  return [weekdays.indexOf(day), `${at}:00`]
}

/** Returns the first date of the period that contains a date: its Monday, or the first of its month. */
const toPeriod = (by: string, date: string): string => {
  let time = globalThis.Date.parse(`${date}T12:00:00Z`)
  const isStart = () => {
    const day = new globalThis.Date(time)
    return by === "day" || (by === "week" ? day.getUTCDay() === 1 : day.getUTCDate() === 1)
  }
  while (!isStart()) time -= dayMs
  return new globalThis.Date(time).toISOString().slice(0, 10)
}

interface Range {
  readonly from: string
  readonly to: string
  readonly by: "day" | "week" | "month"
}

const isInRange = ({ from, to }: Range, time: string) => toLocalDate(time) >= from && toLocalDate(time) <= to

type CountedLine = Pick<
  NonNullable<BookingView["lines"]>[number],
  "kind" | "id" | "quantity" | "total_cents" | "discount_cents"
>

const computeExpectedSales = (bookings: ReadonlyArray<BookingView>, range: Range, basis: "start" | "booked") => {
  const getTime = ({ created_at, starts_at }: BookingView) => basis === "start" ? starts_at : created_at
  const rows = bookings.filter((booking) => isInRange(range, getTime(booking)))
  const getKey = (booking: BookingView) =>
    [toPeriod(range.by, toLocalDate(getTime(booking))), booking.offering_id, booking.currency].join()
  return groupBy(rows, getKey).map(([key, group]) => {
    const confirmedRows = group.filter(({ status }) => status === "confirmed")
    const canceledRows = group.filter(({ status }) => status === "cancelled")
    const lines = confirmedRows.flatMap(({ lines, quantity, total_cents }): ReadonlyArray<CountedLine> =>
      lines ?? [{ kind: "rate", id: "standard", quantity, total_cents, discount_cents: 0 }]
    )
    return {
      key,
      bookings: confirmedRows.length,
      places: sumBy(confirmedRows, ({ quantity }) => quantity),
      noShows: confirmedRows.filter(({ attendance }) => attendance?.status === "no_show").length,
      total: sumBy(confirmedRows, ({ total_cents }) => total_cents),
      subtotal: sumBy(lines, ({ kind, total_cents }) => kind === "rate" || kind === "extra" ? total_cents : 0),
      discount: sumBy(lines, ({ discount_cents }) => discount_cents),
      lines: groupBy(lines, ({ id, kind }) => `${kind} ${id}`)
        .map((
          [line, group]
        ) => [line, sumBy(group, ({ quantity }) => quantity), sumBy(group, (one) => one.total_cents)]),
      canceled: canceledRows.length,
      kept: sumBy(canceledRows, ({ kept_cents }) => kept_cents ?? 0)
    }
  })
}

const computeExpectedOccupancy = (
  { closures, offerings, sessions }: OrgSnapshot,
  bookings: ReadonlyArray<BookingView>,
  range: Range
) => {
  const confirmedBookings = bookings.filter(({ status }) => status === "confirmed")
  const findCapacity = (id: string): number => offerings.find((one: Offering) => one.id === id)?.capacity ?? 0
  const seats = sessions
    .filter(({ startsAt, status }) => status === "scheduled" && isInRange(range, Instant.format(startsAt)))
    .map(({ capacity, id, offeringId, startsAt }) => ({
      key: [offeringId, ...placeInWeek(startsAt)].join(),
      sold: sumBy(confirmedBookings.filter(({ session_id }) => session_id === id), ({ quantity }) => quantity),
      offered: capacity ?? findCapacity(offeringId)
    }))
  // Check every quarter hour, because slots start and end on the quarter hour.
  const openQuarters: Array<{ readonly key: string; readonly sold: number; readonly offered: number }> = []
  for (const { capacity, id, kind } of offerings) {
    if (kind === "class") continue
    const offeringBookings = confirmedBookings.filter(({ offering_id }) => offering_id === id)
    for (let time = origin - 4 * dayMs; time < origin + 40 * dayMs; time += 15 * minuteMs) {
      const [weekday, at] = placeInWeek(time)
      if (at < "09:00:00" || at >= "17:00:00" || !isInRange(range, Instant.format(Instant.make(time)))) continue
      const isClosed = closures.some(({ fromDate }) =>
        LocalDate.format(fromDate) === toLocalDate(time) && at >= "12:00:00" && at < "14:30:00"
      )
      if (isClosed) continue
      const activeBookings = offeringBookings.filter(({ ends_at, starts_at }) =>
        globalThis.Date.parse(starts_at) <= time && time < globalThis.Date.parse(ends_at)
      )
      const soldMinutes = 15 * sumBy(activeBookings, ({ quantity }) => quantity)
      openQuarters.push({ key: [id, weekday, "09:00:00"].join(), sold: soldMinutes, offered: 15 * capacity })
    }
  }
  return groupBy([...seats, ...openQuarters], ({ key }) => key)
    .map(([key, group]) => ({
      key,
      sold: sumBy(group, ({ sold }) => sold),
      offered: sumBy(group, (one) => one.offered)
    }))
}

const computeExpectedGuests = (bookings: ReadonlyArray<BookingView>, range: Range) => {
  const confirmedBookings = bookings.filter(({ status }) => status === "confirmed")
  const findPeriod = ({ starts_at }: BookingView) => toPeriod(range.by, toLocalDate(starts_at))
  return groupBy(confirmedBookings.filter(({ starts_at }) => isInRange(range, starts_at)), findPeriod).map(
    ([date, group]) => {
      const guests = [...new Set(group.map(({ customer_id }) => customer_id))]
      const returning = guests.filter((guest) =>
        confirmedBookings.some((booking) => booking.customer_id === guest && findPeriod(booking) < date)
      )
      return { date, new: guests.length - returning.length, returning: returning.length }
    }
  )
}

const computeNet = ({ amount_cents, kind }: LedgerEntryView) => kind === "payment" ? amount_cents : -amount_cents

const computeExpectedPayments = (money: ReadonlyArray<LedgerEntryView>, range: Range) =>
  groupBy(
    money.filter(({ done_at, status }) => status === "done" && done_at !== null && isInRange(range, done_at)),
    ({ currency, done_at, method, recorded_by }) =>
      JSON.stringify([toPeriod(range.by, toLocalDate(done_at ?? "")), method, recorded_by, currency])
  ).map(([key, group]) => ({
    key,
    payments: sumBy(group.filter(({ kind }) => kind === "payment"), ({ amount_cents }) => amount_cents),
    net: sumBy(group, computeNet)
  }))

const computeExpectedDeferred = (
  bookings: ReadonlyArray<BookingView>,
  money: ReadonlyArray<LedgerEntryView>,
  { to }: Range
) => {
  const later = new Set(bookings.filter(({ starts_at }) => toLocalDate(starts_at) > to).map(({ id }) => id))
  const deferredEntries = money.filter(({ booking_id, done_at, status }) =>
    status === "done" && done_at !== null && toLocalDate(done_at) <= to && later.has(booking_id)
  )
  return groupBy(deferredEntries, ({ currency }) => currency)
    .flatMap(([currency, group]) =>
      sumBy(group, computeNet) === 0 ? [] : [{ currency, cents: sumBy(group, computeNet) }]
    )
}

/** Reads pages of two rows, and compares them with a single page. */
const comparePages = <Row extends Position>(
  readPage: (page: { readonly after: Position | undefined; readonly limit: number }) => Effect.Effect<
    ReadonlyArray<Row>,
    never,
    ReportStore
  >
) =>
  Effect.gen(function*() {
    const all = yield* readPage({ after: undefined, limit: 1000 })
    for (let at = 0; at <= all.length; at += 2) {
      assert.deepStrictEqual(yield* readPage({ after: all[at - 1], limit: 2 }), all.slice(at, at + 2))
    }
  })

const { reportsGuests, reportsOccupancy, reportsPayments, reportsSales } = reportOperations

export const reportSeason = [
  race(
    "reports/season",
    "returns the same reports by local day as a second implementation over the event feed",
    function*(fixture, round) {
      const next = makeRandomIntegers(round)
      yield* playSeason(fixture, next)
      const snapshot = yield* readOrgSnapshot(fixture.orgId)
      const { bookings, money } = findLastStates(snapshot)
      const from = toLocalDate(origin + (next() % 8 - 4) * dayMs)
      const to = toLocalDate(globalThis.Date.parse(`${from}T20:00:00Z`) + next() % 30 * dayMs)
      const by = (["day", "week", "month"] as const)[next() % 3] ?? "day"
      const basis = next() % 2 === 0 ? "start" : "booked"
      const range = { from, to, by }

      const sales = yield* decodeAnswer(reportsSales.output)(fixture.call("reports.sales", { ...range, basis }))
      assert.deepStrictEqual(
        sortRows(sales.data.map((row) => ({
          key: [row.date, row.offering.id, row.currency].join(),
          bookings: row.bookings,
          places: row.places,
          noShows: row.no_shows,
          total: row.total_cents,
          subtotal: row.subtotal_cents,
          discount: row.discount_cents,
          lines: row.lines.map(({ id, kind, quantity, total_cents }) => [`${kind} ${id}`, quantity, total_cents])
            .sort(([a], [b]) => (a ?? "") < (b ?? "") ? -1 : 1),
          canceled: row.canceled_bookings,
          kept: row.kept_cents
        }))),
        sortRows(computeExpectedSales(bookings, range, basis))
      )
      for (const { lines, total_cents } of sales.data) {
        assert.strictEqual(sumBy(lines, (line) => line.included ? 0 : line.total_cents), total_cents)
      }

      const payments = yield* decodeAnswer(reportsPayments.output)(fixture.call("reports.payments", range))
      assert.deepStrictEqual(
        sortRows(payments.data.map((row) => ({
          key: JSON.stringify([row.date, row.method, row.recorded_by, row.currency]),
          payments: row.payments_cents,
          net: row.net_cents
        }))),
        sortRows(computeExpectedPayments(money, range))
      )
      assert.deepStrictEqual(payments.deferred, computeExpectedDeferred(bookings, money, range))

      const guests = yield* decodeAnswer(reportsGuests.output)(fixture.call("reports.guests", range))
      assert.deepStrictEqual(guests.data, computeExpectedGuests(bookings, range))

      const occupancy = yield* decodeAnswer(reportsOccupancy.output)(fixture.call("reports.occupancy", { from, to }))
      assert.deepStrictEqual(
        sortRows(occupancy.data.map(({ offered, offering, sold, start_time, weekday }) => ({
          key: [offering.id, weekday, start_time].join(),
          sold,
          offered
        }))),
        sortRows(computeExpectedOccupancy(snapshot, bookings, range))
      )

      const all = {
        orgId: fixture.orgId,
        from: Instant.make(origin - 40 * dayMs),
        to: Instant.make(origin + 40 * dayMs),
        testAccounts: round % 2 === 0 ? [] : ["test"]
      }
      for (const status of ["confirmed", "cancelled"] as const) {
        yield* comparePages((page) => Store.reports.bookings({ ...all, ...page, status, basis }))
      }
      yield* comparePages((page) => Store.reports.entries({ ...all, ...page }))
      yield* comparePages((page) => Store.reports.receivedBefore({ ...all, ...page, from: origin }))
      yield* comparePages((page) => Store.reports.guestStarts({ ...all, ...page }))
    }
  )
]
