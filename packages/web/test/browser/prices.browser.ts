/** Tests in Chromium that an owner can set prices, fees, and taxes, and that a guest can book with them. */
import type { BookingView } from "@trailbook/core/booking"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, type TestSite } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

describe("the price pages in Chromium", () => {
  let browser: Browser
  let site: TestSite
  let id: string
  beforeAll(async () => {
    browser = await getBrowser()
  })
  afterAll(closeContexts)
  beforeEach(async () => {
    site = await open()
    const raft = { name: "Raft trip", kind: "class", price_cents: 9500, capacity: 40 }
    id = (await site.call("offerings.create", raft)).id
    await site.call("sessions.create", { offering_id: id, starts_at: "2027-05-03T15:00:00Z" })
  })
  afterEach(() => site.close())

  const within = async <A>(scripts: boolean, use: (page: Page) => Promise<A>): Promise<A> =>
    withPage(
      browser,
      { scripts, signedIn: { url: site.url, cookie: await site.signIn() }, isRefused: true },
      use
    )

  const row = (page: Page, name: string) => page.getByRole("group", { name, exact: true })

  for (const scripts of [true, false]) {
    it(`sell a trip with an extra and a tax ${scripts ? "with" : "without"} scripts`, () =>
      within(scripts, async (page) => {
        await page.goto(`${site.url}/dashboard/settings/fees`)
        await page.getByRole("button", { name: "Add fee" }).click()
        await page.getByLabel("Name").fill("River tax")
        await page.getByLabel("Amount").fill("10")
        await page.getByLabel("Tax", { exact: true }).check()
        await page.getByLabel("Amount").press("Enter")
        await page.getByText("Saved.").waitFor()

        await page.goto(`${site.url}/dashboard/offerings/${id}`)
        await page.getByRole("link", { name: "Prices" }).click()
        await page.getByRole("button", { name: "Add rate" }).click()
        await row(page, "Rate 1").getByLabel("Name").fill("Adult")
        await page.getByRole("button", { name: "Add rate" }).click()
        const child = row(page, "Rate 2")
        await child.getByLabel("Name").fill("Child")
        await child.getByLabel("Price").fill("75")
        await child.getByLabel("Adult").check()
        await page.getByRole("button", { name: "Add extra" }).click()
        const wetsuit = row(page, "Extra 1")
        await wetsuit.getByLabel("Name").fill("Wetsuit")
        await wetsuit.getByLabel("Price").fill("15")
        // The total is for 2 adults and includes a 10% tax. With scripts, the total is updated as the price is typed.
        await row(page, "Rate 1").getByLabel("Price").fill("90")
        if (!scripts) await page.getByRole("button", { name: "Update preview" }).click()
        await page.getByText("Total $198").waitFor()
        await page.getByRole("button", { name: "Save", exact: true }).click()
        await page.getByText("Saved.").waitFor()

        await page.goto(`${site.url}/book/salida-river-co/${id}?date=2027-05-03`)
        for (const name of ["Adult", "Child", "Wetsuit", "Wetsuit"]) {
          const count = page.locator("output", { hasText: /./ }).and(page.getByLabel(name, { exact: true }))
          const next = String(Number(await count.textContent()) + 1)
          await page.getByRole("link", { name: `Add one: ${name}` }).click()
          await count.getByText(next, { exact: true }).waitFor()
        }
        await page.getByText("$313.50").first().waitFor()
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByLabel("Your name").fill("Ada Lovelace")
        await page.getByLabel("Email").fill("ada@example.com")
        await page.getByRole("button", { name: /Confirm booking|Book and continue/ }).click()
        await page.waitForURL(/\/b\/[\w-]+\?new=1$/)
        const { data: [booking] } = await site.call("bookings.list", {}) as unknown as {
          readonly data: ReadonlyArray<BookingView>
        }
        assert.deepInclude(booking, {
          quantity: 3,
          total_cents: 31_350,
          party: [{ rate_id: "adult", quantity: 2 }, { rate_id: "child", quantity: 1 }],
          extras: [{ extra_id: "wetsuit", quantity: 2 }]
        })
      }))
  }

  it("are accessible with and without data", () =>
    within(true, async (page) => {
      const look = async (path: string, name: string) => {
        await page.goto(`${site.url}/dashboard/${path}`)
        await holds(page, name)
      }
      const prices = `offerings/${id}/prices`
      await look(prices, "prices, empty")
      await look("settings/fees", "fees, empty")
      await site.call("offerings.update", {
        id,
        pricing: {
          rates: [
            { id: "adult", name: "Donaudampfschifffahrtsgesellschaftskapitän", price_cents: 9500, places: 1 },
            { id: "child", name: "طفل", price_cents: 7500, places: 1, needs_any_of: ["adult"] },
            { id: "private", name: "Private raft, up to 8", price_cents: 60_000, places: 8, max: 2 }
          ],
          extras: [{ id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place", required: true }],
          min_places: 2
        }
      })
      await site.call("org.update", {
        fees: [
          { id: "park", name: "Park fee", cents: 500, per: "place", offering_ids: [id] },
          { id: "tax", name: "Sales tax", percent_bps: 825, per: "order_value", tax: true, compound: true }
        ]
      })
      await look(prices, "prices")
      await look("settings/fees", "fees")
      await page.getByLabel("Amount").last().fill("8.875")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Amount: must be a percentage from 0 to 100 with at most 2 decimals.").first().waitFor()
      await holds(page, "fees, refused")
    }))
})
