create table "trailbook".orgs ( id text collate "C" primary key, name text collate "C" not null, slug text collate "C" not null, timezone text collate "C" not null, currency text collate "C" not null, plan text collate "C" not null check (plan in ('free', 'pro')), reply_window text collate "C", auto_ack boolean not null, away_notice text collate "C", review_url text collate "C", brief_hour bigint not null check (brief_hour between 0 and 23), ops_daily_cap bigint not null check (ops_daily_cap >= 0), quiet_from bigint check (quiet_from between 0 and 23), quiet_to bigint check (quiet_to between 0 and 23), refund_ceiling_cents bigint check (refund_ceiling_cents >= 0), created_at bigint not null )
create unique index orgs_by_slug on "trailbook".orgs (slug)
create table "trailbook".api_keys ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, name text collate "C" not null, mode text collate "C" not null check (mode in ('live', 'test')), digest text collate "C" not null, last4 text collate "C" not null, scopes json not null check (json_typeof(scopes) = 'array'), created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint, primary key (org_id, id) )
create unique index api_keys_by_id on "trailbook".api_keys (id)
create table "trailbook".offerings ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, kind text collate "C" not null check (kind in ('class', 'appointment', 'rental')), name text collate "C" not null, description text collate "C" not null, location text collate "C" not null, duration_minutes bigint not null check (duration_minutes > 0), capacity bigint not null check (capacity >= 0), max_per_booking bigint not null check (max_per_booking > 0), price_cents bigint not null check (price_cents >= 0), slot_interval_minutes bigint check (slot_interval_minutes > 0), buffer_minutes bigint not null check (buffer_minutes >= 0), min_notice_minutes bigint not null check (min_notice_minutes >= 0), max_advance_days bigint not null check (max_advance_days >= 0), max_periods bigint not null check (max_periods > 0), active boolean not null, metadata json not null check (json_typeof(metadata) = 'object'), lat double precision check (lat between -90 and 90), lon double precision check (lon between -180 and 180), gauge_site text collate "C", hours json not null check (json_typeof(hours) = 'array'), created_at bigint not null, deleted_at bigint, longest_booking_ms bigint not null check (longest_booking_ms >= 0), primary key (org_id, id) ) with (fillfactor = 70)
create index offerings_listed on "trailbook".offerings (org_id, created_at, id) where deleted_at is null
create table "trailbook".sessions ( org_id text collate "C" not null, id text collate "C" not null, offering_id text collate "C" not null, starts_at bigint not null, ends_at bigint not null, capacity bigint check (capacity >= 0), status text collate "C" not null check (status in ('scheduled', 'cancelled')), created_at bigint not null, primary key (org_id, id), foreign key (org_id, offering_id) references "trailbook".offerings (org_id, id), check (starts_at < ends_at) )
create index sessions_listed on "trailbook".sessions (org_id, starts_at, id)
create index sessions_of_offering on "trailbook".sessions (org_id, offering_id, starts_at, id)
create table "trailbook".customers ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, email text collate "C" not null, name text collate "C" not null, phone text collate "C" not null, notes text collate "C" not null, metadata json not null check (json_typeof(metadata) = 'object'), created_at bigint not null, erased_at bigint, primary key (org_id, id) )
create unique index customers_by_email on "trailbook".customers (org_id, email) where erased_at is null
create index customers_listed on "trailbook".customers (org_id, created_at, id)
create table "trailbook".bookings ( org_id text collate "C" not null, id text collate "C" not null, offering_id text collate "C" not null, customer_id text collate "C" not null, session_id text collate "C", starts_at bigint not null, ends_at bigint not null, period_minutes bigint not null check (period_minutes > 0), periods bigint not null check (periods > 0), quantity bigint not null check (quantity > 0), total_cents bigint not null check (total_cents >= 0), reference text collate "C" not null, handle text collate "C" not null, source text collate "C" not null check (source in ('dashboard', 'api', 'mcp', 'widget')), notes text collate "C" not null, metadata json not null check (json_typeof(metadata) = 'object'), created_at bigint not null, paid_at bigint, payment_intent_id text collate "C", previous_session_id text collate "C", previous_starts_at bigint, previous_ends_at bigint, resent_at bigint, idempotency_key text collate "C" not null, fingerprint text collate "C" not null, status text collate "C" not null check (status in ('held', 'confirmed', 'cancelled')), expires_at bigint, payment_due boolean not null, checkout_url text collate "C", cancelled_at bigint, primary key (org_id, id), foreign key (org_id, offering_id) references "trailbook".offerings (org_id, id), foreign key (org_id, customer_id) references "trailbook".customers (org_id, id), foreign key (org_id, session_id) references "trailbook".sessions (org_id, id), check (starts_at < ends_at), check ((previous_starts_at is null) = (previous_ends_at is null)), check ((status = 'held') = (expires_at is not null)), check (status = 'held' or (not payment_due and checkout_url is null)), check ((status = 'cancelled') = (cancelled_at is not null)) )
create unique index bookings_by_reference on "trailbook".bookings (org_id, reference)
create unique index bookings_by_handle on "trailbook".bookings (handle)
create unique index bookings_by_idempotency_key on "trailbook".bookings (org_id, idempotency_key)
create index bookings_of_offering on "trailbook".bookings (org_id, offering_id, starts_at, id)
create index bookings_in_session on "trailbook".bookings (org_id, session_id, starts_at, id) where session_id is not null
create index bookings_listed on "trailbook".bookings (org_id, starts_at, id)
create index bookings_of_customer on "trailbook".bookings (org_id, customer_id, starts_at, id)
create index bookings_made on "trailbook".bookings (org_id, created_at) where status = 'confirmed'
create index bookings_expiring on "trailbook".bookings (expires_at, org_id, id) where status = 'held'
create table "trailbook".event_counters ( org_id text collate "C" primary key references "trailbook".orgs (id), last bigint not null check (last > 0) ) with (fillfactor = 50)
create table "trailbook".events ( org_id text collate "C" not null references "trailbook".event_counters (org_id), id bigint not null check (id > 0), type text collate "C" not null, data json not null, customer_id text collate "C", created_at bigint not null, primary key (org_id, id) )
create index events_of_type on "trailbook".events (org_id, type, id)
create index events_about_customer on "trailbook".events (org_id, customer_id, id) where customer_id is not null
create table "trailbook".outbox ( org_id text collate "C" not null, id text collate "C" not null, kind text collate "C" not null check (kind in ('mail.held', 'mail.confirmed', 'mail.moved', 'mail.cancelled', 'refund')), booking_id text collate "C" not null, due_at bigint not null, attempts bigint not null check (attempts >= 0), last_error text collate "C", primary key (org_id, id), foreign key (org_id, booking_id) references "trailbook".bookings (org_id, id) )
create index outbox_due on "trailbook".outbox (due_at, id)
alter table "trailbook".orgs enable row level security
alter table "trailbook".orgs force row level security
create policy orgs on "trailbook".orgs using ( (select current_setting('trailbook.orgs', true) = '*') or id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".api_keys enable row level security
alter table "trailbook".api_keys force row level security
create policy orgs on "trailbook".api_keys using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".offerings enable row level security
alter table "trailbook".offerings force row level security
create policy orgs on "trailbook".offerings using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".sessions enable row level security
alter table "trailbook".sessions force row level security
create policy orgs on "trailbook".sessions using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".customers enable row level security
alter table "trailbook".customers force row level security
create policy orgs on "trailbook".customers using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".bookings enable row level security
alter table "trailbook".bookings force row level security
create policy orgs on "trailbook".bookings using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".event_counters enable row level security
alter table "trailbook".event_counters force row level security
create policy orgs on "trailbook".event_counters using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".events enable row level security
alter table "trailbook".events force row level security
create policy orgs on "trailbook".events using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".outbox enable row level security
alter table "trailbook".outbox force row level security
create policy orgs on "trailbook".outbox using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".event_counters drop constraint event_counters_last_check, add constraint event_counters_last_check check (last >= 0), add column undelivered boolean
create index event_counters_undelivered on "trailbook".event_counters (org_id) where undelivered
create table "trailbook".webhooks ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, url text collate "C" not null, events json not null check (json_typeof(events) = 'array'), active boolean not null, sealed_secret text collate "C" not null, created_at bigint not null, last_status bigint, last_error text collate "C" check (last_error in ('dns', 'blocked_address', 'connection', 'tls', 'timeout', 'status')), last_attempt_at bigint, cursor bigint not null check (cursor >= 0), stopped_at bigint check (stopped_at >= 0), retry_at bigint, fence bigint not null default 0 check (fence >= 0), lease_until bigint, primary key (org_id, id), check ((stopped_at is null) = (retry_at is null)) ) with (fillfactor = 50)
create unique index webhooks_by_id on "trailbook".webhooks (id)
create index webhooks_retried on "trailbook".webhooks (retry_at) where active and retry_at is not null
alter table "trailbook".webhooks enable row level security
alter table "trailbook".webhooks force row level security
create policy orgs on "trailbook".webhooks using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".outbox add column fence bigint not null default 0 check (fence >= 0), add column lease_until bigint
create table "trailbook".subscriptions ( org_id text collate "C" not null references "trailbook".orgs (id), name text collate "C" not null, cursor bigint not null check (cursor >= 0), failures bigint not null default 0 check (failures >= 0), retry_at bigint, fence bigint not null default 0 check (fence >= 0), lease_until bigint, primary key (org_id, name), check ((retry_at is null) = (failures = 0)) ) with (fillfactor = 50)
alter table "trailbook".subscriptions enable row level security
alter table "trailbook".subscriptions force row level security
create policy orgs on "trailbook".subscriptions using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".hosted_units ( id bigint generated always as identity primary key, ended bigint not null constraint await_trailbook_before_commit references "trailbook".hosted_units (id) deferrable initially deferred )
alter table "trailbook".offerings add column judged_at bigint not null default 0
alter table "trailbook".sessions add column judged_at bigint not null default 0
alter table "trailbook".customers add column words text collate "C"
create index customers_unread on "trailbook".customers (org_id, id) where words is null
create table "trailbook".customer_words ( org_id text collate "C" not null, word text collate "C" not null, customer_id text collate "C" not null, primary key (org_id, word, customer_id) )
alter table "trailbook".customer_words enable row level security
alter table "trailbook".customer_words force row level security
create policy orgs on "trailbook".customer_words using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
drop index "trailbook".bookings_listed
create index bookings_listed on "trailbook".bookings (org_id, starts_at, id, status)
create index bookings_held on "trailbook".bookings (org_id, starts_at, id) where status = 'held'
create index bookings_cancelled on "trailbook".bookings (org_id, starts_at, id) where status = 'cancelled'
create index bookings_cancelled_of_offering on "trailbook".bookings (org_id, offering_id, starts_at, id) where status = 'cancelled'
create table "trailbook".booking_counts ( org_id text collate "C" not null references "trailbook".orgs (id), day bigint not null, writer integer not null, confirmed bigint not null, primary key (org_id, day, writer) ) with (fillfactor = 50)
alter table "trailbook".booking_counts enable row level security
alter table "trailbook".booking_counts force row level security
create policy orgs on "trailbook".booking_counts using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
insert into "trailbook".booking_counts (org_id, day, writer, confirmed) select org_id, created_at / 86400000, 0, count(*) from "trailbook".bookings where status = 'confirmed' group by 1, 2
create or replace function "trailbook".bookings_counted() returns trigger language plpgsql as $$ begin insert into "trailbook".booking_counts as kept (org_id, day, writer, confirmed) select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (select org_id, created_at, 1 as one from made where status = 'confirmed') as changed group by 1, 2 having sum(one) <> 0 on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed; return null; end $$
create trigger bookings_counted after insert on "trailbook".bookings referencing new table as made for each statement execute function "trailbook".bookings_counted()
create or replace function "trailbook".bookings_recounted() returns trigger language plpgsql as $$ begin insert into "trailbook".booking_counts as kept (org_id, day, writer, confirmed) select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (select org_id, created_at, 1 as one from after where status = 'confirmed' union all select org_id, created_at, -1 as one from before where status = 'confirmed') as changed group by 1, 2 having sum(one) <> 0 on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed; return null; end $$
create trigger bookings_recounted after update on "trailbook".bookings referencing old table as before new table as after for each statement execute function "trailbook".bookings_recounted()
create or replace function "trailbook".bookings_uncounted() returns trigger language plpgsql as $$ begin insert into "trailbook".booking_counts as kept (org_id, day, writer, confirmed) select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (select org_id, created_at, -1 as one from gone where status = 'confirmed') as changed group by 1, 2 having sum(one) <> 0 on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed; return null; end $$
create trigger bookings_uncounted after delete on "trailbook".bookings referencing old table as gone for each statement execute function "trailbook".bookings_uncounted()
create function "trailbook".bookings_emptied() returns trigger language plpgsql as $$ begin delete from "trailbook".booking_counts; return null; end $$
create trigger bookings_emptied after truncate on "trailbook".bookings for each statement execute function "trailbook".bookings_emptied()
create function "trailbook".customers_emptied() returns trigger language plpgsql as $$ begin delete from "trailbook".customer_words; return null; end $$
create trigger customers_emptied after truncate on "trailbook".customers for each statement execute function "trailbook".customers_emptied()
create table "trailbook".request_keys ( org_id text collate "C" not null references "trailbook".orgs (id), operation text collate "C" not null, key text collate "C" not null, fingerprint text collate "C" not null, made json not null check (json_typeof(made) = 'array'), made_at bigint not null, primary key (org_id, operation, key) )
alter table "trailbook".request_keys enable row level security
alter table "trailbook".request_keys force row level security
create policy orgs on "trailbook".request_keys using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".unfinished ( org_id text collate "C" not null references "trailbook".orgs (id), subject text collate "C" not null check (subject in ('offering', 'session', 'customer')), id text collate "C" not null, begun_at bigint not null, touched_at bigint not null, cancelled bigint not null check (cancelled >= 0), refunded bigint not null check (refunded >= 0), primary key (org_id, subject, id) )
create index unfinished_untouched on "trailbook".unfinished (touched_at, org_id, subject, id)
alter table "trailbook".unfinished enable row level security
alter table "trailbook".unfinished force row level security
create policy orgs on "trailbook".unfinished using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create index bookings_held_of_offering on "trailbook".bookings (org_id, offering_id, starts_at, id) where status = 'held'
create table "trailbook".tasks ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, kind text collate "C" not null, lane text collate "C" not null, subject_id text collate "C" not null, due_at bigint not null, attempts bigint not null check (attempts >= 0), last_error text collate "C", given_up_at bigint, fence bigint not null default 0 check (fence >= 0), lease_until bigint, primary key (org_id, id) )
insert into "trailbook".tasks select org_id, id, kind, case kind when 'refund' then 'money' else 'mail' end, booking_id, due_at, attempts, last_error, null, fence, lease_until from "trailbook".outbox
drop table "trailbook".outbox
create index tasks_due on "trailbook".tasks (lane, due_at, id) where given_up_at is null
create index tasks_failed on "trailbook".tasks (org_id, id) where given_up_at is not null or attempts > 0
alter table "trailbook".tasks enable row level security
alter table "trailbook".tasks force row level security
create policy orgs on "trailbook".tasks using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".conversations ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, customer_id text collate "C", from_name text collate "C", from_email text collate "C", words text collate "C" not null, token text collate "C" not null, status text collate "C" not null check (status in ('open', 'done')), subject text collate "C" not null, last_message_id text collate "C", last_at bigint not null, last_by text collate "C" check (last_by in ('guest', 'outfitter')), guest_at bigint, outfitter_read_at bigint, guest_read_at bigint, snoozed_until bigint, acked_at bigint, bounced_at bigint, created_at bigint not null, primary key (org_id, id), foreign key (org_id, customer_id) references "trailbook".customers (org_id, id), check ((last_by is null) = (last_message_id is null)) )
create unique index conversations_by_token on "trailbook".conversations (token)
create unique index conversations_of_customer on "trailbook".conversations (org_id, customer_id) where customer_id is not null
create unique index conversations_by_email on "trailbook".conversations (org_id, from_email) where from_email <> ''
create index conversations_made on "trailbook".conversations (org_id, created_at, id)
create index conversations_listed on "trailbook".conversations (org_id, last_by, last_at, id) where last_by is not null
create index conversations_snoozed on "trailbook".conversations (org_id, last_by, last_at, id) where last_by is not null and snoozed_until is not null
alter table "trailbook".conversations enable row level security
alter table "trailbook".conversations force row level security
create policy orgs on "trailbook".conversations using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".messages ( org_id text collate "C" not null, id text collate "C" not null, conversation_id text collate "C" not null, booking_id text collate "C", customer_id text collate "C", direction text collate "C" not null check (direction in ('to_guest', 'to_outfitter')), subject text collate "C" not null, body text collate "C" not null, words text collate "C" not null, cut text collate "C" not null, sent_by text collate "C" not null check (sent_by in ('dashboard', 'api', 'mcp', 'guest', 'agent')), channel text collate "C" not null check (channel in ('page', 'email', 'api', 'system')), kind text collate "C" not null check (kind in ('message', 'note')), read_at bigint, delivered_at bigint, failed_at bigint, failure text collate "C", from_name text collate "C", from_email text collate "C", mail_key text collate "C", mail_id text collate "C", bounce_token text collate "C", broadcast_id text collate "C", created_at bigint not null, primary key (org_id, id), foreign key (org_id, conversation_id) references "trailbook".conversations (org_id, id), foreign key (org_id, booking_id) references "trailbook".bookings (org_id, id), foreign key (org_id, customer_id) references "trailbook".customers (org_id, id) )
create unique index messages_by_mail_key on "trailbook".messages (org_id, mail_key) where mail_key is not null
create unique index messages_by_bounce_token on "trailbook".messages (bounce_token) where bounce_token is not null
create unique index messages_of_broadcast on "trailbook".messages (org_id, broadcast_id, customer_id) where broadcast_id is not null
create index messages_listed on "trailbook".messages (org_id, created_at, id)
create index messages_in_conversation on "trailbook".messages (org_id, conversation_id, created_at, id)
create index messages_about_booking on "trailbook".messages (org_id, booking_id, created_at, id) where booking_id is not null
create index messages_of_customer on "trailbook".messages (org_id, customer_id, created_at, id) where customer_id is not null
alter table "trailbook".messages enable row level security
alter table "trailbook".messages force row level security
create policy orgs on "trailbook".messages using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".saved_replies ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, title text collate "C" not null, body text collate "C" not null, created_at bigint not null, updated_at bigint not null, primary key (org_id, id) )
alter table "trailbook".saved_replies enable row level security
alter table "trailbook".saved_replies force row level security
create policy orgs on "trailbook".saved_replies using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".broadcasts ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, key text collate "C" not null, target json not null check (json_typeof(target) = 'object'), subject text collate "C" not null, body text collate "C" not null, sent_by text collate "C" not null check (sent_by in ('dashboard', 'api', 'mcp', 'agent')), began_at bigint not null, after text collate "C" not null, sent bigint not null check (sent >= 0), skipped bigint not null check (skipped >= 0), failed bigint not null check (failed >= 0), done_at bigint, primary key (org_id, id) )
create unique index broadcasts_by_key on "trailbook".broadcasts (org_id, key)
alter table "trailbook".broadcasts enable row level security
alter table "trailbook".broadcasts force row level security
create policy orgs on "trailbook".broadcasts using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".files ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, name text collate "C" not null, size bigint not null check (size >= 0), type text collate "C" not null, created_at bigint not null, message_id text collate "C", position bigint not null check (position >= 0), primary key (org_id, id) )
create index files_of_message on "trailbook".files (org_id, message_id, position) where message_id is not null
create index files_unused on "trailbook".files (created_at, org_id, id) where message_id is null
alter table "trailbook".files enable row level security
alter table "trailbook".files force row level security
create policy orgs on "trailbook".files using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".staff ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, email text collate "C" not null, name text collate "C" not null, notify boolean not null, created_at bigint not null, primary key (org_id, id) )
create unique index staff_by_email on "trailbook".staff (org_id, email)
alter table "trailbook".staff enable row level security
alter table "trailbook".staff force row level security
create policy orgs on "trailbook".staff using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".payments ( org_id text collate "C" not null, id text collate "C" not null, booking_id text collate "C" not null, attempt bigint not null check (attempt > 0), provider text collate "C" not null, connection_id text collate "C", cents bigint not null check (cents >= 0), currency text collate "C" not null, description text collate "C" not null, made_at bigint not null, expires_at bigint not null, session text collate "C", status text collate "C" not null check (status in ('opening', 'open', 'paid', 'expired', 'abandoned')), url text collate "C" check ((url is not null) = (status = 'open')), intent text collate "C" check ((intent is not null) = (status = 'paid')), paid_at bigint check ((paid_at is not null) = (status = 'paid')), refund text collate "C" not null check (refund in ('none', 'due', 'done', 'refused')), refund_at bigint check ((refund_at is not null) = (refund <> 'none')), refund_id text collate "C" check ((refund_id is not null) = (refund = 'done')), refund_error text collate "C" check ((refund_error is not null) = (refund = 'refused')), disputed_at bigint, primary key (org_id, id), foreign key (org_id, booking_id) references "trailbook".bookings (org_id, id), check (refund = 'none' or status = 'paid') )
create unique index payments_of_booking on "trailbook".payments (org_id, booking_id, attempt)
create unique index payments_by_intent on "trailbook".payments (provider, intent) where connection_id is not null and intent is not null
insert into "trailbook".payments select b.org_id, b.id, b.id, 1, 'host', null, b.total_cents, o.currency, '', b.created_at, b.created_at, null, 'paid', null, b.payment_intent_id, coalesce(b.paid_at, b.cancelled_at, b.created_at), case when t.id is not null then 'due' when b.status = 'cancelled' and (b.paid_at is null or b.starts_at > b.cancelled_at) then 'done' else 'none' end, case when t.id is not null or (b.status = 'cancelled' and (b.paid_at is null or b.starts_at > b.cancelled_at)) then coalesce(b.cancelled_at, b.created_at) end, case when t.id is null and b.status = 'cancelled' and (b.paid_at is null or b.starts_at > b.cancelled_at) then 'before' end, null, null from "trailbook".bookings b join "trailbook".orgs o on o.id = b.org_id left join ( select org_id, subject_id, min(id) as id from "trailbook".tasks where kind = 'refund' group by org_id, subject_id ) t on t.org_id = b.org_id and t.subject_id = b.id where b.payment_intent_id is not null
alter table "trailbook".bookings add column refund text collate "C" check (refund in ('due', 'done', 'refused'))
alter table "trailbook".bookings add column refund_at bigint
update "trailbook".bookings set refund = p.refund, refund_at = p.refund_at from "trailbook".payments p where p.org_id = bookings.org_id and p.booking_id = bookings.id and p.refund <> 'none'
alter table "trailbook".payments enable row level security
alter table "trailbook".payments force row level security
create policy orgs on "trailbook".payments using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".payment_connections ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, provider text collate "C" not null, mode text collate "C" not null check (mode in ('live', 'test')), account_id text collate "C" not null, name text collate "C" not null, sealed_key text collate "C" not null, sealed_notice_secret text collate "C", account text collate "C", watch_id text collate "C", connected_at bigint not null, disconnected_at bigint, looked_at bigint not null, seen_to bigint not null, primary key (org_id, id) )
create unique index payment_connections_by_id on "trailbook".payment_connections (id)
create unique index payment_connections_in_use on "trailbook".payment_connections (org_id) where disconnected_at is null
create index payment_connections_looked on "trailbook".payment_connections (looked_at, id)
alter table "trailbook".payment_connections enable row level security
alter table "trailbook".payment_connections force row level security
create policy orgs on "trailbook".payment_connections using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".automations ( org_id text collate "C" not null references "trailbook".orgs (id), automation text collate "C" not null check (automation in ('weather', 'fill', 'brief', 'reminders')), dial text collate "C" not null check (dial in ('off', 'ask', 'do_tell', 'do_quiet')), settings json not null check (json_typeof(settings) = 'object'), updated_at bigint, next_at bigint, fence bigint not null default 0, lease_until bigint, primary key (org_id, automation) )
create index automations_due on "trailbook".automations (next_at) where next_at is not null
alter table "trailbook".automations enable row level security
alter table "trailbook".automations force row level security
create policy orgs on "trailbook".automations using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".proposals ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, automation text collate "C" not null check (automation in ('weather', 'fill', 'brief', 'reminders')), subject text collate "C" not null, day bigint not null, status text collate "C" not null check (status in ('pending', 'done', 'failed', 'dismissed', 'expired', 'undone')), dial text collate "C" not null check (dial in ('ask', 'do_tell', 'do_quiet')), held text collate "C" check (held in ('cap', 'money')), title text collate "C" not null, session_id text collate "C", booking_id text collate "C", data json not null check (json_typeof(data) = 'object'), actions json not null check (json_typeof(actions) = 'array'), expires_at bigint not null, run_at bigint, created_at bigint not null, decided_at bigint, decided_by text collate "C" check (decided_by in ('dashboard', 'api', 'mcp', 'agent')), done_at bigint, error text collate "C", fence bigint not null default 0, lease_until bigint, primary key (org_id, id), check (run_at is null or status = 'pending'), check ((decided_at is null) = (decided_by is null)) )
create unique index proposals_by_subject on "trailbook".proposals (org_id, automation, subject, day)
create index proposals_listed on "trailbook".proposals (org_id, created_at, id)
create index proposals_due on "trailbook".proposals (run_at) where run_at is not null
create index proposals_waiting on "trailbook".proposals (expires_at, id) where status = 'pending' and run_at is null
create index proposals_own on "trailbook".proposals (org_id, decided_at) where decided_by = 'agent'
alter table "trailbook".proposals enable row level security
alter table "trailbook".proposals force row level security
create policy orgs on "trailbook".proposals using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".drafts ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, at bigint not null, primary key (org_id, id) )
alter table "trailbook".drafts enable row level security
alter table "trailbook".drafts force row level security
create policy orgs on "trailbook".drafts using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".conversations add column moved_to text collate "C"
alter table "trailbook".unfinished drop constraint unfinished_subject_check, add constraint unfinished_subject_check check (subject in ('offering', 'session', 'customer', 'conversation'))
create index proposals_in_state on "trailbook".proposals (org_id, status, created_at, id)
alter table "trailbook".orgs add column guest_changes_hours bigint, add column accent text collate "C", add column logo_url text collate "C", add column cover_url text collate "C"
alter table "trailbook".bookings add column contact_email text collate "C", add column contact_name text collate "C", add column contact_phone text collate "C"
alter table "trailbook".conversations add column link_digest text collate "C", add column link_until bigint, add column shown_digest text collate "C", add column shown_until bigint
alter table "trailbook".staff add column role text collate "C" not null default 'staff' check (role in ('owner', 'staff'))
create index staff_signing_in on "trailbook".staff (email, org_id)
create table "trailbook".sign_in_links ( org_id text collate "C" not null references "trailbook".orgs (id), digest text collate "C" not null, staff_id text collate "C" not null, next text collate "C", created_at bigint not null, expires_at bigint not null, spent_at bigint, primary key (org_id, digest) )
create unique index sign_in_links_by_digest on "trailbook".sign_in_links (digest)
create index sign_in_links_of_person on "trailbook".sign_in_links (org_id, staff_id, created_at, digest)
create table "trailbook".logins ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, staff_id text collate "C" not null, digest text collate "C" not null, way text collate "C" not null check (way in ('link', 'passkey')), device text collate "C" not null, created_at bigint not null, last_used_at bigint not null, expires_at bigint not null, ended_at bigint, primary key (org_id, id) )
create unique index logins_by_digest on "trailbook".logins (digest)
create index logins_of_person on "trailbook".logins (org_id, staff_id)
create table "trailbook".audit ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, at bigint not null, by_kind text collate "C" not null, staff_id text collate "C" check ((staff_id is not null) = (by_kind = 'Staff')), what text collate "C" not null, subject text collate "C" not null, name text collate "C" not null, primary key (org_id, id) )
create index audit_by_time on "trailbook".audit (org_id, at, id)
alter table "trailbook".sign_in_links enable row level security
alter table "trailbook".sign_in_links force row level security
create policy orgs on "trailbook".sign_in_links using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".logins enable row level security
alter table "trailbook".logins force row level security
create policy orgs on "trailbook".logins using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".audit enable row level security
alter table "trailbook".audit force row level security
create policy orgs on "trailbook".audit using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create table "trailbook".applications ( client_id text collate "C" not null primary key, name text collate "C" not null, redirect_uris json not null, created_at bigint not null, read_at bigint not null )
create index applications_by_age on "trailbook".applications (read_at, client_id)
create table "trailbook".grants ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, client_id text collate "C" not null, name text collate "C" not null, staff_id text collate "C" not null, scopes json not null, personal boolean not null, created_at bigint not null, last_used_at bigint, withdrawn_at bigint, primary key (org_id, id) )
create index grants_of_client on "trailbook".grants (client_id)
create table "trailbook".grant_codes ( org_id text collate "C" not null, digest text collate "C" not null, grant_id text collate "C" not null, client_id text collate "C" not null, redirect_uri text collate "C" not null, challenge text collate "C" not null, created_at bigint not null, expires_at bigint not null, spent_at bigint, primary key (org_id, digest), foreign key (org_id, grant_id) references "trailbook".grants (org_id, id) )
create unique index grant_codes_by_digest on "trailbook".grant_codes (digest)
create index grant_codes_of_grant on "trailbook".grant_codes (org_id, grant_id)
create table "trailbook".grant_tokens ( org_id text collate "C" not null, digest text collate "C" not null, grant_id text collate "C" not null, kind text collate "C" not null check (kind in ('access', 'refresh')), scopes json not null, created_at bigint not null, expires_at bigint not null, rotated_at bigint, uses bigint not null check (uses >= 0), primary key (org_id, digest), foreign key (org_id, grant_id) references "trailbook".grants (org_id, id) )
create unique index grant_tokens_by_digest on "trailbook".grant_tokens (digest)
create index grant_tokens_of_grant on "trailbook".grant_tokens (org_id, grant_id)
alter table "trailbook".grants enable row level security
alter table "trailbook".grants force row level security
create policy orgs on "trailbook".grants using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".grant_codes enable row level security
alter table "trailbook".grant_codes force row level security
create policy orgs on "trailbook".grant_codes using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".grant_tokens enable row level security
alter table "trailbook".grant_tokens force row level security
create policy orgs on "trailbook".grant_tokens using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
alter table "trailbook".event_counters add column touched bigint not null default 0
create table "trailbook".passkeys ( org_id text collate "C" not null references "trailbook".orgs (id), id text collate "C" not null, staff_id text collate "C" not null, public_key text collate "C" not null, counter bigint not null, name text collate "C" not null, created_at bigint not null, last_used_at bigint, primary key (org_id, id) )
create unique index passkeys_by_id on "trailbook".passkeys (id)
create index passkeys_of_person on "trailbook".passkeys (org_id, staff_id)
create table "trailbook".passkey_challenges ( digest text collate "C" not null primary key, staff_id text collate "C", expires_at bigint not null )
create index passkey_challenges_over on "trailbook".passkey_challenges (expires_at, digest)
alter table "trailbook".passkeys enable row level security
alter table "trailbook".passkeys force row level security
create policy orgs on "trailbook".passkeys using ( (select current_setting('trailbook.orgs', true) = '*') or org_id = any ((select string_to_array(current_setting('trailbook.orgs', true), ','))::text[]) )
create or replace function "trailbook".bookings_counted() returns trigger language plpgsql as $$ begin if not exists (select from made) then return null; end if; insert into "trailbook".booking_counts as kept (org_id, day, writer, confirmed) select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (select org_id, created_at, 1 as one from made where status = 'confirmed') as changed group by 1, 2 having sum(one) <> 0 on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed; return null; end $$
create or replace function "trailbook".bookings_recounted() returns trigger language plpgsql as $$ begin if not exists (select from after) then return null; end if; insert into "trailbook".booking_counts as kept (org_id, day, writer, confirmed) select org_id, created_at / 86400000, pg_backend_pid(), sum(one) from (select org_id, created_at, 1 as one from after where status = 'confirmed' union all select org_id, created_at, -1 as one from before where status = 'confirmed') as changed group by 1, 2 having sum(one) <> 0 on conflict (org_id, day, writer) do update set confirmed = kept.confirmed + excluded.confirmed; return null; end $$
