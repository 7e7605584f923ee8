/**
 * Connects the process's stdin and stdout to a remote server. Messages are passed through unchanged, so an old proxy
 * supports a newer server's features. The server enforces the key's permissions.
 *
 * This module imports only Node's own modules, so a bundle needs no other code.
 */
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"

export interface Options {
  /** The server's MCP URL, such as `https://book.example.com/mcp`, with the tool filter in its query. */
  readonly url: string
  readonly key: string
  readonly input: Readable
  /** Receives only protocol messages. */
  readonly output: Writable
  /** The `fetch` function to use. Tests, and hosts with a custom `fetch`, supply their own. */
  readonly fetch?: typeof fetch
}

/** Builds a server's MCP URL, with the tool filter in its query. */
export const buildMcpUrl = (server: string, query: Readonly<Record<string, string>>): string =>
  `${server.replace(/(?<!\/)\/+$/, "")}/mcp?${new URLSearchParams(query)}`

/**
 * Runs until the input ends and every request has a response. If a message cannot be delivered, the response is an
 * error that explains what to do.
 */
export const proxyStdio = (options: Options): Promise<void> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: options.input, crlfDelay: Infinity })
    const deliver = makeDeliver(options)
    let pendingCount = 0
    let hasEnded = false
    const forward = async (line: string): Promise<void> => {
      pendingCount++
      const response = await deliver(line)
      if (response !== undefined) options.output.write(`${response}\n`)
      pendingCount--
      if (hasEnded && pendingCount === 0) resolve()
    }
    lines.on("line", (line) => line.trim() === "" ? undefined : void forward(line))
    lines.on("close", () => {
      hasEnded = true
      if (pendingCount === 0) resolve()
    })
  })

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly name?: unknown
    readonly uri?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

/** The request timeout. No operation takes this long, so waiting longer would be pointless. */
const timeoutMillis = 60_000

const makeDeliver = ({ fetch: send = fetch, key, url }: Options) => {
  // The protocol revision from the handshake, which exists only in older revisions. In newer revisions, each message
  // carries its revision.
  let negotiatedRevision: string | undefined
  let session: string | null = null

  const post = async (line: string, message: Message): Promise<string | undefined> => {
    const response = await send(url, {
      method: "POST",
      headers: {
        "authorization": `Bearer ${key}`,
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        ...toHeaders(message, negotiatedRevision),
        ...(session === null ? {} : { "mcp-session-id": session })
      },
      body: line,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMillis)
    })
    const text = await response.text()
    if (message.id === undefined || message.method === undefined) return undefined
    const rpcResponse = parseJson(text)
    if (isRpcResponse(rpcResponse)) {
      if (message.method === "initialize") {
        negotiatedRevision = rpcResponse.result?.protocolVersion
        session = response.headers.get("mcp-session-id")
      }
      // Serialize the response again to remove line breaks, because a message must be a single line.
      return JSON.stringify(rpcResponse)
    }
    return errorResponse(
      message.id,
      `${response.status}: ${errorText(rpcResponse) ?? "The server did not return an MCP response."}`
    )
  }

  return async (line: string): Promise<string | undefined> => {
    const message = parseJson(line)
    if (!isMessage(message)) return errorResponse(null, "Not a JSON-RPC message.")
    try {
      return await post(line, message)
    } catch (error) {
      if (message.id === undefined) return undefined
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      return errorResponse(
        message.id,
        `No response from ${
          new URL(url).origin
        } (${reason}). The request may have taken effect: retry with the same arguments.`
      )
    }
  }
}

const versionKey = "io.modelcontextprotocol/protocolVersion"

const toHeaders = (
  { method = "", params }: Message,
  negotiatedRevision: string | undefined
): Record<string, string> => {
  const revision = params?._meta?.[versionKey]
  if (typeof revision !== "string") {
    return negotiatedRevision === undefined
      ? {}
      : { "mcp-protocol-version": negotiatedRevision }
  }
  const name = method === "resources/read" ? params?.uri : method === "tools/call" || method === "prompts/get"
    ? params?.name
    : undefined
  return {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    // Encode the name as base64, because a header cannot contain arbitrary text.
    ...(typeof name === "string" ? { "mcp-name": `=?base64?${Buffer.from(name).toString("base64")}?=` } : {})
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0"

interface RpcResponse {
  readonly result?: { readonly protocolVersion?: string }
}

const isRpcResponse = (value: unknown): value is RpcResponse =>
  isMessage(value) && ("result" in value || "error" in value) && "id" in value && value.id !== null

/** Returns the message from an HTTP error that is not a protocol message. */
const errorText = (value: unknown): string | undefined => {
  const error = typeof value === "object" && value !== null && "error" in value ? value.error : undefined
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : undefined
}

const serverError = -32_000

const errorResponse = (id: string | number | null, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: serverError, message } })
