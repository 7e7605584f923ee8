/**
 * The second wall between orgs. Every statement names the org that it is about;
 * should one forget to, the database itself shows it and lets it write the rows of
 * the orgs that the work at hand is for, and no others.
 *
 * Which orgs these are is a setting of the transaction. Where it was not set,
 * nothing is to be seen. It binds the owner of the tables too, which the service
 * usually is, but never a superuser or a role that may bypass it.
 */

/** The setting's name; each schema has one of its own. */
export const settingName = (schema: string): string => `${schema}.orgs`

/**
 * The orgs, as the setting takes them. An id that would read as two, or as all,
 * is none of ours.
 */
export const settingFor = (tenants: ReadonlyArray<string> | undefined): string => {
  if (tenants === undefined) return all
  const odd = tenants.find((id) => id === all || id.includes(","))
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd)} cannot be the id of an org.`)
  return tenants.join(",")
}

const all = "*"

/**
 * Closes a table. The setting is read once for a statement, not once for a row,
 * because it stands in a subquery that asks nothing of the row.
 */
export const isolateTable = (schema: string, table: string, orgColumn: string): ReadonlyArray<string> => {
  const setting = `current_setting('${settingName(schema)}', true)`
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
