import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import { takeFirst } from "./Table.ts"
import type { Tables } from "./Tables.ts"

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
export const makeClaimRows = <Row extends Lease, Claim extends Pick<Lease, "fence">>(
  { read, unitOfWork, write }: MemoryDatabase["Type"],
  { claimOf, claimedBy, putAll }: {
    /** Returns the claimed row, even if the claim is invalid. */
    readonly claimedBy: (tables: Tables, claim: Claim) => Row | undefined
    readonly claimOf: (row: Row) => Claim
    readonly putAll: (tables: Tables, rows: ReadonlyArray<Row>) => Tables
  }
) => {
  const findValidRows = (claims: ReadonlyArray<Claim>) => (tables: Tables): ReadonlyArray<Row> =>
    claims.flatMap((claim) => {
      const row = claimedBy(tables, claim)
      return row !== undefined && isClaimOf(claim, row) ? [row] : []
    })
  return {
    /** Claims up to `limit` due rows that are not leased. */
    claim: (
      { leaseMs, limit }: { readonly leaseMs: number; readonly limit: number },
      due: (tables: Tables) => Iterable<Row>,
      isWanted: (row: Row) => boolean = () => true
    ): Effect.Effect<ReadonlyArray<Claim>> =>
      unitOfWork.run(Effect.gen(function*() {
        const at = yield* currentTime
        const freeRows = yield* read((tables) =>
          takeFirst(due(tables), limit, (row) => isWanted(row) && isLeaseFree(row, at))
        )
        const claimedRows = freeRows.map((row) => claimLease(row, at, leaseMs))
        yield* write((tables) => putAll(tables, claimedRows))
        return claimedRows.map(claimOf)
      })),
    /** Returns the rows whose claims are valid. */
    good: findValidRows,
    /** Updates a claimed row and ends the claim. Returns false if the claim is no longer valid. */
    end: (claim: Claim, changes: Partial<Row> | Claim): Effect.Effect<boolean> =>
      unitOfWork.run(Effect.gen(function*() {
        const rows = yield* read(findValidRows([claim]))
        yield* write((tables) => putAll(tables, rows.map((row) => ({ ...row, ...changes, leaseUntil: null }))))
        return rows.length > 0
      })),
    release: (claims: ReadonlyArray<Claim>): Effect.Effect<void> =>
      write((tables) => putAll(tables, findValidRows(claims)(tables).map((row) => ({ ...row, leaseUntil: null }))))
  }
}
