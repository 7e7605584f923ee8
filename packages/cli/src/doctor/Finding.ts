/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly found: string
  /** How to fix the fault, or `undefined` if the check passed. */
  readonly fix: string | undefined
}

export const makePassed = (check: string, found: string): Finding => ({ check, found, fix: undefined })

export const fault = (check: string, found: string, fix: string): Finding => ({ check, found, fix })

/** Converts each message about a missing setting to a fault. */
export const incomplete = (check: string, messages: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  messages.map((message) => {
    const [problem = "", reason = ""] = message.split(/: (.*)/s)
    return fault(check, problem, `Set both or neither, because ${reason}`)
  })
