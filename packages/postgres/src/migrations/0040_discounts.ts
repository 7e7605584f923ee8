/** Adds discount codes and the bookings that use them. */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const discounts = (schema: string): ReadonlyArray<string> => {
  const table = (name: string) => `"${schema}".${name}`
  return [
    `create table ${table("discounts")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      code ${text} not null,
      percent_bps bigint,
      cents bigint,
      offering_ids json not null,
      book_from bigint,
      book_until bigint,
      start_from bigint,
      start_until bigint,
      max_uses bigint,
      active boolean not null,
      returns_on_cancel boolean not null,
      created_at bigint not null,
      primary key (org_id, id),
      unique (org_id, code)
    )`,
    `create index discounts_listed on ${table("discounts")} (org_id, created_at, id)`,
    `create index bookings_of_discount on ${table("bookings")} (org_id, (price #>> '{terms,discount,id}'))
      where price #>> '{terms,discount,id}' is not null`,
    ...isolateTable(schema, "discounts", "org_id")
  ]
}
