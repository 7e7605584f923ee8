import { type Environment, type Problem, unknownVariables } from "@trailbook/server/setting/read"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Reports unknown TRAILBOOK_ variables and invalid settings. */
export const environment = (env: Environment, problems: ReadonlyArray<Problem>): ReadonlyArray<Finding> => {
  const faults = [
    ...problems.map(({ message, where }) => fault("settings", message, `Correct ${where}, or unset it.`)),
    ...unknownVariables(env).map(({ message, where }) =>
      fault("settings", message, `Rename ${where} or unset it. To list all names, run trailbook help --markdown.`)
    )
  ]
  return faults.length > 0 ? faults : [makePassed("settings", "all TRAILBOOK_ variables are known and valid")]
}
