/** The tools from the booking page's MCP endpoint and, if the browser has one, its assistant (WebMCP). */

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint?: boolean }
}

type ToolExecutor = (input: object) => Promise<unknown>

interface ModelContext {
  readonly registerTool: (tool: Tool & { readonly execute: ToolExecutor }) => unknown
}

declare global {
  interface Document {
    readonly modelContext?: ModelContext
  }
  interface Navigator {
    readonly modelContext?: ModelContext
  }
}

// A later draft of the proposal moved this property from the navigator to the document.
export const modelContext = document.modelContext ?? navigator.modelContext

/** The path of the booking page that the current page belongs to. */
export const bookingPagePath = /^.*\/book\/[^/]+/.exec(location.pathname)?.[0]

const ask = async <Result>(method: string, params: object): Promise<Result | undefined> => {
  const answer = await fetch(`${bookingPagePath}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { result }: { readonly result?: Result } = await answer.json()
  return result
}

export const listTools = async (): Promise<ReadonlyArray<Tool>> =>
  (await ask<{ readonly tools: ReadonlyArray<Tool> }>("tools/list", {}))?.tools ?? []

export const callTool = async (name: string, input: object): Promise<unknown> =>
  await ask("tools/call", { name, arguments: input }) ??
    { content: [{ type: "text", text: "Too many requests. Try again in a minute." }], isError: true }

const registered = new Set<string>()

/**
 * Registers a booking page's tools with the browser's assistant on the outfitter's own website. The endpoint refuses
 * requests from other sites, so a hidden frame with the booking page answers the calls.
 */
export const registerSiteTools = (page: string) => {
  const assistant = modelContext
  if (assistant === undefined || registered.has(page)) return
  registered.add(page)
  const { origin } = new URL(page)
  const frame = document.createElement("iframe")
  frame.hidden = true
  frame.src = `${page}?embed=1`
  const calls: Array<(result: unknown) => void> = []
  const send = (message: object) => frame.contentWindow?.postMessage(message, origin)
  const register = (tool: Tool) =>
    assistant.registerTool({
      ...tool,
      execute: (input) =>
        new Promise((resolve) => send({ type: "trailbook:call", id: calls.push(resolve) - 1, name: tool.name, input }))
    })
  addEventListener("message", ({ data, origin: sender, source }) => {
    if (source !== frame.contentWindow || sender !== origin) return
    const { id, result, tools, type } = Object(data)
    if (type === "trailbook:ready") send({ type: "trailbook:tools" })
    if (type === "trailbook:tools") tools.forEach(register)
    if (type === "trailbook:result") calls[id]?.(result)
  })
  document.body.append(frame)
}
