/**
 * The first schema.
 *
 * Every table has the org first in its key, and every reference carries it, so a
 * row cannot point into another org. Instants are epoch milliseconds, JSON is
 * kept as it was written. Text is compared byte by byte, as on every storage,
 * whatever the database's own collation says.
 *
 * A migration that was released is never edited: the next one changes what it
 * made.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const create = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  return [
    `create table ${table("orgs")} (
      id ${text} primary key,
      name ${text} not null,
      slug ${text} not null,
      timezone ${text} not null,
      currency ${text} not null,
      plan ${text} not null check (plan in ('free', 'pro')),
      reply_window ${text},
      auto_ack boolean not null,
      away_notice ${text},
      review_url ${text},
      brief_hour bigint not null check (brief_hour between 0 and 23),
      ops_daily_cap bigint not null check (ops_daily_cap >= 0),
      quiet_from bigint check (quiet_from between 0 and 23),
      quiet_to bigint check (quiet_to between 0 and 23),
      refund_ceiling_cents bigint check (refund_ceiling_cents >= 0),
      created_at bigint not null
    )`,
    `create unique index orgs_by_slug on ${table("orgs")} (slug)`,

    // A key is looked up before its org is known, so its id is unique in all orgs.
    `create table ${table("api_keys")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      name ${text} not null,
      mode ${text} not null check (mode in ('live', 'test')),
      digest ${text} not null,
      last4 ${text} not null,
      scopes json not null check (json_typeof(scopes) = 'array'),
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint,
      last_used_at bigint,
      primary key (org_id, id)
    )`,
    `create unique index api_keys_by_id on ${table("api_keys")} (id)`,

    // It changes with its first booking of a greater length only, but is locked with every one: room on its page keeps
    // what is written of that in place.
    `create table ${table("offerings")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      kind ${text} not null check (kind in ('class', 'appointment', 'rental')),
      name ${text} not null,
      description ${text} not null,
      location ${text} not null,
      duration_minutes bigint not null check (duration_minutes > 0),
      capacity bigint not null check (capacity >= 0),
      max_per_booking bigint not null check (max_per_booking > 0),
      price_cents bigint not null check (price_cents >= 0),
      slot_interval_minutes bigint check (slot_interval_minutes > 0),
      buffer_minutes bigint not null check (buffer_minutes >= 0),
      min_notice_minutes bigint not null check (min_notice_minutes >= 0),
      max_advance_days bigint not null check (max_advance_days >= 0),
      max_periods bigint not null check (max_periods > 0),
      active boolean not null,
      metadata json not null check (json_typeof(metadata) = 'object'),
      lat double precision check (lat between -90 and 90),
      lon double precision check (lon between -180 and 180),
      gauge_site ${text},
      hours json not null check (json_typeof(hours) = 'array'),
      created_at bigint not null,
      deleted_at bigint,
      longest_booking_ms bigint not null check (longest_booking_ms >= 0),
      primary key (org_id, id)
    ) with (fillfactor = 70)`,
    `create index offerings_listed on ${table("offerings")} (org_id, created_at, id) where deleted_at is null`,

    `create table ${table("sessions")} (
      org_id ${text} not null,
      id ${text} not null,
      offering_id ${text} not null,
      starts_at bigint not null,
      ends_at bigint not null,
      capacity bigint check (capacity >= 0),
      status ${text} not null check (status in ('scheduled', 'cancelled')),
      created_at bigint not null,
      primary key (org_id, id),
      foreign key (org_id, offering_id) references ${table("offerings")} (org_id, id),
      check (starts_at < ends_at)
    )`,
    `create index sessions_listed on ${table("sessions")} (org_id, starts_at, id)`,
    `create index sessions_of_offering on ${table("sessions")} (org_id, offering_id, starts_at, id)`,

    `create table ${table("customers")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      email ${text} not null,
      name ${text} not null,
      phone ${text} not null,
      notes ${text} not null,
      metadata json not null check (json_typeof(metadata) = 'object'),
      created_at bigint not null,
      erased_at bigint,
      primary key (org_id, id)
    )`,
    `create unique index customers_by_email on ${table("customers")} (org_id, email) where erased_at is null`,
    `create index customers_listed on ${table("customers")} (org_id, created_at, id)`,

    `create table ${table("bookings")} (
      org_id ${text} not null,
      id ${text} not null,
      offering_id ${text} not null,
      customer_id ${text} not null,
      session_id ${text},
      starts_at bigint not null,
      ends_at bigint not null,
      period_minutes bigint not null check (period_minutes > 0),
      periods bigint not null check (periods > 0),
      quantity bigint not null check (quantity > 0),
      total_cents bigint not null check (total_cents >= 0),
      reference ${text} not null,
      handle ${text} not null,
      source ${text} not null check (source in ('dashboard', 'api', 'mcp', 'widget')),
      notes ${text} not null,
      metadata json not null check (json_typeof(metadata) = 'object'),
      created_at bigint not null,
      paid_at bigint,
      payment_intent_id ${text},
      previous_session_id ${text},
      previous_starts_at bigint,
      previous_ends_at bigint,
      resent_at bigint,
      idempotency_key ${text} not null,
      fingerprint ${text} not null,
      status ${text} not null check (status in ('held', 'confirmed', 'cancelled')),
      expires_at bigint,
      payment_due boolean not null,
      checkout_url ${text},
      cancelled_at bigint,
      primary key (org_id, id),
      foreign key (org_id, offering_id) references ${table("offerings")} (org_id, id),
      foreign key (org_id, customer_id) references ${table("customers")} (org_id, id),
      foreign key (org_id, session_id) references ${table("sessions")} (org_id, id),
      check (starts_at < ends_at),
      check ((previous_starts_at is null) = (previous_ends_at is null)),
      check ((status = 'held') = (expires_at is not null)),
      check (status = 'held' or (not payment_due and checkout_url is null)),
      check ((status = 'cancelled') = (cancelled_at is not null))
    )`,
    `create unique index bookings_by_reference on ${table("bookings")} (org_id, reference)`,
    `create unique index bookings_by_handle on ${table("bookings")} (handle)`,
    `create unique index bookings_by_idempotency_key on ${table("bookings")} (org_id, idempotency_key)`,
    `create index bookings_of_offering on ${table("bookings")} (org_id, offering_id, starts_at, id)`,
    `create index bookings_in_session on ${table("bookings")} (org_id, session_id, starts_at, id)
      where session_id is not null`,
    `create index bookings_listed on ${table("bookings")} (org_id, starts_at, id)`,
    `create index bookings_of_customer on ${table("bookings")} (org_id, customer_id, starts_at, id)`,
    `create index bookings_made on ${table("bookings")} (org_id, created_at) where status = 'confirmed'`,
    `create index bookings_expiring on ${table("bookings")} (expires_at, org_id, id) where status = 'held'`,

    // Updated with every commit of its org. Half of a page is left free, so the new version of a row lands beside the old.
    `create table ${table("event_counters")} (
      org_id ${text} primary key references ${table("orgs")} (id),
      last bigint not null check (last > 0)
    ) with (fillfactor = 50)`,

    // The log refers to its org alone: what it tells of others is a copy, and appending is the hottest write there is.
    `create table ${table("events")} (
      org_id ${text} not null references ${table("event_counters")} (org_id),
      id bigint not null check (id > 0),
      type ${text} not null,
      data json not null,
      customer_id ${text},
      created_at bigint not null,
      primary key (org_id, id)
    )`,
    `create index events_of_type on ${table("events")} (org_id, type, id)`,
    `create index events_about_customer on ${table("events")} (org_id, customer_id, id) where customer_id is not null`,

    `create table ${table("outbox")} (
      org_id ${text} not null,
      id ${text} not null,
      kind ${text} not null check (kind in ('mail.held', 'mail.confirmed', 'mail.moved', 'mail.cancelled', 'refund')),
      booking_id ${text} not null,
      due_at bigint not null,
      attempts bigint not null check (attempts >= 0),
      last_error ${text},
      primary key (org_id, id),
      foreign key (org_id, booking_id) references ${table("bookings")} (org_id, id)
    )`,
    `create index outbox_due on ${table("outbox")} (due_at, id)`,

    ...isolateTable(schema, "orgs", "id"),
    ...["api_keys", "offerings", "sessions", "customers", "bookings", "event_counters", "events", "outbox"].flatMap(
      (name) => isolateTable(schema, name, "org_id")
    )
  ]
}
