/**
 * Counts the taps for the twelve daily tasks on a phone, each starting on a signed-in owner's Today page. A tap is a
 * touch on a button, a link, or a field. Typing and scrolling are not counted. `docs/how-to/dashboard.md` contains the
 * same numbers, so a task can get longer only if that table changes. `TEST_TAPS=1` also prints the seconds until each
 * task's pages are usable.
 */
import type { BookingView } from "@trailbook/core/booking"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { start } from "./Demo.ts"
import { withPage } from "./withPage.ts"

const docs = readFileSync(join(import.meta.dirname, "../../../../docs/how-to/dashboard.md"), "utf8")

/** Returns the number of taps listed in the docs table. */
const promised = (task: string): number => {
  const row = docs.split("\n").find((line) => line.startsWith(`| ${task} |`))
  return Number(row?.split("|")[2]?.trim())
}

class Taps {
  count = 0
  /** Starts measuring on the current page. */
  static async start(page: Page): Promise<Taps> {
    await page.evaluate(() => sessionStorage.clear())
    return new Taps()
  }
  /** Compares a task's taps with the docs table. */
  async end(page: Page, name: string): Promise<void> {
    assert.strictEqual(this.count, promised(name))
    if (process.env["TEST_TAPS"] === undefined) return
    await page.waitForLoadState()
    const ms = await page.evaluate(() => Number(sessionStorage.getItem("ms")))
    process.stdout.write(`| ${name} | ${this.count} | ${(ms / 1000).toFixed(1)} |\n`)
  }
  async on(what: Locator): Promise<void> {
    this.count++
    await what.click()
  }
  async type(field: Locator, text: string): Promise<void> {
    this.count++
    await field.fill(text)
  }
}

/** A one-pixel PNG. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/** Adds up the time from each request until the page is parsed and its scripts have run. Redirects are included. */
const measure = (page: Page) =>
  page.addInitScript(() =>
    addEventListener("DOMContentLoaded", () => {
      sessionStorage.setItem("ms", String(Number(sessionStorage.getItem("ms")) + performance.now()))
    })
  )

const viewport = { width: 390, height: 844 }

const at = (time: string) => `2027-06-12T${time}:00-06:00`

