/**
 * The query planner's statistics for an index. They describe a large service.
 *
 * Without statistics, SQLite considers an org's key as selective as a session's key. To avoid sorting ten rows, it then
 * scans all of an org's bookings in ID order. Statistics from real data would make plans depend on when the analysis
 * ran. These fixed values produce the same plans everywhere, and `plans.test.ts` verifies the plans.
 *
 * The first statistic is the number of index entries. Each later statistic is the average number of entries with equal
 * values in the columns up to that position.
 */
type Index = readonly [table: string, index: string, ...statistics: ReadonlyArray<number>]

const formatRow = ([table, index, ...statistics]: Index): string =>
  `('${table}', '${index}', '${statistics.join(" ")}')`

/** Returns the statements that add statistics for indexes. */
export const addStatistics = (indexes: ReadonlyArray<Index>): ReadonlyArray<string> => [
  `insert into sqlite_stat1 (tbl, idx, stat) values ${indexes.map(formatRow).join(", ")}`,
  // Make this connection read the statistics. Other connections read them when they open the file.
  "analyze sqlite_schema"
]

/** The statistics for schema version 28. */
export const initialStatistics: ReadonlyArray<string> = [
  // This statement creates the statistics table.
  "analyze",
  "delete from sqlite_stat1",
  ...addStatistics([
    ["booking_counts", "booking_counts", 3e5, 300, 1],
    ["orgs", "orgs", 1e3, 1],
    ["orgs", "orgs_by_slug", 1e3, 1],
    ["api_keys", "api_keys", 3e3, 3, 1],
    ["api_keys", "api_keys_by_id", 3e3, 1],
    ["offerings", "sqlite_autoindex_offerings_1", 2e4, 20, 1],
    ["offerings", "offerings_listed", 2e4, 20, 1, 1],
    ["sessions", "sessions", 1e6, 1e3, 1],
    ["sessions", "sessions_listed", 1e6, 1e3, 2, 1],
    ["sessions", "sessions_of_offering", 1e6, 1e3, 50, 1, 1],
    ["customers", "sqlite_autoindex_customers_1", 2e6, 2e3, 1],
    ["customers", "customers_by_email", 2e6, 2e3, 1],
    ["customers", "customers_listed", 2e6, 2e3, 1, 1],
    ["customers", "customers_unread", 1, 1, 1],
    ["bookings", "sqlite_autoindex_bookings_1", 5e6, 5e3, 1],
    ["bookings", "bookings_by_reference", 5e6, 5e3, 1],
    ["bookings", "bookings_by_handle", 5e6, 1],
    ["bookings", "bookings_by_idempotency_key", 5e6, 5e3, 1],
    ["bookings", "bookings_of_offering", 5e6, 5e3, 250, 5, 1, 1, 1, 1, 1],
    ["bookings", "bookings_in_session", 4e6, 4e3, 8, 4, 4, 2, 1],
    ["bookings", "bookings_listed", 5e6, 5e3, 8, 1, 1],
    ["bookings", "bookings_of_customer", 5e6, 5e3, 3, 1, 1],
    ["bookings", "bookings_made", 4e6, 4e3, 1],
    ["bookings", "bookings_expiring", 1e4, 2, 1, 1],
    ["bookings", "bookings_held", 1e4, 1e3, 1, 1],
    ["bookings", "bookings_cancelled", 5e5, 500, 2, 1],
    ["bookings", "bookings_cancelled_of_offering", 5e5, 500, 25, 2, 1],
    ["bookings", "bookings_held_of_offering", 1e4, 1e3, 50, 1, 1],
    ["bookings", "bookings_of_session", 4e6, 4e3, 8, 8, 1],
    ["bookings", "bookings_of_network", 1e4, 10, 2, 1],
    ["bookings", "bookings_unproven", 1e6, 1e3, 50, 2],
    ["bookings", "bookings_networks_old", 1e4, 1, 1, 1],
    ["event_counters", "event_counters", 1e3, 1],
    ["event_counters", "event_counters_undelivered", 10, 1],
    ["events", "sqlite_autoindex_events_1", 1e7, 1e4, 1],
    ["events", "events_of_type", 1e7, 1e4, 800, 1],
    ["events", "events_about_customer", 8e6, 8e3, 4, 1],
    ["webhooks", "sqlite_autoindex_webhooks_1", 2e3, 2, 1],
    ["webhooks", "webhooks_by_id", 2e3, 1],
    ["webhooks", "webhooks_retried", 20, 1],
    ["subscriptions", "subscriptions", 2e3, 2, 1],
    ["customer_words", "customer_words", 2e7, 2e4, 1e3, 1],
    ["request_keys", "request_keys", 1e5, 100, 50, 1],
    ["tasks", "tasks", 1e4, 10, 1],
    ["tasks", "tasks_due", 1e4, 2500, 2, 1],
    ["tasks", "tasks_failed", 100, 2, 1],
    ["conversations", "sqlite_autoindex_conversations_1", 1e6, 1e3, 1],
    ["conversations", "conversations_by_token", 1e6, 1],
    ["conversations", "conversations_of_customer", 1e6, 1e3, 1],
    ["conversations", "conversations_by_email", 1e5, 100, 1],
    ["conversations", "conversations_made", 1e6, 1e3, 1, 1],
    ["conversations", "conversations_listed", 1e6, 1e3, 500, 1, 1],
    ["conversations", "conversations_snoozed", 1e4, 10, 5, 1, 1],
    ["messages", "sqlite_autoindex_messages_1", 5e6, 5e3, 1],
    ["messages", "messages_by_mail_key", 1e6, 1e3, 1],
    ["messages", "messages_by_bounce_token", 3e6, 1],
    ["messages", "messages_of_broadcast", 1e6, 1e3, 100, 1],
    ["messages", "messages_listed", 5e6, 5e3, 1, 1],
    ["messages", "messages_in_conversation", 5e6, 5e3, 5, 1, 1],
    ["messages", "messages_about_booking", 2e6, 2e3, 2, 1, 1],
    ["messages", "messages_of_customer", 5e6, 5e3, 5, 1, 1],
    ["saved_replies", "sqlite_autoindex_saved_replies_1", 2e4, 20, 1],
    ["broadcasts", "sqlite_autoindex_broadcasts_1", 1e5, 100, 1],
    ["broadcasts", "broadcasts_by_key", 1e5, 100, 1],
    ["files", "sqlite_autoindex_files_1", 1e6, 1e3, 1],
    ["files", "files_of_message", 1e6, 1e3, 2, 1],
    ["files", "files_unused", 100, 1, 1, 1],
    ["staff", "staff", 1e3, 5, 1],
    ["staff", "staff_by_email", 1e3, 5, 1],
    ["staff", "staff_signing_in", 1e3, 1, 1],
    ["payments", "sqlite_autoindex_payments_1", 1e6, 1e3, 1],
    ["payments", "payments_of_booking", 1e6, 1e3, 1, 1],
    ["payments", "payments_by_intent", 1e6, 5e5, 1],
    ["payment_connections", "sqlite_autoindex_payment_connections_1", 1e3, 1, 1],
    ["payment_connections", "payment_connections_by_id", 1e3, 1],
    ["payment_connections", "payment_connections_in_use", 1e3, 1],
    ["payment_connections", "payment_connections_looked", 1e3, 1, 1],
    ["automations", "automations", 4e3, 4, 1],
    ["automations", "automations_due", 3e3, 2],
    ["proposals", "sqlite_autoindex_proposals_1", 1e6, 1e3, 1],
    ["proposals", "proposals_by_subject", 1e6, 1e3, 250, 2, 1],
    ["proposals", "proposals_listed", 1e6, 1e3, 1, 1],
    ["proposals", "proposals_due", 100, 1],
    ["proposals", "proposals_waiting", 1e4, 2, 1],
    ["proposals", "proposals_own", 5e5, 500, 1],
    ["proposals", "proposals_in_state", 1e6, 1e3, 200, 1, 1],
    ["drafts", "drafts", 1e4, 10, 1],
    ["unfinished", "unfinished", 10, 2, 1, 1],
    ["unfinished", "unfinished_untouched", 10, 1, 1, 1, 1],
    ["sign_in_links", "sign_in_links", 1e3, 5, 1],
    ["sign_in_links", "sign_in_links_by_digest", 1e3, 1],
    ["sign_in_links", "sign_in_links_of_person", 1e3, 5, 1, 1, 1],
    ["logins", "logins", 1e4, 20, 1],
    ["logins", "logins_by_digest", 1e4, 1],
    ["logins", "logins_of_person", 1e4, 20, 3],
    ["audit", "audit", 1e6, 1e3, 1],
    ["audit", "audit_by_time", 1e6, 1e3, 1, 1],
    ["applications", "applications", 1e3, 1],
    ["applications", "applications_by_age", 1e3, 1, 1],
    ["grants", "grants", 1e3, 5, 1],
    ["grants", "grants_of_client", 1e3, 100],
    ["grant_codes", "grant_codes", 1e3, 5, 1],
    ["grant_codes", "grant_codes_by_digest", 1e3, 1],
    ["grant_codes", "grant_codes_of_grant", 1e3, 5, 1],
    ["grant_tokens", "grant_tokens", 1e6, 5e3, 1],
    ["grant_tokens", "grant_tokens_by_digest", 1e6, 1],
    ["grant_tokens", "grant_tokens_of_grant", 1e6, 5e3, 1e3],
    ["passkeys", "passkeys", 1e3, 5, 1],
    ["passkeys", "passkeys_by_id", 1e3, 1],
    ["passkeys", "passkeys_of_person", 1e3, 5, 2],
    ["passkey_challenges", "passkey_challenges", 1e3, 1],
    ["passkey_challenges", "passkey_challenges_over", 1e3, 1, 1]
  ])
]
