/** Tests bookings and the calendar on the dashboard in Chromium, with and without scripts. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

describe("the dashboard's booking pages in Chromium", () => {
  let browser: Browser
  let site: TestSite
  let cookie: string
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open()
    cookie = await site.signIn("staff")
  })
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const within = <A>(scripts: boolean, use: (page: Page) => Promise<A>): Promise<A> => {
    const signedIn = { url: site.url, cookie }
    return withPage(browser, { scripts, signedIn, isRefused: true, viewport: { width: 1280, height: 900 } }, use)
  }

  let offeringId: string | undefined
  const offering = async (): Promise<string> => offeringId ??= (await site.call("offerings.create", trip)).id

  it("are accessible when there are no bookings", () =>
    within(true, async (page) => {
      const reports = ["sales", "payments", "occupancy", "guests"].map((report) => `/reports/${report}`)
      for (const path of ["", "/bookings", "/bookings/new", "/calendar", "/ledger", ...reports]) {
        await page.goto(`${site.url}/dashboard${path}`)
        await holds(page, `empty ${path}`)
      }
    }), 120_000)

  for (const scripts of [true, false]) {
    it(`book, move, and cancel a booking ${scripts ? "with" : "without"} scripts`, () =>
      within(scripts, async (page) => {
        await offering()
        await page.goto(`${site.url}/dashboard`)
        await page.getByRole("link", { name: "New booking" }).click()
        await page.locator(".starts label").first().click()
        await page.getByLabel("Email").fill("grace@example.com")
        await page.getByLabel("Name").fill("Grace Hopper")
        await page.getByRole("button", { name: "Create booking", exact: true }).click()
        await page.getByText("Booking confirmed. The guest gets an email.").waitFor()
        await page.getByRole("link", { name: "Move", exact: true }).click()
        await page.locator(".starts label").last().click()
        await page.getByRole("button", { name: "Review change" }).click()
        await page.getByRole("button", { name: "Move booking" }).click()
        await page.getByText("Booking moved. The guest gets an email.").waitFor()
        await page.getByRole("link", { name: "Change", exact: true }).click()
        await page.getByLabel("Name of adjustment 1").fill("Late return")
        await page.getByLabel("Amount of adjustment 1").fill("-15")
        await page.getByLabel("Staff notes").fill("Boat 2")
        await page.getByRole("button", { name: "Review change" }).click()
        await page.getByText("The guest owes").waitFor()
        await page.getByRole("button", { name: "Save change" }).click()
        await page.getByText("Booking changed.").waitFor()
        await page.getByText("Boat 2").waitFor()
        await page.getByRole("cell", { name: "-$15" }).waitFor()
        await page.getByRole("link", { name: "Departure", exact: true }).click()
        await page.getByRole("link", { name: "Print manifest" }).click()
        await page.getByRole("link", { name: "Grace Hopper" }).click()
        await page.getByRole("link", { name: "Cancel", exact: true }).click()
        await page.getByText("grace@example.com").waitFor()
        await page.getByRole("button", { name: "Cancel booking" }).click()
        await page.getByText("Booking canceled. The guest gets an email.").waitFor()
      }))
  }

  it("are accessible when there are bookings", () =>
    within(true, async (page) => {
      const id = await offering()
      const booking = await site.book(id, { notes: "Vegetarian." }, 2)
      const hold = await site.book(id, { hold_minutes: 60 }, 2)
      await site.call("payments.record", { id: booking.id, method: "transfer", amount_cents: 5025, note: "Deposit" })
      for (
        const path of [
          "",
          "/calendar",
          "/calendar?month=2027-05-01",
          "/calendar?list=2027-05-01",
          "/calendar?day=2027-05-01",
          "/calendar/add?date=2027-05-03&time=09:30",
          "/bookings",
          "/bookings/new",
          "/ledger?from=2027-05-01&to=2027-05-01",
          ...["sales", "payments", "occupancy", "guests"].map((report) => `/reports/${report}`),
          `/bookings/${booking.id}`,
          `/bookings/${booking.id}/move`,
          `/bookings/${booking.id}/change`,
          `/bookings/${booking.id}/cancel`,
          `/bookings/${booking.id}/payments/new`,
          `/bookings/${hold.id}/confirm`,
          `/departures/${booking.id}`,
          `/departures/${booking.id}/manifest`,
          "/manifest"
        ]
      ) {
        const response = await page.goto(`${site.url}/dashboard${path}`)
        assert.strictEqual(response?.status(), 200, path)
        await holds(page, path === "" ? "today" : path)
      }
    }), 240_000)
})
