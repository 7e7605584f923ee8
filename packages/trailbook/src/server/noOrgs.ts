import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"

/**
 * Whether a database has no outfitter yet, as a new one: one that was meant has
 * some, unless it is the first start.
 *
 * @category effects
 */
export const noOrgs: Effect.Effect<boolean, never, Database> = Effect.flatMap(
  Database,
  ({ dialect, query }) =>
    Effect.map(query(`select 1 as found from ${dialect.table("orgs")} limit 1`), (rows) => rows.length === 0)
)
