/**
 * What is set at the start of a transaction, and never for longer: behind a
 * pooler the session is another one every time, and on a host's pool it is not
 * ours. It is one statement that travels with the next one.
 */
import type { Statement } from "./RoundTrip.ts"
import { settingFor, settingName } from "./rowSecurity.ts"

/** A statement that opens a transaction. */
export type BeginStatement = Pick<Statement, "text" | "values">

/** How long a statement may take. */
export const statementTimeoutMs = 5000

const set = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`).join(", ")

/**
 * No plan but the one that goes to its rows by an index, whatever Postgres has
 * gathered about the tables so far. It takes a parameter that is JSON for a
 * hundred rows and would, to be on the safe side, read all bookings for the sake
 * of two. The plan is made once; to make one for each statement takes as long as
 * to run it.
 */
const plans = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan"
}

/** Who waits for a lock for so long waits for somebody who has stalled. */
const limits = { lock_timeout: 2000, statement_timeout: statementTimeoutMs }

/** And this ends that one's transaction. */
const ends = { idle_in_transaction_session_timeout: 5000 }

/** What was confirmed is on the disk, whatever the role's or the database's own setting says. More than that may stay. */
const durable =
  `set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`

/** For everyday work, on behalf of these orgs. */
export const defaultSettings = (schema: string) => {
  const text = `select ${set({ ...limits, ...ends, ...plans })}, ${durable}, set_config('${
    settingName(schema)
  }', $1, true)`
  return (tenants: ReadonlyArray<string> | undefined): BeginStatement => ({ text, values: [settingFor(tenants)] })
}

/**
 * What stands around work within the transaction of a host. `enter` takes the
 * orgs, and answers with what was set `before`, which `leave` takes; `begin`
 * answers with the `id` that `end` takes. How long the host's transaction may idle
 * is for the host to say.
 */
export const hostSettings = (schema: string): Readonly<Record<"enter" | "begin" | "leave" | "end", string>> => {
  const ours = { ...limits, ...plans }
  const orgs = settingName(schema)
  const before = [...Object.keys(ours), orgs].map((name) => `'${name}', coalesce(current_setting('${name}', true), '')`)
  const units = `"${schema}".hosted_units`
  return {
    enter: `with before as materialized (select json_build_object(${before.join(", ")}) as settings)
      select settings as before, current_setting('transaction_isolation') as isolation, ${set(ours)}, ${durable},
        ${set({ [insideSetting(schema)]: "on" })}, set_config('${orgs}', $1, true)
      from before`,
    // Ids begin with 1, so it refers to nothing.
    begin: `insert into ${units} (ended) values (0) returning id`,
    leave: "select set_config(key, value, true) from json_each_text(($1::text)::json)",
    end: `delete from ${units} where id = $1`
  }
}

/**
 * A setting of a host's transaction that is `on` from when we first worked in it
 * until it ends, and by which is known that it has not.
 */
export const insideSetting = (schema: string): string => `${schema}.inside`

/**
 * For a migration, which sees every row. It waits for others, and its statements
 * take as long as they take.
 */
export const migrationSettings = (schema: string): BeginStatement => ({
  text: `select ${set({ lock_timeout: 60_000, statement_timeout: 0 })}, set_config('${settingName(schema)}', $1, true)`,
  values: [settingFor(undefined)]
})
