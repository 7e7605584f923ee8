/**
 * Lists all payments and refunds, both online and at the desk. Shows totals by method and, for a single day, by person.
 */
import { bookingsGet } from "@trailbook/core/booking"
import { type LedgerEntryView, paymentMethods, paymentsList } from "@trailbook/core/payment"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { Amount, Button, Card, Link, Table } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { toCsvMoment } from "../parts/dateTimes.ts"
import { formatAmountInput } from "../parts/numberFields.ts"
import { groupRows, sumRows } from "../reports/rows.ts"
import { getGuestName } from "./bookingText.tsx"
import { formatPaymentMethodTitle, LedgerEntryText, toSignedCents } from "./payments.tsx"

/** Totals require reading every matching entry, so results with more entries than this have no totals. */
const maxTotaled = 2000

/** Returns the display name of the actor that recorded an entry. Host applications have no name. */
export const getRecorderName = ({ kind, name }: LedgerEntryView["recorded_by"]) =>
  kind === "provider" ? "Online" : name === "" ? "API" : name

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const ledgerPage = listPage("/ledger", paymentsList, {
  filters: {
    from: { label: "From", date: "start" },
    to: { label: "To", date: "end" },
    method: {
      label: "Method",
      options: paymentMethods.map((method) => [method, formatPaymentMethodTitle(method)] as const)
    }
  },
  csv: ({ org: { timezone } }) => ({
    Date: ({ created_at }) => toCsvMoment(created_at, timezone),
    "Booking ID": ({ booking_id }) => booking_id,
    Kind: ({ kind }) => capitalize(kind),
    Method: ({ method }) => formatPaymentMethodTitle(method),
    Amount: ({ amount_cents, currency }) => formatAmountInput(amount_cents, currency),
    Currency: ({ currency }) => currency.toUpperCase(),
    Status: ({ status }) => capitalize(status),
    "Recorded by": ({ recorded_by }) => getRecorderName(recorded_by),
    Note: ({ note }) => note
  }),
  *view({ clock, format, query, run }, { readAll, rows }) {
    const entries = yield* readAll(maxTotaled)
    const bookings = yield* Effect.forEach(
      new Set(rows.map((entry) => entry.booking_id)),
      (id) => run(bookingsGet, { id }),
      { concurrency: 10 }
    )
    const byId = new Map(bookings.map((booking) => [booking.id, booking]))
    const from = query("from")
    const isOneDay = from !== undefined && from === query("to") && LocalDate.parse(from) !== undefined
    const today = LocalDate.format(clock.today)
    return {
      title: "Payments",
      lead: "All payments and refunds, online and at the desk, newest first.",
      actions: <Button to={`/ledger?from=${today}&to=${today}`}>Close out today</Button>,
      empty: "No payments yet. Record a payment on a booking's page.",
      noMatch: "No payments match. Try other dates or another method.",
      above: entries === undefined
        ? (
          <p class="note">
            {`Totals are not available because more than ${
              format.number(maxTotaled)
            } entries match. Choose a shorter date range.`}
          </p>
        )
        : entries.length > 0 && (
          <>
            <Totals by="Method" entries={entries} group={({ method }) => [method, formatPaymentMethodTitle(method)]} />
            {isOneDay && (
              <Totals
                by="Person"
                entries={entries}
                group={(
                  { recorded_by }
                ) => [`${recorded_by.kind} ${recorded_by.id ?? ""}`, getRecorderName(recorded_by)]}
              />
            )}
          </>
        ),
      rows: (
        <Table
          label="Payments and refunds, as a table"
          kind="stacked"
          heads={["Date", ["num", "Amount"], "Booking", "Entry, recorded by, and note"]}
        >
          {rows.map((entry) => {
            const { booking_id, created_at, currency, id, note, recorded_by, status } = entry
            const booking = byId.get(booking_id)
            const amount = <Amount cents={toSignedCents(entry)} currency={currency} />
            return (
              <tr key={id}>
                <td class="num">{format.moment(created_at)}</td>
                <td class="num">{status === "void" ? <s>{amount}</s> : amount}</td>
                <td class="named">
                  <Link class="clip" to={`/bookings/${booking_id}`} dir="auto">
                    {booking === undefined ? "Booking" : <b>{getGuestName(booking.customer)}</b>}
                  </Link>
                  <code>{booking?.reference}</code>
                </td>
                <td>
                  <LedgerEntryText {...entry} />
                  <p class="soft small" dir="auto">
                    {[getRecorderName(recorded_by), note].filter(Boolean).join(" · ")}
                  </p>
                </td>
              </tr>
            )
          })}
        </Table>
      )
    }
  }
})

type Group = (entry: LedgerEntryView) => readonly [key: string, label: string]

/**
 * Sums entries by group and currency the same way `paid_cents` does: pending refunds count, and failed and void entries
 * do not.
 */
const sumByGroup = (entries: ReadonlyArray<LedgerEntryView>, group: Group) =>
  groupRows(
    entries.filter(({ status }) => status !== "void" && status !== "failed"),
    (entry) => `${entry.currency} ${group(entry)[0]}`
  ).map(([entry, rows]) => {
    const sumOf = (kind: LedgerEntryView["kind"]) => sumRows(rows, (row) => row.kind === kind ? row.amount_cents : 0)
    const [key, label] = group(entry)
    return { key, label, currency: entry.currency, payments: sumOf("payment"), refunds: sumOf("refund") }
  }).toSorted((a, b) => a.currency.localeCompare(b.currency) || a.label.localeCompare(b.label))

const Totals = ({ by, entries, group }: {
  readonly by: string
  readonly entries: ReadonlyArray<LedgerEntryView>
  readonly group: Group
}) => {
  const pending = entries.filter(({ status }) => status === "pending").length
  const title = `Totals by ${by.toLowerCase()}`
  return (
    <Card id={`by-${by.toLowerCase()}`} title={title}>
      <Table
        label={`${title}, as a table`}
        kind="report"
        heads={[by, ["num", "Payments"], ["num", "Refunds"], ["num", "Net"]]}
      >
        {[...sumByGroup(entries, group), ...sumByGroup(entries, () => ["total", "Total"])].map((
          { currency, key, label, payments, refunds }
        ) => (
          <tr key={`${currency} ${key}`}>
            <td dir="auto">{key === "total" ? <b>{label}</b> : label}</td>
            {[payments, refunds, payments - refunds].map((cents, nth) => (
              <td key={nth} class="num">
                <Amount cents={cents} currency={currency} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <p class="pad soft small">
        {`Totals exclude void and failed entries.${pending > 0 ? ` Pending refunds included: ${pending}.` : ""}`}
      </p>
    </Card>
  )
}
