import { type LedgerEntry, ledgerEntryView, makeMarkTestEntries, paymentMethods } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, origin } from "../../generator/moment.ts"
import { ledgerEntry, paymentConnection } from "../../generator/payment.ts"
import { assertDies, readAllByCreation, sortNewestFirst } from "../compare.ts"
import { type Law, law, lawForAll } from "../Law.ts"
import { seedOneOfEach } from "../seedOneOfEach.ts"
import { newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

type Contents = Omit<LedgerEntry, "id" | "orgId" | "bookingId">

/** Stores the same entries for a booking in each of two orgs. */
const storeLedger = (contents: ReadonlyArray<Contents>) =>
  Effect.gen(function*() {
    const [{ booking }, { booking: otherBooking }] = [yield* seedOneOfEach, yield* seedOneOfEach]
    const makeEntries = ({ id: bookingId, orgId }: { readonly orgId: string; readonly id: string }) =>
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
      assert.deepStrictEqual(Option.getOrNull(yield* Store.ledger.find(entry)), entry)
      assert.isTrue(Option.isNone(yield* Store.ledger.find({ orgId: otherBooking.orgId, id: entry.id })))
      yield* Store.ledger.put([{ ...entry, ...after }])
      assert.deepStrictEqual(Option.getOrNull(yield* Store.ledger.find(entry)), {
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
      const rows = yield* readAllByCreation(limit, (after) => Store.ledger.list({ ...filters, after, limit }))
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
      yield* Effect.forEach(connections.flat(), Store.connections.put, { discard: true })
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
    const { booking } = yield* seedOneOfEach
    const { booking: otherBooking } = yield* seedOneOfEach
    const [content] = FastCheck.sample(ledgerEntry, { numRuns: 1, seed: 1 })
    if (content === undefined) return
    const entry = { ...content, id: newId(), orgId: booking.orgId, bookingId: otherBooking.id }
    yield* assertDies(Store.ledger.put([entry]))
    yield* assertDies(Store.ledger.put([{ ...entry, bookingId: newId() }]))
  })
]
