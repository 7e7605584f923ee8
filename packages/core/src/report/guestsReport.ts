/** Counts the new and returning guests in each period. A guest is new in the period of their first confirmed start. */
import * as Schema from "effect/Schema"
import * as LocalDate from "../time/LocalDate.ts"
import { withDescription } from "../wire/Field.ts"
import { Date, Integer } from "../wire/View.ts"
import type { GuestStart } from "./ReportStore.ts"

export const GuestsRow = Schema.Struct({
  date: withDescription("the first date of the period", Date, "2027-05-01"),
  new: withDescription("the number of guests whose first confirmed booking starts in the period", Integer, 31),
  returning: withDescription(
    "the number of guests whose first confirmed booking started in an earlier period",
    Integer,
    9
  )
}).annotations({ identifier: "GuestsRow" })
export type GuestsRow = typeof GuestsRow.Type

/** Counts a guest once per period. */
export class GuestsReport {
  readonly #periods = new Map<LocalDate.LocalDate, Map<string, boolean>>()
  readonly #dateOf: (at: GuestStart["at"]) => LocalDate.LocalDate
  constructor(dateOf: (at: GuestStart["at"]) => LocalDate.LocalDate) {
    this.#dateOf = dateOf
  }

  add({ at, customerId, firstAt }: GuestStart): void {
    const date = this.#dateOf(at)
    const guests = this.#periods.get(date) ?? new Map<string, boolean>()
    this.#periods.set(date, guests)
    guests.set(customerId, this.#dateOf(firstAt) === date)
  }

  /** The rows, sorted by date. */
  get rows(): ReadonlyArray<GuestsRow> {
    return [...this.#periods].sort(([a], [b]) => a - b).map(([date, guests]) => {
      const first = [...guests.values()].filter((isNew) => isNew).length
      return { date: LocalDate.format(date), new: first, returning: guests.size - first }
    })
  }
}
