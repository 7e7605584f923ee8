/** Sums payments and refunds by period, method, and actor. */
import * as Schema from "effect/Schema"
import { Recorder } from "../actor/Actor.ts"
import { paymentMethods } from "../payment/ledger/LedgerEntry.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { Date, Integer } from "../wire/View.ts"
import { compareStrings, RowsByKey } from "./reportPeriod.ts"
import type { ReceivedAmount, ReportEntry } from "./ReportStore.ts"

export const PaymentsRow = Schema.Struct({
  date: withDescription("the first date of the period in which the money was received or returned", Date, "2027-05-01"),
  method: withDescription(
    "`online` for a payment through the provider, or the method used at the desk",
    Schema.Literal(...paymentMethods)
  ),
  recorded_by: withDescription("the actor that recorded the entries", Recorder),
  currency: withDescription("the currency of the amounts", Schema.String, "usd"),
  payments_cents: withDescription("the money received", Integer, 68000),
  refunds_cents: withDescription("the money returned", Integer, 8500),
  net_cents: withDescription("payments minus refunds", Integer, 59500)
}).annotations({ identifier: "PaymentsRow" })
export type PaymentsRow = typeof PaymentsRow.Type

export const DeferredRow = Schema.Struct({
  currency: withDescription("its currency", Schema.String, "usd"),
  cents: withDescription("the net amount", Integer, 120000)
}).annotations({ identifier: "DeferredRow" })
export type DeferredRow = typeof DeferredRow.Type

interface Sum extends Pick<ReportEntry, "method" | "recordedBy" | "currency"> {
  readonly date: LocalDate.LocalDate
  payments: number
  refunds: number
}

/** Accepts entries in any order. */
export class PaymentsReport {
  readonly #rows = new RowsByKey<Sum>()
  readonly #dateOf: (at: ReportEntry["at"]) => LocalDate.LocalDate
  constructor(dateOf: (at: ReportEntry["at"]) => LocalDate.LocalDate) {
    this.#dateOf = dateOf
  }

  add({ at, cents, currency, kind, method, recordedBy }: ReportEntry): void {
    const date = this.#dateOf(at)
    const key = JSON.stringify([date, method, currency, recordedBy.kind, recordedBy.id, recordedBy.name])
    const row = this.#rows.get(key, () => ({ date, method, recordedBy, currency, payments: 0, refunds: 0 }))
    if (kind === "payment") row.payments += cents
    else row.refunds += cents
  }

  /** The rows, sorted by date, method, actor, and currency. */
  get rows(): ReadonlyArray<PaymentsRow> {
    return this.#rows
      .sorted((a, b) =>
        a.date - b.date || paymentMethods.indexOf(a.method) - paymentMethods.indexOf(b.method) ||
        compareStrings(a.recordedBy.name, b.recordedBy.name) ||
        compareStrings(a.recordedBy.kind, b.recordedBy.kind) ||
        compareStrings(a.recordedBy.id ?? "", b.recordedBy.id ?? "") || compareStrings(a.currency, b.currency)
      )
      .map(({ currency, date, method, payments, recordedBy, refunds }) => ({
        date: LocalDate.format(date),
        method,
        recorded_by: recordedBy,
        currency,
        payments_cents: payments,
        refunds_cents: refunds,
        net_cents: payments - refunds
      }))
  }
}

/** Sums amounts by currency. Omits currencies whose sum is 0. */
export class DeferredRevenueSums {
  readonly #sums = new Map<string, number>()

  add({ cents, currency }: Pick<ReceivedAmount, "currency" | "cents">): void {
    this.#sums.set(currency, (this.#sums.get(currency) ?? 0) + cents)
  }

  get rows(): ReadonlyArray<DeferredRow> {
    return [...this.#sums].flatMap(([currency, cents]) => cents === 0 ? [] : [{ currency, cents }])
      .sort((a, b) => compareStrings(a.currency, b.currency))
  }
}
