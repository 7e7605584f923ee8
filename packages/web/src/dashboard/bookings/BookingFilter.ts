import { type Status, statuses } from "@trailbook/core/booking/Booking"
import type { bookingsList } from "@trailbook/core/booking/bookingOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import type * as Schema from "effect/Schema"
import { isId } from "../../isId.ts"

/** Filter of the booking list, parsed from the URL. Invalid values are ignored. */
export interface BookingFilter {
  readonly q: string | undefined
  readonly status: Status | undefined
  readonly offering: string | undefined
  readonly customer: string | undefined
  /** Local dates, both inclusive. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly order: "asc" | "desc"
}

export const parseFilter = (query: (name: string) => string | undefined): BookingFilter => {
  const status = statuses.find((one) => one === query("status"))
  const [offering, customer] = ["offering", "guest"].map((name) => {
    const id = query(name)
    return id !== undefined && isId(id) ? id : undefined
  })
  const [from, to] = ["from", "to"].map((name) => {
    const date = query(name)
    return date === undefined || LocalDate.parse(date) === undefined ? undefined : date
  })
  return {
    q: query("q")?.slice(0, 100),
    status,
    offering,
    customer,
    from,
    to,
    order: query("order") === "asc" ? "asc" : "desc"
  }
}

/** Filter as operation input, in the time zone of the org. */
export const toListInput = (
  { customer, from, offering, order, q, status, to }: BookingFilter,
  timezone: string
): Schema.Schema.Encoded<typeof bookingsList.input> => {
  const zone = Zone.get(timezone)
  const startOf = (date: string | undefined, later: number) => {
    const day = date === undefined ? undefined : LocalDate.parse(date)
    return day === undefined ? undefined : Instant.format(zone.startOf(LocalDate.addDays(day, later)))
  }
  const [start, end] = [startOf(from, 0), startOf(to, 1)]
  return {
    order,
    ...(q === undefined ? {} : { q }),
    ...(status === undefined ? {} : { status }),
    ...(offering === undefined ? {} : { offering_id: offering }),
    ...(customer === undefined ? {} : { customer_id: customer }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end })
  }
}

/** Filter as URL query. */
export const toQuery = (
  { customer, order, ...filter }: BookingFilter
): Readonly<Record<string, string | undefined>> => ({
  ...filter,
  guest: customer,
  order: order === "desc" ? undefined : order
})
