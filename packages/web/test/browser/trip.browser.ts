/** Tests how a guest on a phone books a demo trip: what fits on the first screen, and how many taps it takes. */
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Demo, start } from "./Demo.ts"

const phone = { width: 390, height: 844 }
const maxTaps = 7

/** A one-pixel PNG. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

describe("a trip on a phone", () => {
  let browser: Browser
  let demo: Demo
  beforeAll(async () => {
    browser = await getBrowser()
    demo = await start()
  })
  afterAll(async () => {
    await closeContexts()
    await demo.close()
  })

  const visit = async (use: (page: Page) => Promise<void>, scripts = true) => {
    const context = await browser.newContext({
      viewport: phone,
      hasTouch: true,
      javaScriptEnabled: scripts,
      locale: "en-US",
      timezoneId: "America/Denver"
    })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(demo.book)
    await use(page)
    await context.close()
  }
  const trip = (page: Page) => page.getByRole("link", { name: "Salida to Rincon Family Float" })
  const bottom = async (part: Locator) => {
    const box = await part.boundingBox()
    return (box?.y ?? Infinity) + (box?.height ?? 0)
  }

  it.each([["with scripts", true], ["without scripts", false]] as const)(
    "shows its photo, dates, times, and button without scrolling, %s",
    (_, scripts) =>
      visit(async (page) => {
        await trip(page).tap()
        await page.getByRole("navigation", { name: "Dates" }).waitFor()
        assert.isAtMost(await bottom(page.getByRole("navigation", { name: "Dates" })), phone.height)
        assert.isAtMost(await bottom(page.locator(".slot").first()), phone.height)
        assert.isAtMost(await bottom(page.getByRole("button", { name: "Continue" })), phone.height)
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), phone.width)
        const [width, alt] = await page.locator(".hero img").first().evaluate(async (image: HTMLImageElement) => {
          await image.decode()
          return [image.naturalWidth, image.alt]
        })
        assert.isAbove(width, 0)
        assert.include(alt, "raft")
        const phoneLink = page.getByRole("link", { name: "+1 719 555 0100" }).first()
        assert.strictEqual(await phoneLink.getAttribute("href"), "tel:+17195550100")
        await page.getByText("Sandals, sunscreen, and a hat.").waitFor()
      }, scripts)
  )

  it(`is booked and paid for in at most ${maxTaps} taps`, () =>
    visit(async (page) => {
      let taps = 0
      const tap = async (part: Locator) => {
        taps++
        await part.tap()
      }
      await tap(trip(page))
      const dates = page.getByRole("navigation", { name: "Dates" })
      await tap(dates.getByRole("link", { name: /time/ }).last())
      await page.waitForURL(/date=/)
      await tap(page.locator(".slot label").last())
      await tap(page.getByRole("button", { name: "Continue" }))
      await tap(page.getByLabel("Your name"))
      await page.keyboard.type("Ada Lovelace")
      // Tab does the same as "Next" on a phone's keyboard.
      await page.keyboard.press("Tab")
      await page.keyboard.type("ada@example.com")
      await tap(page.getByRole("button", { name: "Book and continue" }))
      await tap(page.getByRole("button", { name: /^Pay/ }))
      assert.isAtMost(taps, maxTaps)
      await page.getByRole("link", { name: "View booking" }).tap()
      await page.getByText("You are booked.").waitFor()
    }))

  it("offers the nearest available dates if a day is full", () =>
    visit(async (page) => {
      await trip(page).tap()
      await page.waitForURL(/\/book\/[^/]+\/[0-9a-f-]{36}/)
      const id = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? ""
      const { data } = await demo.call<{
        readonly data: ReadonlyArray<
          { readonly session_id: string; readonly starts_at: string; readonly remaining: number }
        >
      }>(`/offerings/${id}/availability`)
      // Departures are during the day in Colorado, so the UTC date is also the local date.
      const date = data.find(({ remaining }) => remaining > 0)?.starts_at.slice(0, 10) ?? ""
      for (const { remaining, session_id } of data.filter(({ starts_at }) => starts_at.startsWith(date))) {
        const customer = { email: `${session_id}@example.com`, name: "Ada" }
        if (remaining > 0) await demo.call("/bookings", { offering_id: id, session_id, quantity: remaining, customer })
      }
      await page.goto(`${page.url()}?date=${date}`)
      await page.getByText("Nearest available dates:").waitFor()
      const near = page.locator(".times .btn.ghost")
      assert.isAtLeast(await near.count(), 1)
      await near.first().tap()
      await page.getByRole("button", { name: "Continue" }).waitFor()
    }))
})

describe("the photos page", () => {
  it("adds, sorts, describes, and removes photos without scripts", async () => {
    const browser = await getBrowser()
    const demo = await start()
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(demo.signIn)
    await page.getByRole("button", { name: /sign in/i }).press("Enter")
    const { data } = await demo.call<{ readonly data: ReadonlyArray<{ readonly id: string; readonly name: string }> }>(
      "/offerings"
    )
    const id = data.find(({ name }) => name.startsWith("Fly Fishing"))?.id ?? assert.fail("no such activity")
    const alts = async () =>
      (await demo.call<{ readonly photos: ReadonlyArray<{ readonly alt: string }> }>(`/offerings/${id}`)).photos.map((
        { alt }
      ) => alt)
    const drawingAlt = "An angler and a guide on the Arkansas in the morning"
    await page.goto(`${demo.origin}/dashboard/offerings/${id}/photos`)

    await page.getByLabel("Photo", { exact: true }).setInputFiles({
      name: "trip.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7 trip")
    })
    await page.getByLabel("Description", { exact: true }).fill("The river")
    await page.getByRole("button", { name: "Add photo" }).press("Enter")
    await page.getByText("Unsupported file type. Upload a JPEG, PNG, or WebP photo.").waitFor()

    await page.getByLabel("Photo", { exact: true }).setInputFiles({
      name: "river.png",
      mimeType: "image/png",
      buffer: pixel
    })
    await page.getByRole("button", { name: "Add photo" }).press("Enter")
    await page.getByText("Photo added. Guests can see it now.").waitFor()
    assert.deepStrictEqual(await alts(), [drawingAlt, "The river"])

    await page.getByRole("button", { name: "Photo 2: earlier" }).press("Enter")
    await page.waitForURL(/#photo-/)
    assert.deepStrictEqual(await alts(), ["The river", drawingAlt])

    await page.getByLabel("Photo 1: description").fill("The river in June")
    await page.getByRole("button", { name: "Save descriptions" }).press("Enter")
    await page.getByText("Saved.").waitFor()
    assert.deepStrictEqual(await alts(), ["The river in June", drawingAlt])

    await page.getByRole("button", { name: "Photo 2: remove" }).press("Enter")
    await page.getByText("Photo removed.").waitFor()
    assert.deepStrictEqual(await alts(), ["The river in June"])
    await context.close()
    await demo.close()
  })
})

describe("the settings page", () => {
  it("uploads, shows, and removes images without scripts", async () => {
    const browser = await getBrowser()
    const demo = await start()
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(demo.signIn)
    await page.getByRole("button", { name: /sign in/i }).press("Enter")
    const settings = `${demo.origin}/dashboard/settings`
    const { slug } = await demo.call<{ readonly slug: string }>("/org")
    const upload = async (kind: string, name: string, mimeType: string, buffer: Buffer) => {
      await page.getByLabel(`${kind} file`).setInputFiles({ name, mimeType, buffer })
      await page.getByRole("button", { name: `Upload ${kind.toLowerCase()}` }).press("Enter")
    }
    const isLoaded = (selector: string) =>
      page.locator(selector).evaluate((image) =>
        image instanceof HTMLImageElement && image.decode().then(() => image.naturalWidth > 0)
      )

    await page.goto(settings)
    await upload("Logo", "trip.pdf", "application/pdf", Buffer.from("%PDF-1.7 trip"))
    await page.getByText("Unsupported file type. Upload a JPEG, PNG, or WebP photo.").waitFor()

    for (const kind of ["Logo", "Cover"]) {
      await page.goto(settings)
      await upload(kind, "river.png", "image/png", pixel)
      await page.getByText("Picture added. Guests can see it now.").waitFor()
      assert.isTrue(await isLoaded(`.images .${kind.toLowerCase()}`))
    }
    await page.goto(`${demo.origin}/book/${slug}`)
    assert.isTrue(await isLoaded("img.mark"))
    assert.isTrue(await isLoaded("img.cover"))

    await page.goto(settings)
    await page.getByRole("button", { name: "Remove cover" }).press("Enter")
    await page.getByText("Picture removed.").waitFor()
    assert.strictEqual(await page.locator(".images img").count(), 1)
    await context.close()
    await demo.close()
  })
})
