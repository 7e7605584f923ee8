/** A lease assigns a row to one worker at a time. Leases are stored in the columns `fence` and `lease_until`. */
import type { OrgKey } from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import type { ColumnRow, Columns } from "./Columns.ts"
import type { Database } from "./Database.ts"
import type { Dialect, SqlValue } from "./Dialect.ts"
import { forUpdateSkipLockedClause, keyColumns, toOrgKeyRecord } from "./statements.ts"
import type { Table } from "./Table.ts"

/** Returns a condition that is true if no worker has leased the row. */
export const freeLeaseCondition = ({ now }: Dialect, alias: string): string =>
  `(${alias}.lease_until is null or ${alias}.lease_until <= ${now})`

/** Returns the assignments in a `set` clause that lease a row. */
export const claimAssignment = ({ now }: Dialect, leaseMs: `$${number}`): string =>
  `fence = fence + 1, lease_until = ${now} + ${leaseMs}`

/** Returns a condition that is true if the claim with this fence is still valid. */
export const claimCondition = (fence: `$${number}`): string => `fence = ${fence} and lease_until is not null`

/**
 * Returns a function that claims due rows. It first runs a plain query outside a transaction, because rows are rarely
 * due.
 */
export const makeClaimRows = <C extends Columns, A>(
  { dialect, execute, query }: Database["Type"],
  { columns, decode, name }: Table<C, A>,
  { alias, parameterCount, id = "id", isDue, order }: {
    readonly alias: string
    readonly isDue: string
    /** The number of parameters in the condition `isDue`. They start at `$1`. */
    readonly parameterCount: number
    readonly order: string
    /** The column that identifies a row within its org. */
    readonly id?: string
  }
) => {
  const table = dialect.table(name)
  const look = `select exists (select 1 from ${table} ${alias} where ${isDue}) as any_due`
  const claim = `with next as materialized (
      select ${alias}.org_id as next_org_id, ${alias}.${id} as next_id from ${table} ${alias} where ${isDue}
      order by ${order} limit $${parameterCount + 1}${forUpdateSkipLockedClause(dialect, alias)}
    )
    update ${table} set ${claimAssignment(dialect, `$${parameterCount + 2}`)}
    from next where org_id = next_org_id and ${id} = next_id
    returning ${[...Object.keys(columns), "fence"].join(", ")}`
  return (
    values: ReadonlyArray<SqlValue>,
    limit: number,
    leaseMs: number
  ): Effect.Effect<Array<A & { readonly fence: number }>> =>
    Effect.gen(function*() {
      const [dueRow] = yield* query<{ readonly any_due: boolean | 0 | 1 }>(look, values)
      if (!dueRow?.any_due) return []
      const rows = yield* execute<ColumnRow<C> & { readonly fence: number }>(claim, [...values, limit, leaseMs])
      return rows.map((row) => ({ ...decode(row), fence: row.fence }))
    })
}

/** A claim, or the claimed row. */
interface Claim extends OrgKey {
  readonly fence: number
}

export const claimedKeyColumns = { ...keyColumns, fence: "integer" } as const

/** Encodes claims as records with the columns `claimedKeyColumns`. */
export const toClaimedKeys = (claims: ReadonlyArray<Claim>): string =>
  JSON.stringify(claims.map((claim) => ({ ...toOrgKeyRecord(claim), fence: claim.fence })))

/** Returns a function that ends the leases of claimed rows. It skips rows that have been claimed again. */
export const makeRelease = ({ dialect, write }: Database["Type"], table: string) => {
  const release = `update ${table} as leased set lease_until = null
    from ${dialect.records("$1", claimedKeyColumns)} as claimed
    where leased.org_id = claimed.org_id and leased.id = claimed.id and leased.fence = claimed.fence`
  return (claims: ReadonlyArray<Claim>): Effect.Effect<void> =>
    claims.length === 0 ? Effect.void : write(release, [toClaimedKeys(claims)])
}
