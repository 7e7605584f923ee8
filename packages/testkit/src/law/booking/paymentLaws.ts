import type { OrgKey } from "@trailbook/core/offering"
import {
  type LedgerEntry,
  ledgerEntryView,
  makeMarkTestEntries,
  type Payment,
  paymentMethods
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, origin } from "../../generator/moment.ts"
import { ledgerEntry, payment, paymentConnection, type PaymentContents } from "../../generator/payment.ts"
import { type Law, law, lawForAll } from "../Law.ts"
import { readByKeys, toOrgKey } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import {
  assertDies,
  assertFinds,
  assertFindsNothing,
  compareById,
  readAllPagesByCreation,
  sortNewestFirst
} from "../rowAssertions.ts"
import { seedOneOfEachResource, seedResources } from "../sampleRows.ts"
import { newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const rows = FastCheck.array(payment, { minLength: 1, maxLength: 5 })

/** Creates a booking in each of two orgs. */
const seedTwoBookings = Effect.map(
  Effect.all([seedOneOfEachResource, seedOneOfEachResource]),
  ([{ booking }, { booking: otherBooking }]) => [booking, otherBooking] as const
)

const makeAttempts = (
  booking: OrgKey,
  contents: ReadonlyArray<PaymentContents>
) =>
  // The newest payment has the lowest ID, so that an adapter that sorts by ID fails.
  contents.map((one, at) => ({ one, id: newId(), at })).map(({ at, one }, _, all): Payment => ({
    ...one,
    ...(one.status === "paid" ? { intent: newId() } : {}),
    id: all[all.length - 1 - at]?.id ?? "",
    orgId: booking.orgId,
    bookingId: booking.id,
    attempt: at + 1
  }))

/** Stores the same payments for a booking in each of two orgs. */
const storePayments = (contents: ReadonlyArray<PaymentContents>) =>
  Effect.gen(function*() {
    const [first, second] = yield* seedTwoBookings
    const paymentsByOrg = [makeAttempts(first, contents), makeAttempts(second, contents)] as const
    yield* Store.payments.put(paymentsByOrg.flat())
    return { first, second, paymentsByOrg }
  })

/** Sorts by org, booking, and attempt, which has a single digit here. */
const byBooking = (payments: ReadonlyArray<Payment>) => {
  const toSortKey = ({ attempt, bookingId, orgId }: Payment) => `${orgId} ${bookingId} ${attempt}`
  return payments.toSorted((a, b) => toSortKey(a) < toSortKey(b) ? -1 : 1)
}

/** Returns a payment made through a provider connection. */
const makePayment = (booking: OrgKey, intent: string, attempt = 1): Payment => ({
  id: newId(),
  orgId: booking.orgId,
  bookingId: booking.id,
  attempt,
  provider: "stripe",
  connection: "a",
  cents: 100,
  currency: "usd",
  description: "Raft",
  madeAt: origin,
  expiresAt: origin,
  session: null,
  status: "paid",
  intent,
  paidAt: origin,
  refunds: [],
  dispute: null,
  mismatch: null
})

export const paymentLaws: ReadonlyArray<Law> = [
  ...makeRowLaws<Payment>({
    key: "payments",
    name: "a payment",
    row: payment.map((contents): Payment => ({ ...contents, id: "", orgId: "", bookingId: "", attempt: 1 })),
    identify: (row, orgId, id, index) => ({
      ...row,
      orgId,
      id,
      // Later IDs have lower attempt numbers, so that an adapter that sorts by attempt fails.
      attempt: 20 - index,
      ...(row.status === "paid" ? { intent: newId() } : {})
    }),
    idScope: "service",
    seedReferences: (orgId, bookingId) =>
      Effect.as(seedResources(orgId, bookingId, `${bookingId}@a.co`), { bookingId }),
    fixedFields: ({ attempt, bookingId }) => ({ attempt, bookingId }),
    put: Store.payments.put,
    reads: {
      find: readByKeys(Store.payments.find, toOrgKey, { sort: (rows) => rows.toSorted(compareById) })
    },
    references: ["orgId", "bookingId"],
    uniqueKeys: [{
      name: "attempt number",
      rejectedIn: "org",
      isFixed: true,
      toFields: ({ attempt }) => ({ attempt })
    }]
  }),

  lawForAll(
    "payments/of-bookings",
    "reads the payments of one or several bookings in attempt order, with or without a lock",
    rows,
    function*(contents) {
      const { paymentsByOrg: [payments, otherPayments], first, second } = yield* storePayments(contents)
      const lockPayments = (keys: ReadonlyArray<OrgKey>) => Store.run(Store.payments.lockOfBookings(keys))
      for (const readPayments of [Store.payments.ofBookings, lockPayments]) {
        assert.deepStrictEqual(yield* readPayments([first, first]), payments)
        assert.deepStrictEqual(yield* readPayments([second, { orgId: first.orgId, id: second.id }]), otherPayments)
        assert.deepStrictEqual(yield* readPayments([second, first]), byBooking([...payments, ...otherPayments]))
      }
    }
  ),

  law(
    "payments/intent",
    "finds a payment by its provider ID, only in its own org",
    function*() {
      const [booking, otherBooking] = yield* seedTwoBookings
      const intent = newId()
      const ownPayment = makePayment(booking, intent)
      // A host application chooses its own payment names, and can reuse a name.
      const hostPayments = [2, 3].map((attempt) => ({ ...makePayment(booking, intent, attempt), connection: null }))
      yield* Store.payments.put([ownPayment, ...hostPayments])
      const query = { orgId: booking.orgId, provider: "stripe", intent }
      yield* assertFinds(Store.payments.withIntent(query), ownPayment)
      const misses = [{ orgId: otherBooking.orgId }, { provider: "other" }, { intent: newId() }]
      for (const miss of misses) yield* assertFindsNothing(Store.payments.withIntent({ ...query, ...miss }))
    }
  ),

  law(
    "constraints/payment-intent",
    "rejects a second payment with the same provider ID in any org",
    function*() {
      const [booking, otherBooking] = yield* seedTwoBookings
      const intent = newId()
      yield* Store.payments.put([makePayment(booking, intent)])
      yield* assertDies(Store.payments.put([makePayment(booking, intent, 2)]))
      yield* assertDies(Store.payments.put([makePayment(otherBooking, intent)]))
      yield* Store.payments.put([{ ...makePayment(otherBooking, intent), provider: "other" }])
    }
  )
]

type Contents = Omit<LedgerEntry, "id" | "orgId" | "bookingId">

/** Stores the same entries for a booking in each of two orgs. */
const storeLedger = (contents: ReadonlyArray<Contents>) =>
  Effect.gen(function*() {
    const [booking, otherBooking] = yield* seedTwoBookings
    const makeEntries = ({ id: bookingId, orgId }: OrgKey) =>
      contents.map((content): LedgerEntry => ({ ...content, id: newId(), orgId, bookingId }))
    const entries = makeEntries(booking)
    yield* Store.ledger.put([...entries, ...makeEntries(otherBooking)])
    return { ownBooking: booking, otherBooking, entries }
  })

export const ledgerLaws: ReadonlyArray<Law> = [
  lawForAll(
    "ledger/put",
    "stores an entry unchanged for its own org, and keeps its original creation time when it is replaced",
    FastCheck.tuple(ledgerEntry, ledgerEntry),
    function*([before, after]) {
      const { entries: [entry], otherBooking } = yield* storeLedger([before])
      if (entry === undefined) return
      yield* assertFinds(Store.ledger.find(entry), entry)
      yield* assertFindsNothing(Store.ledger.find({ orgId: otherBooking.orgId, id: entry.id }))
      yield* Store.ledger.put([{ ...entry, ...after }])
      yield* assertFinds(Store.ledger.find(entry), {
        ...entry,
        ...after,
        createdAt: entry.createdAt
      })
    }
  ),

  lawForAll(
    "ledger/list",
    "lists an org's entries newest first, filtered by booking, method, and time, for any page size",
    FastCheck.tuple(
      FastCheck.array(ledgerEntry, { minLength: 1, maxLength: 6 }),
      FastCheck.record({
        method: FastCheck.option(FastCheck.constantFrom(...paymentMethods), { nil: undefined }),
        from: FastCheck.option(moment, { nil: undefined }),
        to: FastCheck.option(moment, { nil: undefined })
      }),
      FastCheck.boolean(),
      FastCheck.integer({ min: 1, max: 3 })
    ),
    function*([contents, query, filtersByBooking, limit]) {
      const { entries, ownBooking } = yield* storeLedger(contents)
      const { from = -Infinity, method, to = Infinity } = query
      const expected = sortNewestFirst(entries).filter((entry) =>
        (method === undefined || entry.method === method) && entry.createdAt >= from && entry.createdAt < to
      )
      const filters = { ...query, orgId: ownBooking.orgId, bookingId: filtersByBooking ? ownBooking.id : undefined }
      const rows = yield* readAllPagesByCreation(limit, (after) => Store.ledger.list({ ...filters, after, limit }))
      assert.deepStrictEqual(rows, expected)
      const result = yield* Store.ledger.list({ ...filters, bookingId: newId(), after: undefined, limit })
      assert.deepStrictEqual(result, [])
    }
  ),

  lawForAll(
    "ledger/forget-notes",
    "erases only the notes of the selected bookings",
    FastCheck.array(ledgerEntry, { minLength: 1, maxLength: 3 }),
    function*(contents) {
      const { entries, ownBooking, otherBooking } = yield* storeLedger(contents)
      const listAll = (orgId: string) => Store.ledger.list({ orgId, after: undefined, limit: 9 })
      const before = yield* listAll(otherBooking.orgId)
      yield* Store.ledger.forgetNotes([ownBooking, { orgId: ownBooking.orgId, id: otherBooking.id }])
      assert.deepStrictEqual(
        yield* listAll(ownBooking.orgId),
        sortNewestFirst(entries).map((entry) => ({ ...entry, note: "" }))
      )
      assert.deepStrictEqual(yield* listAll(otherBooking.orgId), before)
    }
  ),

  lawForAll(
    "ledger/test",
    "marks only the entries of an org's test-mode accounts as tests, even after an account is disconnected",
    FastCheck.tuple(
      FastCheck.array(paymentConnection, { minLength: 1, maxLength: 3 }),
      FastCheck.array(ledgerEntry, { minLength: 1, maxLength: 3 })
    ),
    function*([accounts, contents]) {
      const { entries, ownBooking, otherBooking } = yield* storeLedger(contents)
      const connections = [ownBooking, otherBooking].map(({ orgId }) =>
        accounts.map((account, at) => ({
          ...account,
          orgId,
          id: newId(),
          lookedAt: Instant.max,
          disconnectedAt: at === 0 ? null : origin
        }))
      )
      yield* Effect.forEach(connections.flat(), Store.paymentConnections.put, { discard: true })
      const markTest = yield* makeMarkTestEntries
      for (const [at, orgConnections] of connections.entries()) {
        for (const { id: connection, mode } of orgConnections) {
          const markedEntries = yield* markTest(ownBooking.orgId, entries.map((entry) => ({ ...entry, connection })))
          assert.isTrue(markedEntries.every((entry) => ledgerEntryView(entry).test === (at === 0 && mode === "test")))
        }
      }
      const deskEntries = yield* markTest(ownBooking.orgId, entries.map((entry) => ({ ...entry, connection: null })))
      assert.isFalse(deskEntries.some((entry) => ledgerEntryView(entry).test))
    }
  ),

  law("constraints/ledger-booking", "rejects an entry for a booking of another org", function*() {
    const [booking, otherBooking] = yield* seedTwoBookings
    const [content] = FastCheck.sample(ledgerEntry, { numRuns: 1, seed: 1 })
    if (content === undefined) return
    const entry = { ...content, id: newId(), orgId: booking.orgId, bookingId: otherBooking.id }
    yield* assertDies(Store.ledger.put([entry]))
    yield* assertDies(Store.ledger.put([{ ...entry, bookingId: newId() }]))
  })
]
