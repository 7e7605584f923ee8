/** Tests the widget on a page on another origin. The page's policy allows only what the widget needs. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { type Website, website } from "./website.ts"

describe("the widget in Chromium", () => {
  let browser: Browser
  let outfitter: TestSite
  let tripId: string
  const hosts: Array<Website> = []
  beforeAll(async () => {
    browser = await getBrowser()
    outfitter = await open()
    tripId = (await outfitter.call("offerings.create", trip)).id
    await outfitter.call("offerings.create", { ...trip, name: "Family Float" })
  })
  afterAll(async () => {
    await closeContexts()
    for (const { close } of hosts) close()
    await outfitter.close()
  })

  const strict = () => `default-src 'none'; script-src ${outfitter.url}; frame-src ${outfitter.url}`
  const element = (attributes = "", extraHtml = "") =>
    `<!doctype html><html lang="en"><title>Ours</title><h1>Our trips</h1>
<script type="module" src="${outfitter.url}/widget.js"></script>
<trailbook-booking slug="salida-river-co" ${attributes}><a href="${outfitter.url}/book/salida-river-co">Book online</a></trailbook-booking>${extraHtml}`
  const site = async (html: string, policy = strict()) => {
    const host = await website(html, policy)
    hosts.push(host)
    return host.url
  }

  const patience = 15_000

  const visit = async <A>(url: string, use: (page: Page) => Promise<A>, scripts = true): Promise<A> => {
    const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 900, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    await page.addInitScript(() => {
      const widgetEvents: Array<unknown> = []
      Object.assign(globalThis, { widgetEvents })
      for (const type of ["ready", "resize", "booked"]) {
        addEventListener(`trailbook:${type}`, (event) => widgetEvents.push([event.type, Reflect.get(event, "detail")]))
      }
    })
    try {
      await page.goto(url)
      return await use(page)
    } finally {
      await context.close()
    }
  }
  const eventsOn = (page: Page): Promise<ReadonlyArray<readonly [string, Record<string, unknown>]>> =>
    page.evaluate(() => Reflect.get(globalThis, "widgetEvents"))

  it("books on another site under a strict CSP", async () => {
    await visit(await site(element(`offering="${tripId}"`)), async (page) => {
      const frame = page.frameLocator("trailbook-booking iframe")
      await frame.getByRole("heading", { name: trip.name }).first().waitFor()
      const inner = () => page.frames().find((frame) => frame.url().startsWith(outfitter.url))
      await page.waitForFunction(() =>
        (Reflect.get(globalThis, "widgetEvents") as Array<[string]>).some(([type]) => type === "trailbook:resize")
      )
      const height = await page.locator("trailbook-booking iframe").evaluate((element: HTMLElement) =>
        element.offsetHeight
      )
      const contentHeight = await inner()?.evaluate(() => document.body.getBoundingClientRect().height) ?? 0
      assert.isAtMost(Math.abs(height - contentHeight), 2)
      await frame.getByRole("radio").first().check({ force: true })
      await frame.getByRole("button", { name: "Continue" }).click()
      await frame.getByLabel("Your name").fill("Ada Lovelace")
      await frame.getByLabel("Email").fill("ada@example.com")
      await frame.getByRole("button", { name: "Book and continue" }).click()
      await frame.getByText("You are booked.").waitFor()
      const all = await eventsOn(page)
      assert.strictEqual(all.filter(([type]) => type === "trailbook:booked").length, 1)
      assert.match(String(all.find(([type]) => type === "trailbook:booked")?.[1]["reference"]), /^[0-9A-Z]{8}$/)
      assert.deepStrictEqual(await page.context().cookies(), [])
    })
  })

  it("falls back to a link without scripts or frames", async () => {
    const link = (page: Page) => page.getByRole("link", { name: "Book online" }).waitFor()
    await visit(await site(element()), link, false)
    await visit(await site(element(), "default-src 'none'"), link)
    await visit(await site(element(), `default-src 'none'; script-src ${outfitter.url}`), link)
  })

  it("ignores messages from other windows and widgets", async () => {
    const second = `<trailbook-booking slug="nobody"><a href="x">Other</a></trailbook-booking>`
    await visit(await site(element("", second)), async (page) => {
      await page.frameLocator("trailbook-booking >> nth=0 >> iframe").getByText("Family Float").first().waitFor()
      await page.frameLocator("trailbook-booking >> nth=1 >> iframe").getByText("Page not found").waitFor()
      const heights = () =>
        page.locator("trailbook-booking iframe").evaluateAll((frames) =>
          frames.map((frame) => (frame as HTMLElement).offsetHeight)
        )
      await page.waitForTimeout(500)
      const before = await heights()
      await page.evaluate(() => {
        postMessage({ type: "trailbook:resize", height: 5 }, "*")
        postMessage({ type: "trailbook:booked", reference: "FORGED00" }, "*")
      })
      await page.waitForTimeout(300)
      assert.deepStrictEqual(await heights(), before)
      assert.isEmpty((await eventsOn(page)).filter(([type]) => type === "trailbook:booked"))
      assert.notStrictEqual(before[0], before[1])
    })
  })

  it("applies its theme and language", async () => {
    await visit(await site(element(`accent="#aa3300" lang="es"`)), async (page) => {
      const frame = page.frameLocator("trailbook-booking iframe")
      await frame.locator("html[lang=es]").waitFor()
      assert.include(await frame.locator("head").innerHTML(), "--accent:#aa3300")
    })
  })

  it("has a script that browsers cache for an hour", async () => {
    const { headers, html, status } = await outfitter.ask("/widget.js")
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("cache-control"), "public, max-age=3600")
    assert.strictEqual(headers.get("access-control-allow-origin"), "*")
    assert.isAbove(html.length, 100)
    const again = await outfitter.ask("/widget.js", { headers: { "if-none-match": headers.get("etag") ?? "" } })
    assert.strictEqual(again.status, 304)
  })

  it("has a demo page", async () => {
    await visit(`${outfitter.url}/widget/salida-river-co?accent=%23aa3300`, async (page) => {
      await page.frameLocator("trailbook-booking iframe").getByText("Family Float").first().waitFor()
      assert.include(await page.locator("pre").first().innerText(), `accent="#aa3300"`)
      await holds(page, "the widget page")
    })
  })
})
