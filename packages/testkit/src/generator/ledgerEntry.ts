import { recorderKinds } from "@trailbook/core/actor"
import { entryStatuses, type LedgerEntry, paymentMethods, refundReasons } from "@trailbook/core/payment"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "./moment.ts"
import { text } from "./text.ts"

/** A ledger entry without its IDs. */
export const ledgerEntry: FastCheck.Arbitrary<Omit<LedgerEntry, "id" | "orgId" | "bookingId">> = FastCheck.tuple(
  FastCheck.record({
    cents: FastCheck.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    currency: FastCheck.constantFrom("usd", "jpy"),
    status: FastCheck.constantFrom(...entryStatuses),
    note: text(40),
    connection: FastCheck.option(FastCheck.constantFrom("a", "b")),
    recordedBy: FastCheck.record({
      kind: FastCheck.constantFrom(...recorderKinds),
      id: FastCheck.option(FastCheck.uuid()),
      name: text(40)
    }),
    createdAt: moment,
    doneAt: momentOrNull
  }),
  FastCheck.oneof(
    FastCheck.record({
      kind: FastCheck.constant("payment" as const),
      method: FastCheck.constantFrom(...paymentMethods),
      refundOf: FastCheck.constant(null),
      reason: FastCheck.constant(null)
    }),
    FastCheck.record({
      kind: FastCheck.constant("refund" as const),
      method: FastCheck.constant("online" as const),
      refundOf: FastCheck.option(FastCheck.uuid()),
      reason: FastCheck.option(FastCheck.constantFrom(...refundReasons))
    })
  )
).map(([common, kind]) => ({ ...common, ...kind }))
