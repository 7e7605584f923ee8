/** Adds discount codes and the bookings that use them. */
import { addStatistics } from "./statistics.ts"

export const discounts: ReadonlyArray<string> = [
  `create table discounts (
    org_id text not null references orgs (id),
    id text not null,
    code text not null,
    percent_bps integer,
    cents integer,
    offering_ids text not null,
    book_from integer,
    book_until integer,
    start_from integer,
    start_until integer,
    max_uses integer,
    active integer not null,
    returns_on_cancel integer not null,
    created_at integer not null,
    primary key (org_id, id),
    unique (org_id, code)
  ) strict`,
  "create index discounts_listed on discounts (org_id, created_at, id)",
  `create index bookings_of_discount on bookings (org_id, json_extract(price, '$.terms.discount.id'))
    where json_extract(price, '$.terms.discount.id') is not null`,
  ...addStatistics([
    ["discounts", "sqlite_autoindex_discounts_1", 2e4, 20, 1],
    ["discounts", "sqlite_autoindex_discounts_2", 2e4, 20, 1],
    ["discounts", "discounts_listed", 2e4, 20, 1, 1],
    ["bookings", "bookings_of_discount", 5e5, 500, 25]
  ])
]
