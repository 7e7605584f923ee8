/**
 * Creates the tables and indexes of schema version 28 in a new database. The SQL is translated for each database.
 *
 * A foreign key between an org's rows includes the org, so a row cannot reference a row of another org. Most keys start
 * with the org. Tokens, handles, and payment intents are unique across orgs, because requests that contain them do not
 * specify an org. `test/keysAcrossOrgs.ts` lists all keys that span orgs, and the migration tests for both databases
 * reject any other key. Instants are epoch milliseconds. Like a migration, this text is never edited after its release.
 */

/** Returns the statements that create the tables and indexes, translated for one database. */
export const createTables = (
  translate: (statement: string) => string | ReadonlyArray<string>
): ReadonlyArray<string> => schema.split(";\n").flatMap(translate)

const schema = `\
create table orgs (
  id text primary key,
  name text not null,
  slug text not null,
  timezone text not null,
  currency text not null,
  plan text not null check (plan in ('free', 'pro')),
  reply_window text,
  auto_ack boolean not null,
  away_notice text,
  review_url text,
  brief_hour integer not null check (brief_hour between 0 and 23),
  ops_daily_cap integer not null check (ops_daily_cap >= 0),
  quiet_from integer check (quiet_from between 0 and 23),
  quiet_to integer check (quiet_to between 0 and 23),
  refund_ceiling_cents integer check (refund_ceiling_cents >= 0),
  created_at integer not null,
  guest_changes_hours integer,
  accent text,
  logo_url text,
  cover_url text,
  confirm_email boolean not null default false,
  secret text not null default '',
  units text check (units in ('us', 'metric'))
);
create unique index orgs_by_slug on orgs (slug);
create table api_keys (
  org_id text not null references orgs (id),
  id text not null,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  digest text not null,
  last4 text not null,
  scopes json not null check (json_typeof(scopes) = 'array'),
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer,
  primary key (org_id, id)
);
create unique index api_keys_by_id on api_keys (id);
create table offerings (
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
  active boolean not null,
  metadata json not null check (json_typeof(metadata) = 'object'),
  lat real check (lat between -90 and 90),
  lon real check (lon between -180 and 180),
  gauge_site text,
  hours json not null check (json_typeof(hours) = 'array'),
  created_at integer not null,
  deleted_at integer,
  longest_booking_ms integer not null check (longest_booking_ms >= 0),
  judged_at integer not null default 0,
  primary key (org_id, id)
);
create index offerings_listed on offerings (org_id, created_at, id) where deleted_at is null;
create table sessions (
  org_id text not null,
  id text not null,
  offering_id text not null,
  starts_at integer not null,
  ends_at integer not null,
  capacity integer check (capacity >= 0),
  status text not null check (status in ('scheduled', 'cancelled')),
  created_at integer not null,
  judged_at integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, offering_id) references offerings (org_id, id),
  check (starts_at < ends_at)
);
create index sessions_listed on sessions (org_id, starts_at, id);
create index sessions_of_offering on sessions (org_id, offering_id, starts_at, id);
create table customers (
  org_id text not null references orgs (id),
  id text not null,
  email text not null,
  name text not null,
  phone text not null,
  notes text not null,
  metadata json not null check (json_typeof(metadata) = 'object'),
  created_at integer not null,
  erased_at integer,
  words text,
  proven_at integer,
  unproven_mails json not null default '[]',
  primary key (org_id, id)
);
create unique index customers_by_email on customers (org_id, email) where erased_at is null;
create index customers_listed on customers (org_id, created_at, id);
create index customers_unread on customers (org_id, id) where words is null;
create table bookings (
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
  metadata json not null check (json_typeof(metadata) = 'object'),
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
  payment_due boolean not null,
  checkout_url text,
  cancelled_at integer,
  refund text check (refund in ('due', 'done', 'refused')),
  refund_at integer,
  contact_email text,
  contact_name text,
  contact_phone text,
  unproven boolean not null default false,
  network text,
  confirm_in text,
  dispute text check (dispute in ('open', 'won', 'lost')),
  disputed_at integer,
  primary key (org_id, id),
  foreign key (org_id, offering_id) references offerings (org_id, id),
  foreign key (org_id, customer_id) references customers (org_id, id),
  foreign key (org_id, session_id) references sessions (org_id, id),
  check (starts_at < ends_at),
  check ((previous_starts_at is null) = (previous_ends_at is null)),
  check ((status = 'held') = (expires_at is not null)),
  check (status = 'held' or (not payment_due and checkout_url is null)),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
create unique index bookings_by_reference on bookings (org_id, reference);
create unique index bookings_by_handle on bookings (handle);
create unique index bookings_by_idempotency_key on bookings (org_id, idempotency_key);
create index bookings_listed on bookings (org_id, starts_at, id, status);
create index bookings_of_customer on bookings (org_id, customer_id, starts_at, id);
create index bookings_made on bookings (org_id, created_at) where status = 'confirmed';
create index bookings_expiring on bookings (expires_at, org_id, id) where status = 'held';
create index bookings_held on bookings (org_id, starts_at, id) where status = 'held';
create index bookings_cancelled on bookings (org_id, starts_at, id) where status = 'cancelled';
create index bookings_cancelled_of_offering on bookings (org_id, offering_id, starts_at, id)
  where status = 'cancelled';
create index bookings_held_of_offering on bookings (org_id, offering_id, starts_at, id) where status = 'held';
create index bookings_of_network on bookings (org_id, network, created_at) where network is not null;
create index bookings_unproven on bookings (org_id, offering_id, starts_at) where unproven;
create index bookings_networks_old on bookings (created_at, org_id, id) where network is not null;
create table event_counters (
  org_id text primary key references orgs (id),
  last integer not null check (last >= 0),
  undelivered boolean,
  touched integer not null default 0
);
create index event_counters_undelivered on event_counters (org_id) where undelivered;
create table events (
  org_id text not null references event_counters (org_id),
  id integer not null check (id > 0),
  type text not null,
  data json not null,
  customer_id text,
  created_at integer not null,
  primary key (org_id, id)
);
create index events_of_type on events (org_id, type, id);
create index events_about_customer on events (org_id, customer_id, id) where customer_id is not null;
create table webhooks (
  org_id text not null references orgs (id),
  id text not null,
  url text not null,
  events json not null check (json_typeof(events) = 'array'),
  active boolean not null,
  sealed_secret text not null,
  created_at integer not null,
  last_status integer,
  last_error text check (last_error in ('dns', 'blocked_address', 'connection', 'tls', 'timeout', 'status')),
  last_attempt_at integer,
  cursor integer not null check (cursor >= 0),
  stopped_at integer check (stopped_at >= 0),
  retry_at integer,
  fence integer not null default 0 check (fence >= 0),
  lease_until integer,
  primary key (org_id, id),
  check ((stopped_at is null) = (retry_at is null))
);
create unique index webhooks_by_id on webhooks (id);
create index webhooks_retried on webhooks (retry_at) where active and retry_at is not null;
create table subscriptions (
  org_id text not null references orgs (id),
  name text not null,
  cursor integer not null check (cursor >= 0),
  failures integer not null default 0 check (failures >= 0),
  retry_at integer,
  fence integer not null default 0 check (fence >= 0),
  lease_until integer,
  primary key (org_id, name),
  check ((retry_at is null) = (failures = 0))
);
create table customer_words (
  org_id text not null,
  word text not null,
  customer_id text not null,
  primary key (org_id, word, customer_id)
);
create table request_keys (
  org_id text not null references orgs (id),
  operation text not null,
  key text not null,
  fingerprint text not null,
  made json not null check (json_typeof(made) = 'array'),
  made_at integer not null,
  primary key (org_id, operation, key)
);
create table tasks (
  org_id text not null references orgs (id),
  id text not null,
  kind text not null,
  lane text not null,
  subject_id text not null,
  due_at integer not null,
  attempts integer not null check (attempts >= 0),
  last_error text,
  given_up_at integer,
  fence integer not null default 0 check (fence >= 0),
  lease_until integer,
  primary key (org_id, id)
);
create index tasks_due on tasks (lane, due_at, id) where given_up_at is null;
create index tasks_failed on tasks (org_id, id) where given_up_at is not null or attempts > 0;
create table conversations (
  org_id text not null references orgs (id),
  id text not null,
  customer_id text,
  from_name text,
  from_email text,
  words text not null,
  token text not null,
  status text not null check (status in ('open', 'done')),
  subject text not null,
  last_message_id text,
  last_at integer not null,
  last_by text check (last_by in ('guest', 'outfitter')),
  guest_at integer,
  outfitter_read_at integer,
  guest_read_at integer,
  snoozed_until integer,
  acked_at integer,
  bounced_at integer,
  created_at integer not null,
  moved_to text,
  link_digest text,
  link_until integer,
  shown_digest text,
  shown_until integer,
  noticed_at integer,
  unnoticed_id text,
  primary key (org_id, id),
  foreign key (org_id, customer_id) references customers (org_id, id),
  check ((last_by is null) = (last_message_id is null))
);
create unique index conversations_by_token on conversations (token);
create unique index conversations_of_customer on conversations (org_id, customer_id) where customer_id is not null;
create unique index conversations_by_email on conversations (org_id, from_email) where from_email <> '';
create index conversations_made on conversations (org_id, created_at, id);
create index conversations_listed on conversations (org_id, last_by, last_at, id) where last_by is not null;
create index conversations_snoozed on conversations (org_id, last_by, last_at, id)
  where last_by is not null and snoozed_until is not null;
create table messages (
  org_id text not null,
  id text not null,
  conversation_id text not null,
  booking_id text,
  customer_id text,
  direction text not null check (direction in ('to_guest', 'to_outfitter')),
  subject text not null,
  body text not null,
  words text not null,
  cut text not null,
  sent_by text not null check (sent_by in ('dashboard', 'api', 'mcp', 'guest', 'agent')),
  channel text not null check (channel in ('page', 'email', 'api', 'system')),
  kind text not null check (kind in ('message', 'note')),
  read_at integer,
  delivered_at integer,
  failed_at integer,
  failure text,
  from_name text,
  from_email text,
  mail_key text,
  mail_id text,
  bounce_token text,
  broadcast_id text,
  created_at integer not null,
  primary key (org_id, id),
  foreign key (org_id, conversation_id) references conversations (org_id, id),
  foreign key (org_id, booking_id) references bookings (org_id, id),
  foreign key (org_id, customer_id) references customers (org_id, id)
);
create unique index messages_by_mail_key on messages (org_id, mail_key) where mail_key is not null;
create unique index messages_by_bounce_token on messages (bounce_token) where bounce_token is not null;
create unique index messages_of_broadcast on messages (org_id, broadcast_id, customer_id)
  where broadcast_id is not null;
create index messages_listed on messages (org_id, created_at, id);
create index messages_in_conversation on messages (org_id, conversation_id, created_at, id);
create index messages_about_booking on messages (org_id, booking_id, created_at, id) where booking_id is not null;
create index messages_of_customer on messages (org_id, customer_id, created_at, id) where customer_id is not null;
create table saved_replies (
  org_id text not null references orgs (id),
  id text not null,
  title text not null,
  body text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (org_id, id)
);
create table broadcasts (
  org_id text not null references orgs (id),
  id text not null,
  key text not null,
  target json not null check (json_typeof(target) = 'object'),
  subject text not null,
  body text not null,
  sent_by text not null check (sent_by in ('dashboard', 'api', 'mcp', 'agent')),
  began_at integer not null,
  after text not null,
  sent integer not null check (sent >= 0),
  skipped integer not null check (skipped >= 0),
  failed integer not null check (failed >= 0),
  done_at integer,
  primary key (org_id, id)
);
create unique index broadcasts_by_key on broadcasts (org_id, key);
create table files (
  org_id text not null references orgs (id),
  id text not null,
  name text not null,
  size integer not null check (size >= 0),
  type text not null,
  created_at integer not null,
  message_id text,
  position integer not null check (position >= 0),
  primary key (org_id, id)
);
create index files_of_message on files (org_id, message_id, position) where message_id is not null;
create index files_unused on files (created_at, org_id, id) where message_id is null;
create table staff (
  org_id text not null references orgs (id),
  id text not null,
  email text not null,
  name text not null,
  notify boolean not null,
  created_at integer not null,
  role text not null default 'staff' check (role in ('owner', 'staff')),
  primary key (org_id, id)
);
create unique index staff_by_email on staff (org_id, email);
create index staff_signing_in on staff (email, org_id);
create table payments (
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
  refund_pending_id text,
  refund_refusals integer not null default 0 check (refund_refusals >= 0),
  dispute text check (dispute in ('open', 'won', 'lost')),
  mismatch_at integer,
  mismatch_intent text,
  mismatch_cents integer,
  mismatch_currency text,
  primary key (org_id, id),
  foreign key (org_id, booking_id) references bookings (org_id, id),
  check (refund = 'none' or status = 'paid')
);
create unique index payments_of_booking on payments (org_id, booking_id, attempt);
create unique index payments_by_intent on payments (provider, intent)
  where connection_id is not null and intent is not null;
create table payment_connections (
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
);
create unique index payment_connections_by_id on payment_connections (id);
create unique index payment_connections_in_use on payment_connections (org_id) where disconnected_at is null;
create index payment_connections_looked on payment_connections (looked_at, id);
create table automations (
  org_id text not null references orgs (id),
  automation text not null check (automation in ('weather', 'fill', 'brief', 'reminders')),
  dial text not null check (dial in ('off', 'ask', 'do_tell', 'do_quiet')),
  settings json not null check (json_typeof(settings) = 'object'),
  updated_at integer,
  next_at integer,
  fence integer not null default 0,
  lease_until integer,
  primary key (org_id, automation)
);
create index automations_due on automations (next_at) where next_at is not null;
create table proposals (
  org_id text not null references orgs (id),
  id text not null,
  automation text not null check (automation in ('weather', 'fill', 'brief', 'reminders')),
  subject text not null,
  day integer not null,
  status text not null check (status in ('pending', 'done', 'failed', 'dismissed', 'expired', 'undone')),
  dial text not null check (dial in ('ask', 'do_tell', 'do_quiet')),
  held text check (held in ('cap', 'money')),
  title text not null,
  session_id text,
  booking_id text,
  data json not null check (json_typeof(data) = 'object'),
  actions json not null check (json_typeof(actions) = 'array'),
  expires_at integer not null,
  run_at integer,
  created_at integer not null,
  decided_at integer,
  decided_by text check (decided_by in ('dashboard', 'api', 'mcp', 'agent')),
  done_at integer,
  error text,
  fence integer not null default 0,
  lease_until integer,
  primary key (org_id, id),
  check (run_at is null or status = 'pending'),
  check ((decided_at is null) = (decided_by is null))
);
create unique index proposals_by_subject on proposals (org_id, automation, subject, day);
create index proposals_listed on proposals (org_id, created_at, id);
create index proposals_due on proposals (run_at) where run_at is not null;
create index proposals_waiting on proposals (expires_at, id) where status = 'pending' and run_at is null;
create index proposals_own on proposals (org_id, decided_at) where decided_by = 'agent';
create index proposals_in_state on proposals (org_id, status, created_at, id);
create table drafts (
  org_id text not null references orgs (id),
  id text not null,
  at integer not null,
  primary key (org_id, id)
);
create table unfinished (
  org_id text not null references orgs (id),
  subject text not null check (subject in ('offering', 'session', 'customer', 'conversation')),
  id text not null,
  begun_at integer not null,
  touched_at integer not null,
  cancelled integer not null check (cancelled >= 0),
  refunded integer not null check (refunded >= 0),
  primary key (org_id, subject, id)
);
create index unfinished_untouched on unfinished (touched_at, org_id, subject, id);
create table sign_in_links (
  org_id text not null references orgs (id),
  digest text not null,
  staff_id text not null,
  next text,
  created_at integer not null,
  expires_at integer not null,
  spent_at integer,
  primary key (org_id, digest)
);
create unique index sign_in_links_by_digest on sign_in_links (digest);
create index sign_in_links_of_person on sign_in_links (org_id, staff_id, created_at, digest);
create table logins (
  org_id text not null references orgs (id),
  id text not null,
  staff_id text not null,
  digest text not null,
  way text not null check (way in ('link', 'passkey')),
  device text not null,
  created_at integer not null,
  last_used_at integer not null,
  expires_at integer not null,
  ended_at integer,
  primary key (org_id, id)
);
create unique index logins_by_digest on logins (digest);
create index logins_of_person on logins (org_id, staff_id);
create table audit (
  org_id text not null references orgs (id),
  id text not null,
  at integer not null,
  by_kind text not null,
  staff_id text check ((staff_id is not null) = (by_kind = 'Staff')),
  what text not null,
  subject text not null,
  name text not null,
  by_id text,
  primary key (org_id, id)
);
create index audit_by_time on audit (org_id, at, id);
create table applications (
  client_id text not null primary key,
  name text not null,
  redirect_uris json not null,
  created_at integer not null,
  read_at integer not null
);
create index applications_by_age on applications (read_at, client_id);
create table grants (
  org_id text not null references orgs (id),
  id text not null,
  client_id text not null,
  name text not null,
  staff_id text not null,
  scopes json not null,
  personal boolean not null,
  created_at integer not null,
  last_used_at integer,
  withdrawn_at integer,
  primary key (org_id, id)
);
create index grants_of_client on grants (client_id);
create table grant_codes (
  org_id text not null,
  digest text not null,
  grant_id text not null,
  client_id text not null,
  redirect_uri text not null,
  challenge text not null,
  created_at integer not null,
  expires_at integer not null,
  spent_at integer,
  primary key (org_id, digest),
  foreign key (org_id, grant_id) references grants (org_id, id)
);
create unique index grant_codes_by_digest on grant_codes (digest);
create index grant_codes_of_grant on grant_codes (org_id, grant_id);
create table grant_tokens (
  org_id text not null,
  digest text not null,
  grant_id text not null,
  kind text not null check (kind in ('access', 'refresh')),
  scopes json not null,
  created_at integer not null,
  expires_at integer not null,
  rotated_at integer,
  uses integer not null check (uses >= 0),
  primary key (org_id, digest),
  foreign key (org_id, grant_id) references grants (org_id, id)
);
create unique index grant_tokens_by_digest on grant_tokens (digest);
create index grant_tokens_of_grant on grant_tokens (org_id, grant_id);
create table passkeys (
  org_id text not null references orgs (id),
  id text not null,
  staff_id text not null,
  public_key text not null,
  counter integer not null,
  name text not null,
  created_at integer not null,
  last_used_at integer,
  primary key (org_id, id)
);
create unique index passkeys_by_id on passkeys (id);
create index passkeys_of_person on passkeys (org_id, staff_id);
create table passkey_challenges (
  digest text not null primary key,
  staff_id text,
  expires_at integer not null
);
create index passkey_challenges_over on passkey_challenges (expires_at, digest)`
