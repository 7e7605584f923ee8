/**
 * Payments are rows, and so are the accounts they are taken with. A payment that a
 * booking had before becomes the first of its rows, under the booking's id: a refund
 * that waits names that.
 */
import { believed } from "./0002_statistics.ts"

export const payments: ReadonlyArray<string> = [
  `create table payments (
    org_id text not null,
    id text not null,
    booking_id text not null,
    attempt integer not null check (attempt > 0),
    provider text not null,
    connection_id text,
    cents integer not null check (cents >= 0),
    currency text not null,
    description text not null,
    made_at integer not null,
    expires_at integer not null,
    session text,
    status text not null check (status in ('opening', 'open', 'paid', 'expired', 'abandoned')),
    url text check ((url is not null) = (status = 'open')),
    intent text check ((intent is not null) = (status = 'paid')),
    paid_at integer check ((paid_at is not null) = (status = 'paid')),
    refund text not null check (refund in ('none', 'due', 'done', 'refused')),
    refund_at integer check ((refund_at is not null) = (refund <> 'none')),
    refund_id text check ((refund_id is not null) = (refund = 'done')),
    refund_error text check ((refund_error is not null) = (refund = 'refused')),
    disputed_at integer,
    primary key (org_id, id),
    foreign key (org_id, booking_id) references bookings (org_id, id),
    check (refund = 'none' or status = 'paid')
  ) strict`,
  "create unique index payments_of_booking on payments (org_id, booking_id, attempt)",
  "create unique index payments_by_intent on payments (provider, intent) where connection_id is not null and intent is not null",
  // Whoever cancelled after the start, and whether that refunded, was never written down: such a payment is taken for kept.
  `insert into payments
    select b.org_id, b.id, b.id, 1, 'host', null, b.total_cents, o.currency, '', b.created_at, b.created_at, null, 'paid', null,
      b.payment_intent_id, coalesce(b.paid_at, b.cancelled_at, b.created_at),
      case when t.id is not null then 'due'
        when b.status = 'cancelled' and (b.paid_at is null or b.starts_at > b.cancelled_at) then 'done'
        else 'none' end,
      case when t.id is not null or (b.status = 'cancelled' and (b.paid_at is null or b.starts_at > b.cancelled_at))
        then coalesce(b.cancelled_at, b.created_at) end,
      case when t.id is null and b.status = 'cancelled' and (b.paid_at is null or b.starts_at > b.cancelled_at)
        then 'before' end,
      null, null
    from bookings b join orgs o on o.id = b.org_id
    left join (
      select org_id, subject_id, min(id) as id from tasks where kind = 'refund' group by org_id, subject_id
    ) t on t.org_id = b.org_id and t.subject_id = b.id
    where b.payment_intent_id is not null`,
  `alter table bookings add column refund text check (refund in ('due', 'done', 'refused'))`,
  `alter table bookings add column refund_at integer`,
  `update bookings set refund = p.refund, refund_at = p.refund_at from payments p
    where p.org_id = bookings.org_id and p.booking_id = bookings.id and p.refund <> 'none'`,

  `create table payment_connections (
    org_id text not null references orgs (id),
    id text not null,
    provider text not null,
    mode text not null check (mode in ('live', 'test')),
    account_id text not null,
    name text not null,
    sealed_key text not null,
    sealed_notice_secret text,
    account text,
    watch_id text,
    connected_at integer not null,
    disconnected_at integer,
    looked_at integer not null,
    seen_to integer not null,
    primary key (org_id, id)
  ) strict`,
  "create unique index payment_connections_by_id on payment_connections (id)",
  "create unique index payment_connections_in_use on payment_connections (org_id) where disconnected_at is null",
  "create index payment_connections_looked on payment_connections (looked_at, id)",

  ...believed([
    ["payments", "sqlite_autoindex_payments_1", 1e6, 1000, 1],
    ["payments", "payments_of_booking", 1e6, 1000, 1, 1],
    ["payments", "payments_by_intent", 1e6, 5e5, 1],
    ["payment_connections", "sqlite_autoindex_payment_connections_1", 1e3, 1, 1],
    ["payment_connections", "payment_connections_by_id", 1e3, 1],
    ["payment_connections", "payment_connections_in_use", 1e3, 1],
    ["payment_connections", "payment_connections_looked", 1e3, 1, 1]
  ])
]
