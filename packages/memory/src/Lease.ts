/**
 * A lease gives one worker a row for a limited time. A claim is invalid once the row was claimed again or released. An
 * expired claim stays valid until another worker claims the row.
 */

export interface Lease {
  /** Incremented by each claim. */
  readonly fence: number
  /** Null if the row is not leased. */
  readonly leaseUntil: number | null
}

/** The lease of a row that was never claimed. */
export const noLease: Lease = { fence: 0, leaseUntil: null }

export const isFree = ({ leaseUntil }: Lease, now: number): boolean => leaseUntil === null || leaseUntil <= now

export const claimLease = <Row extends Lease>(row: Row, now: number, leaseMs: number): Row => ({
  ...row,
  fence: row.fence + 1,
  leaseUntil: now + leaseMs
})

export const isClaimOf = (claim: Pick<Lease, "fence">, { fence, leaseUntil }: Lease): boolean =>
  fence === claim.fence && leaseUntil !== null
