/**
 * @since 0.1.0
 */

/**
 * What one examination found.
 *
 * @since 0.1.0
 * @category models
 */
export interface Finding {
  readonly check: string
  /** What was found, good or bad. */
  readonly found: string
  /** What to do about it; `undefined` when all is well. */
  readonly fix: string | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const well = (check: string, found: string): Finding => ({ check, found, fix: undefined })

/**
 * @since 0.1.0
 * @category constructors
 */
export const fault = (check: string, found: string, fix: string): Finding => ({ check, found, fix })