describe("the daily tasks", () => {
  let browser: Browser
  let site: TestSite
  const departures: Array<string> = []
  let bookings: ReadonlyArray<BookingView> = []
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open({ now: "2027-05-20T18:00:00Z" })
    const { id } = await site.call("offerings.create", {
      ...trip,
      kind: "class",
      name: "Family Float",
      capacity: 16,
      price_cents: 9500
    })
    // Record a sale in May.
    await site.call("sessions.create", { offering_id: id, starts_at: "2027-05-21T14:00:00-06:00" })
    await site.book(id)
    site.set("2027-06-11T18:00:00Z")
    for (const starts_at of [at("08:00"), at("10:00"), "2027-06-13T14:00:00-06:00"]) {
      const created = await site.call("sessions.create", { offering_id: id, starts_at })
      const [{ id: session_id }] = created["data"] as readonly [{ readonly id: string }]
      departures.push(session_id)
    }
    const [first = "", , tomorrow = ""] = departures
    const book = (name: string, session_id: string, quantity: number) =>
      site.book(id, { session_id, quantity, customer: { name, email: `${name.toLowerCase()}@example.com` } })
    const five = await book("Ada", first, 5)
    const canceledBooking = await book("Ben", first, 2)
    const late = await book("Cleo", tomorrow, 2)
    for (const { due_cents, id } of [five, canceledBooking]) {
      await site.call("payments.record", { id, method: "cash", amount_cents: due_cents })
    }
    await site.call("bookings.cancel", { id: canceledBooking.id })
    bookings = [five, canceledBooking, late, await book("Dora", first, 1)]
    site.set(at("06:00"))
  }, 60_000)
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const of = (nth: number): BookingView => {
    const booking = bookings[nth]
    if (booking === undefined) throw new Error(`There is no booking ${nth}.`)
    return booking
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name })
  const link = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first()
  const departure = (page: Page, nth: number) => page.locator(`a.departs[href$="/departures/${departures[nth] ?? ""}"]`)

  /** Runs a task from the Today page and compares its taps with the docs table. */
  const task = (name: string, steps: (page: Page, taps: Taps) => Promise<unknown>) =>
    it(`take the documented number of taps: ${name}`, async () => {
      const signedIn = { url: site.url, cookie: await site.signIn("owner") }
      await withPage(browser, { scripts: true, signedIn, viewport }, async (page) => {
        await measure(page)
        await page.goto(`${site.url}/dashboard`)
        const taps = await Taps.start(page)
        await steps(page, taps)
        await taps.end(page, name)
      })
    })

  task("Check in a party of 5", async (page, taps) => {
    await taps.on(departure(page, 0))
    await taps.on(button(page, "Check in 5: Ada"))
    await page.locator("[data-arrived]").getByText("5 of 6", { exact: true }).waitFor()
    await button(page, "Remove one arrival: Ada").waitFor()
    await page.waitForFunction(() => document.querySelector("[data-waiting]:not([hidden])") === null)
  })

  task("Add a walk-in who pays in cash", async (page, taps) => {
    await taps.on(page.getByRole("link", { name: "Walk-in, Family Float, 10:00 AM" }))
    await taps.on(page.locator("label").filter({ has: page.locator(`input[name="quantity"][value="2"]`) }))
    await taps.on(button(page, "Paid in cash"))
    await page.getByText("Walk-in added, paid, and checked in.").waitFor()
  })

  task("Remove two seats from a party", async (page, taps) => {
    await taps.on(departure(page, 0))
    await taps.on(link(page, "Ada"))
    await taps.on(page.getByRole("link", { name: "Change", exact: true }))
    await taps.type(page.locator("[name=quantity]"), "3")
    await taps.on(button(page, "Review change"))
    await taps.on(button(page, "Save change"))
    await page.getByText("Booking changed.").waitFor()
    assert.strictEqual((await site.booking(of(0).id)).quantity, 3)
  })

  task("Return cash after a cancellation", async (page, taps) => {
    await taps.on(link(page, "1 more"))
    await taps.on(link(page, "Refund"))
    await taps.on(button(page, "Record refund"))
    await page.getByText("Refund recorded.").waitFor()
  })

  task("Close tomorrow afternoon and inform the guests", async (page, taps) => {
    await taps.on(link(page, "Close dates"))
    await taps.type(page.getByLabel("First date"), "2027-06-13")
    await taps.type(page.getByLabel("Last date"), "2027-06-13")
    await taps.type(page.getByLabel("Closed from"), "12:00")
    await taps.type(page.getByLabel("Closed until"), "20:00")
    await taps.type(page.getByLabel("Reason"), "High water")
    await taps.on(button(page, "Close dates"))
    await taps.on(button(page, "Cancel 1 booking"))
    await page.getByText("Bookings canceled.").waitFor()
    assert.strictEqual((await site.booking(of(2).id)).status, "cancelled")
  })

  task("Add a season of two daily trips", async (page, taps) => {
    await taps.on(button(page, "More"))
    await taps.on(link(page, "Activities"))
    await taps.on(link(page, "Dates: Family Float"))
    await taps.on(link(page, "Add departures"))
    await taps.type(page.getByLabel("First date"), "2027-07-01")
    await taps.type(page.getByLabel("Last date"), "2027-08-31")
    await taps.type(page.getByLabel("Start time 2"), "13:30")
    await taps.on(button(page, "Preview departures"))
    await taps.on(button(page, "Add 124 departures"))
    await page.getByText("Departures added.").waitFor()
  })

  task("See yesterday's net payments", async (page) => {
    await page.getByText("Collected yesterday").waitFor()
    await page.getByText("$665", { exact: true }).first().waitFor()
  })

  task("Find guests who have not paid", async (page, taps) => {
    await taps.on(link(page, "See all"))
    await page.locator("#unpaid").waitFor()
    await page.getByRole("link", { name: "Dora", exact: true }).waitFor()
  })

  task("Move a party", async (page, taps) => {
    await taps.on(departure(page, 0))
    await taps.on(link(page, "Dora"))
    await taps.on(page.getByRole("link", { name: "Move", exact: true }))
    await taps.on(page.locator(".starts label").first())
    await taps.on(button(page, "Review change"))
    await taps.on(button(page, "Move booking"))
    await page.getByText("Booking moved.").waitFor()
  })

  task("Open the manifest to print", async (page, taps) => {
    await taps.on(link(page, "Print today’s manifest"))
    await page.getByRole("heading", { name: "Manifest for Saturday, June 12" }).waitFor()
  })

  task("Export last month's sales", async (page, taps) => {
    await taps.on(link(page, "Reports"))
    await taps.on(link(page, "Last month"))
    const file = page.waitForEvent("download")
    await taps.on(link(page, "Download CSV"))
    assert.match((await file).suggestedFilename(), /sales\.csv$/)
  })

  it("take the documented number of taps: Add a photo", async () => {
    const demo = await start()
    try {
      await withPage(browser, { scripts: true, viewport }, async (page) => {
        await measure(page)
        await page.goto(demo.signIn)
        await button(page, /sign in/i).click()
        const taps = await Taps.start(page)
        await taps.on(button(page, "More"))
        await taps.on(link(page, "Activities"))
        await taps.on(link(page, /^Photos: Fly Fishing/))
        taps.count++
        await page.getByLabel("Photo", { exact: true }).setInputFiles({
          name: "river.png",
          mimeType: "image/png",
          buffer: pixel
        })
        await taps.type(page.getByLabel("Description", { exact: true }), "The river in June")
        await taps.on(button(page, "Add photo"))
        await page.getByText("Photo added. Guests can see it now.").waitFor()
        await taps.end(page, "Add a photo")
      })
    } finally {
      await demo.close()
    }
  }, 60_000)
})
