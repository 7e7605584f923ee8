/** Tests check-in on a phone in Chromium: with and without scripts, offline, and after sign-out. */
import type { BookingView } from "@trailbook/core/booking"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

const start = "2027-05-02T15:30:00Z"
const parties = { "Grace Hopper": 5, "Ada Lovelace": 2, "Luis Ortega": 1 } as const

type Guest = keyof typeof parties

/** Returns the server's time `minutes` after the start. Negative minutes are before the start. */
const at = (minutes: number) => new Date(Date.parse(start) + minutes * 60_000).toISOString()

describe("the put-in screen", () => {
  let browser: Browser
  let site: TestSite
  let departure: string
  let bookings: Readonly<Record<Guest, BookingView>>
  beforeAll(async () => {
    browser = await getBrowser()
  })
  afterAll(closeContexts)
  beforeEach(async () => {
    site = await open({ now: at(-300) })
    const { id } = await site.call("offerings.create", { ...trip, kind: "class", capacity: 16 })
    const created = await site.call("sessions.create", { offering_id: id, starts_at: start })
    departure = /"id":"([^"]+)"/.exec(JSON.stringify(created))?.[1] ?? ""
    const book = (name: Guest) =>
      site.book(id, {
        session_id: departure,
        quantity: parties[name],
        customer: { name, email: `${name.slice(0, 3).toLowerCase()}@example.com`, phone: "+1 719 555 0143" }
      })
    bookings = {
      "Grace Hopper": await book("Grace Hopper"),
      "Ada Lovelace": await book("Ada Lovelace"),
      "Luis Ortega": await book("Luis Ortega")
    }
    site.set(at(-5))
  })
  afterEach(() => site.close())

  /** Opens the departure on a phone. */
  const onPhone = async <A>(scripts: boolean, use: (page: Page, context: BrowserContext) => Promise<A>) => {
    const signedIn = { url: site.url, cookie: await site.signIn("staff") }
    return withPage(
      browser,
      { scripts, signedIn, isRefused: true, isOffline: true, viewport: { width: 390, height: 844 } },
      async (page, context) => {
        // The test controls the page's timers and clock.
        if (scripts) await page.clock.install()
        await page.goto(`${site.url}/dashboard/departures/${departure}`)
        return use(page, context)
      }
    )
  }
  const button = (page: Page, label: string, name: Guest) => page.getByRole("button", { name: `${label}: ${name}` })
  const tap = (page: Page, label: string, name: Guest) => button(page, label, name).click()
  const checkIn = (page: Page, name: Guest) => tap(page, `Check in ${parties[name]}`, name)
  const waitForCount = async (page: Page, text: string) =>
    page.locator("[data-arrived]").getByText(text, { exact: true }).waitFor()
  const waits = (page: Page) => page.getByText("Waiting to send")
  const isAnswered = async (page: Page) => {
    await page.waitForFunction(() => document.querySelector("[data-waiting]:not([hidden])") === null)
  }
  const attendance = async (name: Guest) => {
    const { attendance } = await site.booking(bookings[name].id)
    return attendance === null ? "none" : `${attendance.status} ${attendance.arrived} at ${attendance.at}`
  }
  const iso = (minutes: number) => `at ${at(minutes)}`

  for (const scripts of [true, false]) {
    it(`checks parties in with one tap ${scripts ? "with" : "without"} scripts`, () =>
      onPhone(scripts, async (page) => {
        for (const button of await page.locator(".party .btn:visible").all()) {
          const { height = 0, width = 0 } = await button.boundingBox() ?? {}
          assert.isAtLeast(Math.min(height, width), 48)
        }
        await waitForCount(page, "0 of 8")
        // Advance the server's clock. Otherwise, all taps would be in the future, and the server would record them as
        // made now.
        site.set(at(-4))
        await checkIn(page, "Grace Hopper")
        await waitForCount(page, "5 of 8")
        await tap(page, "Remove one arrival", "Grace Hopper")
        await waitForCount(page, "4 of 8")
        assert.isTrue(await button(page, "Add one arrival", "Grace Hopper").isEnabled())
        await checkIn(page, "Luis Ortega")
        await waitForCount(page, "5 of 8")
        await tap(page, "Remove one arrival", "Luis Ortega")
        await waitForCount(page, "4 of 8")
        if (scripts) await isAnswered(page)
        assert.include(await attendance("Grace Hopper"), "checked_in 4")
        assert.strictEqual(await attendance("Luis Ortega"), "none")
        // No-shows can be recorded only after the start time.
        assert.isFalse(await button(page, "No-show", "Ada Lovelace").isVisible())
      }))
  }

  it("queues check-ins for ten minutes while offline, and sends them in order", () =>
    onPhone(true, async (page, context) => {
      await context.setOffline(true)
      await checkIn(page, "Grace Hopper")
      await checkIn(page, "Luis Ortega")
      await waitForCount(page, "6 of 8")
      assert.strictEqual(await waits(page).count(), 2)
      // In the meantime, another phone counts fewer guests in one party and checks in the other party.
      site.set(at(-3))
      await site.call("bookings.check_in", { id: bookings["Grace Hopper"].id, arrived: 4 })
      await site.call("bookings.check_in", { id: bookings["Ada Lovelace"].id, arrived: 1 })
      await page.clock.runFor(600_000)
      site.set(at(5))
      await checkIn(page, "Ada Lovelace")
      await tap(page, "Remove one arrival", "Luis Ortega")
      await tap(page, "No-show", "Luis Ortega")
      await waitForCount(page, "7 of 8")
      assert.strictEqual(await waits(page).count(), 3)
      for (const name of ["Ada Lovelace", "Luis Ortega"] as const) assert.notInclude(await attendance(name), iso(5))
      await context.setOffline(false)
      await isAnswered(page)
      const close = (actual: string, expected: string) => {
        const [, prefix = "", time = ""] = /^(.*) at (.*)$/.exec(actual) ?? []
        const [, expectedPrefix = "", moment = ""] = /^(.*) at (.*)$/.exec(expected) ?? []
        assert.strictEqual(prefix, expectedPrefix)
        assert.closeTo(Date.parse(time), Date.parse(moment), 30_000)
      }
      // The other phone's tap is later.
      close(await attendance("Grace Hopper"), `checked_in 4 ${iso(-3)}`)
      close(await attendance("Ada Lovelace"), `checked_in 2 ${iso(5)}`)
      close(await attendance("Luis Ortega"), `no_show 0 ${iso(5)}`)
      await page.reload()
      await waitForCount(page, "6 of 8")
    }))

  it("sends a pending check-in after the user opens another page", () =>
    onPhone(true, async (page, context) => {
      await context.setOffline(true)
      await checkIn(page, "Ada Lovelace")
      await waits(page).waitFor()
      // A page that the user has left but not closed may stay in memory and send the tap itself.
      await page.close()
      await context.setOffline(false)
      const next = await context.newPage()
      const answer = next.waitForResponse((response) => response.url().endsWith("/attendance"))
      await next.goto(`${site.url}/dashboard/bookings`)
      assert.strictEqual((await answer).status(), 303)
      assert.include(await attendance("Ada Lovelace"), "checked_in 2")
    }))

  it("shows a refused check-in until the user dismisses it", () =>
    onPhone(true, async (page, context) => {
      await context.setOffline(true)
      await checkIn(page, "Ada Lovelace")
      await site.call("bookings.cancel", { id: bookings["Ada Lovelace"].id })
      // Keep the page from refreshing before the response arrives.
      await context.route("**/dashboard/departures/*", (route) => route.abort())
      await context.setOffline(false)
      await page.getByText("canceled", { exact: false }).first().waitFor()
      await waitForCount(page, "0 of 8")
      await tap(page, "Dismiss", "Ada Lovelace")
      await isAnswered(page)
    }))

  it("stops sending check-ins when the sign-in session ends", () =>
    onPhone(true, async (page, context) => {
      const readStorage = () => page.evaluate(() => JSON.stringify(localStorage))
      await context.setOffline(true)
      await checkIn(page, "Ada Lovelace")
      assert.include(await readStorage(), bookings["Ada Lovelace"].id)
      assert.notInclude(await readStorage(), "Lovelace")
      const cookies = await context.cookies()
      await context.clearCookies()
      const signInPage = page.waitForResponse((response) => response.url().endsWith("/sign-in"))
      await context.setOffline(false)
      await signInPage
      await context.addCookies(cookies)
      assert.strictEqual(await attendance("Ada Lovelace"), "none")
      assert.include(await readStorage(), bookings["Ada Lovelace"].id)
      await page.getByRole("button", { name: "More", exact: true }).click()
      // Declining the confirmation keeps the queue.
      for (const accepts of [false, true]) {
        page.once("dialog", (dialog) => void (accepts ? dialog.accept() : dialog.dismiss()))
        await page.getByRole("button", { name: "Sign out" }).click()
        if (!accepts) assert.include(await readStorage(), bookings["Ada Lovelace"].id)
      }
      await page.waitForURL("**/sign-in")
      assert.strictEqual(await readStorage(), "{}")
      assert.strictEqual(await attendance("Ada Lovelace"), "none")
    }))

  it("retries a check-in if the server redirects to another page", () =>
    onPhone(true, async (page) => {
      const url = "**/attendance"
      await page.route(url, (route) => route.fulfill({ status: 303, headers: { location: "/dashboard" } }))
      const today = page.waitForResponse((response) => response.url().endsWith("/dashboard"))
      await checkIn(page, "Ada Lovelace")
      await today
      await page.unroute(url)
      await page.reload()
      await isAnswered(page)
      assert.notStrictEqual(await attendance("Ada Lovelace"), "none")
    }))

  it("is accessible and does not overflow", () =>
    onPhone(true, async (page, context) => {
      await checkIn(page, "Grace Hopper")
      await isAnswered(page)
      await context.setOffline(true)
      await checkIn(page, "Ada Lovelace")
      await holds(page, "the put-in screen")
      await context.setOffline(false)
      await page.goto(`${site.url}/dashboard/departures/${departure}/walk-in`)
      await holds(page, "a walk-in")
    }), 60_000)
})
