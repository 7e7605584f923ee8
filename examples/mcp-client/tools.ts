import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"
import { setTimeout as wait } from "node:timers/promises"

/** The server rejected the call. `code` is for programs, and the message describes the problem and the next step. */
export class ToolRefusal extends Error {
  readonly code: string

  constructor(text: string) {
    super(text)
    this.code = /^\w+(?=:)/.exec(text)?.[0] ?? "unknown"
  }
}

export const connect = async (url: string, key: string): Promise<Client> => {
  const client = new Client({ name: "group-trips", version: "1.0.0" })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

/**
 * Calls a tool, and retries with the same arguments until a response arrives. This is safe for read-only tools,
 * and for `bookings_create` with an `idempotency_key`.
 */
export const call = async <Answer>(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> => {
  for (let tries = 1;; tries++) {
    try {
      const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 10_000 })
      const { content, isError, structuredContent } = result as CallToolResult
      if (isError !== true) return structuredContent as Answer
      const [first] = content
      throw new ToolRefusal(first?.type === "text" ? first.text : "")
    } catch (error) {
      if (tries === 5 || !mayBeAskedAgain(error)) throw error
      await wait(100 * 2 ** tries)
    }
  }
}

const timedOut: number = ErrorCode.RequestTimeout

const mayBeAskedAgain = (error: unknown): boolean => {
  if (error instanceof ToolRefusal) return error.code === "unavailable"
  if (error instanceof McpError) return error.code === timedOut
  if (error instanceof StreamableHTTPError) return error.code === 429 || Number(error.code) >= 500
  // `fetch` throws this error if the connection was lost.
  return error instanceof TypeError
}
