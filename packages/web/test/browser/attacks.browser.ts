/**
 * Tests attacks by another website in a guest's browser: showing a guest page in a frame, and submitting forms to it.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Website, website } from "./website.ts"

let browser: Browser
const places: Array<TestSite> = []
const sites: Array<Website> = []
beforeAll(async () => {
  browser = await getBrowser()
})
afterAll(async () => {
  await closeContexts()
  for (const { close } of sites) close()
  await Promise.all(places.map(({ close }) => close()))
})

const openHost = async (...options: Parameters<typeof open>) => {
  const host = await open(...options)
  places.push(host)
  await host.call("org.update", { guest_changes_hours: 1 })
  const { id } = await host.call("offerings.create", trip)
  return { host, booking: await host.book(id, {}, 12) }
}

/** Serves a malicious page from another origin. */
const evil = async (html: string): Promise<Website> => {
  const site = await website(
    `<!doctype html><html lang="en"><title>Win a raft</title>${html}`,
    "upgrade-insecure-requests"
  )
  sites.push(site)
  return site
}

const visit = async (url: string, use: (page: Page) => Promise<void>) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  try {
    await page.goto(url)
    await use(page)
  } finally {
    await context.close()
  }
}

describe("a page on another site", () => {
  it("can frame only the booking page", async () => {
    const { booking, host } = await openHost()
    const frames = (host: TestSite, handle: string) =>
      [`/b/${handle}`, `/b/${handle}/cancel`, "/book/salida-river-co"]
        .map((path) => `<iframe title="${path}" src="${host.url}${path}"></iframe>`).join("")
    const listVisible = (page: Page) =>
      Promise.all(
        page.frames().slice(1).map(async (frame) => {
          await frame.waitForLoadState()
          return await frame.getByText(trip.name).count() > 0
        })
      )
    const site = await evil(frames(host, booking.handle))
    await visit(site.url, async (page) => assert.deepStrictEqual(await listVisible(page), [false, false, true]))
    const noWidget = await openHost({ widget: false })
    const other = await evil(frames(noWidget.host, noWidget.booking.handle))
    await visit(other.url, async (page) => assert.deepStrictEqual(await listVisible(page), [false, false, false]))
  })

  const attacked = async (trusts: boolean) => {
    // The target URL depends on this site's own URL, so the page reads it from its own fragment.
    const site = await evil(`<form method="post"><button>Win</button></form>
<script>document.forms[0].action = location.hash.slice(1)</script>`)
    const { booking, host } = await openHost(trusts ? { trustedOrigins: [new URL(site.url).origin] } : {})
    let text = ""
    await visit(`${site.url}#${host.url}/b/${booking.handle}/cancel`, async (page) => {
      await page.getByRole("button", { name: "Win" }).click()
      await page.waitForURL(`${host.url}/b/**`)
      text = await page.locator("main").innerText()
    })
    return { text, status: (await host.booking(booking.id)).status }
  }

  it("can cancel a booking only if it is trusted", async () => {
    const { text, status } = await attacked(false)
    assert.include(text, "Request blocked")
    assert.strictEqual(status, "confirmed")
    assert.strictEqual((await attacked(true)).status, "cancelled")
  })
})
