/**
 * Tests offerings, departures, and guests on the dashboard in Chromium: with scripts, without scripts, and by keyboard.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { keysOf } from "./keyboard.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

describe("offering, settings, and guest pages", () => {
  let browser: Browser
  let site: TestSite
  beforeAll(async () => {
    browser = await getBrowser()
  })
  afterAll(closeContexts)
  beforeEach(async () => {
    site = await open()
  })
  afterEach(() => site.close())

  const within = async <A>(scripts: boolean, use: (page: Page) => Promise<A>): Promise<A> => {
    const signedIn = { url: site.url, cookie: await site.signIn() }
    return withPage(browser, { scripts, signedIn, isRefused: true }, use)
  }

  const list = async (name: string, input: object) =>
    (await site.call(name, input)) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> }

  for (const scripts of [true, false]) {
    describe(scripts ? "with a script" : "without a script", () => {
      it("guide a new outfitter until guests can book", () =>
        within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/offerings`)
          await page.getByRole("link", { name: "Set up your first activity" }).click()
          await page.getByLabel("Departures with seats").check()
          await page.getByLabel("Name", { exact: true }).fill("Half-day raft trip")
          await page.getByLabel("Price").fill("95")
          await page.getByRole("button", { name: "Continue" }).click()
          await page.getByLabel("Number of weeks").fill("4")
          await page.getByRole("button", { name: "Add departures" }).click()
          await page.getByRole("heading", { name: "Guests can book now" }).waitFor()
          await page.getByRole("link", { name: "View booking page" }).click()
          await page.getByRole("heading", { name: "Half-day raft trip" }).waitFor()
        }))

      it("add and remove weekly hours with buttons", () =>
        within(scripts, async (page) => {
          const { id } = await site.call("offerings.create", trip)
          await page.goto(`${site.url}/dashboard/offerings/${id}/hours`)
          await page.getByLabel("Monday until").fill("12:00")
          await page.getByRole("button", { name: "Add hours on Monday" }).click()
          await page.getByLabel("Monday from").nth(1).fill("13:00")
          await page.getByLabel("Monday until").nth(1).fill("18:00")
          await page.getByRole("button", { name: "Copy to all days: Monday" }).click()
          await page.getByRole("button", { name: "Remove Sunday hours 2" }).click()
          await page.getByRole("button", { name: "Remove Sunday hours 1" }).click()
          assert.strictEqual((await list("offerings.get_hours", { id })).data.length, 7)
          await page.getByLabel("Saturday until").nth(1).press("Enter")
          await page.getByText("Saved.").waitFor()
          assert.strictEqual((await list("offerings.get_hours", { id })).data.length, 12)
        }))

      it("plan daily departures and close a day from the calendar", () =>
        within(scripts, async (page) => {
          const { id } = await site.call("offerings.create", { name: "Raft trip", kind: "class", price_cents: 9500 })
          await page.goto(`${site.url}/dashboard/offerings/${id}/sessions/new`)
          await page.getByLabel("Last date").fill("2027-05-08")
          await page.getByLabel("Start time 2").fill("13:30")
          await page.getByRole("button", { name: "Preview departures" }).click()
          await page.getByRole("button", { name: "Add 14 departures" }).click()
          await page.getByText("Departures added.").waitFor()
          const booking = await site.book(id)
          await page.setViewportSize({ width: 1280, height: 900 })
          await page.goto(`${site.url}/dashboard/calendar?week=2027-05-03`)
          await page.locator(`.slots a[href$="date=2027-05-02&time=07:30"]`).click({
            force: true,
            position: { x: 3, y: 3 }
          })
          await page.getByRole("heading", { name: "Add to Sunday, May 2" }).waitFor()
          await page.getByRole("link", { name: "Close dates" }).click()
          await page.getByLabel("Reason").fill("High water")
          await page.getByRole("button", { name: "Close dates" }).click()
          await page.getByText("1 booking for 1 guest is canceled.").waitFor()
          assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
          await page.getByLabel("Message to these guests").fill("The river is too high.")
          await page.getByRole("button", { name: "Cancel 1 booking" }).click()
          await page.getByText("Bookings canceled.").waitFor()
          assert.strictEqual((await site.booking(booking.id)).status, "cancelled")
          assert.strictEqual((await list("messages.list", {})).data[0]?.["body"], "The river is too high.")
          await page.goto(`${site.url}/dashboard/calendar?week=2027-05-03`)
          await page.getByRole("link", { name: "Closed: High water" }).first().waitFor()
          await page.goto(`${site.url}/dashboard/closures`)
          await page.getByRole("button", { name: "Reopen: Sun, May 2" }).click()
          await page.getByText("No dates are closed.").waitFor()
        }))

      it("preview new departures and cancellations", () =>
        within(scripts, async (page) => {
          const { id } = await site.call("offerings.create", { name: "Raft trip", kind: "class", price_cents: 9500 })
          await page.goto(`${site.url}/dashboard/offerings/${id}/sessions`)
          await page.getByRole("link", { name: "Add departures" }).click()
          await page.getByLabel("Last date").fill("2027-05-04")
          await page.getByRole("button", { name: "Preview departures" }).click()
          await page.getByRole("button", { name: "Add 3 departures" }).click()
          await page.getByText("Departures added.").waitFor()
          const booking = await site.book(id)
          await page.getByRole("link", { name: /^Cancel Sunday, May 2/ }).click()
          await page.getByText("1 booking for 1 guest is canceled.").waitFor()
          assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
          await page.getByRole("button", { name: "Cancel departure" }).click()
          await page.getByText("Departure canceled.").waitFor()
          assert.strictEqual((await site.booking(booking.id)).status, "cancelled")
        }))

      it("show an offering's field errors and keep the input", () =>
        within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/offerings/new`)
          await page.getByRole("link", { name: /^Rental/ }).click()
          await page.getByLabel("Name", { exact: true }).fill("Kayak")
          await page.getByLabel("Price per item per period").fill("4o")
          await page.getByRole("button", { name: "Add activity" }).click()
          await page.getByRole("alert").waitFor()
          assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "Kayak")
          await page.getByRole("alert").getByRole("link").click()
          await page.getByLabel("Price per item per period").fill("45")
          await page.getByRole("button", { name: "Add activity" }).click()
          await page.getByRole("heading", { name: "Weekly hours" }).waitFor()
        }))

      it("pause and delete an offering, and erase a guest", () =>
        within(scripts, async (page) => {
          const { id } = await site.call("offerings.create", trip)
          const booking = await site.book(id, {}, 4)
          await page.goto(`${site.url}/dashboard/offerings/${id}`)
          await page.getByRole("button", { name: "Pause booking" }).click()
          await page.getByText("Booking paused").waitFor()
          await page.getByRole("link", { name: "Delete…" }).click()
          await page.getByRole("button", { name: "Cancel bookings and delete activity" }).click()
          await page.getByText("Activity deleted. All booked guests get an email.").waitFor()
          await page.goto(`${site.url}/dashboard/settings`)
          await page.getByRole("link", { name: "Change the time zone" }).click()
          await page.getByLabel("Time zone").selectOption("Europe/Vienna")
          await page.getByRole("button", { name: "Review change" }).click()
          await page.getByRole("button", { name: "Change the time zone" }).click()
          await page.getByText("Saved.").waitFor()
          await page.goto(`${site.url}/dashboard/guests`)
          await page.getByRole("link", { name: "Ada Lovelace" }).click()
          await page.getByLabel("Notes").fill("Brings her own paddle")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Saved.").waitFor()
          await page.getByRole("link", { name: "Erase…" }).click()
          await page.getByLabel("The guest requested erasure").check()
          await page.getByRole("button", { name: "Erase permanently" }).click()
          await page.getByText("Guest erased.").waitFor()
          assert.strictEqual((await site.booking(booking.id)).customer.email, "")
        }))
    })
  }

  it("let a keyboard user set up an offering", () =>
    within(false, async (page) => {
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(`${site.url}/dashboard/setup`)
      const { press, send, to, type } = keysOf(page)
      await to(/^Departures with seats/)
      await press("ArrowDown")
      await to(/^Name/)
      await type("Private guide")
      await to(/^Price/)
      await type("400")
      await send()
      await page.getByRole("heading", { name: "Guests can book now" }).waitFor()
      assert.strictEqual((await list("offerings.list", {})).data[0]?.["kind"], "appointment")
    }))

  describe("are accessible", () => {
    const look = (paths: ReadonlyArray<string>) =>
      within(true, async (page) => {
        for (const path of paths) {
          await page.goto(`${site.url}/dashboard/${path}`)
          await holds(page, path)
        }
      })

    const fill = async () => {
      const long = "Donaudampfschifffahrtsgesellschaftskapitänskajütenverleih 🛶 رحلة"
      const raft = await site.call("offerings.create", {
        name: long,
        kind: "class",
        price_cents: 12_500,
        capacity: 60
      })
      await site.call("sessions.create", { offering_id: raft.id, starts_at: "2027-05-08T15:00:00Z", repeat_weeks: 8 })
      const { id } = await site.call("offerings.create", { ...trip, name: long })
      for (let n = 0; n < 20; n++) {
        await site.book(raft.id, {
          customer: { email: `${n}.${"x".repeat(50)}@example.com`, name: n % 2 ? long : "Ada" }
        })
      }
      const booking = await site.book(id, {}, 3)
      await site.call("messages.send", { booking_id: booking.id, body: "See you there." })
      const { data: [session] } = await list("sessions.list", {})
      const cancel = `sessions/${String(session?.["id"])}/cancel?at=${String(session?.["starts_at"])}`
      return { raft: raft.id, id, cancel, guest: booking.customer_id }
    }

    it("without data", () =>
      look([
        "offerings",
        "offerings/new",
        "offerings/new?kind=rental",
        "setup",
        "settings",
        "settings/cancellation",
        "settings/images",
        "guests",
        "guests/new",
        "closures",
        "discounts",
        "discounts/new"
      ]), 240_000)

    it("with offerings, weekly hours, and dates", async () => {
      const { cancel, id, raft } = await fill()
      const dates = `offerings/${raft}/sessions`
      const { id: code } = await site.call("discounts.create", { code: "X".repeat(40), percent_bps: 1000 })
      await look([
        "offerings",
        `offerings/${id}`,
        `offerings/${id}/hours`,
        `offerings/${id}/photos`,
        `offerings/${id}/cancellation`,
        dates,
        `offerings/${raft}/${cancel}`,
        "discounts",
        `discounts/${code}`
      ])
      await within(true, async (page) => {
        await page.goto(`${site.url}/dashboard/${dates}/new`)
        await page.getByRole("button", { name: "Preview departures" }).click()
        await holds(page, "dates to add")
      })
    })

    it("with closed dates, season hours, and departures", async () => {
      const { id, raft } = await fill()
      const closureInput = { from_date: "2027-05-01", to_date: "2027-12-01", reason: "High water" }
      const { id: closure } = await site.call("closures.create", closureInput)
      const [session] = (await list("sessions.list", { offering_id: raft })).data
      await site.call("offerings.set_hours", {
        id,
        hours: [
          { weekday: 1, start_time: "09:00", end_time: "17:00", valid_from: "2027-06-01" },
          { date: "2027-07-04", start_time: "09:00", end_time: "12:00" }
        ]
      })
      await look([
        "closures",
        "closures/new",
        `closures/${closure}`,
        "calendar?week=2027-05-08",
        `offerings/${id}`,
        `offerings/${id}/hours`,
        `offerings/${id}/hours?season=2027-06-01/`,
        `offerings/${id}/hours/dates`,
        `departures/${String(session?.["id"])}/edit`
      ])
    }, 240_000)

    it("with setup, settings, and guest data", async () => {
      const { guest, id } = await fill()
      await look([
        `setup?offering=${id}`,
        "settings/zone",
        "guests",
        "guests/new",
        `guests/${guest}`,
        `guests/${guest}/erase`
      ])
      await within(true, async (page) => {
        await page.goto(`${site.url}/dashboard/settings/currency`)
        await page.getByLabel("Currency").selectOption("jpy")
        await page.getByRole("button", { name: "Review change" }).click()
        await holds(page, "what a currency means")
      })
    })
  })
})
