/** The tools that a booking page registers with the assistant of the browser, here a stand-in. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Demo, start } from "./Demo.ts"

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

  it.each(["navigator", "document"])("registers its tools with the assistant of the %s", async (place) => {
    const context = await browser.newContext()
    await context.addInitScript(`{
      const tools = []
      const target = ${place === "navigator" ? "Navigator" : "Document"}.prototype
      Object.defineProperty(target, "modelContext", { value: { registerTool: (tool) => tools.push(tool) } })
      window.assistant = {
        names: () => tools.map(({ name }) => name),
        call: (name, input) => tools.find((tool) => tool.name === name).execute(input)
      }
    }`)
    const page = await context.newPage()
    await page.goto(demo.book)
    await expect.poll(() => page.evaluate("window.assistant.names()"), { timeout: 15_000 })
      .toEqual(["trips_search", "trip_availability", "booking_quote", "booking_hold"])
    const found: string = await page.evaluate(
      "window.assistant.call('trips_search', { q: 'canyon' }).then(JSON.stringify)"
    )
    assert.include(found, "Browns Canyon Half Day")
    assert.include(found, "trip_availability")
    await context.close()
  })

  it("sends no request for tools if the browser has no assistant", async () => {
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
