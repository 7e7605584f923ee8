/** Tests the Book button on a page on another origin, with a strict policy, with a dark theme, and on a phone. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Website, website } from "./website.ts"

const phone = { width: 390, height: 844 }
const desktop = { width: 1100, height: 900 }

describe.each([["on a phone", phone], ["on a desktop", desktop]] as const)("the Book button %s", (_, viewport) => {
  let browser: Browser
  let site: TestSite
  let tripId = ""
  const hosts: Array<Website> = []
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open()
    tripId = (await site.call("offerings.create", trip)).id
    await site.call("offerings.create", { ...trip, name: "Family Float" })
  })
  afterAll(async () => {
    await closeContexts()
    for (const { close } of hosts) close()
    await site.close()
  })

  const strict = () => `default-src 'none'; script-src ${site.url}; frame-src ${site.url}`
  const visit = async <A>(attributes: string, use: (page: Page) => Promise<A>, policy = strict()): Promise<A> => {
    const book = `${site.url}/book/salida-river-co`
    const host = await website(
      `<!doctype html><html lang="en"><head><meta name="color-scheme" content="dark">
<meta name="viewport" content="width=device-width"><title>Ours</title></head><body><h1>Our trips</h1>
<a href="https://example.com/">Elsewhere</a> <a href="${book}/${tripId}">Browns Canyon</a>
<script type="module" src="${book}/button.js" ${attributes}></script></body></html>`,
      policy
    )
    hosts.push(host)
    const context = await browser.newContext({ viewport, colorScheme: "dark", hasTouch: viewport === phone })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const wrong: Array<string> = []
    page.on("pageerror", ({ message }) => wrong.push(message))
    page.on("console", (message) => {
      if (message.type() === "error" && message.text().includes("Content Security")) wrong.push(message.text())
    })
    try {
      await page.goto(host.url)
      const result = await use(page)
      // If a policy blocks frames, the browser logs errors, so only the strict policy is expected to log none.
      if (policy === strict()) assert.deepStrictEqual(wrong, [])
      return result
    } finally {
      await context.close()
    }
  }
  const popup = (page: Page) => page.getByRole("dialog")
  const waitForText = (page: Page, text: string) => page.frameLocator("iframe").getByText(text).first().waitFor()
  const press = (page: Page) => page.getByRole("button", { name: "Book now" }).click()
  /**
   * Presses Escape. Chromium might never confirm a key press that removes the focused frame, so the test does not wait
   * for it.
   */
  const escape = (page: Page) => void page.keyboard.press("Escape").catch(() => {})
  const waitForClose = async (page: Page) => {
    await popup(page).waitFor({ state: "detached" })
    await page.waitForFunction(() => document.documentElement.style.overflow === "")
  }

  it("opens the booking page, and restores focus after Escape", () =>
    visit("", async (page) => {
      await press(page)
      await waitForText(page, "Family Float")
      const box = await popup(page).boundingBox()
      assert.isAtMost((box?.x ?? 0) + (box?.width ?? 0), viewport.width)
      if (viewport === phone) assert.deepStrictEqual([box?.width, box?.height], [phone.width, phone.height])
      for (let tab = 0; tab < 12; tab++) {
        await page.keyboard.press("Tab")
        assert.notInclude(["A", "H1"], await page.evaluate(() => document.activeElement?.tagName ?? ""))
      }
      escape(page)
      await waitForClose(page)
      assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "TRAILBOOK-POPUP")
      // Press Escape inside the booking page.
      await press(page)
      await page.frameLocator("iframe").getByRole("link", { name: "Family Float" }).focus()
      escape(page)
      await waitForClose(page)
    }))

  it("closes without leaving history entries", () =>
    visit("", async (page) => {
      const url = page.url()
      await press(page)
      await waitForText(page, "Family Float")
      await page.goBack()
      await waitForClose(page)
      assert.strictEqual(page.url(), url)
      await press(page)
      await page.frameLocator("iframe").getByRole("link", { name: "Family Float" }).click()
      await waitForText(page, "Total")
      await page.getByRole("button", { name: "Close" }).click()
      await waitForClose(page)
      await page.waitForFunction(() => history.state === null)
      assert.strictEqual(page.url(), url)
    }))

  it("also opens booking page links in its popup", () =>
    visit(`data-button="none" data-accent="#aa3300" data-lang="es"`, async (page) => {
      assert.strictEqual(await page.getByRole("button").count(), 0)
      await page.evaluate(() =>
        document.addEventListener("trailbook:booked", (event) => {
          document.title = Reflect.get(event, "detail").reference
        })
      )
      await page.getByRole("link", { name: "Browns Canyon" }).click()
      const frame = page.frameLocator("iframe")
      await frame.locator("html[lang=es]").waitFor()
      assert.include(await frame.locator("head").innerHTML(), "--accent:#aa3300")
      await frame.getByRole("button", { name: "Continuar" }).click()
      await frame.getByLabel("Su nombre").fill("Ada Lovelace")
      await frame.getByLabel("Correo").fill("ada@example.com")
      await frame.locator("form button.wide").click()
      await page.waitForFunction(() => /^[0-9A-Z]{8}$/.test(document.title))
    }))

  it("can be placed in the corner and open a single activity", () =>
    visit(`data-button="corner" data-label="Reserve a raft" data-offering="${tripId}"`, async (page) => {
      const button = page.getByRole("button", { name: "Reserve a raft" })
      const box = await button.boundingBox()
      assert.isAbove((box?.y ?? 0) + (box?.height ?? 0), viewport.height - 20)
      await button.click()
      await page.frameLocator("iframe").getByRole("heading", { name: trip.name }).waitFor()
    }))

  it("adds the trips to the website as structured data", () =>
    visit("", async (page) => {
      const text = await page.locator("script[type='application/ld+json']").textContent()
      const about: unknown = JSON.parse(text ?? "{}")
      assert.deepInclude(about, { "@context": "https://schema.org", "@type": "TravelAgency" })
      assert.include(text, `"@type":"TouristTrip","name":"Family Float"`)
    }))

  it("navigates to the booking page if frames are blocked", () =>
    visit("", async (page) => {
      await page.getByRole("link", { name: "Browns Canyon" }).click()
      await page.waitForURL(`${site.url}/book/salida-river-co/${tripId}`)
    }, `default-src 'none'; script-src ${site.url}`))
})
