/** Tests the booking page in Chromium, with and without its script. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Season, season } from "../season.ts"
import { serve, type ServedWorld } from "../World.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"

let browser: Browser
let world: ServedWorld
let all: Season
const contexts: Array<BrowserContext> = []

beforeAll(async () => {
  browser = await getBrowser()
})
afterAll(closeContexts)
beforeEach(async () => {
  world = await serve()
  all = await season(world)
})
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
  await world.close()
})

const visit = async (path: string, javaScriptEnabled: boolean): Promise<Page> => {
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: { width: 390, height: 844 },
    locale: "en-US"
  })
  contexts.push(context)
  const page = await context.newPage()
  page.on("pageerror", (error) => assert.fail(`The page's script failed: ${error.message}`))
  page.on("console", (message) => {
    // Chromium also logs responses such as 409 as errors.
    if (message.type() === "error" && !message.text().includes("status of 4")) assert.fail(message.text())
  })
  await page.goto(world.origin + path)
  return page
}

const landing = "/book/salida-river-co"

const listBookings = async () => {
  const { data } = await world.call("bookings.list", { limit: 500 }) as unknown as {
    readonly data: ReadonlyArray<Record<string, unknown>>
  }
  return data.filter(({ source }) => source === "widget")
}

const fill = async (page: Page, email = "ada@example.com") => {
  await page.getByLabel("Your name").fill("Ada Lovelace")
  await page.getByLabel("Email").fill(email)
}

const confirm = async (page: Page) => {
  await page.getByRole("button", { name: "Confirm booking" }).click()
  await page.waitForURL(/\/b\/[\w-]+\?new=1$/)
}

/** Selects the options. Without a script, clicks the button that submits them. */
const want = async (page: Page, hasScript: boolean, fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields)) {
    const response = hasScript ? page.waitForResponse((answer) => answer.url().includes(`/book/`)) : undefined
    await page.getByLabel(label, { exact: true }).selectOption(value)
    await response
    if (hasScript) await page.waitForFunction(() => document.querySelector("[aria-busy]") === null)
  }
  if (!hasScript) await page.getByRole("button", { name: "Show times" }).click()
}

describe.each([["with its script", true], ["without a script", false]] as const)("the page %s", (_, hasScript) => {
  it("books a class", async () => {
    const page = await visit(landing, hasScript)
    await page.getByRole("link", { name: "Browns Canyon Half Day" }).click()
    await want(page, hasScript, { Guests: "2" })
    await page.getByRole("link", { name: /Wednesday, May 5/ }).click()
    await page.getByRole("heading", { name: "Times on Wednesday, May 5" }).waitFor()
    await page.getByRole("radio").first().check({ force: true })
    await page.getByRole("button", { name: "Continue" }).click()
    await fill(page)
    await confirm(page)
    assert.deepInclude((await listBookings())[0], { quantity: 2, session_id: all.sessions[4], status: "confirmed" })
  })

  it("books an appointment", async () => {
    const page = await visit(`${landing}/${all.guide}`, hasScript)
    await want(page, hasScript, { "Party size": "4" })
    await page.getByRole("link", { name: "All dates" }).click()
    await page.getByRole("link", { name: "Next month" }).click()
    await page.getByRole("heading", { name: "June 2027" }).waitFor()
    await page.getByRole("link", { name: /^Tuesday, June 8/ }).click()
    await page.getByRole("heading", { name: "Times on Tuesday, June 8" }).waitFor()
    await page.getByRole("radio", { name: /^11:00/ }).check({ force: true })
    await page.getByRole("button", { name: "Continue" }).click()
    await fill(page)
    await confirm(page)
    assert.deepInclude((await listBookings())[0], { quantity: 4, starts_at: "2027-06-08T17:00:00.000Z" })
  })

  it("books a rental for several days", async () => {
    const page = await visit(`${landing}/${all.kayak}`, hasScript)
    await want(page, hasScript, { Items: "2", Duration: "3" })
    await page.getByText("$270").waitFor()
    await page.getByRole("radio", { name: /^9:00/ }).check({ force: true })
    await page.getByRole("button", { name: "Continue" }).click()
    await fill(page)
    await confirm(page)
    assert.deepInclude((await listBookings())[0], {
      quantity: 2,
      total_cents: 27_000,
      ends_at: "2027-05-04T15:00:00.000Z"
    })
  })

  it("keeps the input if another guest takes the last seat", async () => {
    const pages = await Promise.all(["ada@example.com", "bob@example.com"].map(async (email) => {
      const page = await visit(`${landing}/${all.raft}/details?slot=${all.sessions[0]}&date=2027-05-03`, hasScript)
      await fill(page, email)
      return page
    }))
    const [first, second] = pages as [Page, Page]
    await confirm(first)
    await second.getByRole("button", { name: "Confirm booking" }).click()
    await second.getByText("That time is no longer available").waitFor()
    await second.getByRole("button", { name: /Wednesday, May 5/ }).click()
    await second.getByRole("heading", { name: "Times on Wednesday, May 5" }).waitFor()
    await second.getByRole("radio").first().check({ force: true })
    await second.getByRole("button", { name: "Continue" }).click()
    assert.strictEqual(await second.getByLabel("Email").inputValue(), "bob@example.com")
    assert.notInclude(second.url(), "bob")
    await confirm(second)
    assert.lengthOf(await listBookings(), 2)
  })

  it("books only once if the guest sends the form twice", async () => {
    const page = await visit(`${landing}/${all.raft}/details?slot=${all.sessions[4]}&date=2027-05-05`, hasScript)
    await fill(page)
    await page.getByRole("button", { name: "Confirm booking" }).dblclick()
    // The second click aborts the first click's navigation, which `waitForURL` would report as a failure.
    await expect.poll(() => page.url(), { timeout: 10_000 }).toMatch(/\/b\//)
    await page.waitForLoadState()
    await page.goBack()
    // The browser restores the typed text and the form key after loading, so sending the form again does not create a
    // second booking.
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe("ada@example.com")
    await page.getByRole("button", { name: "Confirm booking" }).click()
    await page.waitForURL(/\/b\//)
    assert.lengthOf(await listBookings(), 1)
  })

  it("lists the errors at the top of a rejected form", async () => {
    const page = await visit(`${landing}/${all.raft}/details?slot=${all.sessions[4]}&date=2027-05-05`, hasScript)
    await fill(page, "ada@nowhere")
    await page.getByLabel("Anything we should know?").fill("One of us is left-handed.")
    await page.getByRole("button", { name: "Confirm booking" }).click()
    await page.getByText("Check these fields").waitFor()
    if (hasScript) {
      assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("role")), "alert")
    }
    assert.strictEqual(await page.getByLabel("Anything we should know?").inputValue(), "One of us is left-handed.")
    await page.getByLabel("Email").fill("ada@example.com")
    await confirm(page)
  })

  it("sends a question from a visitor who has not booked", async () => {
    const page = await visit(landing, hasScript)
    await page.getByRole("link", { name: "Ask a question" }).click()
    await fill(page)
    await page.getByLabel("Your question").fill("May dogs come along?")
    await page.getByRole("button", { name: "Send question" }).click()
    await page.getByText("Your question was sent.").waitFor()
    const { data } = await world.call("messages.list", {}) as unknown as {
      readonly data: ReadonlyArray<Record<string, unknown>>
    }
    assert.deepStrictEqual(data.map(({ body, channel }) => [body, channel]), [["May dogs come along?", "page"]])
  })
})

