/**
 * What keeps a list, a search and a count as quick after years as they were at
 * first.
 *
 * `customers.words` holds the words that find a guest, `customer_words` a row for
 * each; both are written by the program, for SQLite cannot take the accents off a
 * letter. A row that was there before has none until the program has read it.
 *
 * `booking_counts` holds how many bookings made on a day of UTC are confirmed.
 * Triggers keep it, so whatever changes a booking changes it in the same unit of
 * work.
 */
import { believed } from "./0002_statistics.ts"

/** Epoch milliseconds are never negative, so dividing them cuts downwards. */
const day = (row: string): string => `${row}.created_at / 86400000`

const countOne = (row: string, by: string): string =>
  `insert into booking_counts (org_id, day, confirmed)
    select ${row}.org_id, ${day(row)}, ${by} where ${row}.status = 'confirmed'
    on conflict (org_id, day) do update set confirmed = confirmed + excluded.confirmed;`

export const growth: ReadonlyArray<string> = [
  "alter table customers add column words text",
  "create index customers_unread on customers (org_id, id) where words is null",
  `create table customer_words (
    org_id text not null,
    word text not null,
    customer_id text not null,
    primary key (org_id, word, customer_id)
  ) strict, without rowid`,

  // Few bookings are held or cancelled: among all of an org's they would be searched for.
  "create index bookings_held on bookings (org_id, starts_at, id) where status = 'held'",
  "create index bookings_cancelled on bookings (org_id, starts_at, id) where status = 'cancelled'",
  `create index bookings_cancelled_of_offering on bookings (org_id, offering_id, starts_at, id)
    where status = 'cancelled'`,

  `create table booking_counts (
    org_id text not null references orgs (id),
    day integer not null,
    confirmed integer not null,
    primary key (org_id, day)
  ) strict, without rowid`,
  `insert into booking_counts (org_id, day, confirmed)
    select org_id, ${day("b")}, count(*) from bookings b where status = 'confirmed' group by 1, 2`,
  `create trigger bookings_counted after insert on bookings when new.status = 'confirmed' begin
    ${countOne("new", "1")}
  end`,
  `create trigger bookings_recounted after update of status, created_at on bookings
  when old.status <> new.status or old.created_at <> new.created_at begin
    ${countOne("old", "-1")}
    ${countOne("new", "1")}
  end`,
  `create trigger bookings_uncounted after delete on bookings when old.status = 'confirmed' begin
    ${countOne("old", "-1")}
  end`,

  ...believed([
    ["customers", "customers_unread", 1, 1, 1],
    ["customer_words", "customer_words", 2e7, 20_000, 10, 1],
    ["bookings", "bookings_held", 1e4, 1000, 1, 1],
    ["bookings", "bookings_cancelled", 5e5, 500, 2, 1],
    ["bookings", "bookings_cancelled_of_offering", 5e5, 500, 25, 2, 1],
    ["booking_counts", "booking_counts", 3e5, 300, 1]
  ])
]
