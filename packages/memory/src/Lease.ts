import * as Effect from "effect/Effect"
import type { Rows } from "./Rows.ts"
import * as Table from "./Table.ts"

/**
 * A lease gives a row to one worker for a limited time. A claim becomes invalid when the row is claimed again or
 * released. An expired claim stays valid until another worker claims the row.
 */

export interface Lease {
  /** Increases with each claim. */
  readonly fence: number
  /** The time at which the lease expires, or null if the row is not leased. */
  readonly leaseUntil: number | null
}

/** The lease of a row that has never been claimed. */
export const noLease: Lease = { fence: 0, leaseUntil: null }

export const isLeaseFree = ({ leaseUntil }: Lease, now: number): boolean => leaseUntil === null || leaseUntil <= now

export const claimLease = <Row extends Lease>(row: Row, now: number, leaseMs: number): Row => ({
  ...row,
  fence: row.fence + 1,
  leaseUntil: now + leaseMs
})

export const isClaimOf = (claim: Pick<Lease, "fence">, { fence, leaseUntil }: Lease): boolean =>
  fence === claim.fence && leaseUntil !== null

/** Returns functions that claim rows and functions that end claims. A write with an invalid claim changes nothing. */
export const makeClaimRows = <Row extends Lease, Unique extends string, Ordered extends string>(
  { changeAll, select, update }: Rows<Row, Unique, Ordered>
) => {
  type Claim = Omit<Row, "leaseUntil">
  /** Returns the rows whose claims are valid. */
  const findValid = (table: Table.Table<Row, Unique, Ordered>, claims: ReadonlyArray<Claim>): ReadonlyArray<Row> =>
    claims.flatMap((claim) => {
      const row = Table.get(table, table.shape.key({ ...claim, leaseUntil: null } as Row & Lease))
      return row !== undefined && isClaimOf(claim, row) ? [row] : []
    })
  const toClaim = (row: Row): Claim => {
    const { leaseUntil: _until, ...claim } = row
    return claim
  }
  const endLease = (row: Row): Row => ({ ...row, leaseUntil: null })
  return {
    /** Claims rows that are not leased. */
    claim: (
      index: Ordered,
      group: string,
      { leaseMs, where = () => true, ...options }: Table.ListOptions<Row> & { readonly leaseMs: number }
    ): Effect.Effect<ReadonlyArray<Claim>> =>
      Effect.map(
        changeAll(
          (tables, now) =>
            Table.list(select(tables), index, group, {
              ...options,
              where: (row) => where(row) && isLeaseFree(row, now)
            }),
          (row, now) => claimLease(row, now, leaseMs)
        ),
        (rows) => rows.map(toClaim)
      ),
    findValid,
    /** Updates a claimed row and ends the claim. Returns false if the claim is no longer valid. */
    end: (claim: Claim, changes: Partial<Row> | Claim): Effect.Effect<boolean> =>
      Effect.map(
        changeAll(
          (tables) => findValid(select(tables), [claim]),
          (row) => endLease({ ...row, ...changes })
        ),
        (rows) => rows.length > 0
      ),
    release: (claims: ReadonlyArray<Claim>): Effect.Effect<void> =>
      update((table) => findValid(table, claims).map(endLease).reduce(Table.put, table))
  }
}
