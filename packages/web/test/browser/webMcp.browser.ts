/**
 * Tests the tools that a booking page and a website register with the browser's assistant. A stub takes the assistant's
 * place.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Demo, start } from "./Demo.ts"
import { type Website, website } from "./website.ts"

type Target = "Document" | "Navigator"

const standIn = (target: Target) =>
  `{
    const tools = []
    Object.defineProperty(${target}.prototype, "modelContext", { value: { registerTool: (tool) => tools.push(tool) } })
    window.assistant = {
      names: () => tools.map(({ name }) => name),
      call: (name, input) => tools.find((tool) => tool.name === name).execute(input).then(JSON.stringify)
    }
  }`

const names = async (page: Page) => {
  await expect.poll(() => page.evaluate("window.assistant.names()"), { timeout: 15_000 })
    .toEqual(["trips_search", "trip_availability", "booking_quote", "booking_hold"])
}

const call = (page: Page, name: string, input: object): Promise<string> =>
  page.evaluate(`window.assistant.call("${name}", ${JSON.stringify(input)})`)

describe("a booking page", () => {
  let browser: Browser
  let demo: Demo
  beforeAll(async () => {
    browser = await getBrowser()
    demo = await start()
  })
  afterAll(async () => {
    await closeContexts()
    await demo.close()
  })

  it.each(["Navigator", "Document"] as const)(
    "registers its tools through the assistant API of the %s",
    async (target) => {
      const context = await browser.newContext()
      await context.addInitScript(standIn(target))
      const page = await context.newPage()
      await page.goto(demo.book)
      await names(page)
      const result = await call(page, "trips_search", { q: "canyon" })
      assert.include(result, "Browns Canyon Half Day")
      assert.include(result, "trip_availability")
      await context.close()
    }
  )

  it("requests no tools if the browser has no assistant", async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const requests: Array<string> = []
    page.on("request", (request) => requests.push(request.url()))
    await page.goto(demo.book)
    await page.waitForLoadState("networkidle")
    assert.isAbove(requests.length, 1)
    for (const url of requests) assert.notMatch(url, /\/mcp$/)
    await context.close()
  })
})

describe.each([
  ["widget", (book: string) =>
    `<script type="module" src="${new URL(book).origin}/widget.js"></script>
<trailbook-booking slug="salida-river-co"><a href="${book}">Book</a></trailbook-booking>`],
  ["Book button", (book: string) => `<script type="module" src="${book}/button.js"></script>`]
])("a website with the %s", (_, snippet) => {
  let browser: Browser
  let demo: Demo
  let site: Website
  beforeAll(async () => {
    browser = await getBrowser()
    demo = await start()
    site = await website(
      `<!doctype html><html lang="en"><title>Ours</title><body>${snippet(demo.book)}</body></html>`,
      `default-src 'none'; script-src ${demo.origin}; frame-src ${demo.origin}`
    )
  })
  afterAll(async () => {
    await closeContexts()
    site.close()
    await demo.close()
  })

  const visit = async (use: (page: Page) => Promise<void>, assistant?: Target) => {
    const context = await browser.newContext()
    if (assistant !== undefined) await context.addInitScript(standIn(assistant))
    const page = await context.newPage()
    await page.goto(site.url)
    await use(page)
    await context.close()
  }

  it("registers tools under a strict CSP", () =>
    visit(async (page) => {
      await names(page)
      const result = await call(page, "trips_search", { q: "canyon" })
      assert.include(result, "Browns Canyon Half Day")
      const { structuredContent: { data: [trip] } } = JSON.parse(result)
      assert.include(await call(page, "trip_availability", { id: trip.id }), "cancellation")
    }, "Navigator"))

  it("links to the booking page instead of holding seats", () =>
    visit(async (page) => {
      await names(page)
      const { structuredContent: { data: [trip] } } = JSON.parse(await call(page, "trips_search", {}))
      const { id } = trip
      const before = await demo.call<{ readonly data: ReadonlyArray<object> }>("/bookings?status=held&limit=500")
      const holdResult = await call(page, "booking_hold", { offering_id: id, name: "Ada", email: "ada@example.com" })
      assert.include(holdResult, `No seats are held. The guest can book at ${demo.book}/${id}.`)
      const after = await demo.call<{ readonly data: ReadonlyArray<object> }>("/bookings?status=held&limit=500")
      assert.lengthOf(after.data, before.data.length)
      const quoteWith = async (code: object) =>
        JSON.parse(await call(page, "booking_quote", { offering_id: id, quantity: 1, ...code })).structuredContent
      assert.deepStrictEqual((await quoteWith({ discount_code: "ANY" })).code, (await quoteWith({})).code)
    }, "Document"))

  it("loads no tool frame if the browser has no assistant", () =>
    visit(async (page) => {
      await page.waitForLoadState("networkidle")
      assert.strictEqual(await page.locator("iframe[hidden]").count(), 0)
    }))
})
