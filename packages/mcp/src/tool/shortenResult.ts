import { availabilityGet } from "@trailbook/core/availability"
import { customersGet } from "@trailbook/core/customer"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import type { UnknownRecord } from "./compactResult.ts"
import { defaultLimit } from "./defaults.ts"

/** Shortens results that are too long for a conversation. Returns other results unchanged. */
export const shortenResult = (
  operation: Operation.Any,
  output: UnknownRecord
): { readonly answer: UnknownRecord; readonly notes: ReadonlyArray<string> } =>
  shortenAvailability(operation, output) ?? omitRepeatedCustomer(operation, output)

type Answer = (typeof availabilityGet)["output"]["Type"]

/** The maximum number of start times. Only whole days are cut off, and the first day is always kept. */
export const maxSlots = 40

export interface ShortenedAvailability {
  readonly answer: Answer & { readonly next_from?: string }
  readonly notes: ReadonlyArray<string>
}

/**
 * Returns only as many start times as a conversation has room for. If no time is available, a note explains why.
 * Returns `undefined` for other operations.
 */
export const shortenAvailability = ({ name }: Operation.Any, output: unknown): ShortenedAvailability | undefined => {
  if (name !== availabilityGet.name) return undefined
  // The cast is safe, because the registry returns the operation's output.
  const answer = output as Answer
  const { data, nothing_free: none, timezone } = answer
  const why = none === undefined ? [] : [
    `No start on these dates has enough capacity for this quantity: ${
      none.closed_reason === undefined ? noAvailabilityReasons[none.because] : formatClosedReason(none.closed_reason)
    }.` +
    (none.next === undefined ? "" : " nothing_free.next is the first later start with enough capacity.")
  ]
  const zone = Zone.get(timezone)
  const dateOf = ({ starts_at }: Answer["data"][number]) => zone.dateAt(Instant.parse(starts_at) ?? Instant.min)
  const [first] = data
  const over = data[maxSlots]
  if (first === undefined || over === undefined) return { answer, notes: why }
  const next = LocalDate.make(Math.max(dateOf(over), LocalDate.addDays(dateOf(first), 1)))
  const slots = data.filter((slot) => dateOf(slot) < next)
  if (slots.length === data.length) return { answer, notes: why }
  const next_from = LocalDate.format(next)
  return {
    answer: { ...answer, data: slots, next_from },
    notes: [...why, `To get later starts, call again with from=${next_from}.`]
  }
}

export const formatClosedReason = (reason: string): string => `the outfitter closed these dates (${reason})`

export const noAvailabilityReasons: Record<NonNullable<Answer["nothing_free"]>["because"], string> = {
  paused: "the offering is paused until the outfitter resumes it",
  full: "no start has enough remaining capacity",
  notice: "the remaining starts are within the notice period (min_notice_minutes)",
  horizon: "the dates are beyond the horizon (max_advance_days)",
  past: "all starts are in the past",
  nothing_scheduled: "no session of this class is scheduled on these dates",
  too_long: "the opening hours are shorter than the duration",
  closed: "the opening hours do not include these dates"
}

/**
 * Omits the customer from each of a guest's bookings, and keeps only the latest bookings. `bookings_list` returns all
 * bookings.
 */
const omitRepeatedCustomer = (
  { name }: Operation.Any,
  answer: UnknownRecord
): { readonly answer: UnknownRecord; readonly notes: ReadonlyArray<string> } => {
  if (name !== customersGet.name) return { answer, notes: [] }
  // The cast is safe, because the registry returns the operation's output.
  const { bookings, ...guest } = answer as (typeof customersGet)["output"]["Type"]
  const rows = bookings.slice(-defaultLimit).map((booking) => ({ ...booking, customer: null, customer_id: null }))
  return {
    answer: { ...guest, bookings: rows },
    notes: rows.length === bookings.length ? [] : [
      `These are the latest ${rows.length} of ${bookings.length} bookings. ` +
      `bookings_list with customer_id=${guest.id} returns all.`
    ]
  }
}
