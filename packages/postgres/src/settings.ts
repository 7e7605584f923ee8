/**
 * What is set at the start of a transaction, and never for longer: behind a
 * pooler the session is another one every time, and on a host's pool it is not
 * ours. It is one statement that travels with the next one.
 *
 * @since 0.1.0
 */
import type { Statement } from "./RoundTrip.ts"
import { settingFor, settingOf } from "./rowSecurity.ts"

/**
 * How long a statement may take.
 *
 * @since 0.1.0
 * @category constants
 */
export const statementWithinMs = 5000

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

/** Who waits for a lock for so long waits for somebody who has stalled; the third limit ends that one's transaction. */
const limits = {
  lock_timeout: 2000,
  statement_timeout: statementWithinMs,
  idle_in_transaction_session_timeout: 5000
}

/** What was confirmed is on the disk, whatever the role's or the database's own setting says. More than that may stay. */
const durable =
  `set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true)`

/**
 * For everyday work, on behalf of these orgs.
 *
 * @since 0.1.0
 * @category constructors
 */
export const everyday = (schema: string, prepare: boolean) => {
  const name = prepare ? `trailbook_settings_${schema}`.slice(0, 63) : ""
  const text = `select ${set(limits)}, ${set(plans)}, ${durable}, set_config('${settingOf(schema)}', $1, true)`
  return (tenants: ReadonlyArray<string> | undefined): Statement => ({ name, text, values: [settingFor(tenants)] })
}

/**
 * For a migration, which sees every row. It waits for others, and its statements
 * take as long as they take.
 *
 * @since 0.1.0
 * @category constructors
 */
export const migrating = (schema: string): Statement => ({
  name: "",
  text: `select ${set({ lock_timeout: 60_000, statement_timeout: 0 })}, set_config('${settingOf(schema)}', $1, true)`,
  values: [settingFor(undefined)]
})
