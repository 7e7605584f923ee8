/**
 * @since 0.1.0
 */
import { keysRequired } from "../secrets/keysRequired.ts"
import { runServer } from "../server/runServer.ts"
import { untilSignal } from "../server/untilSignal.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const run: Run<"serve"> = async ({ json, ...settings }) => {
  keysRequired("serve", settings)
  return untilSignal(
    (log) => runServer({ ...settings, log }),
    ({ baseUrl }) => json ? Print.json({ base_url: baseUrl }) : Print.line(`Trailbook is ready at ${baseUrl}`)
  )
}
