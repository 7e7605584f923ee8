/**
 * Tests payment at the demo's test payment provider from a widget on another origin, and nine tabs that compete for
 * four seats.
 */
import type { Browser, BrowserContext, FrameLocator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Demo, start } from "./Demo.ts"
import { type Website, website } from "./website.ts"

let browser: Browser
let demo: Demo
const sites: Array<Website> = []
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([getBrowser(), start()])
})
afterAll(async () => {
  await closeContexts()
  for (const { close } of sites) close()
  await demo.close()
})

interface CreatedResource {
  readonly id: string
}
interface CreatedBooking extends CreatedResource {
  readonly status: string
  readonly checkout_url: string | null
  readonly customer: { readonly email: string }
}

const priceTerms = { duration_minutes: 240, price_cents: 9500 }

/** Creates a class with one session. The session starts at the latest time that an appointment would offer. */
const trip = async (name: string, capacity: number) => {
  const other = await demo.call<CreatedResource>("/offerings", { name: "Any day", kind: "appointment", ...priceTerms })
  const { data } = await demo.call<{ readonly data: ReadonlyArray<{ readonly starts_at: string }> }>(
    `/offerings/${other.id}/availability`
  )
  const { id } = await demo.call<CreatedResource>("/offerings", {
    name,
    kind: "class",
    capacity,
    max_per_booking: capacity,
    ...priceTerms
  })
  await demo.call("/sessions", { offering_id: id, starts_at: data.at(-1)?.starts_at })
  return id
}

const bookingsOf = async (offering: string): Promise<ReadonlyArray<CreatedBooking>> =>
  (await demo.call<{ readonly data: ReadonlyArray<CreatedBooking> }>(`/bookings?offering_id=${offering}&limit=100`))
    .data

/** Fills in the form as fast as a password manager. */
const fill = async (page: Page | FrameLocator, email: string) => {
  await page.getByLabel("Your name").fill("Ada Lovelace")
  await page.getByLabel("Email").fill(email)
}

