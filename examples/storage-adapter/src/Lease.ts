/**
 * A worker's temporary claim on a row. A claim is void once another worker has claimed the row or the row has been
 * released. A claim remains valid after its lease expires, until another worker claims the row.
 */
export interface Lease {
  /** Counts claims. A worker whose claim has been taken over holds an outdated number. */
  readonly fence: number
  /** Null if the row is unclaimed. */
  readonly leaseUntil: number | null
}

export const unclaimedLease: Lease = { fence: 0, leaseUntil: null }

export const isFree = ({ leaseUntil }: Lease, now: number): boolean => leaseUntil === null || leaseUntil <= now

export const claimRow = <Row extends Lease>(row: Row, now: number, leaseMs: number): Row => ({
  ...row,
  fence: row.fence + 1,
  leaseUntil: now + leaseMs
})

export const isClaimOf = (claim: Pick<Lease, "fence">, { fence, leaseUntil }: Lease): boolean =>
  fence === claim.fence && leaseUntil !== null
