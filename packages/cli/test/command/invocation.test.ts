import { expect, it } from "vitest"
import { makeInvocation } from "../../src/command/invocation.ts"

const npmStart = { npm_command: "start", npm_lifecycle_event: "start" }
const npmRun = { npm_command: "run-script", npm_lifecycle_event: "booking" }
const npx = { npm_command: "exec", npm_lifecycle_event: "npx" }
const installed = ["/usr/bin/node", "/usr/local/bin/trailbook"]
const cli = ["/usr/bin/node", "/app/node_modules/@trailbook/cli/bin/trailbook.js"]

it.each(
  [
    ["demo", npmStart, cli, "npm start -- --port 4001"],
    ["serve", npmStart, cli, "the same command with --port 4001, or set PORT=4001"],
    ["demo", npmRun, cli, "npm run booking -- --port 4001"],
    ["demo", npx, cli, "npx trailbook demo --port 4001"],
    ["demo", {}, installed, "trailbook demo --port 4001"],
    ["serve", npx, cli, "the same command with --port 4001, or set PORT=4001"],
    ["serve", {}, installed, "the same command with --port 4001, or set PORT=4001"]
  ] as const
)(
  "suggests another port for %s with the environment %j and the arguments %s",
  (command, env, argv, line) => {
    expect(makeInvocation(command, env, argv).withPort(4001)).toBe(line)
  }
)