const withVisit = async (
  use: (page: Page, context: BrowserContext) => Promise<void>,
  { address, scripts = true }: { readonly scripts?: boolean; readonly address?: string } = {}
) => {
  const context = await browser.newContext({
    javaScriptEnabled: scripts,
    viewport: { width: 900, height: 900 },
    ...(address === undefined ? {} : { extraHTTPHeaders: { "x-forwarded-for": address } })
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  try {
    await use(page, context)
  } finally {
    await context.close()
  }
}

/** Serves another website's page, whose policy allows only the frame and the script. */
const shownIn = async (frame: string) => {
  const site = await website(
    `<!doctype html><html lang="en"><title>Ours</title><h1>Our trips</h1>${frame}`,
    `default-src 'none'; script-src ${demo.origin}; frame-src ${demo.origin}`
  )
  sites.push(site)
  return site.url
}

/** Books from the widget's list of times, pays in the top-level window, and returns to the paid booking. */
const pays = async (page: Page, frame: FrameLocator, offering: string, email: string) => {
  await frame.getByRole("radio").first().check({ force: true })
  await frame.getByRole("button", { name: "Continue" }).click()
  await fill(frame, email)
  await frame.getByRole("button", { name: "Book and continue" }).click()
  await frame.getByRole("heading", { name: "One more step: payment" }).waitFor()
  const hold = (await bookingsOf(offering)).find(({ customer }) => customer.email === email)
  assert(hold?.status === "held")
  await frame.getByRole("link", { name: "Pay $95" }).click()
  await page.waitForURL(hold.checkout_url ?? "nowhere")
  await page.getByRole("button", { name: "Pay $95" }).click()
  await page.getByRole("link", { name: "View booking" }).click()
  await page.getByText("Thank you. We received your payment.").waitFor()
  await page.waitForURL(new RegExp(`^${demo.origin}/b/`))
  await page.getByText("You are booked.").waitFor()
  const after = (await bookingsOf(offering)).find(({ id }) => id === hold.id)
  assert.strictEqual(after?.status, "confirmed")
}

describe("a guest in a frame", () => {
  const element = (offering: string) =>
    `<script type="module" src="${demo.origin}/widget.js"></script>
<trailbook-booking slug="${
      demo.book.split("/").at(-1)
    }" offering="${offering}"><a href="${demo.book}">Book</a></trailbook-booking>`

  it("books and pays even if all cookies are blocked", () =>
    withVisit(async (page, context) => {
      const cookieUrls: Array<string> = []
      page.on("response", (response) => {
        if (response.headers()["set-cookie"] !== undefined) cookieUrls.push(response.url())
      })
      const devtools = await context.newCDPSession(page)
      await devtools.send("Emulation.setDocumentCookieDisabled", { disabled: true })
      const offering = await trip("Numbers for Two", 2)
      await page.goto(await shownIn(element(offering)))
      await pays(page, page.frameLocator("trailbook-booking iframe"), offering, "ada@example.com")
      assert.deepStrictEqual(cookieUrls, [])
      assert.deepStrictEqual(await context.cookies(), [])
    }))

  it("books in a sandbox only with the required permissions", () =>
    withVisit(async (page) => {
      const offering = await trip("Numbers in a Sandbox", 2)
      const frame = (sandbox: string) =>
        `<iframe title="Book" width="800" height="800" sandbox="${sandbox}" src="${demo.book}/${offering}?embed=1"></iframe>`
      const permissions = "allow-forms allow-same-origin allow-scripts allow-top-navigation-by-user-activation"
      await page.goto(await shownIn(frame(permissions)))
      await pays(page, page.frameLocator("iframe"), offering, "bob@example.com")
      // Without `allow-same-origin`, the frame sends an opaque origin, which looks like another website.
      await page.goto(await shownIn(frame("allow-forms")))
      const opaqueFrame = page.frameLocator("iframe")
      await opaqueFrame.getByRole("radio").first().check({ force: true })
      await opaqueFrame.getByRole("button", { name: "Continue" }).click()
      await opaqueFrame.getByLabel("Your name").fill("Eve")
      await opaqueFrame.getByLabel("Email").fill("eve@example.com")
      await opaqueFrame.getByRole("button", { name: "Book and continue" }).click()
      await opaqueFrame.getByText("another website").first().waitFor()
      assert.lengthOf(await bookingsOf(offering), 1)
    }))
})

describe.each([["with a script", true], ["without a script", false]] as const)(
  "nine tabs in one browser, %s",
  (how, scripts) => {
    it("book each of four seats only once", () =>
      withVisit(async (first, context) => {
        const seats = 4
        // Visitors can hold at most a quarter of a departure's seats before they pay.
        const offering = await trip(`The Last Seats, ${how}`, 4 * seats)
        const { data: [start] } = await demo.call<{ readonly data: ReadonlyArray<{ readonly session_id: string }> }>(
          `/offerings/${offering}/availability`
        )
        const group = { email: "group@example.com" }
        await demo.call("/bookings", {
          offering_id: offering,
          session_id: start?.session_id,
          quantity: 3 * seats,
          customer: group
        })
        const tabs = [first, ...await Promise.all(Array.from({ length: 8 }, () => context.newPage()))]
        const whose = (at: number) => `tab-${at}-${scripts}@example.com`
        for (const [at, page] of tabs.entries()) {
          page.setDefaultTimeout(20_000)
          await page.goto(`${demo.book}/${offering}`)
          await page.getByRole("radio").first().check({ force: true })
          await page.getByRole("button", { name: "Continue" }).click()
          await fill(page, whose(at))
          await page.getByLabel("Anything we should know?").fill(`Note of tab ${at}`)
        }
        await Promise.all(tabs.map((page) => page.getByRole("button", { name: "Book and continue" }).click()))
        const holdingTabs: Array<number> = []
        for (const [at, page] of tabs.entries()) {
          const paying = page.getByRole("heading", { name: /One more step: payment|Pay \$95 to/ })
          const lost = page.getByText("That time is no longer available")
          await paying.or(lost).first().waitFor()
          if (await lost.count() === 0) holdingTabs.push(at)
        }
        assert.lengthOf(holdingTabs, seats)
        const ofTabs = async () => (await bookingsOf(offering)).filter(({ customer }) => customer.email !== group.email)
        assert.deepStrictEqual(
          (await ofTabs()).map(({ customer }) => customer.email).toSorted(),
          holdingTabs.map(whose)
        )
        for (const [at, page] of tabs.entries()) {
          if (holdingTabs.includes(at)) {
            await page.waitForURL(/\/till\//)
            await page.getByRole("button", { name: "Pay $95" }).click()
            await page.getByRole("link", { name: "View booking" }).waitFor()
          } else {
            await page.getByText("Your details are saved in the form.").waitFor()
            const values = await page.locator("#pick form input[type=hidden]").evaluateAll((fields) =>
              fields.map((field) => (field as HTMLInputElement).value)
            )
            assert.includeMembers(values, [whose(at), "Ada Lovelace", `Note of tab ${at}`])
          }
        }
        const bookings = await ofTabs()
        assert.deepStrictEqual(bookings.map(({ status }) => status), Array<string>(seats).fill("confirmed"))
        const { data } = await demo.call<{ readonly data: ReadonlyArray<{ readonly remaining: number }> }>(
          `/offerings/${offering}/availability`
        )
        assert.isEmpty(data.filter(({ remaining }) => remaining > 0))
      }, { scripts, address: scripts ? "192.0.2.1" : "192.0.2.2" }))
  }
)
