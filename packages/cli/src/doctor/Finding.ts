/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly result: string
  /** How to fix the fault, or `undefined` if the check passed. */
  readonly fix: string | undefined
}

export const makePassedFinding = (check: string, found: string): Finding => ({ check, result: found, fix: undefined })

export const makeFailedFinding = (check: string, found: string, fix: string): Finding => ({ check, result: found, fix })

/** Converts each message about a missing setting to a fault. */
export const toMissingSettingFindings = (check: string, messages: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  messages.map((message) => {
    const [problem = "", reason = ""] = message.split(/: (.*)/s)
    return makeFailedFinding(check, problem, `Set both or neither, because ${reason}`)
  })
