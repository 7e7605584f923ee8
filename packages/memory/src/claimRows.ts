import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import { claimLease, isClaimOf, isFree, type Lease } from "./Lease.ts"
import type { MemoryDatabase } from "./MemoryDatabase.ts"
import type { Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

/**
 * Rows that workers claim: what is due and free is given to one, and whoever has
 * a claim that is void changes nothing.
 */
export const claimRows = <Row extends Lease, Claim extends Pick<Lease, "fence">>(
  { read, unitOfWork, write }: MemoryDatabase["Type"],
  { claimOf, claimedBy, putAll }: {
    /** The row that a claim names, be it void or not. */
    readonly claimedBy: (tables: Tables, claim: Claim) => Row | undefined
    readonly claimOf: (row: Row) => Claim
    readonly putAll: (tables: Tables, rows: ReadonlyArray<Row>) => Tables
  }
) => {
  const good = (claims: ReadonlyArray<Claim>) => (tables: Tables): ReadonlyArray<Row> =>
    claims.flatMap((claim) => {
      const row = claimedBy(tables, claim)
      return row !== undefined && isClaimOf(claim, row) ? [row] : []
    })
  return {
    /** Claims the first of these rows that are free. */
    claim: (
      { leaseMs, limit }: { readonly leaseMs: number; readonly limit: number },
      due: (tables: Tables) => Iterable<Row>,
      isWanted: (row: Row) => boolean = () => true
    ): Effect.Effect<ReadonlyArray<Claim>> =>
      unitOfWork.run(Effect.gen(function*() {
        const at = yield* currentTime
        const free = yield* read((tables) => takeFirst(due(tables), limit, (row) => isWanted(row) && isFree(row, at)))
        const taken = free.map((row) => claimLease(row, at, leaseMs))
        yield* write((tables) => putAll(tables, taken))
        return taken.map(claimOf)
      })),
    /** The rows whose claims are good. */
    good,
    /** Changes what a claim names and ends the claim; false when it is void. */
    end: (claim: Claim, changed: Partial<Row> | Claim): Effect.Effect<boolean> =>
      unitOfWork.run(Effect.gen(function*() {
        const rows = yield* read(good([claim]))
        yield* write((tables) => putAll(tables, rows.map((row) => ({ ...row, ...changed, leaseUntil: null }))))
        return rows.length > 0
      })),
    release: (claims: ReadonlyArray<Claim>): Effect.Effect<void> =>
      write((tables) => putAll(tables, good(claims)(tables).map((row) => ({ ...row, leaseUntil: null }))))
  }
}
