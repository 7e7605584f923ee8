/**
 * Tests views of tool results (MCP Apps). The official client reads them from a server, and a page acts as the host.
 * The host shows a view in a sandbox on another origin, with the policy that the specification requires.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Browser, FrameLocator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Demo, start } from "./Demo.ts"
import { withPage } from "./withPage.ts"

const connect = async ({ key, origin }: Demo): Promise<Client> => {
  const client = new Client({ name: "host", version: "1" }, {
    capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }
  })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }))
  return client
}

/** The default policy for a view without declared domains. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'"
].join("; ")

const hostPage = `<!doctype html><meta name="viewport" content="width=device-width"><body style="margin:0">
<iframe sandbox="allow-scripts" style="border:0;width:100%;height:10px"></iframe>
<script>
  const frame = document.querySelector("iframe")
  window.sent = []
  window.post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*")
  addEventListener("message", ({ data, source }) => {
    if (source !== frame.contentWindow) return
    sent.push(data.method)
    if (data.method === "ui/initialize") {
      window.asked = data.params
      post({ id: data.id, result: {
        protocolVersion: data.params.protocolVersion,
        hostInfo: { name: "host", version: "1" },
        hostCapabilities: {},
        hostContext: { theme: window.theme }
      } })
    }
    if (data.method === "ui/notifications/initialized") {
      post({ method: "ui/notifications/tool-input", params: { arguments: {} } })
      post({ method: "ui/notifications/tool-result", params: window.result })
    }
    if (data.method === "ui/notifications/size-changed") frame.style.height = data.params.height + "px"
    if (data.id === 77) window.answered = data.result
  })
</script>`

interface OpenedView {
  readonly page: Page
  readonly view: FrameLocator
}

interface Case {
  readonly tool: string
  readonly input: Record<string, unknown>
  readonly theme: "dark" | "light"
}

describe("an assistant's view", () => {
  let browser: Browser
  let demo: Demo
  let client: Client
  beforeAll(async () => {
    browser = await getBrowser()
    demo = await start()
    client = await connect(demo)
  })
  afterAll(async () => {
    await client.close()
    await closeContexts()
    await demo.close()
  })

  const show = async ({ input, theme, tool }: Case, use: (shown: OpenedView) => Promise<void>) => {
    const { tools } = await client.listTools()
    const ui = Object(tools.find(({ name }) => name === tool)?._meta?.["ui"])
    const { contents: [page] } = await client.readResource({ uri: String(ui.resourceUri) })
    const result = await client.callTool({ name: tool, arguments: input })
    const html = page !== undefined && "text" in page ? page.text : assert.fail()
    await withPage(browser, { scripts: true, viewport: { width: 390, height: 800 } }, async (page) => {
      const requests: Array<string> = []
      page.on("request", (request) => requests.push(request.url()))
      await page.route("http://host.test/", (route) => route.fulfill({ contentType: "text/html", body: hostPage }))
      await page.route(
        "http://view.test/",
        (route) =>
          route.fulfill({ contentType: "text/html", headers: { "content-security-policy": policy }, body: html })
      )
      await page.goto("http://host.test/")
      await page.evaluate(`{
        window.result = ${JSON.stringify(result)}
        window.theme = "${theme}"
        document.querySelector("iframe").src = "http://view.test/"
      }`)
      const view = page.frameLocator("iframe")
      await view.locator("body > *").first().waitFor()
      await use({ page, view })
      assert.deepStrictEqual(requests, ["http://host.test/", "http://view.test/"])
    })
  }

  interface Row {
    readonly id: string
    readonly starts_at: string
    readonly kind: string
    readonly actions: ReadonlyArray<object>
  }
  const find = async (path: string, matches: (row: Row) => boolean = () => true): Promise<Row> => {
    const { data } = await demo.call<{ readonly data: ReadonlyArray<Row> }>(path)
    return data.find(matches) ?? assert.fail(path)
  }

  const cases: ReadonlyArray<
    readonly [title: string, tool: string, input: () => Promise<Row>, shows: ReadonlyArray<RegExp>]
  > = [
    ["availability", "availability_get", () => find("/offerings", ({ kind }) => kind === "class"), [
      /Availability/,
      /of 12 left|Full/,
      /[AP]M/
    ]],
    ["a booking", "bookings_get", () => find("/bookings"), [
      /Confirmed|Held|Canceled/,
      /Reference/,
      /\$\d/,
      /\d guests?/,
      /@example\.com/
    ]],
    ["a proposal", "proposals_get", () => find("/proposals?status=pending", ({ actions }) => actions.length > 1), [
      /Needs approval/,
      /Move a booking|Message the guest|Open a departure|Cancel/,
      /Message text/,
      /Proposed /
    ]]
  ]

  it.each(cases)("shows %s and makes no request", async (_, tool, loadRow, shows) => {
    await show({ tool, input: { id: (await loadRow()).id }, theme: "light" }, async ({ page, view }) => {
      const text = await view.locator("body").innerText()
      for (const pattern of shows) assert.match(text, pattern)
      const width: number = await view.locator("html").evaluate((html) => html.scrollWidth)
      assert.isAtMost(width, 390)
      await expect.poll(() => page.evaluate("document.querySelector('iframe').offsetHeight")).toBeGreaterThan(60)
    })
  })

  it("shows departures and their guests in the host's theme", async () => {
    const day = (await find("/bookings?status=confirmed")).starts_at.slice(0, 10)
    await show({ tool: "schedule_get", input: { from: day }, theme: "dark" }, async ({ page, view }) => {
      assert.match(await view.locator("body").innerText(), /guests?/)
      const background = () => view.locator(".card").first().evaluate((card) => getComputedStyle(card).backgroundColor)
      assert.strictEqual(await background(), "rgb(26, 33, 30)")
      await page.evaluate("post({ method: 'ui/notifications/host-context-changed', params: { theme: 'light' } })")
      await expect.poll(background).toBe("rgb(255, 255, 255)")
      await page.evaluate("post({ id: 77, method: 'ui/resource-teardown', params: { reason: 'test' } })")
      await expect.poll(() => page.evaluate("window.answered")).toEqual({})
      assert.deepInclude(Object(await page.evaluate("window.asked")), { protocolVersion: "2026-01-26" })
    })
  })

  it("shows the error message", async () => {
    const id = "01a18d80-f040-7427-aa77-5a6deead3190"
    await show({ tool: "bookings_get", input: { id }, theme: "light" }, async ({ view }) => {
      assert.include(await view.locator("body").innerText(), `The booking ${id} does not exist.`)
    })
  })

  it("escapes markup from a guest", async () => {
    const { id } = await find("/bookings")
    const input = { id }
    await show({ tool: "bookings_get", input, theme: "light" }, async ({ page, view }) => {
      await page.evaluate(`post({ method: "ui/notifications/tool-result", params: { structuredContent: {
        ...window.result.structuredContent,
        guest_wrote: { notes: "<img src=x onerror=parent.postMessage(1)>" }
      } } })`)
      await expect.poll(() => view.locator("body").innerText()).toContain("<img src=x onerror")
      assert.strictEqual(await view.locator("img").count(), 0)
    })
  })
})
