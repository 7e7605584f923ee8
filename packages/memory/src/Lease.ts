/**
 * The right of one worker to a row for a while. A claim is void once somebody
 * else has claimed the row, or it was put back; one whose time is over and
 * that nobody took is still good, for nobody else is at it.
 */

export interface Lease {
  /** Counts claims. */
  readonly fence: number
  /** Null while nobody has it. */
  readonly leaseUntil: number | null
}

/** What nobody has claimed yet. */
export const noLease: Lease = { fence: 0, leaseUntil: null }

export const isFree = ({ leaseUntil }: Lease, now: number): boolean => leaseUntil === null || leaseUntil <= now

export const claimLease = <Row extends Lease>(row: Row, now: number, leaseMs: number): Row => ({
  ...row,
  fence: row.fence + 1,
  leaseUntil: now + leaseMs
})

export const isClaimOf = (claim: Pick<Lease, "fence">, { fence, leaseUntil }: Lease): boolean =>
  fence === claim.fence && leaseUntil !== null
