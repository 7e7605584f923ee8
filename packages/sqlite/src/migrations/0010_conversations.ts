/**
 * Conversations and their messages, saved replies and broadcasts.
 *
 * `words` holds what a search looks for, each word behind a blank; it is written by
 * the program, for no two databases part text into words alike.
 */
import { believed } from "./0002_statistics.ts"

export const conversations: ReadonlyArray<string> = [
  `create table conversations (
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
    primary key (org_id, id),
    foreign key (org_id, customer_id) references customers (org_id, id),
    check ((last_by is null) = (last_message_id is null))
  ) strict`,
  "create unique index conversations_by_token on conversations (token)",
  "create unique index conversations_of_customer on conversations (org_id, customer_id) where customer_id is not null",
  "create unique index conversations_by_email on conversations (org_id, from_email) where from_email <> ''",
  "create index conversations_made on conversations (org_id, created_at, id)",
  // The list is read off this one part by part: who wrote last, and then the newest.
  `create index conversations_listed on conversations (org_id, last_by, last_at, id) where last_by is not null`,
  `create index conversations_snoozed on conversations (org_id, last_by, last_at, id)
    where last_by is not null and snoozed_until is not null`,

  `create table messages (
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
  ) strict`,
  "create unique index messages_by_mail_key on messages (org_id, mail_key) where mail_key is not null",
  "create unique index messages_by_bounce_token on messages (bounce_token) where bounce_token is not null",
  `create unique index messages_of_broadcast on messages (org_id, broadcast_id, customer_id)
    where broadcast_id is not null`,
  "create index messages_listed on messages (org_id, created_at, id)",
  "create index messages_in_conversation on messages (org_id, conversation_id, created_at, id)",
  `create index messages_about_booking on messages (org_id, booking_id, created_at, id)
    where booking_id is not null`,
  `create index messages_of_customer on messages (org_id, customer_id, created_at, id)
    where customer_id is not null`,

  `create table saved_replies (
    org_id text not null references orgs (id),
    id text not null,
    title text not null,
    body text not null,
    created_at integer not null,
    updated_at integer not null,
    primary key (org_id, id)
  ) strict`,

  `create table broadcasts (
    org_id text not null references orgs (id),
    id text not null,
    key text not null,
    target text not null check (json_type(target) = 'object'),
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
  ) strict`,
  "create unique index broadcasts_by_key on broadcasts (org_id, key)",

  ...believed([
    ["conversations", "sqlite_autoindex_conversations_1", 1e6, 1000, 1],
    ["conversations", "conversations_by_token", 1e6, 1],
    ["conversations", "conversations_of_customer", 1e6, 1000, 1],
    ["conversations", "conversations_by_email", 1e5, 100, 1],
    ["conversations", "conversations_made", 1e6, 1000, 1, 1],
    ["conversations", "conversations_listed", 1e6, 1000, 500, 1, 1],
    ["conversations", "conversations_snoozed", 1e4, 10, 5, 1, 1],
    ["messages", "sqlite_autoindex_messages_1", 5e6, 5000, 1],
    ["messages", "messages_by_mail_key", 1e6, 1000, 1],
    ["messages", "messages_by_bounce_token", 3e6, 1],
    ["messages", "messages_of_broadcast", 1e6, 1000, 100, 1],
    ["messages", "messages_listed", 5e6, 5000, 1, 1],
    ["messages", "messages_in_conversation", 5e6, 5000, 5, 1, 1],
    ["messages", "messages_about_booking", 2e6, 2000, 2, 1, 1],
    ["messages", "messages_of_customer", 5e6, 5000, 5, 1, 1],
    ["saved_replies", "sqlite_autoindex_saved_replies_1", 2e4, 20, 1],
    ["broadcasts", "sqlite_autoindex_broadcasts_1", 1e5, 100, 1],
    ["broadcasts", "broadcasts_by_key", 1e5, 100, 1]
  ])
]
