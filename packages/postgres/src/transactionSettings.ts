/**
 * Settings that apply to a single transaction and are set at its start. They cannot be set once per session, because a
 * pooler gives each transaction a different session, and a host's pool owns its sessions. All settings are made in one
 * statement, which is sent together with the next statement.
 */
import type { Statement } from "./client/RoundTrip.ts"
import { encodeOrgIds, getRowSecuritySetting } from "./rowSecurity.ts"

export type SettingsStatement = Pick<Statement, "text" | "values">

/** The statement timeout in milliseconds. */
export const statementTimeoutMs = 5000

const setConfigs = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`).join(", ")

/**
 * Forces index plans, regardless of the table statistics. Postgres estimates 100 rows for a JSON parameter, and would
 * therefore scan all bookings to find two of them. The plans are generic and made only once, because planning a
 * statement takes as long as running it.
 */
const planSettings = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan"
}

/** The timeouts in milliseconds. A wait for a lock takes this long only if a stalled transaction holds the lock. */
const timeouts = { lock_timeout: 2000, statement_timeout: statementTimeoutMs }

/** The timeout that ends a stalled transaction, in milliseconds. */
const idleTimeout = { idle_in_transaction_session_timeout: 5000 }

/** Forces durable commits, even if the role or the database turns them off. Keeps a stricter setting. */
const durableCommit =
  `set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`

/** Returns a function that creates the settings for regular work in a tenant scope. */
export const makeTransactionSettings = (schema: string) => {
  const text = `select ${setConfigs({ ...timeouts, ...idleTimeout, ...planSettings })}, ${durableCommit}, set_config('${
    getRowSecuritySetting(schema)
  }', $1, true)`
  return (tenants: ReadonlyArray<string> | undefined): SettingsStatement => ({ text, values: [encodeOrgIds(tenants)] })
}

/**
 * The statements that run before and after work in a host's transaction. The parameter of `enter` is the encoded list
 * of orgs. `enter` returns the previous settings as `before`, and `leave` restores them. `begin` returns an `id` for
 * `end`. The idle timeout is not set, because the host chooses it.
 */
export const makeHostTransactionStatements = (
  schema: string
): Readonly<Record<"enter" | "begin" | "leave" | "end", string>> => {
  const settings = { ...timeouts, ...planSettings }
  const orgs = getRowSecuritySetting(schema)
  const before = [...Object.keys(settings), orgs].map((name) =>
    `'${name}', coalesce(current_setting('${name}', true), '')`
  )
  const unitsTable = `"${schema}".hosted_units`
  return {
    enter: `with before as materialized (select json_build_object(${before.join(", ")}) as settings)
      select settings as before, current_setting('transaction_isolation') as isolation, ${
      setConfigs(settings)
    }, ${durableCommit},
        ${setConfigs({ [getHostTransactionSetting(schema)]: "on" })}, set_config('${orgs}', $1, true)
      from before`,
    // IDs start at 1, so a reference to 0 is invalid.
    begin: `insert into ${unitsTable} (ended) values (0) returning id`,
    leave: "select set_config(key, value, true) from json_each_text(($1::text)::json)",
    end: `delete from ${unitsTable} where id = $1`
  }
}

/**
 * The name of the setting that shows whether a host's transaction is still open. It is `on` from our first work in the
 * transaction until the transaction ends.
 */
export const getHostTransactionSetting = (schema: string): string => `${schema}.inside`

/**
 * The settings for a migration, which can access all rows. A migration waits up to 60 seconds for locks, and its
 * statements have no timeout.
 */
export const makeMigrationSettings = (schema: string): SettingsStatement => ({
  text: `select ${setConfigs({ lock_timeout: 60_000, statement_timeout: 0 })}, set_config('${
    getRowSecuritySetting(schema)
  }', $1, true)`,
  values: [encodeOrgIds(undefined)]
})
