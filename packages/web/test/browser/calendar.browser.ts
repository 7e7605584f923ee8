/** Tests in Chromium that empty departures in the calendar can be moved with the mouse and the keyboard. */
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { open, type TestSite } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

describe("calendar departures", () => {
  let browser: Browser
  let site: TestSite
  let offering: string
  /** The departures at 9:00 AM and 11:00 AM on Monday in Denver. The second one has a booking. */
  let emptySession: string
  let bookedSession: string
  const path = "/dashboard/calendar?week=2027-05-03"
  beforeAll(async () => {
    browser = await getBrowser()
  })
  afterAll(closeContexts)
  beforeEach(async () => {
    site = await open()
    offering =
      (await site.call("offerings.create", { name: "Raft trip", kind: "class", capacity: 12, duration_minutes: 90 }))
        .id
    emptySession = await sessionAt("2027-05-03T15:00:00Z")
    bookedSession = await sessionAt("2027-05-03T17:00:00Z")
    await book(bookedSession)
  })
  afterEach(() => site.close())

  const list = async (name: string, input: object) =>
    ((await site.call(name, input)) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> }).data
  const sessionAt = async (starts_at: string): Promise<string> =>
    String((await list("sessions.create", { offering_id: offering, starts_at }))[0]?.["id"])
  const book = (session_id: string) =>
    site.call("bookings.create", {
      offering_id: offering,
      session_id,
      quantity: 2,
      customer: { name: "Ada Lovelace", email: "ada@example.com" }
    })
  const readSession = async (id: string) => {
    const { capacity, starts_at } = (await list("sessions.list", {})).find((one) => one["id"] === id) ?? {}
    return { capacity, starts_at }
  }

  const within = async <A>(
    use: (page: Page) => Promise<A>,
    { hasTouch = false, scripts = true, width = 1280 } = {}
  ): Promise<A> => {
    const signedIn = { url: site.url, cookie: await site.signIn("staff") }
    const viewport = { width, height: 900 }
    return withPage(browser, { scripts, hasTouch, signedIn, isRefused: true, viewport }, async (page) => {
      await page.goto(site.url + path)
      return use(page)
    })
  }

  const link = (page: Page, id = emptySession) => page.locator(`.week a[href$="/departures/${id}"]`)
  const expectToast = (page: Page, text: string | RegExp) => page.locator(".toast output").getByText(text).waitFor()
  const centerOf = async (page: Page, id = emptySession) => {
    const { height, width, x, y } = await link(page, id).boundingBox() ?? { height: 0, width: 0, x: 0, y: 0 }
    return { x: x + width / 2, y: y + height / 2 }
  }
  /** Returns the height of an hour and the distance between two days, in pixels. */
  const scaleOf = (page: Page) =>
    page.evaluate(() => {
      const [first, second] = document.querySelectorAll(".column")
      const slots = first?.querySelectorAll(".slots a").length ?? 1
      const [a, b] = [first, second].map((one) => one?.getBoundingClientRect() ?? new DOMRect())
      return { hour: (a?.height ?? 0) / (slots / 2), day: (b?.left ?? 0) - (a?.left ?? 0) }
    })

  it("move with the mouse, and back with Undo", () =>
    within(async (page) => {
      const { x, y } = await centerOf(page)
      const { day, hour } = await scaleOf(page)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 10, y + 10)
      await page.mouse.move(x + day * 2, y + hour * 1.3)
      await link(page).getByText("10:15 AM · 0 of 12").waitFor()
      await expectToast(page, "Wednesday, May 5, 10:15 AM, 12 seats.")
      await page.mouse.up()
      await expectToast(page, "Saved: Wednesday, May 5, 10:15 AM, 12 seats.")
      assert.deepStrictEqual(await readSession(emptySession), { capacity: null, starts_at: "2027-05-05T16:15:00.000Z" })
      // The refreshed page shows the departure in its new column, and the link was not followed.
      await page.locator(`[data-date="2027-05-05"] a[href$="/departures/${emptySession}"][data-at]`).waitFor()
      assert.strictEqual(page.url(), site.url + path)
      await page.getByRole("button", { name: "Undo" }).click()
      await expectToast(page, "Moved back: Monday, May 3, 9:00 AM, 12 seats.")
      assert.strictEqual((await readSession(emptySession)).starts_at, "2027-05-03T15:00:00.000Z")
      await holds(page, "the calendar after a move")
    }))

  it("stay in place after a click or a canceled drag", () =>
    within(async (page) => {
      const { hour } = await scaleOf(page)
      for (const [by, key] of [[hour / 10, undefined], [hour, "Escape"]] as const) {
        const { x, y } = await centerOf(page)
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move(x, y + 40)
        await page.mouse.move(x, y + by)
        if (key !== undefined) await page.keyboard.press(key)
        await page.mouse.up()
        await expectToast(page, "Not moved.")
        await link(page).getByText("9:00 AM · 0 of 12").waitFor()
      }
      assert.strictEqual((await readSession(emptySession)).starts_at, "2027-05-03T15:00:00.000Z")
      await link(page).click()
      await page.waitForURL(`${site.url}/dashboard/departures/${emptySession}`)
    }))

  it("can be edited with the keyboard, and keep focus", async () => {
    const adjacentSession = await sessionAt("2027-05-03T15:30:00Z")
    await within(async (page) => {
      const widthOf = (id: string) => link(page, id).evaluate(({ clientWidth }) => clientWidth)
      const half = await widthOf(emptySession)
      await link(page).focus()
      for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "+", "+", "-"]) {
        await page.keyboard.press(key)
      }
      await expectToast(page, "Tuesday, May 4, 9:15 AM, 13 seats. Press Enter to save or Escape to cancel.")
      await page.keyboard.press("Escape")
      await expectToast(page, "Not moved.")
      await link(page).getByText("9:00 AM · 0 of 12").waitFor()
      for (const key of ["ArrowRight", "ArrowDown", "+", "Enter"]) await page.keyboard.press(key)
      await expectToast(page, "Saved: Tuesday, May 4, 9:15 AM, 13 seats.")
      assert.deepStrictEqual(await readSession(emptySession), { capacity: 13, starts_at: "2027-05-04T15:15:00.000Z" })
      await page.locator(`[data-date="2027-05-04"] a[href$="/departures/${emptySession}"][data-at]:focus`).waitFor()
      // Each departure now has the full width of its day.
      for (const id of [emptySession, adjacentSession]) assert.isAbove(await widthOf(id), half * 1.5)
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("Tab")
      await expectToast(page, "Not moved.")
    })
  })

  it("move back if they are booked before the move is saved", () =>
    within(async (page) => {
      await link(page).focus()
      await page.keyboard.press("ArrowDown")
      await book(emptySession)
      await page.keyboard.press("Enter")
      await expectToast(
        page,
        "This session has 2 booked seats. Move or cancel its bookings before you change its start."
      )
      await page.locator(`a[href$="/departures/${emptySession}"][title]`).getByText("9:00 AM · 2 of 12").waitFor()
      assert.strictEqual((await readSession(emptySession)).starts_at, "2027-05-03T15:00:00.000Z")
    }))

  it("do not move if they are booked", () =>
    within(async (page) => {
      const title = await link(page, bookedSession).getAttribute("title")
      assert.strictEqual(title, "2 booked. To move this departure, first move its bookings.")
      await link(page, bookedSession).focus()
      await page.keyboard.press("ArrowRight")
      const { x, y } = await centerOf(page, bookedSession)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y + 100)
      assert.isFalse(await link(page, bookedSession).evaluate((element) => element.matches(".moving")))
      await page.mouse.up()
      assert.strictEqual((await readSession(bookedSession)).starts_at, "2027-05-03T17:00:00.000Z")
    }))

  it("do not move when a finger scrolls the page", () =>
    within(async (page) => {
      const { x, y } = await centerOf(page)
      const touch = await page.context().newCDPSession(page)
      const send = (type: "touchStart" | "touchMove" | "touchEnd", points: ReadonlyArray<{ x: number; y: number }>) =>
        touch.send("Input.dispatchTouchEvent", { type, touchPoints: [...points] })
      await send("touchStart", [{ x, y }])
      for (const by of [20, 60, 120]) await send("touchMove", [{ x, y: y - by }])
      assert.isFalse(await link(page).evaluate((element) => element.matches(".moving")))
      await send("touchEnd", [])
      assert.strictEqual((await readSession(emptySession)).starts_at, "2027-05-03T15:00:00.000Z")
    }, { hasTouch: true }))

  it("appear as a list on a phone, and move without scripts", async () => {
    await within(async (page) => {
      assert.isFalse(await page.locator("[data-at]").isVisible())
      assert.isTrue(await page.locator(`.agenda a[href$="/departures/${emptySession}"]`).isVisible())
    }, { width: 390, hasTouch: true })
    await within(async (page) => {
      assert.isFalse(await page.locator(".move-help").isVisible())
      await link(page).click()
      await page.getByRole("link", { name: "Edit" }).click()
      await page.getByLabel("Start").fill("2027-05-04T09:15")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Saved.").waitFor()
      assert.strictEqual((await readSession(emptySession)).starts_at, "2027-05-04T15:15:00.000Z")
    }, { scripts: false })
  })
})
