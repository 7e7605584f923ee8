/** Sums bookings by period, offering, and currency. */
import * as Schema from "effect/Schema"
import { OfferingView } from "../offering/OfferingView.ts"
import { type PriceLine, priceLineKinds } from "../pricing/Pricing.ts"
import { implicitRate } from "../pricing/quote.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { Date, Integer } from "../wire/View.ts"
import { compareStrings, RowsByKey } from "./reportPeriod.ts"
import type { ReportBooking } from "./ReportStore.ts"

const SalesLine = Schema.Struct({
  kind: withDescription("the kind of price line", Schema.Literal(...priceLineKinds)),
  id: withDescription("the ID of the rate, extra, fee, or discount", Schema.String, "adult"),
  name: withDescription("the name of the rate, extra, fee, or discount in the latest booking", Schema.String, "Adult"),
  quantity: withDescription("the number of units", Integer, 41),
  total_cents: withDescription("the amount, negative for a discount", Integer, 389500),
  tax: withDescription("whether the amount is a tax", Schema.Boolean),
  included: withDescription("whether the amount is already included in other lines", Schema.Boolean)
}).annotations({ identifier: "SalesLine" })
type SalesLine = typeof SalesLine.Type

export const SalesRow = Schema.Struct({
  date: withDescription("the first date of the period", Date, "2027-05-01"),
  offering: withDescription("the offering", OfferingView.pick("id", "name")),
  currency: withDescription("the currency of the amounts", Schema.String, "usd"),
  bookings: withDescription("the number of confirmed bookings", Integer, 12),
  places: withDescription("the number of people or items in the confirmed bookings", Integer, 41),
  no_shows: withDescription("the number of confirmed bookings that were no-shows", Integer, 1),
  subtotal_cents: withDescription("the price of the confirmed bookings before discounts and fees", Integer, 389500),
  discount_cents: withDescription("the discounts on the confirmed bookings", Integer, 9500),
  total_cents: withDescription("the total of the confirmed bookings", Integer, 380000),
  lines: withDescription(
    "the price lines of the confirmed bookings, grouped by kind and ID. Lines with included=false add up to " +
      "total_cents. All adjustments share one line",
    Schema.Array(SalesLine)
  ),
  canceled_bookings: withDescription("the number of canceled bookings", Integer, 2),
  kept_cents: withDescription("the amount kept from canceled bookings", Integer, 4500)
}).annotations({ identifier: "SalesRow" })
export type SalesRow = typeof SalesRow.Type

type Counts = {
  -readonly [Name in Exclude<keyof SalesRow, "date" | "offering" | "currency" | "lines">]: SalesRow[Name]
}

interface Sum extends Counts {
  readonly date: LocalDate.LocalDate
  readonly offeringId: string
  readonly currency: string
  readonly lines: RowsByKey<{ -readonly [Name in keyof SalesLine]: SalesLine[Name] }>
}

/** Accepts bookings in any order. */
export class SalesReport {
  readonly #rows = new RowsByKey<Sum>()
  readonly #dateOf: (at: ReportBooking["at"]) => LocalDate.LocalDate
  constructor(dateOf: (at: ReportBooking["at"]) => LocalDate.LocalDate) {
    this.#dateOf = dateOf
  }

  add({ at, attendance, currency, keptCents, lines, offeringId, quantity, totalCents }: ReportBooking): void {
    const date = this.#dateOf(at)
    const row = this.#rows.get(
      `${date} ${offeringId} ${currency}`,
      () => ({ date, offeringId, currency, ...zeroCounts, lines: new RowsByKey() })
    )
    if (keptCents !== null) {
      row.canceled_bookings++
      row.kept_cents += keptCents
      return
    }
    row.bookings++
    row.places += quantity
    row.no_shows += attendance === "no_show" ? 1 : 0
    row.total_cents += totalCents
    for (const line of lines ?? [makeDefaultLine(quantity, totalCents)]) {
      if (line.kind === "rate" || line.kind === "extra") row.subtotal_cents += line.total_cents
      if (line.kind === "discount") row.discount_cents -= line.total_cents
      const { id, included, kind, name, tax } = line.kind === "adjustment" ? { ...line, ...adjustmentLine } : line
      const sum = row.lines.get(
        `${kind} ${tax} ${included} ${id}`,
        () => ({ kind, id, name, quantity: 0, total_cents: 0, tax, included })
      )
      sum.name = name
      sum.quantity += line.quantity
      sum.total_cents += line.total_cents
    }
  }

  /** Returns the rows, sorted by date, offering, and currency. `nameOf` returns an offering's current name. */
  rows(nameOf: (offeringId: string) => string): ReadonlyArray<SalesRow> {
    return this.#rows
      .sorted((a, b) =>
        a.date - b.date || compareStrings(nameOf(a.offeringId), nameOf(b.offeringId)) ||
        compareStrings(a.offeringId, b.offeringId) || compareStrings(a.currency, b.currency)
      )
      .map(({ date, lines, offeringId, ...row }) => ({
        date: LocalDate.format(date),
        offering: { id: offeringId, name: nameOf(offeringId) },
        ...row,
        lines: lines.sorted((a, b) =>
          priceLineKinds.indexOf(a.kind) - priceLineKinds.indexOf(b.kind) || compareStrings(a.id, b.id) ||
          Number(a.tax) - Number(b.tax) || Number(a.included) - Number(b.included)
        )
      }))
  }

  get offeringIds(): ReadonlyArray<string> {
    return [...new Set(this.#rows.sorted(() => 0).map(({ offeringId }) => offeringId))]
  }
}

/** Every adjustment belongs to a single booking, so the report combines all adjustments into one line. */
const adjustmentLine = { id: "adjustments", name: "Adjustments" }

/** The line for a booking without price lines. Its ID and name are the same as in `quote`. */
const makeDefaultLine = (quantity: number, total_cents: number): Omit<PriceLine, "unit_cents" | "discount_cents"> => ({
  kind: "rate",
  id: implicitRate.id,
  name: implicitRate.name,
  quantity,
  total_cents,
  tax: false,
  included: false
})

const zeroCounts: Counts = {
  bookings: 0,
  places: 0,
  no_shows: 0,
  subtotal_cents: 0,
  discount_cents: 0,
  total_cents: 0,
  canceled_bookings: 0,
  kept_cents: 0
}
