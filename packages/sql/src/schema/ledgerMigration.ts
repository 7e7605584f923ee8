/** The statements of the ledger migration that both databases share. */

/** Returns the table definition with the given types for text, integers, and JSON. */
export const ledgerColumns = (bookings: string, text: string, integer: string, json: string): string =>
  `(
    org_id ${text} not null,
    id ${text} not null,
    booking_id ${text} not null,
    kind ${text} not null check (kind in ('payment', 'refund')),
    method ${text} not null check (method in ('online', 'cash', 'card', 'transfer', 'voucher', 'other')),
    cents ${integer} not null check (cents > 0),
    currency ${text} not null,
    refund_of ${text} check (refund_of is null or (kind = 'refund' and method = 'online')),
    reason ${text} check (reason is null or kind = 'refund'),
    status ${text} not null check (status in ('pending', 'done', 'failed', 'void')),
    note ${text} not null,
    connection ${text},
    recorded_by ${json} not null,
    created_at ${integer} not null,
    done_at ${integer},
    primary key (org_id, id),
    foreign key (org_id, booking_id) references ${bookings} (org_id, id)
  )`

/** Returns the statements that create the indexes, and the entries for earlier payments. */
export const ledgerRows = (
  table: (name: string) => string,
  asJson: (text: string) => string = (text) => text
): ReadonlyArray<string> => {
  const insert = (select: string) => `insert into ${table("ledger_entries")} ${select}`
  const online = `'online', cents, currency`
  const recordedBy = asJson(`'{"kind":"provider","id":null,"name":"' || provider || '"}'`)
  const refundId = "substr(id, 1, 14) || '8' || substr(id, 16)"
  const disputeId = `substr(id, 1, 14) || '8' || substr(id, 16, 4) ||
    case substr(id, 20, 1) when '8' then '9' when '9' then 'a' when 'a' then 'b' else '8' end || substr(id, 21)`
  const paid = `from ${table("payments")} where status = 'paid' and cents > 0`
  return [
    `create index ledger_entries_listed on ${table("ledger_entries")} (org_id, created_at, id)`,
    `create index ledger_entries_of_booking on ${table("ledger_entries")} (org_id, booking_id, created_at, id)`,
    insert(`select org_id, id, booking_id, 'payment', ${online}, null, null, 'done', '', connection_id, ${recordedBy},
      paid_at, paid_at ${paid}`),
    insert(`select org_id, ${refundId}, booking_id, 'refund', ${online}, id, null,
      case refund when 'done' then 'done' else 'pending' end, '', connection_id, ${recordedBy},
      refund_at, case refund when 'done' then refund_at end ${paid} and refund <> 'none'`),
    insert(`select org_id, ${disputeId}, booking_id, 'refund', ${online}, id, 'dispute',
      case when refund <> 'none' or dispute = 'won' then 'failed' when dispute = 'lost' then 'done' else 'pending' end,
      '', connection_id, ${recordedBy}, disputed_at,
      case when refund = 'none' and dispute = 'lost' then disputed_at end ${paid} and dispute is not null`)
  ]
}

/**
 * Returns an expression for the amount that the outfitter keeps from a canceled booking without a stored amount: the
 * payment if it was not refunded, everything if the booking was canceled after its start, or null if the booking is not
 * canceled. `row` is a column prefix, such as `new.` in a trigger.
 */
export const keptBefore = (row = ""): string =>
  `case
      when ${row}status <> 'cancelled' then null
      when ${row}cancelled_at >= ${row}starts_at
        or (${row}paid_at is not null and ${row}refund is null and ${row}dispute is null) then 999999999999
      else 0
    end`

/** Returns the statement that sets the amounts for bookings that predate the ledger. */
export const bookingAmounts = (table: (name: string) => string): string =>
  `update ${table("bookings")} set
    currency = (select o.currency from ${table("orgs")} o where o.id = bookings.org_id),
    keep_cents = ${keptBefore()}`
