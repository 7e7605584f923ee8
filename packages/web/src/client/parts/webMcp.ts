/**
 * Registers the tools of the booking page's MCP endpoint with the assistant of the browser (WebMCP), if the browser has
 * one. Its calls have the limits of the page, and a hold is confirmed only by the guest.
 */
interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: object
}

interface ModelContext {
  readonly registerTool: (tool: Tool & { readonly execute: (input: object) => Promise<unknown> }) => unknown
}

declare global {
  interface Document {
    readonly modelContext?: ModelContext
  }
  interface Navigator {
    readonly modelContext?: ModelContext
  }
}

// The proposal moved it from the navigator to the document.
const context = document.modelContext ?? navigator.modelContext
const page = /^.*\/book\/[^/]+/.exec(location.pathname)?.[0]

const ask = async <Result>(method: string, params: object): Promise<Result | undefined> => {
  const answer = await fetch(`${page}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { result }: { readonly result?: Result } = await answer.json()
  return result
}

const register = async ({ registerTool }: { readonly registerTool: ModelContext["registerTool"] }) => {
  const listed = await ask<{ readonly tools: ReadonlyArray<Tool> }>("tools/list", {})
  for (const tool of listed?.tools ?? []) {
    registerTool({
      ...tool,
      execute: async (input) =>
        await ask("tools/call", { name: tool.name, arguments: input }) ??
          { content: [{ type: "text", text: "Too many requests. Try again in a minute." }], isError: true }
    })
  }
}

if (context !== undefined && page !== undefined) {
  // Without an endpoint, the page works as before.
  register({ registerTool: (tool) => context.registerTool(tool) }).catch(() => {})
}
