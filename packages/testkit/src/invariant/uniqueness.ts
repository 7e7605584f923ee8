/**
 * Checks uniqueness within an org (references, idempotency keys, customer emails), and that rows refer only to rows
 * of the same org.
 */
import { describeBooking, type OrgSnapshot } from "./OrgSnapshot.ts"

export const uniqueness = ({ customers, offerings, org, records, sessions }: OrgSnapshot): ReadonlyArray<string> => {
  const bookings = records.map(({ booking }) => booking)
  const rows = [...bookings, ...customers, ...offerings, ...sessions]
  return [
    ...rows.filter(({ orgId }) => orgId !== org.id).map(({ id, orgId }) => `${id} belongs to ${orgId}`),
    ...twice(bookings.map(({ reference }) => reference)).map((reference) =>
      `two bookings have the reference ${reference}`
    ),
    ...twice(bookings.map(({ idempotency }) => idempotency.key)).map((key) =>
      `two bookings were made with the key ${key}`
    ),
    ...twice(customers.filter(({ erasedAt }) => erasedAt === null).map(({ email }) => email)).map((email) =>
      `two customers have the email address ${email}`
    ),
    ...bookings.flatMap((booking) => [
      ...(has(offerings, booking.offeringId)
        ? []
        : [`${describeBooking(booking)} references an offering that does not exist`]),
      ...(has(customers, booking.customerId)
        ? []
        : [`${describeBooking(booking)} references a customer that does not exist`]),
      ...(booking.sessionId === null || has(sessions, booking.sessionId)
        ? []
        : [`${describeBooking(booking)} references a session that does not exist`])
    ])
  ]
}

const has = (rows: ReadonlyArray<{ readonly id: string }>, id: string): boolean => rows.some((row) => row.id === id)

const twice = (values: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at))
]
