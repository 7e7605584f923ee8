/**
 * What one examination found.
 *
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
 * @category constructors
 */
export const makePassed = (check: string, found: string): Finding => ({ check, found, fix: undefined })

/**
 * @category constructors
 */
export const fault = (check: string, found: string, fix: string): Finding => ({ check, found, fix })

/**
 * A fault for each of these, which are set without what they need.
 *
 * @category constructors
 */
export const incomplete = (check: string, missing: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  missing.map((said) => {
    const [what = "", why = ""] = said.split(/: (.*)/s)
    return fault(check, what, `Set both, or neither: ${why}`)
  })
