/** What one examination found. */
export interface Finding {
  readonly check: string
  /** What was found, good or bad. */
  readonly found: string
  /** What to do about it; `undefined` when all is well. */
  readonly fix: string | undefined
}

export const passed = (check: string, found: string): Finding => ({ check, found, fix: undefined })

export const fault = (check: string, found: string, fix: string): Finding => ({ check, found, fix })

/** A fault for each of these, which are set without what they need. */
export const incomplete = (check: string, missing: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  missing.map((said) => {
    const [what = "", why = ""] = said.split(/: (.*)/s)
    return fault(check, what, `Set both, or neither: ${why}`)
  })
