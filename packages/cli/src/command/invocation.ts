/** Detects how the program was started, so that suggested commands can be copied. */
import type { Environment } from "@trailbook/server/setting/readSettings"
import { basename } from "node:path"

export interface Invocation {
  /** The command prefix: `trailbook` or `npx trailbook`. */
  readonly program: string
  /** Returns the command that restarts the program with an additional flag. */
  readonly withFlag: (flag: string) => string
  /** Returns the command that restarts the program on another port. */
  readonly withPort: (port: number) => string
}

export const makeInvocation = (
  command: "demo" | "serve",
  env: Environment,
  argv: ReadonlyArray<string>
): Invocation => {
  const program = basename(argv[1] ?? "") === "trailbook" && env.npm_command === undefined
    ? "trailbook"
    : "npx trailbook"
  // `npx` sets `npm_lifecycle_event` to its own name, and `npm run` sets it to the script name.
  const script = env.npm_command === "exec" ? undefined : env.npm_lifecycle_event
  const suggestedCommand = (flag: string): string =>
    command === "serve"
      // The other arguments are not repeated because they can be long and may contain a password.
      ? `the same command with ${flag}`
      : script === undefined
      ? `${program} demo ${flag}`
      : `npm ${script === "start" ? "start" : `run ${script}`} -- ${flag}`
  return {
    program,
    withFlag: suggestedCommand,
    withPort: (port) => suggestedCommand(`--port ${port}`) + (command === "serve" ? `, or set PORT=${port}` : "")
  }
}
