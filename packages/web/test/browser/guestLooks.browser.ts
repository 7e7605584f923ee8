/**
 * Tests the accessibility (axe) and layout of guest pages after events such as a payment: on narrow and wide screens,
 * in light and dark mode, and in print.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"

let browser: Browser
let page: Page
let site: TestSite
let id: string
beforeAll(async () => {
  browser = await getBrowser()
  page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  site = await open()
  await site.call("org.update", { guest_changes_hours: 24, review_url: "https://example.com/review" })
  id = (await site.call("offerings.create", { ...trip, name: "Wildwasserabenteuerwochenende 🛶 رحلة" })).id
})
afterAll(async () => {
  await closeContexts()
  await site.close()
})

const checkLooks = async (paths: Readonly<Record<string, string>>) => {
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(site.url + path)
    await holds(page, name)
  }
}

it("the guest page renders correctly during a payment, a move, and a message", async () => {
  const free = await site.book(id, {}, 12)
  const soon = await site.book(id, {}, 1)
  const link = await site.link(free)
  await site.connect()
  const due = await site.book(id, { notes: "Left-handed" }, 14)
  const starts = await site.call("availability.get", { id }) as unknown as {
    readonly data: ReadonlyArray<{ readonly starts_at: string }>
  }
  const to = starts.data[20]?.starts_at ?? ""
  await checkLooks({
    "to be paid": `/b/${due.handle}?lang=es`,
    "the way to the till": `/b/${due.handle}/pay`,
    "Waiting for your payment": `/b/${due.handle}/paid`,
    "nothing to pay": `/b/${free.handle}/pay`,
    "a move before it is done": `/b/${free.handle}/move?to=${to}&from=${to.slice(0, 10)}`,
    "too late to change": `/b/${soon.handle}/cancel`,
    "a mailed link": `/b/${free.handle}/messages/${link}`,
    "a link that is on its way": `/b/${free.handle}?done=asked#messages`
  })
  await page.goto(`${site.url}/b/${free.handle}/messages/${"x".repeat(40)}`)
  await page.getByRole("button").click()
  await page.getByText("has expired").waitFor()
  await holds(page, "a link that is over")
  await page.goto(`${site.url}/b/${free.handle}`)
  await page.getByLabel("Message Salida River Co.").fill(" ")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("Enter a message.").waitFor()
  await holds(page, "what could not be sent")
})

it("the guest page renders correctly in a frame after a booking", async () => {
  const free = await site.call("offerings.create", { ...trip, name: "Free Float", price_cents: 0 })
  await page.goto(`${site.url}/book/salida-river-co/${free.id}?embed=1`)
  await page.getByRole("radio").first().check({ force: true })
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByLabel("Your name").fill("Ada Lovelace")
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByRole("button", { name: /Book and continue|Confirm/ }).click()
  await page.getByText("You are booked.").waitFor()
  await holds(page, "booked in a frame")
})

it("the guest page prints in dark text without its controls", async () => {
  const booking = await site.book(id, { notes: "Left-handed" }, 12)
  await page.goto(`${site.url}/b/${booking.handle}`)
  await page.emulateMedia({ media: "print", colorScheme: "dark" })
  for (const text of [booking.reference, "Left-handed", "Boathouse at Riverside Park"]) {
    assert.isTrue(await page.getByText(text).first().isVisible(), text)
  }
  for (const pressed of await page.locator("a.btn, button, input, textarea").all()) {
    assert.isFalse(await pressed.isVisible(), await pressed.innerText())
  }
  const colors = await page.evaluate(() => [getComputedStyle(document.body).color, document.body.style.background])
  assert.strictEqual(colors[0], "rgb(23, 32, 28)")
  await page.emulateMedia({ media: "screen", colorScheme: "light" })
})

it("the guest page renders correctly after the trip and after a cancellation", async () => {
  const booking = await site.book(id, {}, 3)
  await site.pay(booking)
  const late = await site.book(id, { customer: { email: "bob@example.com" } }, 3)
  const cancelledTrip = await site.book(id, { customer: { email: "bob@example.com" } }, 3)
  await site.pay(cancelledTrip)
  await site.call("bookings.cancel", { id: cancelledTrip.id })
  site.set("2027-05-01T18:00:00Z")
  await checkLooks({
    "a hold that has run out": `/b/${late.handle}`,
    "too late to pay": `/b/${late.handle}/pay`,
    "money that goes back": `/b/${cancelledTrip.handle}`,
    "cancelled, and nothing to change": `/b/${cancelledTrip.handle}/move`
  })
  site.set("2027-05-20T18:00:00Z")
  await checkLooks({ "after the trip": `/b/${booking.handle}` })
  await site.call("customers.delete", { id: booking.customer_id })
  await checkLooks({ erased: `/b/${booking.handle}`, "erased, and nothing to change": `/b/${booking.handle}/move` })
})
