/** Tests concurrent payments, refunds, and voids at the desk. */
import { BookingView } from "@trailbook/core/booking"
import { LedgerEntryView } from "@trailbook/core/payment"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { decodeAnswer, race, runConcurrently } from "./TwoServerFixture.ts"

export const deskMoneyRaces = [
  race(
    "races/desk-money",
    "records at most the due amount at the desk, refunds at most the received amount, and voids an entry once",
    function*({ book, booking, call, offered, orgId }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "appointment", price_cents: 1000 })
      const { id } = yield* book({ offering_id, ...slot, ...(round % 2 === 0 ? { hold_minutes: 30 } : {}) })
      const entry = decodeAnswer(LedgerEntryView)
      const record = (cents: number, key = newId()) =>
        entry(call("payments.record", { id, method: "cash", amount_cents: cents, idempotency_key: key }))
      const refund = (cents: number) =>
        Effect.as(call("payments.refund", { id, method: "cash", amount_cents: cents }), -cents)

      // The guest owes 1000, so three of six payments of 300 succeed. The repeated request counts only once.
      const key = newId()
      const outcome = yield* runConcurrently(round, [
        ...Array.from({ length: 5 }, () => record(300)),
        record(300, key),
        record(300, key)
      ])
      const ids = new Set(outcome.won.map(({ id }) => id))
      assert.strictEqual(ids.size, 3)
      const first = yield* booking(id)
      assert.deepStrictEqual([first.status, first.paid_cents, first.due_cents], ["confirmed", 900, 100])

      const [voided = ""] = ids
      const mixed = yield* runConcurrently<number, never>(round, [
        ...Array.from({ length: 4 }, () => refund(250)),
        // A second void changes nothing, so the entry's status shows whether its money counts.
        ...[1, 2].map(() => Effect.as(call("payments.void", { id: voided }), 0)),
        Effect.as(record(100), 100),
        ...round % 3 === 0 ? [Effect.as(decodeAnswer(BookingView)(call("bookings.cancel", { id })), 0)] : []
      ])
      const after = yield* booking(id)
      const { status } = yield* Effect.orDie(Effect.flatten(Store.ledger.find({ orgId, id: voided })))
      const keptCents = status === "void" ? 600 : 900
      assert.strictEqual(after.paid_cents, mixed.won.reduce((sum, cents) => sum + cents, keptCents))
      assert.isAtLeast(after.paid_cents, 0)
      assert.strictEqual(
        after.status === "cancelled" ? after.paid_cents - after.owed_cents : after.paid_cents + after.due_cents,
        after.status === "cancelled" ? after.kept_cents : 1000
      )
    }
  )
]
