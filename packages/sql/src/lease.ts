/**
 * Rows that one worker at a time has, by columns `fence` and `lease_until`.
 */
import type { Dialect } from "./Dialect.ts"

/**
 * A condition: nobody has the row.
 *
 * @category SQL
 */
export const isFree = ({ now }: Dialect, alias: string): string =>
  `(${alias}.lease_until is null or ${alias}.lease_until <= ${now})`

/**
 * What `set` has to say so that the row is somebody's for so long.
 *
 * @category SQL
 */
export const claimed = ({ now }: Dialect, leaseMs: `$${number}`): string =>
  `fence = fence + 1, lease_until = ${now} + ${leaseMs}`

/**
 * A condition: the claim with this fence is good.
 *
 * @category SQL
 */
export const isClaimOf = (fence: `$${number}`): string => `fence = ${fence} and lease_until is not null`
