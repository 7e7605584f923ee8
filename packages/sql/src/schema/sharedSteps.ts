/**
 * The schema changes after version 23 that both databases share, by migration name. Their SQL is translated for each
 * database, as in `createTables`. One statement can add several columns to a table.
 */

/**
 * Returns an expression for the amount that the outfitter keeps from a canceled booking, for bookings without a stored
 * amount. The outfitter keeps everything if the booking was canceled at or after its start, or if its payment was
 * neither refunded nor disputed. Otherwise, it keeps nothing. The amount is null if the booking is not canceled. `row`
 * is a column prefix, such as `new.` in a trigger.
 */
export const keptAmountExpression = (row = ""): string =>
  `case
      when ${row}status <> 'cancelled' then null
      when ${row}cancelled_at >= ${row}starts_at
        or (${row}paid_at is not null and ${row}refund is null and ${row}dispute is null) then 999999999999
      else 0
    end`

/** Sets the currency and the kept amount of bookings that predate the ledger. */
export const backfillBookingAmounts = `update bookings set
    currency = (select o.currency from orgs o where o.id = bookings.org_id),
    keep_cents = ${keptAmountExpression()}`

/** Returns the statements that create ledger entries for earlier online payments. */
const earlierEntries = (): ReadonlyArray<string> => {
  const online = `'online', cents, currency`
  const recordedBy = `cast('{"kind":"provider","id":null,"name":"' || provider || '"}' as json)`
  const refundId = "substr(id, 1, 14) || '8' || substr(id, 16)"
  const disputeId = `substr(id, 1, 14) || '8' || substr(id, 16, 4) ||
    case substr(id, 20, 1) when '8' then '9' when '9' then 'a' when 'a' then 'b' else '8' end || substr(id, 21)`
  const paidRows = `from payments where status = 'paid' and cents > 0`
  return [
    `insert into ledger_entries select org_id, id, booking_id, 'payment', ${online}, null, null, 'done', '',
      connection_id, ${recordedBy}, paid_at, paid_at ${paidRows}`,
    `insert into ledger_entries select org_id, ${refundId}, booking_id, 'refund', ${online}, id, null,
      case refund when 'done' then 'done' else 'pending' end, '', connection_id, ${recordedBy},
      refund_at, case refund when 'done' then refund_at end ${paidRows} and refund <> 'none'`,
    `insert into ledger_entries select org_id, ${disputeId}, booking_id, 'refund', ${online}, id, 'dispute',
      case when refund <> 'none' or dispute = 'won' then 'failed' when dispute = 'lost' then 'done' else 'pending' end,
      '', connection_id, ${recordedBy}, disputed_at,
      case when refund = 'none' and dispute = 'lost' then disputed_at end ${paidRows} and dispute is not null`
  ]
}

