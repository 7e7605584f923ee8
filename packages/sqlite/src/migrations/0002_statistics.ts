/**
 * What SQLite shall believe about the data: those of a large service.
 *
 * Without statistics it takes the key of the org for as good as that of a
 * session, and walks all bookings of an org in the order of their ids to spare
 * itself the sorting of ten. Statistics gathered from real data would make plans
 * depend on the day they were gathered. These are written by hand, so a plan is
 * the same everywhere, and `plans.test.ts` holds it.
 *
 * After the number of entries come, for each column of the index, how many have
 * the same values in the columns up to that one.
 */

type Index = readonly [table: string, index: string, ...statistics: ReadonlyArray<number>]

const indexes: ReadonlyArray<Index> = [
  ["orgs", "orgs", 1e3, 1],
  ["orgs", "orgs_by_slug", 1e3, 1],
  ["api_keys", "api_keys", 3e3, 3, 1],
  ["api_keys", "api_keys_by_id", 3e3, 1],
  ["offerings", "sqlite_autoindex_offerings_1", 2e4, 20, 1],
  ["offerings", "offerings_listed", 2e4, 20, 1, 1],
  ["sessions", "sessions", 1e6, 1000, 1],
  ["sessions", "sessions_listed", 1e6, 1000, 2, 1],
  ["sessions", "sessions_of_offering", 1e6, 1000, 50, 1, 1],
  ["customers", "sqlite_autoindex_customers_1", 2e6, 2000, 1],
  ["customers", "customers_by_email", 2e6, 2000, 1],
  ["customers", "customers_listed", 2e6, 2000, 1, 1],
  ["bookings", "sqlite_autoindex_bookings_1", 5e6, 5000, 1],
  ["bookings", "bookings_by_reference", 5e6, 5000, 1],
  ["bookings", "bookings_by_handle", 5e6, 1],
  ["bookings", "bookings_by_idempotency_key", 5e6, 5000, 1],
  ["bookings", "bookings_of_offering", 5e6, 5000, 250, 5, 1, 1, 1, 1, 1],
  ["bookings", "bookings_in_session", 4e6, 4000, 8, 4, 4, 2, 1],
  ["bookings", "bookings_listed", 5e6, 5000, 8, 1, 1],
  ["bookings", "bookings_of_customer", 5e6, 5000, 3, 1, 1],
  ["bookings", "bookings_made", 4e6, 4000, 1],
  ["bookings", "bookings_expiring", 1e4, 2, 1, 1],
  ["event_counters", "event_counters", 1e3, 1],
  ["events", "sqlite_autoindex_events_1", 1e7, 10_000, 1],
  ["events", "events_of_type", 1e7, 10_000, 800, 1],
  ["events", "events_about_customer", 8e6, 8000, 4, 1],
  ["outbox", "outbox", 1e3, 2, 1],
  ["outbox", "outbox_due", 1e3, 2, 1]
]

const row = ([table, index, ...statistics]: Index): string => `('${table}', '${index}', '${statistics.join(" ")}')`

/**
 * Has SQLite believe this of more indexes.
 *
 * @category migrations
 */
export const believed = (indexes: ReadonlyArray<Index>): ReadonlyArray<string> => [
  `insert into sqlite_stat1 (tbl, idx, stat) values ${indexes.map(row).join(", ")}`,
  // Reads it, as every connection does that opens the file later.
  "analyze sqlite_schema"
]

export const statistics: ReadonlyArray<string> = [
  // Makes the table, and fills it with what little there is.
  "analyze",
  "delete from sqlite_stat1",
  ...believed(indexes)
]
