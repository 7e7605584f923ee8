/** Tests booking and paying for a trip through a provider's checkout page, with and without scripts. */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"

let browser: Browser
let site: TestSite
let raft: string
beforeAll(async () => {
  browser = await getBrowser()
})
afterAll(closeContexts)
beforeEach(async () => {
  site = await open()
  raft = (await site.call("offerings.create", { ...trip, kind: "class", capacity: 1 })).id
  await site.call("sessions.create", { offering_id: raft, starts_at: "2027-05-04T15:00:00Z" })
  await site.connect()
})
afterEach(() => site.close())

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

const address = () => `${site.url}/book/salida-river-co/${raft}`

/** Books the seat and continues to the provider's checkout page. */
const toTheTill = async (page: Page) => {
  await page.goto(address())
  await page.getByRole("radio").first().check({ force: true })
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByLabel("Your name").fill("Ada Lovelace")
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByRole("button", { name: "Book and continue" }).click()
  await page.getByRole("heading", { name: "Card number" }).waitFor()
  const { data } = await site.call("bookings.list", {}) as unknown as { readonly data: ReadonlyArray<{ id: string }> }
  return site.booking(data[0]?.id ?? "")
}

describe.each([["with a script", true], ["without a script", false]] as const)("a payment %s", (_, scripts) => {
  it("confirms the held spot after the checkout", () =>
    visit(scripts, async (page) => {
      const booking = await toTheTill(page)
      assert.strictEqual(booking.status, "held")
      assert.strictEqual(page.url(), booking.checkout_url)
      await site.pay(booking)
      await page.goto(`${site.url}/b/${booking.handle}/paid`)
      await page.getByText("Thank you. We received your payment.").waitFor()
      await page.getByText("You are booked.").waitFor()
      assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
    }))

  it("can be resumed after the guest leaves the checkout", () =>
    visit(scripts, async (page) => {
      const { checkout_url: url, handle } = await toTheTill(page)
      await page.goto(`${site.url}/b/${handle}`)
      await page.getByRole("link", { name: "Pay $95" }).click()
      assert.strictEqual(
        await page.getByRole("link", { name: "Continue to payment" }).getAttribute("href"),
        url
      )
    }))

  it("is refunded if it arrives after the seat is sold", () =>
    visit(scripts, async (page) => {
      const late = await toTheTill(page)
      site.set("2027-05-01T18:00:00Z")
      await page.goto(`${site.url}/b/${late.handle}/pay`)
      await page.getByText("Your hold has expired").waitFor()
      await site.pay(late)
      await page.goto(`${site.url}/b/${late.handle}/paid`)
      await page.getByText("You are booked.").waitFor()

      await site.call("bookings.cancel", { id: late.id })
      const second = await toTheTill(page)
      site.set("2027-05-01T22:00:00Z")
      await site.call("bookings.create", {
        offering_id: raft,
        ...await seat(),
        customer: { email: "bob@example.com" }
      })
      await site.pay(second)
      await page.goto(`${site.url}/b/${second.handle}/paid`)
      await page.getByText("$95", { exact: false }).first().waitFor()
      assert.strictEqual(await page.getByText("You are booked.").count(), 0)
      assert.strictEqual((await site.booking(second.id)).refund?.cents, 9500)
    }))
})

const seat = async () => {
  const { data } = await site.call("availability.get", { id: raft }) as unknown as {
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
    await holds(page, "the page before the checkout")
  }))
