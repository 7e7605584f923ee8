/**
 * Availability as an assistant reads it: as many starts as fit a conversation,
 * and where nothing is free, why, in a sentence.
 */
import { availabilityGet } from "@trailbook/core/availability/availabilityOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"

type Answer = (typeof availabilityGet)["output"]["Type"]

/** Whole days up to so many starts; the first day whole, however many it has. */
export const maxSlots = 40

export interface Cut {
  readonly answer: Answer & { readonly next_from?: string }
  readonly notes: ReadonlyArray<string>
}

/** The answer of the operation as it is told, if it is one of availability. */
export const availabilityResult = ({ name }: Operation.Any, output: unknown): Cut | undefined => {
  if (name !== availabilityGet.name) return undefined
  // The registry answers with what the operation says.
  const answer = output as Answer
  const { data, nothing_free: none, timezone } = answer
  const why = none === undefined ? [] : [
    `No start on these dates has room for this quantity: ${because[none.because]}.` +
    (none.next === undefined ? "" : " nothing_free.next is the first start with room after them.")
  ]
  const zone = Zone.get(timezone)
  const dateOf = ({ starts_at }: Answer["data"][number]) => zone.dateAt(Instant.parse(starts_at) ?? Instant.min)
  const [first] = data
  const over = data[maxSlots]
  if (first === undefined || over === undefined) return { answer, notes: why }
  const next = LocalDate.make(Math.max(dateOf(over), LocalDate.addDays(dateOf(first), 1)))
  const shown = data.filter((slot) => dateOf(slot) < next)
  if (shown.length === data.length) return { answer, notes: why }
  const next_from = LocalDate.format(next)
  return {
    answer: { ...answer, data: shown, next_from },
    notes: [...why, `There are more starts from ${next_from} on: call again with from=${next_from}.`]
  }
}

const because: Record<NonNullable<Answer["nothing_free"]>["because"], string> = {
  paused: "the offering is paused until the outfitter resumes it",
  full: "every start has too little capacity left",
  notice: "the remaining starts are within its notice period (min_notice_minutes)",
  horizon: "the dates are beyond its booking window (max_advance_days)",
  past: "all starts are in the past",
  nothing_scheduled: "no session of this class is scheduled on these dates",
  too_long: "its opening hours are shorter than its duration",
  closed: "it is closed on these dates by its weekly hours"
}
