import { generate } from "@trailbook/webhook/KeyRing"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"secrets generate"> = async ({ keyRingId }) => {
  Print.line(generate(keyRingId))
}
