import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { WebhookSignatureReason } from "../src/index.ts"

/** The published test vectors. A program in another language generated them. */
export const vectors: {
  readonly received: ReadonlyArray<{
    readonly name: string
    readonly secret: string
    readonly header: string | null
    readonly body: string
    readonly now: number
    readonly verdict: "valid" | WebhookSignatureReason
  }>
} = JSON.parse(readFileSync(join(import.meta.dirname, "../../../docs/reference/webhook-vectors.json"), "utf8"))
