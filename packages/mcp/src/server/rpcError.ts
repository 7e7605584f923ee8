/** Converts refusals outside tool calls to JSON-RPC errors. */
import { type Refusal, shownText } from "@trailbook/core"

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: { readonly code: string }
}

export const invalidParams = -32_602
const internalError = -32_603

export const rpcError = ({ code, kind, message }: Refusal): RpcError => ({
  code: kind === "invalid" || kind === "not_found" ? invalidParams : internalError,
  message,
  data: { code }
})

export const unknownTool = (name: string): RpcError => ({
  code: invalidParams,
  message: `Unknown tool: ${shownText(name)}`,
  data: { code: "not_found" }
})
