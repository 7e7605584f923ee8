import type { Booking } from "@trailbook/core/booking"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Session } from "@trailbook/core/session"
import * as FastCheck from "effect/FastCheck"
import { booking } from "./booking.ts"
import { customer } from "./customer.ts"
import { offering, session } from "./offering.ts"

/** The complete data of one outfitter, with valid references between rows. */
export interface OrgData {
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer>
  readonly bookings: ReadonlyArray<Booking>
}

/** The index of a referenced row, taken modulo the number of rows. */
const rowIndex = FastCheck.nat({ max: 1000 })

const pickRow = <Row>(rows: ReadonlyArray<Row>, at: number): Row => {
  const row = rows[at % rows.length]
  if (row === undefined) throw new Error("Cannot pick from an empty list.")
  return row
}

/** The reports add up the amounts of all bookings, and the sums must be safe integers. */
const maxCents = 2 ** 47

const limitAmounts = (booking: Booking): Booking => ({
  ...booking,
  totalCents: Math.min(booking.totalCents, maxCents),
  refund: booking.refund && { ...booking.refund, cents: Math.min(booking.refund.cents, maxCents) }
})

const uniqueRows = <Row>(
  row: FastCheck.Arbitrary<Row>,
  size: { minLength: number; maxLength: number },
  key: (row: Row) => string
) => FastCheck.uniqueArray(row, { ...size, selector: key })

/**
 * Orgs with a few offerings, a few customers, and up to `maxBookings` bookings within a few hours. The rows have no org
 * ID yet.
 */
export const orgData = (maxBookings: number): FastCheck.Arbitrary<OrgData> =>
  FastCheck.record({
    offerings: uniqueRows(offering, { minLength: 1, maxLength: 3 }, ({ id }) => id),
    sessions: uniqueRows(FastCheck.tuple(session, rowIndex), { minLength: 0, maxLength: 9 }, ([{ id }]) => id),
    customers: uniqueRows(customer, { minLength: 1, maxLength: 4 }, ({ email, id }) => email === "" ? id : email),
    bookings: uniqueRows(
      FastCheck.tuple(booking, FastCheck.option(rowIndex), rowIndex, rowIndex),
      { minLength: 0, maxLength: maxBookings },
      ([{ reference }]) => reference
    )
  }).map(({ customers, offerings, ...rest }) => {
    const sessions = rest.sessions.map(([session, at]): Session => ({
      ...session,
      offeringId: pickRow(offerings, at).id
    }))
    const bookings = rest.bookings.map(([generatedBooking, sessionIndex, offeringIndex, customerIndex]): Booking => {
      const booking = limitAmounts(generatedBooking)
      const customerId = pickRow(customers, customerIndex).id
      if (sessionIndex === null || sessions.length === 0) {
        return { ...booking, customerId, offeringId: pickRow(offerings, offeringIndex).id }
      }
      const { endsAt, id: sessionId, offeringId, startsAt } = pickRow(sessions, sessionIndex)
      return { ...booking, customerId, offeringId, sessionId, startsAt, endsAt }
    })
    return { offerings, sessions, customers, bookings }
  })
