/**
 * Adds bookings from the public page that no guest has proven, the guests who have proven one, and a secret per org
 * that signs form state and mailed links.
 */
import { addStatistics } from "./statistics.ts"

export const unproven: ReadonlyArray<string> = [
  "alter table orgs add column confirm_email integer not null default 0 check (confirm_email in (0, 1))",
  "alter table orgs add column secret text not null default ''",
  "update orgs set secret = lower(hex(randomblob(32)))",
  "alter table bookings add column unproven integer not null default 0 check (unproven in (0, 1))",
  "alter table bookings add column network text",
  "alter table bookings add column confirm_in text",
  "alter table customers add column proven_at integer",
  "alter table customers add column unproven_mails text not null default '[]'",
  "create index bookings_of_network on bookings (org_id, network, created_at) where network is not null",
  "create index bookings_unproven on bookings (org_id, offering_id, starts_at) where unproven",
  "create index bookings_networks_old on bookings (created_at, org_id, id) where network is not null",
  ...addStatistics([
    ["bookings", "bookings_of_network", 1e4, 10, 2, 1],
    ["bookings", "bookings_unproven", 1e6, 1000, 50, 2],
    ["bookings", "bookings_networks_old", 1e4, 1, 1, 1]
  ])
]
