/** Tests the inbox, proposals, and automations in Chromium, with and without scripts. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, png, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"
import { withPage } from "./withPage.ts"

interface ConversationList {
  readonly data: ReadonlyArray<{ readonly id: string; readonly unread: boolean; readonly status: string }>
}

describe("the inbox in Chromium", () => {
  let browser: Browser
  let site: TestSite
  let tripId: string
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open()
    tripId = (await site.call("offerings.create", trip)).id
    await site.call("saved_replies.create", { title: "Parking", body: "Hi {first_name}, park behind us." })
  })
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const within = async <A>(scripts: boolean, use: (page: Page, context: BrowserContext) => Promise<A>): Promise<A> => {
    const signedIn = { url: site.url, cookie: await site.signIn() }
    return withPage(browser, { scripts, signedIn, viewport: { width: 1280, height: 800 } }, use)
  }

  const asks = async (name: string, body = "Where do we park?") => {
    const email = `${name.toLowerCase()}@example.com`
    await site.ask("/book/salida-river-co/question", { form: { name, email, body, shown: "now" } })
    const { data } = await site.call("conversations.list", { q: email }) as unknown as ConversationList
    return data[0]?.id ?? ""
  }
  const last = async (conversation_id: string) => {
    const { data } = await site.call("messages.list", { conversation_id }) as unknown as {
      readonly data: ReadonlyArray<{ readonly body: string; readonly attachments: ReadonlyArray<object> }>
    }
    return data.at(-1)
  }

  for (const scripts of [true, false]) {
    const guestName = scripts ? "Withscript" : "Without"
    describe(scripts ? "with a script" : "without a script", () => {
      it("sends a saved reply with a file", async () => {
        const id = await asks(guestName)
        await within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/inbox`)
          await page.getByRole("link", { name: new RegExp(guestName) }).click()
          await page.getByLabel("Saved reply").selectOption({ label: "Parking" })
          await page.getByRole("button", { name: "Insert" }).click()
          const words = page.getByLabel(`Write to ${guestName}`)
          await page.getByText("was filled in for this guest").waitFor()
          assert.strictEqual(await words.inputValue(), `Hi ${guestName}, park behind us.`)
          await words.fill(`Hi ${guestName}, see the map.`)
          await page.getByLabel("Photos or PDF").setInputFiles([
            { name: "map.png", mimeType: "image/png", buffer: png }
          ])
          await page.getByRole("button", { name: "Send", exact: true }).click()
          await page.getByText("Message sent.").waitFor()
          const message = await last(id)
          assert.strictEqual(message?.body, `Hi ${guestName}, see the map.`)
          assert.lengthOf(message?.attachments ?? [], 1)
          await page.getByRole("button", { name: "Mark done" }).click()
          await page.getByText("Conversation marked done.").waitFor()
        })
      })

      it("shows the recipients before sending a group message", async () => {
        await site.book(tripId, { customer: { email: `${guestName}@example.org`, name: guestName } }, scripts ? 3 : 7)
        await within(scripts, async (page) => {
          await page.goto(`${site.url}/dashboard/broadcast`)
          await page.getByLabel("Guests with upcoming bookings for an activity").check()
          await page.getByLabel("Activity", { exact: true }).selectOption({ label: trip.name })
          await page.getByLabel("Message").fill(`The river is high. ${guestName}`)
          await page.getByRole("button", { name: "Preview recipients" }).click()
          await page.getByRole("link", { name: guestName }).waitFor()
          await page.getByRole("button", { name: /Send to \d recipient/ }).click()
          await page.getByText("Sent to").waitFor()
        })
      })
    })
  }

  it("searches with / and sends with Ctrl+Enter", async () => {
    const id = await asks("Keys")
    await within(true, async (page) => {
      await page.goto(`${site.url}/dashboard/inbox`)
      await page.keyboard.press("/")
      await page.keyboard.type("keys@")
      await page.keyboard.press("Enter")
      await page.getByText("Results for “keys@”").waitFor()
      await page.getByRole("link", { name: /^Keys/ }).press("Enter")
      await page.getByLabel("Write to Keys").fill("Behind the boathouse / left.")
      await page.keyboard.press("Control+Enter")
      await page.getByText("Message sent.").waitFor()
    })
    assert.strictEqual((await last(id))?.body, "Behind the boathouse / left.")
  })

  it("marks messages as read only with scripts enabled", async () => {
    const id = await asks("Reader")
    const isUnread = async () =>
      (await site.call("conversations.get", { id }) as unknown as ConversationList["data"][number]).unread
    await within(false, (page) => page.goto(`${site.url}/dashboard/inbox/${id}`))
    assert.isTrue(await isUnread())
    await within(true, async (page) => {
      const postRequest = page.waitForRequest((request) => request.method() === "POST")
      await page.goto(`${site.url}/dashboard/inbox/${id}`)
      await (await postRequest).response()
    })
    assert.isFalse(await isUnread())
  })

  it("shows a new guest message without losing the input", async () => {
    const id = await asks("Meanwhile")
    await site.call("conversations.update", { id, read: true })
    let seconds = 0
    const start = Date.parse("2027-05-01T14:00:00Z")
    const passing = setInterval(() => site.set(new Date(start + 1000 * ++seconds).toISOString()), 200)
    await within(true, async (page) => {
      await page.goto(`${site.url}/dashboard/inbox/${id}`)
      await page.getByText("Live", { exact: true }).waitFor()
      await page.getByLabel("Write to Meanwhile").fill("Behind the")
      const postRequest = page.waitForRequest((request) => request.method() === "POST")
      await asks("Meanwhile", "And where is the boathouse?")
      await page.locator(".bubble", { hasText: "And where is the boathouse?" }).waitFor()
      await (await postRequest).response()
      assert.strictEqual(await page.getByLabel("Write to Meanwhile").inputValue(), "Behind the")
    }).finally(() => clearInterval(passing))
    assert.isFalse((await site.call("conversations.get", { id }) as unknown as ConversationList["data"][number]).unread)
  })

  it("is accessible on a narrow screen and when zoomed in", async () => {
    const empty = await open()
    const context = await browser.newContext()
    const page = await context.newPage()
    const signIn = async (at: TestSite) => {
      const [name = "", value = ""] = (await at.signIn()).split("=")
      await context.addCookies([{ name, value, url: at.url }])
    }
    await signIn(empty)
    const plain = ["inbox", "inbox/saved", "broadcast", "proposals", "automations", "automations?preview=1"]
    for (const path of plain) {
      await page.goto(`${empty.url}/dashboard/${path}`)
      await holds(page, `${path}, empty`)
    }
    await empty.close()

    const long = "Donaudampfschifffahrtsgesellschaftskapitän 🛶 رحلة"
    const id = await asks("Looks", `${"x".repeat(300)} ${long}`)
    const { id: offering } = await site.call("offerings.create", { ...trip, name: long, kind: "class", capacity: 10 })
    const { data } = await site.call("sessions.create", {
      offering_id: offering,
      starts_at: "2027-05-10T15:00:00Z"
    }) as unknown as { readonly data: ReadonlyArray<{ readonly id: string }> }
    await site.call("bookings.create", {
      offering_id: offering,
      session_id: data[0]?.id,
      quantity: 9,
      customer: { email: "long@example.com", name: long }
    })
    await site.call("automations.update", { automation: "fill", dial: "ask" })
    await site.call("automations.update", { automation: "brief", dial: "ask" })
    await site.turn()
    const { conversation_id } = await site.call("messages.send", {
      booking_id: (await site.book(tripId, { customer: { email: "f@example.com", name: long } }, 3)).id,
      body: `${long}\n${"y".repeat(300)}`
    })
    const { data: [savedReply] } = await site.call("saved_replies.list", {}) as unknown as ConversationList
    await signIn(site)
    const paths = [
      ...plain,
      "inbox?status=done",
      `inbox/${id}`,
      `inbox/${id}/erase`,
      `inbox/${String(conversation_id)}`,
      `inbox/saved/${savedReply?.id}`,
      `inbox/saved/${savedReply?.id}/delete`,
      "automations/weather",
      `automations/weather?offering=${offering}`,
      "automations/fill",
      "automations/brief",
      "automations/reminders"
    ]
    for (const path of paths) {
      await page.goto(`${site.url}/dashboard/${path}`)
      await holds(page, path.replaceAll(/[0-9a-f-]{36}/g, "…"))
    }
    await context.close()
  })
})
