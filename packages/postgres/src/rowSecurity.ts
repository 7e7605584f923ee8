/**
 * Row-level security is a second barrier between orgs. Every statement filters by org. If a statement lacks the filter,
 * row-level security still limits it to the current work's orgs.
 *
 * A transaction setting contains these orgs. Without the setting, no rows are visible. Row-level security also applies
 * to the owner of the tables, which is usually the service's role. It does not apply to a superuser or a role with
 * BYPASSRLS.
 */

/** The name of the setting. It is unique per schema. */
export const getRowSecuritySetting = (schema: string): string => `${schema}.orgs`

/** Encodes the orgs for the setting. Throws for an ID that could be read as several IDs or as all orgs. */
export const encodeOrgIds = (tenants: ReadonlyArray<string> | undefined): string => {
  if (tenants === undefined) return all
  const odd = tenants.find((id) => id === all || id.includes(","))
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd)} is not a valid org ID.`)
  return tenants.join(",")
}

const all = "*"

/**
 * Enables row-level security for a table. The setting is read in an uncorrelated subquery, so Postgres evaluates it
 * once per statement instead of once per row.
 */
export const toRowSecurityStatements = (schema: string, table: string, orgColumn: string): ReadonlyArray<string> => {
  const setting = `current_setting('${getRowSecuritySetting(schema)}', true)`
  const name = `"${schema}".${table}`
  return [
    `alter table ${name} enable row level security`,
    `alter table ${name} force row level security`,
    `create policy orgs on ${name} using (
      (select ${setting} = '${all}')
      or ${orgColumn} = any ((select string_to_array(${setting}, ','))::text[])
    )`
  ]
}
