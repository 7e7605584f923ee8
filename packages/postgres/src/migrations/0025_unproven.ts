/**
 * Adds bookings from the public page that no guest has proven, the guests who have proven one, and a secret per org
 * that signs form state and mailed links. The default of the secret is volatile, so Postgres evaluates it for each row
 * and each org gets its own secret.
 */
const text = `text collate "C"`

export const unproven = (schema: string): ReadonlyArray<string> => {
  const table = (name: string) => `"${schema}".${name}`
  return [
    `alter table ${table("orgs")} add column confirm_email boolean not null default false,
      add column secret ${text} not null
        default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`,
    `alter table ${table("bookings")} add column unproven boolean not null default false,
      add column network ${text}, add column confirm_in ${text}`,
    `alter table ${table("customers")} add column proven_at bigint,
      add column unproven_mails json not null default '[]'`,
    `create index bookings_of_network on ${table("bookings")} (org_id, network, created_at) where network is not null`,
    `create index bookings_unproven on ${table("bookings")} (org_id, offering_id, starts_at) where unproven`,
    `create index bookings_networks_old on ${table("bookings")} (created_at, org_id, id) where network is not null`
  ]
}
