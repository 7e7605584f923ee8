/**
 * Conversations and their messages, saved replies and broadcasts.
 *
 * `words` holds what a search looks for, each word behind a blank; it is written by
 * the program, for no two databases part text into words alike.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const conversations = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".conversations (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    customer_id ${text},
    from_name ${text},
    from_email ${text},
    words ${text} not null,
    token ${text} not null,
    status ${text} not null check (status in ('open', 'done')),
    subject ${text} not null,
    last_message_id ${text},
    last_at bigint not null,
    last_by ${text} check (last_by in ('guest', 'outfitter')),
    guest_at bigint,
    outfitter_read_at bigint,
    guest_read_at bigint,
    snoozed_until bigint,
    acked_at bigint,
    bounced_at bigint,
    created_at bigint not null,
    primary key (org_id, id),
    foreign key (org_id, customer_id) references "${schema}".customers (org_id, id),
    check ((last_by is null) = (last_message_id is null))
  )`,
  `create unique index conversations_by_token on "${schema}".conversations (token)`,
  `create unique index conversations_of_customer on "${schema}".conversations (org_id, customer_id) where customer_id is not null`,
  `create unique index conversations_by_email on "${schema}".conversations (org_id, from_email) where from_email <> ''`,
  `create index conversations_made on "${schema}".conversations (org_id, created_at, id)`,
  // The list is read off this one part by part: who wrote last, and then the newest.
  `create index conversations_listed on "${schema}".conversations (org_id, last_by, last_at, id) where last_by is not null`,
  `create index conversations_snoozed on "${schema}".conversations (org_id, last_by, last_at, id)
    where last_by is not null and snoozed_until is not null`,
  ...isolateTable(schema, "conversations", "org_id"),

  `create table "${schema}".messages (
    org_id ${text} not null,
    id ${text} not null,
    conversation_id ${text} not null,
    booking_id ${text},
    customer_id ${text},
    direction ${text} not null check (direction in ('to_guest', 'to_outfitter')),
    subject ${text} not null,
    body ${text} not null,
    words ${text} not null,
    cut ${text} not null,
    sent_by ${text} not null check (sent_by in ('dashboard', 'api', 'mcp', 'guest', 'agent')),
    channel ${text} not null check (channel in ('page', 'email', 'api', 'system')),
    kind ${text} not null check (kind in ('message', 'note')),
    read_at bigint,
    delivered_at bigint,
    failed_at bigint,
    failure ${text},
    from_name ${text},
    from_email ${text},
    mail_key ${text},
    mail_id ${text},
    bounce_token ${text},
    broadcast_id ${text},
    created_at bigint not null,
    primary key (org_id, id),
    foreign key (org_id, conversation_id) references "${schema}".conversations (org_id, id),
    foreign key (org_id, booking_id) references "${schema}".bookings (org_id, id),
    foreign key (org_id, customer_id) references "${schema}".customers (org_id, id)
  )`,
  `create unique index messages_by_mail_key on "${schema}".messages (org_id, mail_key) where mail_key is not null`,
  `create unique index messages_by_bounce_token on "${schema}".messages (bounce_token) where bounce_token is not null`,
  `create unique index messages_of_broadcast on "${schema}".messages (org_id, broadcast_id, customer_id)
    where broadcast_id is not null`,
  `create index messages_listed on "${schema}".messages (org_id, created_at, id)`,
  `create index messages_in_conversation on "${schema}".messages (org_id, conversation_id, created_at, id)`,
  `create index messages_about_booking on "${schema}".messages (org_id, booking_id, created_at, id)
    where booking_id is not null`,
  `create index messages_of_customer on "${schema}".messages (org_id, customer_id, created_at, id)
    where customer_id is not null`,
  ...isolateTable(schema, "messages", "org_id"),

  `create table "${schema}".saved_replies (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    title ${text} not null,
    body ${text} not null,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (org_id, id)
  )`,
  ...isolateTable(schema, "saved_replies", "org_id"),

  `create table "${schema}".broadcasts (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    key ${text} not null,
    target json not null check (json_typeof(target) = 'object'),
    subject ${text} not null,
    body ${text} not null,
    sent_by ${text} not null check (sent_by in ('dashboard', 'api', 'mcp', 'agent')),
    began_at bigint not null,
    after ${text} not null,
    sent bigint not null check (sent >= 0),
    skipped bigint not null check (skipped >= 0),
    failed bigint not null check (failed >= 0),
    done_at bigint,
    primary key (org_id, id)
  )`,
  `create unique index broadcasts_by_key on "${schema}".broadcasts (org_id, key)`,
  ...isolateTable(schema, "broadcasts", "org_id")
]
