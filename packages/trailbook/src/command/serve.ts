/**
 * @since 0.1.0
 */
import { untilSignal } from "../server/untilSignal.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const run: Run<"serve"> = ({ json, ...settings }) =>
  untilSignal(
    settings,
    ({ baseUrl }) => json ? Print.json({ base_url: baseUrl }) : Print.line(`Trailbook is ready at ${baseUrl}`)
  )
