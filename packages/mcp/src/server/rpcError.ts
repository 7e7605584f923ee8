/**
 * Refusals of what is no tool call, as errors of JSON-RPC.
 */
import type { Refusal } from "@trailbook/core/Refusal"

/**
 * @category models
 */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: { readonly code: string }
}

const invalidParams = -32_602
const internalError = -32_603

/**
 * @category converting
 */
export const rpcError = ({ code, kind, message }: Refusal): RpcError => ({
  code: kind === "invalid" || kind === "not_found" ? invalidParams : internalError,
  message,
  data: { code }
})

/** Longer than the name of any tool. */
const shownAtMost = 100

/**
 * A name may be as long as a body, and is not said again in full.
 *
 * @category constructors
 */
export const unknownTool = (name: string): RpcError => ({
  code: invalidParams,
  message: `Unknown tool: ${name.length <= shownAtMost ? name : `${name.slice(0, shownAtMost)}…`}`,
  data: { code: "not_found" }
})
