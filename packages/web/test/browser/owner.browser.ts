/** Tests owner decisions about applications, staff, and money in Chromium, with and without scripts. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as TestProvider from "../../../../test/payments/TestProvider.ts"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

describe("the owner pages", () => {
  let browser: Browser
  let site: TestSite
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open()
  })
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const within = async <A>(scripts: boolean, use: (page: Page) => Promise<A>): Promise<A> => {
    const signedIn = { url: site.url, cookie: await site.signIn() }
    return withPage(browser, { scripts, signedIn, isRefused: true }, use)
  }

  const fixed = [
    "/developers",
    "/developers/keys/new",
    "/developers/webhooks/new",
    "/team",
    "/team/invite",
    "/audit",
    "/billing",
    "/export",
    "/payments",
    "/payments/connect",
    "/tasks"
  ]

  it("are accessible and do not overflow without any data", () =>
    within(true, async (page) => {
      for (const path of fixed) {
        await page.goto(`${site.url}/dashboard${path}`)
        await holds(page, `${path}, empty`)
      }
    }), 240_000)

  for (const scripts of [true, false]) {
    it(`place the tabs within thumb reach ${scripts ? "with" : "without"} scripts`, () =>
      within(scripts, async (page) => {
        for (const [width, height] of [[390, 844], [320, 640]] as const) {
          await page.setViewportSize({ width, height })
          await page.goto(`${site.url}/dashboard/inbox`)
          const tabs = page.getByRole("navigation", { name: "Shortcuts" })
          const menu = page.getByRole("navigation", { name: "Dashboard" })
          const box = await tabs.boundingBox()
          assert.deepInclude(box, { x: 0, width })
          assert.strictEqual((box?.y ?? 0) + (box?.height ?? 0), height)
          assert.isAtMost(box?.height ?? height, 72)
          const current = tabs.locator("[aria-current=page]")
          assert.deepStrictEqual(await current.allInnerTexts(), ["Inbox"])
          for (const tab of await tabs.locator("a, button").all()) {
            const size = await tab.boundingBox()
            assert.isAtLeast(Math.min(size?.width ?? 0, size?.height ?? 0), 48)
          }
          await tabs.getByRole("link", { name: "Today" }).click()
          await page.getByRole("heading", { name: "Welcome" }).waitFor()
          assert.isFalse(await menu.isVisible())
          const moreButton = tabs.getByRole("button", { name: "More" })
          await moreButton.click()
          await menu.getByRole("link", { name: "Billing" }).click()
          await page.waitForURL(/billing$/)
          assert.isFalse(await menu.isVisible())
          await moreButton.click()
          assert.deepStrictEqual(await menu.locator("[aria-current=page]").allInnerTexts(), ["Billing"])
          await page.keyboard.press("Escape")
          assert.isFalse(await menu.isVisible())
          assert.isTrue(await moreButton.evaluate((it) => it === document.activeElement))
        }
        await page.setViewportSize({ width: 1100, height: 844 })
        assert.isTrue(await page.getByRole("navigation", { name: "Dashboard" }).isVisible())
        assert.isFalse(await page.getByRole("navigation", { name: "Shortcuts" }).isVisible())
      }))
  }

  it("never hide a form's last control behind the tabs", () =>
    within(true, async (page) => {
      for (const fontSize of ["100%", "200%"]) {
        await page.setViewportSize({ width: 320, height: 640 })
        await page.goto(`${site.url}/dashboard/settings`)
        await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), fontSize)
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        const edges = await page.evaluate(() => {
          const controls = [...document.querySelectorAll("main :is(button, a, input, select, textarea)")]
          return [
            Math.max(...controls.map((one) => one.getBoundingClientRect().bottom)),
            document.querySelector(".dock")?.getBoundingClientRect().top ?? 0
          ]
        })
        assert.isAtMost(edges[0] ?? Infinity, edges[1] ?? 0)
        assert.strictEqual(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          0
        )
      }
    }))

  for (const scripts of [true, false]) {
    const name = scripts ? "Website" : "Bookkeeping"
    describe(scripts ? "with scripts" : "without scripts", () => {
      it("create a key, show it once, and revoke it", () =>
        within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/developers`)
          await page.getByRole("link", { name: "Create key" }).click()
          await page.getByLabel("Name").fill(name)
          await page.getByLabel("Write", { exact: true }).uncheck()
          await page.getByRole("button", { name: "Create key" }).click()
          const key = await page.locator(".secret code").innerText()
          assert.match(key, /^tb_live_/)
          if (scripts) await holds(page, "a new key, which is shown only once")
          await page.getByRole("link", { name: "Done" }).click()
          assert.notInclude(await page.content(), key)
          await page.getByRole("link", { name: `Revoke: ${name}` }).click()
          await page.getByText("Requests with this key are rejected immediately.").waitFor()
          await page.getByRole("button", { name: "Revoke key" }).click()
          await page.getByText("API key revoked.").waitFor()
        }))

      it("add a webhook, test it, redeliver events, and delete it", () =>
        within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/developers`)
          await page.getByRole("link", { name: "Add webhook" }).click()
          await page.getByLabel("Address").fill("https://hooks.example.com/in")
          await page.getByLabel("All events").uncheck()
          await page.getByLabel("org.updated").check()
          await page.getByRole("button", { name: "Add webhook" }).click()
          assert.match(await page.locator(".secret code").innerText(), /^whsec_/)
          await page.getByRole("link", { name: "Send test event" }).click()
          await page.getByRole("button", { name: "Send test event" }).click()
          await page.getByText("The response status was 200.").waitFor()
          await site.call("org.update", { reply_window: name })
          site.set(scripts ? "2027-05-01T15:00:00Z" : "2027-05-01T16:00:00Z")
          await page.getByRole("link", { name: "Back to webhook" }).click()
          await page.getByRole("link", { name: "Redeliver from here" }).first().click()
          await page.getByRole("button", { name: "Redeliver events" }).click()
          await page.getByText("Redelivering events, oldest first.").waitFor()
          if (scripts) await holds(page, "a webhook")
          await page.getByRole("link", { name: "Delete" }).click()
          await page.getByRole("button", { name: "Delete webhook" }).click()
          await page.getByText("Webhook deleted.").waitFor()
        }))

      it("invite, promote, and remove a staff member", () =>
        within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/team`)
          await page.getByRole("link", { name: "Invite a team member" }).click()
          await page.getByLabel("Email address").fill("guide@salida.example")
          await page.getByRole("button", { name: "Send invitation" }).click()
          await page.getByRole("link", { name: "Email address: already belongs to a staff member." }).click()
          await page.getByLabel("Email address").fill("bo@salida.example")
          await page.getByRole("button", { name: "Send invitation" }).click()
          await page.getByText("The new team member gets a sign-in link").waitFor()
          await page.getByRole("link", { name: "Change: bo@salida.example" }).click()
          await page.getByLabel("Role").selectOption("owner")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Saved.").waitFor()
          await page.getByRole("link", { name: "Change: bo@salida.example" }).click()
          await page.getByRole("link", { name: "Remove from the team" }).click()
          if (scripts) await holds(page, "a removal")
          await page.getByRole("button", { name: "Remove from the team" }).click()
          await page.getByText("Team member removed and signed out everywhere.").waitFor()
        }))

      it("export all data as a file", () =>
        within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/billing`)
          await page.getByRole("link", { name: "Export" }).click()
          const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name: "Download" }).click()
          ])
          assert.strictEqual(download.suggestedFilename(), "salida-river-co-2027-05-01.json")
          assert.isNull(await download.failure())
        }))
    })
  }

  it("send a form once if its button is pressed twice", () =>
    within(true, async (page) => {
      await page.goto(`${site.url}/dashboard/developers/keys/new`)
      await page.getByLabel("Name").fill("Pressed twice")
      const button = page.getByRole("button", { name: "Create key" })
      const flags = await button.evaluate((element) => {
        const preventedFlags: Array<boolean> = []
        addEventListener("submit", (event) => {
          preventedFlags.push(event.defaultPrevented)
          event.preventDefault()
        })
        for (let n = 0; n < 2; n++) (element as HTMLElement).click()
        return preventedFlags
      })
      assert.deepStrictEqual(flags, [false, true])
    }))

  it("are accessible and do not overflow with a lot of data", () =>
    within(true, async (page) => {
      const { id } = await site.call("offerings.create", trip)
      const booking = await site.book(id)
      await site.giveUp("mail.confirmed", booking.id, `550 5.1.1 <${"a".repeat(60)}@example.com>: no such user`)
      await site.giveUp("refund", booking.id, "The balance of the account is too low for this refund.")
      await site.call("webhooks.create", { url: `https://hooks.example.com/${"long/".repeat(20)}` })
      const hook = await site.call("webhooks.create", {
        url: "https://hooks.example.com/out",
        events: ["booking.held", "org.updated"]
      })
      for (let n = 0; n < 60; n++) await site.call("org.update", { reply_window: `${n}` })
      site.set("2027-05-01T18:00:00Z")
      await site.stop()
      await site.stop()
      const [name = "", value = ""] = (await site.signIn()).split("=")
      await page.context().addCookies([{ name, value, url: site.url }])
      for (
        const name of ["A name of a program that is as long as names of programs may be, which is far", "<b>Kiosk</b>"]
      ) {
        await page.goto(`${site.url}/dashboard/developers/keys/new`)
        await page.getByLabel("Name").fill(name)
        await page.getByRole("button", { name: "Create key" }).click()
      }
      await site.ask("/dashboard/payments/connect", {
        form: { key: TestProvider.access.key },
        headers: { cookie: await site.signIn() }
      })
      const paths = [
        ...fixed.filter((path) => !path.endsWith("/new")),
        `/developers/webhooks/${hook.id}`,
        `/developers/webhooks/${hook.id}/replay`,
        `/developers/webhooks/${hook.id}/delete`,
        "/payments/disconnect"
      ]
      for (const path of paths) {
        await page.goto(`${site.url}/dashboard${path}`)
        await holds(page, `${path}, full`)
      }
    }), 300_000)
})
