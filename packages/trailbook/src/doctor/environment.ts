import { type Environment, type Problem, unknownVariables } from "../setting/read.ts"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Variables that look like settings and are none, and settings with a value that they cannot have. */
export const environment = (env: Environment, problems: ReadonlyArray<Problem>): ReadonlyArray<Finding> => {
  const faults = [
    ...problems.map(({ message, where }) => fault("settings", message, `Correct ${where}, or unset it.`)),
    ...unknownVariables(env).map(({ message, where }) =>
      fault("settings", message, `Rename ${where} or unset it. All names: trailbook help --markdown`)
    )
  ]
  return faults.length > 0
    ? faults
    : [makePassed("settings", "every TRAILBOOK_ variable is known and has a good value")]
}
