/**
 * Payments are rows, and so are the accounts they are taken with. A payment that a
 * booking had before becomes the first of its rows, under the booking's id: a refund
 * that waits names that.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const payments = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".payments (
    org_id ${text} not null,
    id ${text} not null,
    booking_id ${text} not null,
    attempt bigint not null check (attempt > 0),
    provider ${text} not null,
    connection_id ${text},
    cents bigint not null check (cents >= 0),
    currency ${text} not null,
    description ${text} not null,
    made_at bigint not null,
    expires_at bigint not null,
    session ${text},
    status ${text} not null check (status in ('opening', 'open', 'paid', 'expired', 'abandoned')),
    url ${text} check ((url is not null) = (status = 'open')),
    intent ${text} check ((intent is not null) = (status = 'paid')),
    paid_at bigint check ((paid_at is not null) = (status = 'paid')),
    refund ${text} not null check (refund in ('none', 'due', 'done', 'refused')),
    refund_at bigint check ((refund_at is not null) = (refund <> 'none')),
    refund_id ${text} check ((refund_id is not null) = (refund = 'done')),
    refund_error ${text} check ((refund_error is not null) = (refund = 'refused')),
    disputed_at bigint,
    primary key (org_id, id),
    foreign key (org_id, booking_id) references "${schema}".bookings (org_id, id),
    check (refund = 'none' or status = 'paid')
  )`,
  `create unique index payments_of_booking on "${schema}".payments (org_id, booking_id, attempt)`,
  `create unique index payments_by_intent on "${schema}".payments (provider, intent) where connection_id is not null and intent is not null`,
  // Whoever cancelled after the start, and whether that refunded, was never written down: such a payment is taken for kept.
  `insert into "${schema}".payments
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
    from "${schema}".bookings b join "${schema}".orgs o on o.id = b.org_id
    left join (
      select org_id, subject_id, min(id) as id from "${schema}".tasks where kind = 'refund' group by org_id, subject_id
    ) t on t.org_id = b.org_id and t.subject_id = b.id
    where b.payment_intent_id is not null`,
  `alter table "${schema}".bookings add column refund ${text} check (refund in ('due', 'done', 'refused'))`,
  `alter table "${schema}".bookings add column refund_at bigint`,
  `update "${schema}".bookings set refund = p.refund, refund_at = p.refund_at from "${schema}".payments p
    where p.org_id = bookings.org_id and p.booking_id = bookings.id and p.refund <> 'none'`,
  ...isolateTable(schema, "payments", "org_id"),

  `create table "${schema}".payment_connections (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    provider ${text} not null,
    mode ${text} not null check (mode in ('live', 'test')),
    account_id ${text} not null,
    name ${text} not null,
    sealed_key ${text} not null,
    sealed_notice_secret ${text},
    account ${text},
    watch_id ${text},
    connected_at bigint not null,
    disconnected_at bigint,
    looked_at bigint not null,
    seen_to bigint not null,
    primary key (org_id, id)
  )`,
  `create unique index payment_connections_by_id on "${schema}".payment_connections (id)`,
  `create unique index payment_connections_in_use on "${schema}".payment_connections (org_id) where disconnected_at is null`,
  `create index payment_connections_looked on "${schema}".payment_connections (looked_at, id)`,
  ...isolateTable(schema, "payment_connections", "org_id")
]
