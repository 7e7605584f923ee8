/**
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { adapter } from "../runtime/adapter.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { shown } from "../setting/databaseUrl.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const run: Run<"migrate"> = async ({ database, json }) => {
  const applied = await runProgram(Effect.flatMap(adapter(database), ({ migrate }) => migrate))
  const name = shown(database)
  if (json) Print.json({ database: name, applied })
  else if (applied.length === 0) Print.line(`${name} is up to date; there was nothing to do.`)
  else Print.line(`${name} is up to date; done: ${applied.join(", ")}.`)
  return 0
}
