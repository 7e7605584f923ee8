/** Shows a tool's results in a host's conversation (MCP Apps, revision 2026-01-26). */
import { render } from "preact"
import { readData, ResultView } from "./views.tsx"

const { currency = "", view = "" } = document.documentElement.dataset

const send = (message: object) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*")

const applyTheme = ({ theme }: Readonly<Record<string, unknown>>) => {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme
}

const connectId = 1

addEventListener("message", ({ data, source }) => {
  if (source !== parent) return
  const { id, method, params, result } = readData(data)
  if (method === undefined && id === connectId) {
    applyTheme(readData(readData(result).hostContext))
    send({ method: "ui/notifications/initialized" })
  } else if (method === "ui/notifications/host-context-changed") applyTheme(readData(params))
  else if (method === "ui/notifications/tool-result") {
    render(<ResultView view={view} currency={currency} result={readData(params)} />, document.body)
  } else if (id !== undefined) send({ id, result: {} })
})

new ResizeObserver(() => {
  const { height, width } = document.body.getBoundingClientRect()
  send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } })
}).observe(document.body)

send({
  id: connectId,
  method: "ui/initialize",
  params: {
    protocolVersion: "2026-01-26",
    appInfo: { name: "trailbook", title: "Trailbook", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] }
  }
})
