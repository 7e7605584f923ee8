/**
 * Tests the way from a trip with a price to a paid booking through a provider's checkout page, with and without
 * scripts.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, type Place, trip } from "../guest/Place.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"

let browser: Browser
let place: Place
let raft: string
beforeAll(async () => {
  browser = await getBrowser()
})
afterAll(closeContexts)
beforeEach(async () => {
  place = await open()
  raft = (await place.call("offerings.create", { ...trip, kind: "class", capacity: 1 })).id
  await place.call("sessions.create", { offering_id: raft, starts_at: "2027-05-04T15:00:00Z" })
  await place.connect()
})
afterEach(() => place.close())

/** The fake provider has no server, so this route serves its page to the browser. */
const checkoutPage = `<!doctype html><html lang="en"><title>Till</title><h1>Card number</h1>`

const visit = async (scripts: boolean, use: (page: Page) => Promise<void>) => {
  const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 390, height: 844 } })
  await context.route(
    "https://till.example/**",
    (route) => route.fulfill({ contentType: "text/html", body: checkoutPage })
  )
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  try {
    await use(page)
  } finally {
    await context.close()
  }
}

const address = () => `${place.url}/book/salida-river-co/${raft}`

/** Books the seat and continues to the provider's checkout page. */
const toTheTill = async (page: Page) => {
  await page.goto(address())
  await page.getByRole("radio").first().check({ force: true })
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByLabel("Your name").fill("Ada Lovelace")
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByRole("button", { name: "Book and continue" }).click()
  await page.getByRole("heading", { name: "Card number" }).waitFor()
  const { data } = await place.call("bookings.list", {}) as unknown as { readonly data: ReadonlyArray<{ id: string }> }
  return place.booking(data[0]?.id ?? "")
}

describe.each([["with a script", true], ["without a script", false]] as const)("a payment %s", (_, scripts) => {
  it("confirms the held place after the guest pays at the checkout", () =>
    visit(scripts, async (page) => {
      const booking = await toTheTill(page)
      assert.strictEqual(booking.status, "held")
      assert.strictEqual(page.url(), booking.checkout_url)
      await place.pay(booking)
      await page.goto(`${place.url}/b/${booking.handle}/paid`)
      await page.getByText("Thank you. We received your payment.").waitFor()
      await page.getByText("You are booked.").waitFor()
      assert.strictEqual((await place.booking(booking.id)).status, "confirmed")
    }))

  it("can be resumed from the guest's page after the guest leaves the checkout", () =>
    visit(scripts, async (page) => {
      const { checkout_url: url, handle } = await toTheTill(page)
      await page.goto(`${place.url}/b/${handle}`)
      await page.getByRole("link", { name: "Pay $95" }).click()
      assert.strictEqual(
        await page.getByRole("link", { name: "Continue to payment" }).getAttribute("href"),
        url
      )
    }))

  it("books the seat even if it arrives late, and is refunded if the seat has been sold", () =>
    visit(scripts, async (page) => {
      const late = await toTheTill(page)
      place.set("2027-05-01T18:00:00Z")
      await page.goto(`${place.url}/b/${late.handle}/pay`)
      await page.getByText("Your hold has expired").waitFor()
      await place.pay(late)
      await page.goto(`${place.url}/b/${late.handle}/paid`)
      await page.getByText("You are booked.").waitFor()

      await place.call("bookings.cancel", { id: late.id })
      const second = await toTheTill(page)
      place.set("2027-05-01T22:00:00Z")
      await place.call("bookings.create", {
        offering_id: raft,
        ...await seat(),
        customer: { email: "bob@example.com" }
      })
      await place.pay(second)
      await page.goto(`${place.url}/b/${second.handle}/paid`)
      await page.getByText("$95", { exact: false }).first().waitFor()
      assert.strictEqual(await page.getByText("You are booked.").count(), 0)
      assert.strictEqual((await place.booking(second.id)).refund?.cents, 9500)
    }))
})

const seat = async () => {
  const { data } = await place.call("availability.get", { id: raft }) as unknown as {
    readonly data: ReadonlyArray<{ readonly session_id: string }>
  }
  return { session_id: data[0]?.session_id }
}

it("the page before the checkout is accessible", () =>
  visit(true, async (page) => {
    await page.goto(`${address()}?embed=1`)
    await page.getByRole("radio").first().check({ force: true })
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByLabel("Your name").fill("Ada Lovelace")
    await page.getByLabel("Email").fill("ada@example.com")
    await page.getByRole("button", { name: "Book and continue" }).click()
    await page.getByRole("heading", { name: "One more step: payment" }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Pay $95" }).getAttribute("target"), "_top")
    await holds(page, "before the till")
  }))
