/**
 * The first schema.
 *
 * Every table has the org first in its key, and every reference carries it, so a
 * row cannot point into another org. Instants are epoch milliseconds, booleans 0
 * and 1, JSON is text. Rows that are small and found by their key live in it
 * (`without rowid`); wide ones would make that tree deep.
 *
 * A migration that was released is never edited: the next one changes what it
 * made.
 */
export const create: ReadonlyArray<string> = [
  `create table orgs (
    id text primary key,
    name text not null,
    slug text not null,
    timezone text not null,
    currency text not null,
    plan text not null check (plan in ('free', 'pro')),
    reply_window text,
    auto_ack integer not null check (auto_ack in (0, 1)),
    away_notice text,
    review_url text,
    brief_hour integer not null check (brief_hour between 0 and 23),
    ops_daily_cap integer not null check (ops_daily_cap >= 0),
    quiet_from integer check (quiet_from between 0 and 23),
    quiet_to integer check (quiet_to between 0 and 23),
    refund_ceiling_cents integer check (refund_ceiling_cents >= 0),
    created_at integer not null
  ) strict, without rowid`,
  `create unique index orgs_by_slug on orgs (slug)`,

  // A key is looked up before its org is known, so its id is unique in all orgs.
  `create table api_keys (
    org_id text not null references orgs (id),
    id text not null,
    name text not null,
    mode text not null check (mode in ('live', 'test')),
    digest text not null,
    last4 text not null,
    scopes text not null check (json_type(scopes) = 'array'),
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    last_used_at integer,
    primary key (org_id, id)
  ) strict, without rowid`,
  `create unique index api_keys_by_id on api_keys (id)`,

  `create table offerings (
    org_id text not null references orgs (id),
    id text not null,
    kind text not null check (kind in ('class', 'appointment', 'rental')),
    name text not null,
    description text not null,
    location text not null,
    duration_minutes integer not null check (duration_minutes > 0),
    capacity integer not null check (capacity >= 0),
    max_per_booking integer not null check (max_per_booking > 0),
    price_cents integer not null check (price_cents >= 0),
    slot_interval_minutes integer check (slot_interval_minutes > 0),
    buffer_minutes integer not null check (buffer_minutes >= 0),
    min_notice_minutes integer not null check (min_notice_minutes >= 0),
    max_advance_days integer not null check (max_advance_days >= 0),
    max_periods integer not null check (max_periods > 0),
    active integer not null check (active in (0, 1)),
    metadata text not null check (json_type(metadata) = 'object'),
    lat real check (lat between -90 and 90),
    lon real check (lon between -180 and 180),
    gauge_site text,
    hours text not null check (json_type(hours) = 'array'),
    created_at integer not null,
    deleted_at integer,
    longest_booking_ms integer not null check (longest_booking_ms >= 0),
    primary key (org_id, id)
  ) strict`,
  `create index offerings_listed on offerings (org_id, created_at, id) where deleted_at is null`,

  `create table sessions (
    org_id text not null,
    id text not null,
    offering_id text not null,
    starts_at integer not null,
    ends_at integer not null,
    capacity integer check (capacity >= 0),
    status text not null check (status in ('scheduled', 'cancelled')),
    created_at integer not null,
    primary key (org_id, id),
    foreign key (org_id, offering_id) references offerings (org_id, id),
    check (starts_at < ends_at)
  ) strict, without rowid`,
  `create index sessions_listed on sessions (org_id, starts_at, id)`,
  `create index sessions_of_offering on sessions (org_id, offering_id, starts_at, id)`,

  `create table customers (
    org_id text not null references orgs (id),
    id text not null,
    email text not null,
    name text not null,
    phone text not null,
    notes text not null,
    metadata text not null check (json_type(metadata) = 'object'),
    created_at integer not null,
    erased_at integer,
    primary key (org_id, id)
  ) strict`,
  `create unique index customers_by_email on customers (org_id, email) where erased_at is null`,
  `create index customers_listed on customers (org_id, created_at, id)`,

  `create table bookings (
    org_id text not null,
    id text not null,
    offering_id text not null,
    customer_id text not null,
    session_id text,
    starts_at integer not null,
    ends_at integer not null,
    period_minutes integer not null check (period_minutes > 0),
    periods integer not null check (periods > 0),
    quantity integer not null check (quantity > 0),
    total_cents integer not null check (total_cents >= 0),
    reference text not null,
    handle text not null,
    source text not null check (source in ('dashboard', 'api', 'mcp', 'widget')),
    notes text not null,
    metadata text not null check (json_type(metadata) = 'object'),
    created_at integer not null,
    paid_at integer,
    payment_intent_id text,
    previous_session_id text,
    previous_starts_at integer,
    previous_ends_at integer,
    resent_at integer,
    idempotency_key text not null,
    fingerprint text not null,
    status text not null check (status in ('held', 'confirmed', 'cancelled')),
    expires_at integer,
    payment_due integer not null check (payment_due in (0, 1)),
    checkout_url text,
    cancelled_at integer,
    primary key (org_id, id),
    foreign key (org_id, offering_id) references offerings (org_id, id),
    foreign key (org_id, customer_id) references customers (org_id, id),
    foreign key (org_id, session_id) references sessions (org_id, id),
    check (starts_at < ends_at),
    check ((previous_starts_at is null) = (previous_ends_at is null)),
    check ((status = 'held') = (expires_at is not null)),
    check (status = 'held' or (payment_due = 0 and checkout_url is null)),
    check ((status = 'cancelled') = (cancelled_at is not null))
  ) strict`,
  `create unique index bookings_by_reference on bookings (org_id, reference)`,
  `create unique index bookings_by_handle on bookings (handle)`,
  `create unique index bookings_by_idempotency_key on bookings (org_id, idempotency_key)`,
  // Capacity is counted from this one and the next: they hold all that is counted, so the rows themselves are not
  // read. An index of the live ones alone would spare reading over cancelled ones and cost every booking a fifth more.
  `create index bookings_of_offering on bookings
    (org_id, offering_id, starts_at, id, status, ends_at, expires_at, quantity)`,
  `create index bookings_in_session on bookings (org_id, session_id, status, expires_at, quantity, id)
    where session_id is not null`,
  `create index bookings_listed on bookings (org_id, starts_at, id, status)`,
  `create index bookings_of_customer on bookings (org_id, customer_id, starts_at, id)`,
  `create index bookings_made on bookings (org_id, created_at) where status = 'confirmed'`,
  `create index bookings_expiring on bookings (expires_at, org_id, id) where status = 'held'`,

  `create table event_counters (
    org_id text primary key references orgs (id),
    last integer not null check (last > 0)
  ) strict, without rowid`,

  // The log refers to its org alone: what it tells of others is a copy, and appending is the hottest write there is.
  `create table events (
    org_id text not null references event_counters (org_id),
    id integer not null check (id > 0),
    type text not null,
    data text not null,
    customer_id text,
    created_at integer not null,
    primary key (org_id, id)
  ) strict`,
  `create index events_of_type on events (org_id, type, id)`,
  `create index events_about_customer on events (org_id, customer_id, id) where customer_id is not null`,

  `create table outbox (
    org_id text not null,
    id text not null,
    kind text not null check (kind in ('mail.held', 'mail.confirmed', 'mail.moved', 'mail.cancelled', 'refund')),
    booking_id text not null,
    due_at integer not null,
    attempts integer not null check (attempts >= 0),
    last_error text,
    primary key (org_id, id),
    foreign key (org_id, booking_id) references bookings (org_id, id)
  ) strict, without rowid`,
  `create index outbox_due on outbox (due_at, id)`
]