describe("the booking page with scripts", () => {
  it("updates the time picker without loading a page", async () => {
    const page = await visit(`${landing}/${all.raft}`, true)
    await page.evaluate(() => {
      document.body.dataset["same"] = "yes"
    })
    await page.getByRole("link", { name: /Wednesday, May 5/ }).click()
    await page.getByRole("heading", { name: "Times on Wednesday, May 5" }).waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "times")
    assert.include(page.url(), "date=2027-05-05")
    await page.getByLabel("Guests").selectOption("5")
    await page.waitForURL(/quantity=5/)
    await page.goBack()
    await page.waitForURL(/date=2027-05-05(?!.*quantity)/)
    await page.goBack()
    await page.getByRole("heading", { name: "Times on Monday, May 3" }).waitFor()
    assert.strictEqual(await page.evaluate(() => document.body.dataset["same"]), "yes")
  })

  it("names a device time zone that differs from the outfitter's", async () => {
    const context = await browser.newContext({ timezoneId: "Europe/Berlin" })
    contexts.push(context)
    const page = await context.newPage()
    await page.goto(`${world.origin}${landing}/${all.raft}`)
    await page.getByText("Your device is set to Berlin time.").waitFor()
  })
})

describe("a guest with only a keyboard", () => {
  it("can book from the landing page", async () => {
    const page = await visit(landing, true)
    /** Presses Tab until the named element has focus. */
    const reach = async (what: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab")
        const name = await page.evaluate(() => {
          const active = document.activeElement
          const label = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement
            ? active.labels?.[0]?.textContent
            : undefined
          return active?.getAttribute("aria-label") ?? label ?? active?.textContent ?? ""
        })
        if (name.includes(what)) return
      }
      assert.fail(`${what} cannot be reached by keyboard`)
    }
    await reach("Skip to content")
    await page.keyboard.press("Enter")
    await reach("Browns Canyon Half Day")
    await page.keyboard.press("Enter")
    await page.waitForURL(new RegExp(all.raft))
    await reach("Monday, May 3")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Times on Wednesday, May 5" }).waitFor()
    await reach("9:00")
    await page.keyboard.press("Space")
    await reach("Continue")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Your details" }).waitFor()
    await reach("Your name")
    await page.keyboard.type("Ada Lovelace")
    await page.keyboard.press("Tab")
    await page.keyboard.type("ada@example.com")
    await reach("Confirm booking")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/b\//)
    assert.lengthOf(await listBookings(), 1)
  })
})
