/**
 * Registers a booking page's tools with the browser's assistant (WebMCP) on the outfitter's own website. The endpoint
 * refuses requests from other sites, so a hidden frame with the booking page answers the calls.
 */
import { modelContext, type Tool } from "./guestTools.ts"

const registered = new Set<string>()

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
