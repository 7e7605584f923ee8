/** Tests the guest's booking page in Chromium, with and without scripts. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, png, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

describe("a guest's page in Chromium", () => {
  let browser: Browser
  let site: TestSite
  let tripId: string
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open()
    await site.call("org.update", { guest_changes_hours: 24, reply_window: "within two hours" })
    tripId = (await site.call("offerings.create", trip)).id
  })
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const within = <A>(scripts: boolean, use: (page: Page, context: BrowserContext) => Promise<A>): Promise<A> =>
    withPage(browser, { scripts }, use)

  for (const scripts of [true, false]) {
    describe(scripts ? "with a script" : "without a script", () => {
      it("moves a booking", () =>
        within(scripts, async (page) => {
          const booking = await site.book(tripId, {}, 12)
          await page.goto(`${site.url}/b/${booking.handle}`)
          await page.getByRole("link", { name: "Change time" }).click()
          await page.getByRole("link", { name: "Later" }).click()
          await page.getByRole("link", { name: "Earlier" }).click()
          await page.locator(".starts label", { hasText: "1:00 PM" }).first().click()
          await page.getByRole("button", { name: "Continue" }).click()
          await page.getByText("Your price, payment, and reference stay the same.").waitFor()
          await page.getByRole("button", { name: "Move booking" }).click()
          await page.getByText("Your booking was moved.").waitFor()
          assert.notStrictEqual((await site.booking(booking.id)).starts_at, booking.starts_at)
        }))

      it("cancels a booking after showing the refund", () =>
        within(scripts, async (page) => {
          const booking = await site.book(tripId, {}, 12)
          await site.pay(booking)
          await page.goto(`${site.url}/b/${booking.handle}`)
          await page.getByRole("link", { name: "Cancel booking ($95 refund)" }).click()
          await page.getByText("Your payment of $95 will be refunded").waitFor()
          assert.strictEqual((await site.booking(booking.id)).status, "confirmed")
          await page.getByRole("button", { name: "Cancel booking" }).click()
          await page.getByText("This booking is canceled.").waitFor()
          assert.strictEqual((await site.booking(booking.id)).refund?.cents, 9500)
        }))

      it("sends a message with a photo", () =>
        within(scripts, async (page) => {
          const booking = await site.book(tripId, {}, 12)
          await page.goto(`${site.url}/b/${booking.handle}`)
          await page.getByLabel("Message Salida River Co.").fill("Which ford?")
          await page.getByLabel("Photos or PDF").setInputFiles([
            { name: "ford.png", mimeType: "image/png", buffer: png }
          ])
          await page.getByRole("button", { name: "Send" }).click()
          await page.getByText("Your message was sent.").waitFor().catch(async (cause: unknown) => {
            throw new Error(await page.locator("main").innerText(), { cause })
          })
          assert.strictEqual(await page.getByText("Which ford?").count(), 1)
          const photo = page.getByRole("img", { name: "Photo: ford.png" })
          assert.isTrue(
            await photo.evaluate(async (image: HTMLImageElement) => {
              image.loading = "eager"
              await image.decode()
              return image.naturalWidth > 0
            }).catch(() => !scripts)
          )
        }))

      it("shows other bookings' messages only through the emailed link", () =>
        within(scripts, async (page) => {
          const booking = await site.book(tripId, {}, 12)
          const other = await site.book(tripId, {}, 12)
          await site.call("messages.send", { booking_id: other.id, body: `only there ${scripts}` })
          await page.goto(`${site.url}/b/${booking.handle}`)
          assert.strictEqual(await page.getByText(`only there ${scripts}`).count(), 0)
          await page.goto(`${site.url}/b/${booking.handle}/messages/${await site.link(booking)}`)
          await page.getByRole("button", { name: "Show messages" }).click()
          await page.getByText(`only there ${scripts}`).waitFor()
        }))
    })
  }

  it("counts down to the deadline and shows the payment's status", async () => {
    const paying = await open()
    const { id } = await paying.call("offerings.create", trip)
    await paying.connect()
    const booking = await paying.book(id)
    await within(true, async (page) => {
      await page.goto(`${paying.url}/b/${booking.handle}`)
      assert.match(await page.getByRole("timer").innerText(), /Time left: (30:00|29:5\d)/)
      await page.getByRole("link", { name: "Pay $95" }).click()
      const paymentLink = page.getByRole("link", { name: "Continue to payment" })
      assert.strictEqual(await paymentLink.getAttribute("href"), booking.checkout_url)
      await page.goto(`${paying.url}/b/${booking.handle}/paid?status=paid`)
      await page.getByText("Waiting for your payment").waitFor()
      await paying.pay(booking)
      await page.getByText("Thank you. We received your payment.").waitFor()
    })
    await paying.close()
  })

  it("marks messages as read once they are visible", async () => {
    const booking = await site.book(tripId, {}, 12)
    await site.call("messages.send", { booking_id: booking.id, body: "See you there." })
    const readAt = async () => {
      const { data } = await site.call("messages.list", { booking_id: booking.id }) as unknown as {
        readonly data: ReadonlyArray<{ readonly read_at: string | null }>
      }
      return data[0]?.read_at
    }
    await within(false, (page) => page.goto(`${site.url}/b/${booking.handle}`))
    assert.isNull(await readAt())
    await within(true, async (page) => {
      await page.goto(`${site.url}/b/${booking.handle}`)
      const readResponse = page.waitForResponse((response) => response.url().endsWith("/read"))
      await page.getByText("See you there.").scrollIntoViewIfNeeded()
      assert.strictEqual((await readResponse).status(), 204)
    })
    assert.isString(await readAt())
  })

  it("forbids framing", () =>
    within(true, async (page) => {
      const booking = await site.book(tripId, {}, 12)
      await page.goto(`${site.url}/b/${booking.handle}`)
      const { headers } = await site.ask(`/b/${booking.handle}`)
      assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
      assert.strictEqual(headers.get("x-frame-options"), "DENY")
    }))

  it("is accessible on a narrow screen and when zoomed in", async () => {
    const long = await site.call("offerings.create", {
      ...trip,
      name: "Donaudampfschifffahrtsgesellschaftskapitänskajütenverleih 🛶 رحلة",
      kind: "rental",
      duration_minutes: 1440,
      max_periods: 5
    })
    const booking = await site.book(tripId, { notes: "Left-handed" }, 12)
    await site.pay(booking)
    await site.call("messages.send", { booking_id: booking.id, body: "See you.", subject: "Saturday" })
    const rental = await site.book(long.id, { periods: 3 }, 5)
    const cancelled = await site.book(tripId, {}, 12)
    await site.call("bookings.cancel", { id: cancelled.id })
    const hold = await site.book(tripId, { hold_minutes: 60 }, 12)
    const pages = [
      `/b/${booking.handle}`,
      `/b/${booking.handle}?done=sent`,
      `/b/${booking.handle}/move`,
      `/b/${booking.handle}/cancel`,
      `/b/${booking.handle}/paid`,
      `/b/${booking.handle}/messages/none`,
      `/b/${rental.handle}?lang=es&accent=ffdd00`,
      `/b/${cancelled.handle}`,
      `/b/${hold.handle}`
    ]
    const context = await browser.newContext()
    const page = await context.newPage()
    for (const path of pages) {
      await page.goto(site.url + path)
      await holds(page, path.replace(/\/b\/[^/?]+/, "/b/…"))
    }
    await context.close()
  })
})
