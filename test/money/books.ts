/** Compares the final state of the service, the bank, and the emails that guests received. */
import { type BookingView, bookingView } from "@trailbook/core/booking"
import { type Payment, PaymentStore } from "@trailbook/core/payment"
import { Database } from "@trailbook/sql/Database"
import { getResourceId, readOrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { findViolations } from "@trailbook/testkit/invariants"
import * as Effect from "effect/Effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import PostalMime from "postal-mime"
import type { Target } from "../reliability/Target.ts"
import type { MoneyServer } from "./MoneyServer.ts"

/** Ends all task leases, as if a killed process had claimed the tasks minutes ago. */
export const leasesEnd = Effect.flatMap(
  Database,
  ({ dialect, write }) => write(`update ${dialect.table("tasks")} set lease_until = null`)
)

/**
 * Removes the guards: deletes all of the killed process's tasks, and postpones the account's reconciliation by three
 * years.
 */
export const forgetWork = Effect.flatMap(Database, ({ dialect, write }) =>
  Effect.zipRight(
    write(`delete from ${dialect.table("tasks")}`),
    write(`update ${dialect.table("payment_connections")} set looked_at = looked_at + 100000000000`)
  ))

/** Counts pending work: due tasks, holds that expired a day ago, and accounts not reconciled since `lookedAt`. */
export const countPendingWork = (now: number, lookedAt: number) =>
  Effect.flatMap(Database, ({ dialect, query }) => {
    const count = (table: string, where: string) =>
      Effect.map(
        query<{ readonly n: number }>(
          `select cast(count(*) as integer) as n from ${dialect.table(table)} where ${where}`
        ),
        ([row]) => row?.n ?? 0
      )
    return Effect.map(
      Effect.all([
        count("tasks", `due_at <= ${now} and given_up_at is null`),
        count("bookings", `status = 'held' and expires_at <= ${now - 24 * 60 * 60_000}`),
        count("payment_connections", `looked_at < ${lookedAt}`)
      ]),
      (counts) => counts.reduce((sum, one) => sum + one, 0)
    )
  })

export interface Books {
  readonly wrong: ReadonlyArray<string>
  readonly bookings: number
  readonly paid: number
  readonly returned: number
}

export const books = async ({ orgId, stored, stripe }: MoneyServer, target: Target): Promise<Books> => {
  const ledger = await stored(readOrgSnapshot(orgId))
  const bookings = ledger.records.map(bookingView)
  const payments = await stored(
    Effect.flatMap(PaymentStore, ({ ofBookings }) => ofBookings(bookings.map(({ id }) => ({ orgId, id }))))
  )
  const subjects = await readSubjects(join(target.folder, "outbox"))
  const findings = await Promise.all(bookings.map((booking) =>
    checkBooking(booking, {
      payments: payments.filter(({ bookingId }) => bookingId === booking.id),
      news: subjects.filter((subject) => subject.includes(`(${booking.reference})`)),
      changes: ledger.events.filter(({ data, type }) =>
        type.startsWith("booking.") && getResourceId(data) === booking.id
      )
        .map(({ type }) => type),
      bank: stripe.bank
    })
  ))
  return {
    wrong: [...findViolations(ledger), ...findings.flatMap(({ wrong }) => wrong)],
    bookings: bookings.length,
    paid: payments.filter(({ status }) => status === "paid").length,
    returned: findings.reduce((sum, { returned }) => sum + returned, 0)
  }
}

interface OrgRecords {
  readonly payments: ReadonlyArray<Payment>
  readonly news: ReadonlyArray<string>
  readonly changes: ReadonlyArray<string>
  readonly bank: MoneyServer["stripe"]["bank"]
}

const checkBooking = async (booking: BookingView, { bank, changes, news, payments }: OrgRecords) => {
  const balances = await Promise.all(payments.map(({ id }) => Effect.runPromise(bank.balance(id))))
  const returns = await Promise.all(payments.map(({ id }) => Effect.runPromise(bank.countRefunds(id))))
  const balance = balances.reduce((sum, cents) => sum + cents, 0)
  const due = booking.status === "confirmed" ? booking.total_cents : 0
  const count = (start: string) => news.filter((subject) => subject.startsWith(start)).length
  const has = (start: string) => count(start) > 0
  const isPaid = payments.some(({ status }) => status === "paid")
  // Each payment has its own checkout link and can send its own email.
  const maxMails = [["Booking confirmed", 1], ["Booking canceled", 1], [
    "Payment required",
    payments.length
  ]] as const
  const name = `${booking.reference} (${booking.status}, mails ${JSON.stringify(news)})`
  return {
    returned: returns.reduce((sum, times) => sum + times, 0),
    wrong: [
      ...(balance === due ? [] : [`the bank holds ${balance} instead of ${due} for ${name}`]),
      ...(Math.max(0, ...returns) > 1 ? [`a payment of ${name} was refunded twice`] : []),
      ...(new Set(changes).size === changes.length ? [] : [`${name} has repeated changes: ${changes.join()}`]),
      ...(booking.status === "held" ? [`the hold of ${name} never expired`] : []),
      ...(booking.status === "confirmed" && !has("Booking confirmed")
        ? [`no confirmation was mailed for ${name}`]
        : []),
      ...(booking.status === "cancelled" && isPaid && !has("Booking canceled") && !has("Refund in progress")
        ? [`no cancellation was mailed to the paying guest of ${name}`]
        : []),
      ...(maxMails.flatMap(([start, times]) => count(start) > times ? [`too many "${start}" mails for ${name}`] : []))
    ]
  }
}

const readSubjects = async (folder: string): Promise<ReadonlyArray<string>> =>
  Promise.all(
    (await readdir(folder)).filter((name) => name.endsWith(".eml")).map(async (name) => {
      const { subject = "" } = await PostalMime.parse(await readFile(join(folder, name)))
      return subject
    })
  )
