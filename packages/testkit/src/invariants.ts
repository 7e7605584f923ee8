/**
 * Invariants that hold for every storage adapter, at any time and under any concurrency. No booking exceeds the
 * capacity, histories are valid, the feed has no gaps and matches the stored state, and no erased guest's data remains.
 */
import { computeBalance } from "@trailbook/core/booking"
import { computePaidCents } from "@trailbook/core/payment"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import { findCapacityViolations } from "./invariant/findCapacityViolations.ts"
import { findFeedViolations } from "./invariant/findFeedViolations.ts"
import { findHistoryViolations } from "./invariant/findHistoryViolations.ts"
import { describeBooking, getResourceId, type OrgSnapshot, readOrgSnapshot } from "./invariant/OrgSnapshot.ts"

/** Returns a description of every violated invariant. */
export const findViolations = (ledger: OrgSnapshot): ReadonlyArray<string> => [
  ...findFeedViolations(ledger),
  ...findHistoryViolations(ledger),
  ...findCapacityViolations(ledger),
  ...money(ledger),
  ...uniqueness(ledger),
  ...erasure(ledger)
]

/**
 * Reads the complete data of an org and checks it. The check uses only the storage, so it can run after any test on any
 * database.
 */
export const checkInvariants = (orgId: string): Effect.Effect<ReadonlyArray<string>, never, Storage> =>
  Effect.map(readOrgSnapshot(orgId), findViolations)

/**
 * Checks that the paid amount of each booking is the sum of its ledger entries, and that the money of all bookings
 * reconciles per currency. Money that was received and not returned must pay for bookings, be kept from canceled
 * bookings, or be owed.
 */
const money = ({ entries, records }: OrgSnapshot): ReadonlyArray<string> => {
  const sums = new Map<string, number>()
  for (const entry of entries) sums.set(entry.bookingId, (sums.get(entry.bookingId) ?? 0) + computePaidCents(entry))
  const open = new Map<string, number>()
  const add = (currency: string, cents: number) => open.set(currency, (open.get(currency) ?? 0) + cents)
  for (const entry of entries) add(entry.currency, computePaidCents(entry))
  for (const { booking } of records) {
    const { dueCents, keptCents, owedCents } = computeBalance(booking)
    add(booking.currency, -(keptCents ?? booking.totalCents - dueCents) - owedCents)
  }
  const unreconciled = [...open].flatMap(([currency, cents]) =>
    cents === 0 ? [] : [`${currency}: ${cents} cents do not reconcile`]
  )
  const unequal = records.flatMap(({ booking }) => {
    const { paidCents } = computeBalance(booking)
    const sum = sums.get(booking.id) ?? 0
    return sum === paidCents ? [] : [`${describeBooking(booking)}: its entries sum to ${sum} instead of ${paidCents}`]
  })
  return [...unreconciled, ...unequal]
}

/**
 * Checks uniqueness within an org (references, idempotency keys, customer emails), and that rows refer only to rows
 * of the same org.
 */
const uniqueness = ({ customers, offerings, org, records, sessions }: OrgSnapshot): ReadonlyArray<string> => {
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
    ...bookings.flatMap((booking) => {
      const references = [
        ["an offering", has(offerings, booking.offeringId)],
        ["a customer", has(customers, booking.customerId)],
        ["a session", booking.sessionId === null || has(sessions, booking.sessionId)]
      ] as const
      return references.flatMap(([resource, isStored]) =>
        isStored ? [] : [`${describeBooking(booking)} references ${resource} that does not exist`]
      )
    })
  ]
}

const has = (rows: ReadonlyArray<{ readonly id: string }>, id: string): boolean => rows.some((row) => row.id === id)

const twice = (values: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at))
]

/** Checks that no personal data of erased customers is left in their rows, bookings, or events. */
const erasure = ({ customers, events, messages, records }: OrgSnapshot): ReadonlyArray<string> => {
  const erased = new Set(customers.filter(({ erasedAt }) => erasedAt !== null).map(({ id }) => id))
  return [
    ...customers.filter(({ id }) => erased.has(id)).flatMap((customer) =>
      findLeft(customer).map((field) => `customer ${customer.id} is erased but still has ${field}`)
    ),
    ...records.filter(({ booking }) => erased.has(booking.customerId)).flatMap(({ booking }) =>
      findLeft(booking).map((field) => `booking ${booking.reference} of an erased guest still has ${field}`)
    ),
    ...messages.filter(({ customerId }) => erased.has(customerId ?? "")).flatMap((message) =>
      saying.filter((field) => message[field] !== "" && message[field] !== null)
        .map((field) => `message ${message.id} of an erased guest still has ${field}`)
    ),
    ...events.filter(({ person, type }) => type.startsWith("message.") && erased.has(person ?? "")).flatMap((event) =>
      /"(?:body|text)":""/.test(JSON.stringify(event.data))
        ? []
        : [`event ${event.id} still has text from an erased guest`]
    ),
    ...events.flatMap(({ data, id }) => {
      if (typeof data !== "object" || data === null) return []
      const guest = "customer" in data ? data.customer : "email" in data ? data : undefined
      if (!erased.has(getResourceId(guest))) return []
      return [...findLeft(data), ...findLeft(guest)].map((field) =>
        `event ${id} about an erased guest still has ${field}`
      )
    })
  ]
}

const saying = ["subject", "body", "cut", "failure", "mailId"] as const

const personal: ReadonlySet<string> = new Set(["email", "name", "phone", "notes", "staff_notes", "staffNotes"])

const findLeft = (row: unknown): ReadonlyArray<string> => {
  if (typeof row !== "object" || row === null) return []
  return Object.entries(row)
    .filter(([field, value]) =>
      (personal.has(field) && value !== "") ||
      (field === "metadata" && Object.keys(value ?? {}).length > 0)
    )
    .map(([field]) => field)
}
