/**
 * Tests an outfitter's Saturday on a phone: 6 departures and 70 guests, walk-ins, no-shows, cash refunds, a party that
 * shrinks, 10 minutes offline, high water in the afternoon, and the cash-up.
 */
import type { BookingView } from "@trailbook/core/booking"
import type { LedgerEntryView } from "@trailbook/core/payment"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { withPage } from "./withPage.ts"

/** Returns a time of day in Denver. */
const at = (time: string) => `2027-06-12T${time}:00-06:00`
const starts = ["08:00", "09:00", "10:00", "13:00", "14:00", "15:00"]
const priceCents = 9500

/**
 * The parties on each departure, with 70 guests in total. The first two parties paid in cash, and the others have not
 * paid.
 */
const parties = [[5, 4, 2, 1], [4, 3, 3, 2], [5, 4, 2], [4, 4, 3, 1], [5, 3, 3], [4, 3, 3, 2]]

describe("staff on a busy Saturday", () => {
  let browser: Browser
  let site: TestSite
  const departures: Array<string> = []
  const bookings: Array<ReadonlyArray<BookingView>> = []
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open({ now: "2027-06-11T12:00:00Z" })
    const offering = { ...trip, kind: "class", name: "Family Float", capacity: 16, price_cents: priceCents }
    const { id } = await site.call("offerings.create", offering)
    for (const [departure, sizes] of parties.entries()) {
      const created = await site.call("sessions.create", { offering_id: id, starts_at: at(starts[departure] ?? "") })
      const [{ id: session_id }] = created["data"] as readonly [{ readonly id: string }]
      departures.push(session_id)
      const bookingGroup: Array<BookingView> = []
      for (const [nth, quantity] of sizes.entries()) {
        const name = `Guest ${departure + 1}${"ABCD"[nth] ?? ""}`
        const customer = { name, email: `${name.replace(" ", ".").toLowerCase()}@example.com` }
        bookingGroup.push(await site.book(id, { session_id, quantity, customer }))
      }
      bookings.push(bookingGroup)
    }
    for (const bookingGroup of bookings) {
      for (const { due_cents, id } of bookingGroup.slice(0, 2)) {
        await site.call("payments.record", { id, method: "cash", amount_cents: due_cents })
      }
    }
  }, 60_000)
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const onPhone = async <A>(
    { offline = false, scripts = true }: { readonly offline?: boolean; readonly scripts?: boolean },
    use: (page: Page) => Promise<A>
  ) => {
    const signedIn = { url: site.url, cookie: await site.signIn("owner") }
    const viewport = { width: 390, height: 844 }
    return withPage(browser, { scripts, signedIn, viewport, isOffline: offline }, use)
  }
  const of = (departure: number, nth: number) => {
    const booking = bookings[departure]?.[nth]
    if (booking === undefined) throw new Error(`Departure ${departure} has no booking ${nth}.`)
    return booking
  }
  const openDeparture = (page: Page, departure: number) =>
    page.goto(`${site.url}/dashboard/departures/${departures[departure] ?? ""}`)
  const checkIn = async (page: Page, { customer: { name }, quantity }: BookingView) =>
    page.getByRole("button", { name: `Check in ${quantity}: ${name}` }).click()
  const isSent = (page: Page) =>
    page.waitForFunction(() => document.querySelector("[data-waiting]:not([hidden])") === null)
  const waitForCount = (page: Page, text: string) =>
    page.locator("[data-arrived]").getByText(text, { exact: true }).waitFor()
  const now = async (booking: BookingView) => site.booking(booking.id)

  it("see six departures and 70 guests on Today", () =>
    onPhone({}, async (page) => {
      site.set(at("06:00"))
      await page.goto(`${site.url}/dashboard`)
      assert.strictEqual(await page.locator("a.departs").count(), 6)
      assert.strictEqual(parties.flat().reduce((sum, size) => sum + size, 0), 70)
    }))

  it("check in the morning's guests and add three walk-ins", () =>
    onPhone({}, async (page) => {
      site.set(at("07:45"))
      for (const departure of [0, 1]) {
        await openDeparture(page, departure)
        for (const booking of bookings[departure] ?? []) await checkIn(page, booking)
        await isSent(page)
      }
      for (const [quantity, name] of [[1, ""], [2, "Molly Pruitt"], [1, "719 555 0142"]] as const) {
        await page.goto(`${site.url}/dashboard`)
        // A walk-in takes three taps and the name: the walk-in link of the first departure, the party size, and the
        // payment.
        await page.locator(`a[href$="/departures/${departures[0] ?? ""}/walk-in"]`).first().click()
        await page.locator(`input[name="quantity"][value="${quantity}"]`).check({ force: true })
        if (name !== "") await page.getByLabel("Name or phone").fill(name)
        await page.getByRole("button", { name: "Paid in cash" }).click()
        await page.getByText("Walk-in added, paid, and checked in.").waitFor()
      }
      await waitForCount(page, "16 of 16")
      assert.notInclude(await page.locator("main").innerText(), "Guest 1A due")
    }))

  it("reduce a party of five and refund two seats", () =>
    onPhone({ scripts: false }, async (page) => {
      const booking = of(2, 0)
      await page.goto(`${site.url}/dashboard/bookings/${booking.id}/change`)
      await page.locator("[name=quantity]").fill("3")
      await page.getByRole("button", { name: "Review change" }).click()
      await page.getByText("You owe the guest $190").waitFor()
      await page.getByRole("button", { name: "Save change" }).click()
      const updated = await now(booking)
      assert.deepInclude(updated, { quantity: 3, total_cents: 3 * priceCents, owed_cents: 2 * priceCents })
      await page.goto(`${site.url}/dashboard/bookings/${booking.id}/refunds/new`)
      await page.getByRole("button", { name: "Record refund" }).click()
      assert.deepInclude(await now(booking), { owed_cents: 0, paid_cents: 3 * priceCents })
    }))

  it("check guests in while offline for ten minutes", () =>
    onPhone({ offline: true }, async (page) => {
      await page.clock.install()
      site.set(at("09:40"))
      await openDeparture(page, 2)
      await page.context().setOffline(true)
      await checkIn(page, of(2, 1))
      await checkIn(page, of(2, 2))
      await page.clock.runFor(600_000)
      assert.isNull((await now(of(2, 1))).attendance)
      await page.context().setOffline(false)
      await isSent(page)
      for (const nth of [1, 2]) assert.strictEqual((await now(of(2, nth))).attendance?.status, "checked_in")
    }))

  it("close the afternoon, cancel its trips, and notify everyone", () =>
    onPhone({ scripts: false }, async (page) => {
      site.set(at("12:00"))
      await page.goto(`${site.url}/dashboard/closures/new?date=2027-06-12`)
      await page.getByLabel("Closed from").fill("13:00")
      await page.getByLabel("Closed until").fill("20:00")
      await page.getByLabel("Reason").fill("High water")
      await page.getByRole("button", { name: "Close dates" }).click()
      await page.getByRole("button", { name: "Cancel 11 bookings" }).click()
      await page.getByText("Bookings canceled.").waitFor()
      for (const [departure, bookingGroup] of bookings.entries()) {
        for (const [nth, booking] of bookingGroup.entries()) {
          const { owed_cents, status } = await now(booking)
          assert.strictEqual(status, departure < 3 ? "confirmed" : "cancelled")
          if (departure >= 3) assert.strictEqual(owed_cents, nth < 2 ? booking.total_cents : 0)
        }
      }
      const { data } = await site.call("conversations.list", { limit: 100 }) as unknown as {
        readonly data: ReadonlyArray<{ readonly last_message: unknown }>
      }
      assert.lengthOf(data.filter((one) => JSON.stringify(one).includes("High water")), 11)
    }))

  it("record five no-shows after the start", () =>
    onPhone({}, async (page) => {
      site.set(at("12:30"))
      await openDeparture(page, 0)
      // Advance the server's clock. Otherwise, all taps would be in the future, and the server would record them as
      // made now.
      site.set(at("12:35"))
      // Correct mistaken check-ins: the two smallest parties did not arrive.
      for (const nth of [2, 3]) {
        const { customer: { name }, quantity } = of(0, nth)
        for (let step = 0; step < quantity; step++) {
          await page.getByRole("button", { name: `Remove one arrival: ${name}` }).click()
        }
        await page.getByRole("button", { name: `No-show: ${name}` }).click()
      }
      await isSent(page)
      await openDeparture(page, 1)
      site.set(at("12:40"))
      for (const nth of [1, 2, 3]) {
        const { customer: { name }, quantity } = of(1, nth)
        for (let step = 0; step < quantity; step++) {
          await page.getByRole("button", { name: `Remove one arrival: ${name}` }).click()
        }
        await page.getByRole("button", { name: `No-show: ${name}` }).click()
      }
      await isSent(page)
      const views = await Promise.all(bookings.flat().map(now))
      assert.lengthOf(views.filter(({ attendance }) => attendance?.status === "no_show"), 5)
    }))

  it("refund cash, and balance the ledger to the cent", () =>
    onPhone({}, async (page) => {
      site.set(at("18:00"))
      const booking = of(3, 0)
      await page.goto(`${site.url}/dashboard/bookings/${booking.id}/refunds/new`)
      const button = page.getByRole("button", { name: "Record refund" })
      for (let tabs = 0; tabs < 60 && !(await button.evaluate((it) => it === document.activeElement)); tabs++) {
        await page.keyboard.press("Tab")
      }
      await page.keyboard.press("Enter")
      await page.getByText("Refund recorded.").waitFor()
      assert.deepInclude(await now(booking), { owed_cents: 0, paid_cents: 0 })

      const { data } = await site.call("payments.list", {
        from: new Date(at("00:00")).toISOString(),
        to: new Date(Date.parse(at("00:00")) + 86_400_000).toISOString(),
        limit: 100
      }) as unknown as { readonly data: ReadonlyArray<LedgerEntryView> }
      const cents = data.reduce((sum, { amount_cents, kind }) => sum + (kind === "payment" ? 1 : -1) * amount_cents, 0)
      // The sum adds four walk-in seats, and subtracts two seats for the party that shrank and four for the canceled
      // party.
      assert.strictEqual(cents, (4 - 2 - 4) * priceCents)
      await page.goto(`${site.url}/dashboard/ledger?from=2027-06-12&to=2027-06-12`)
      const text = await page.locator("main").innerText()
      assert.match(text, /Cash\s+\$380\s+\$570\s+-\$190/)
    }))
})