export const sharedSteps = {
  /**
   * Adds the time when staff were last notified about a guest's messages, and the first message that has not yet been
   * included in a notification.
   */
  message_notices: ["alter table conversations add column noticed_at integer, add column unnoticed_id text"],

  /**
   * Adds unproven bookings from the public page, the time at which a guest first proved a booking, and a secret per
   * org. The secret signs form state and emailed links.
   */
  unproven: [
    `alter table orgs add column confirm_email boolean not null default false,
      add column secret text not null default ''`,
    `alter table bookings add column unproven boolean not null default false, add column network text,
      add column confirm_in text`,
    `alter table customers add column proven_at integer, add column unproven_mails json not null default '[]'`,
    "create index bookings_of_network on bookings (org_id, network, created_at) where network is not null",
    "create index bookings_unproven on bookings (org_id, offering_id, starts_at) where unproven",
    "create index bookings_networks_old on bookings (created_at, org_id, id) where network is not null"
  ],

  /** Adds pending and refused refunds, dispute decisions, and payments that do not match their request. */
  refusals: [
    `alter table payments
      add column refund_pending_id text,
      add column refund_refusals integer not null default 0 check (refund_refusals >= 0),
      add column dispute text check (dispute in ('open', 'won', 'lost')),
      add column mismatch_at integer,
      add column mismatch_intent text,
      add column mismatch_cents integer,
      add column mismatch_currency text`,
    "update payments set dispute = 'open' where disputed_at is not null",
    `alter table bookings
      add column dispute text check (dispute in ('open', 'won', 'lost')),
      add column disputed_at integer`,
    `update bookings set dispute = 'open', disputed_at = p.disputed_at from payments p
      where p.org_id = bookings.org_id and p.booking_id = bookings.id and p.intent = bookings.payment_intent_id
        and p.disputed_at is not null`
  ],

  /**
   * Adds a column to the audit log for the API key or application that made a change. Before this migration, the audit
   * log recorded an application only when it ended its own grant. The subject of such an entry is the application.
   */
  audit_actors: [
    "alter table audit add column by_id text",
    "update audit set by_id = subject where by_kind = 'Application'"
  ],

  /** Adds an org's units for weather and rivers. Null means the default for the org's time zone. */
  units: ["alter table orgs add column units text check (units in ('us', 'metric'))"],

  /** Adds attendance to bookings. Each database also adds a QR code token to each booking. */
  attendance: [
    `alter table bookings add column attendance json not null default '{}',
      add column taps_from integer not null default 0`
  ],

  /** Adds closures and staff notes on sessions. */
  schedule: [
    `create table closures (
      org_id text not null references orgs (id),
      id text not null,
      from_date integer not null,
      to_date integer not null,
      start_time integer,
      end_time integer,
      offering_id text,
      reason text not null,
      created_at integer not null,
      primary key (org_id, id),
      foreign key (org_id, offering_id) references offerings (org_id, id)
    )`,
    "create index closures_ending on closures (org_id, to_date)",
    "alter table sessions add column notes text not null default ''"
  ],

  /** Adds the booking ledger, including entries for earlier online payments. */
  ledger: [
    `alter table bookings add column currency text not null default '',
      add column desk_cents integer not null default 0, add column keep_cents integer`,
    backfillBookingAmounts,
    `create table ledger_entries (
      org_id text not null,
      id text not null,
      booking_id text not null,
      kind text not null check (kind in ('payment', 'refund')),
      method text not null check (method in ('online', 'cash', 'card', 'transfer', 'voucher', 'other')),
      cents integer not null check (cents > 0),
      currency text not null,
      refund_of text check (refund_of is null or (kind = 'refund' and method = 'online')),
      reason text check (reason is null or kind = 'refund'),
      status text not null check (status in ('pending', 'done', 'failed', 'void')),
      note text not null,
      connection text,
      recorded_by json not null,
      created_at integer not null,
      done_at integer,
      primary key (org_id, id),
      foreign key (org_id, booking_id) references bookings (org_id, id)
    )`,
    "create index ledger_entries_listed on ledger_entries (org_id, created_at, id)",
    "create index ledger_entries_of_booking on ledger_entries (org_id, booking_id, created_at, id)",
    ...earlierEntries()
  ],

  /** Adds prices to offerings, fees to orgs, and the price with its terms to each booking. */
  prices: [
    "alter table offerings add column pricing json not null default 'null'",
    "alter table orgs add column fees json not null default '[]'",
    "alter table bookings add column price json not null default 'null'"
  ],

  /** Adds photos and trip information to offerings. Each database also adds a phone number to orgs. */
  photos: [
    "alter table offerings add column photos json not null default '[]'",
    `alter table offerings add column info json not null
      default '{"bring":"","requirements":"","min_age":null,"waiver_url":null}'`
  ],

  /** Adds cancellation policies to orgs, offerings, and bookings. Also adds the amounts of partial refunds. */
  policies: [
    "alter table orgs add column cancellation_policy json not null default 'null'",
    "alter table offerings add column cancellation_policy json not null default 'null'",
    `alter table bookings add column cancellation_policy json not null default 'null',
      add column refund_cents integer`,
    "alter table payments add column refund_cents integer"
  ],

  /**
   * Adds staff notes and the amount paid online to bookings. The amount is needed if the price changes after the
   * payment.
   */
  changes: [
    "alter table bookings add column staff_notes text not null default '', add column online_cents integer"
  ],

  /**
   * Adds indexes for reports and for Today. Reports read payments by payment time, and canceled bookings by creation
   * time. Today finds unreached guests by failed messages and bounced addresses.
   */
  reports: [
    "create index ledger_entries_done on ledger_entries (org_id, done_at, id) where status = 'done'",
    "create index bookings_cancelled_made on bookings (org_id, created_at, id) where status = 'cancelled'",
    "create index messages_failed on messages (org_id, booking_id) where failed_at is not null",
    "create index conversations_bounced on conversations (org_id, customer_id) where bounced_at is not null"
  ],

  /** Adds discount codes. Each database also adds an index on the bookings that use discount codes. */
  discounts: [
    `create table discounts (
      org_id text not null references orgs (id),
      id text not null,
      code text not null,
      percent_bps integer,
      cents integer,
      offering_ids json not null,
      book_from integer,
      book_until integer,
      start_from integer,
      start_until integer,
      max_uses integer,
      active boolean not null,
      returns_on_cancel boolean not null,
      created_at integer not null,
      primary key (org_id, id),
      unique (org_id, code)
    )`,
    "create index discounts_listed on discounts (org_id, created_at, id)"
  ],

  /**
   * Adds dispute amounts and support for multiple refunds per payment. Earlier server versions would ignore these
   * refunds.
   */
  refunds: [
    "alter table payments add column refunds json not null default 'null', add column dispute_cents integer",
    "alter table bookings add column dispute_cents integer"
  ],

  /** Adds a table for the tool calls of assistants. */
  assistant_calls: [
    `create table assistant_calls (
      org_id text not null references orgs (id),
      id text not null,
      at integer not null,
      caller_kind text not null,
      caller_id text not null,
      operation text not null,
      outcome text not null,
      booking_id text,
      primary key (org_id, id)
    )`,
    "create index assistant_calls_by_time on assistant_calls (org_id, at, id)",
    "create index assistant_calls_over on assistant_calls (at)"
  ],

  /**
   * Adds the setting that lets staff members who are not owners issue refunds. By default, only owners can issue
   * refunds.
   */
  staff_refunds: ["alter table orgs add column staff_may_refund boolean not null default false"],

  /** Gives the column the name that the docs use. */
  task_queues: ["alter table tasks rename column lane to queue"]
} as const

/**
 * Returns a function that creates a shared migration for one database. The database's own statements follow the shared
 * ones.
 */
export const makeSharedStep =
  (translate: (statement: string) => ReadonlyArray<string>) =>
  (name: keyof typeof sharedSteps, ...ownStatements: ReadonlyArray<string>) => ({
    name,
    statements: [...sharedSteps[name].flatMap(translate), ...ownStatements]
  })
