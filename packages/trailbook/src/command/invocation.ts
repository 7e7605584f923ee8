/**
 * How this program was started, for advice that can be typed as it stands.
 */
import { basename } from "node:path"
import type { Environment } from "../setting/read.ts"

/**
 * @category models
 */
export interface Invocation {
  /** What other commands begin with: `trailbook` or `npx trailbook`. */
  readonly program: string
  /** How to start the same again with another flag. */
  readonly again: (flag: string) => string
  /** How to start the same again on another port. */
  readonly withPort: (port: number) => string
}

/**
 * @category constructors
 */
export const startedAs = (
  command: "demo" | "serve",
  env: Environment,
  argv: ReadonlyArray<string>
): Invocation => {
  const program = basename(argv[1] ?? "") === "trailbook" && env.npm_command === undefined
    ? "trailbook"
    : "npx trailbook"
  // Of `npx` it is its own name, of `npm run …` the script's; what a script does besides serving is not known.
  const script = env.npm_command === "exec" ? undefined : env.npm_lifecycle_event
  const again = (flag: string): string =>
    command === "serve"
      // What else was given to a server is not repeated: it may be long, and hold a password.
      ? `the same command with ${flag}`
      : script === undefined
      ? `${program} demo ${flag}`
      : `npm ${script === "start" ? "start" : `run ${script}`} -- ${flag}`
  return {
    program,
    again,
    withPort: (port) => again(`--port ${port}`) + (command === "serve" ? `, or set PORT=${port}` : "")
  }
}
