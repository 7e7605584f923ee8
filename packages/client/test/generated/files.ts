/** The text of each generated file. */
import { operations } from "@trailbook/core/layer"
import { join } from "node:path"
import { receiverText } from "./eventsText.ts"
import { operationsText } from "./operationsText.ts"
import { routesText } from "./routesText.ts"

const src = join(import.meta.dirname, "../../src")

export const files: ReadonlyArray<readonly [path: string, text: string]> = [
  [join(src, "operations.ts"), operationsText(operations)],
  [join(src, "routes.ts"), routesText(operations)],
  [join(src, "../../receiver/src/WebhookEvent.ts"), receiverText(operations)]
]
