/** Tests the dashboard using only the keyboard: tabs through every page and makes every decision. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as TestProvider from "../../../../test/payments/TestProvider.ts"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { type Keys, keysOf, walk } from "./keyboard.ts"
import { withPage } from "./withPage.ts"

type Row = { readonly id: string } & Readonly<Record<string, unknown>>

describe("a keyboard user", () => {
  let browser: Browser
  let site: TestSite
  let tripId: string
  let raftId: string
  let sessionId: string
  beforeAll(async () => {
    browser = await getBrowser()
    site = await open({ isDrafting: true })
    tripId = (await site.call("offerings.create", trip)).id
    const raft = { name: "Raft trip", kind: "class", price_cents: 9500, capacity: 10 }
    raftId = (await site.call("offerings.create", raft)).id
    const sessions = await rows("sessions.create", { offering_id: raftId, starts_at: "2027-05-03T15:00:00Z" })
    sessionId = sessions[0]?.id ?? ""
    await site.call("saved_replies.create", { title: "Parking", body: "Hi {first_name}, park behind us." })
  })
  afterAll(async () => {
    await closeContexts()
    await site.close()
  })

  const rows = async (name: string, input: object): Promise<ReadonlyArray<Row>> =>
    (await site.call(name, input) as unknown as { readonly data: ReadonlyArray<Row> }).data

  const within = async <A>(use: (keys: Keys, page: Page, context: BrowserContext) => Promise<A>): Promise<A> => {
    const signedIn = { url: site.url, cookie: await site.signIn() }
    const viewport = { width: 1280, height: 900 }
    return withPage(
      browser,
      { scripts: true, signedIn, isRefused: true, viewport },
      (page, context) => use(keysOf(page), page, context)
    )
  }

  const on = (path: string, use: (keys: Keys, page: Page) => Promise<void>) =>
    within(async (keys, page) => {
      await page.goto(`${site.url}/dashboard${path}`)
      await use(keys, page)
    })

  const asks = async (name: string) => {
    const email = `${name.toLowerCase()}@example.com`
    const form = { name, email, body: "Where do we park?", shown: "now" }
    await site.ask("/book/salida-river-co/question", { form, address: `10.0.0.${name.length}` })
    return (await rows("conversations.list", { q: email }))[0]?.id ?? ""
  }

  const seat = (name: string) =>
    site.call("bookings.create", {
      offering_id: raftId,
      session_id: sessionId,
      customer: { email: `${name.toLowerCase()}@example.com`, name }
    })

  describe("can reach every control", () => {
    const walkAll = (paths: ReadonlyArray<string>) =>
      within(async (_, page) => {
        for (const path of paths) {
          const response = await page.goto(`${site.url}/dashboard${path}`)
          assert.strictEqual(response?.status(), 200, path)
          await walk(page, path === "" ? "today" : path.replaceAll(/[0-9a-f-]{36}/g, "…"))
        }
      })

    it("on the Today, bookings, and departures pages", async () => {
      const { id } = await site.book(tripId, { notes: "Vegetarian." }, 3)
      const hold = await site.book(tripId, { hold_minutes: 60 }, 3)
      await seat("Walker")
      await walkAll([
        "",
        "/calendar",
        "/calendar?week=2027-05-03",
        "/calendar?day=2027-05-03",
        "/calendar?month=2027-05-03",
        "/calendar/add?date=2027-05-03",
        "/closures/new",
        "/manifest?date=2027-05-03",
        `/departures/${sessionId}`,
        `/departures/${sessionId}/manifest`,
        "/bookings",
        "/bookings?status=confirmed&order=asc",
        "/bookings/new",
        `/bookings/new?offering=${tripId}`,
        `/bookings/${id}`,
        `/bookings/${id}/move`,
        `/bookings/${id}/cancel`,
        `/bookings/${hold.id}/confirm`
      ])
    }, 180_000)

    it("on the inbox, proposals, and automations pages", async () => {
      const id = await asks("Wanda")
      await site.call("automations.update", { automation: "brief", dial: "ask" })
      await site.turn()
      const [savedReply] = await rows("saved_replies.list", {})
      await walkAll([
        "/inbox",
        `/inbox/${id}`,
        `/inbox/${id}/erase`,
        "/inbox/saved",
        `/inbox/saved/${savedReply?.id}`,
        `/inbox/saved/${savedReply?.id}/delete`,
        "/broadcast",
        "/proposals",
        "/automations",
        "/automations/weather",
        "/automations/fill",
        "/automations/brief",
        "/automations/reminders"
      ])
    }, 180_000)

    it("on the offerings, guests, and settings pages", async () => {
      const { customer_id } = await site.book(tripId, {}, 2)
      await walkAll([
        "/offerings",
        "/offerings/new",
        "/offerings/new?kind=rental",
        `/offerings/${tripId}`,
        `/offerings/${tripId}/hours`,
        `/offerings/${tripId}/hours/dates`,
        `/offerings/${tripId}/delete`,
        `/offerings/${raftId}/sessions`,
        `/offerings/${raftId}/sessions/new`,
        "/setup",
        "/guests",
        `/guests/${customer_id}`,
        `/guests/${customer_id}/erase`,
        "/settings",
        "/settings/zone",
        "/settings/currency"
      ])
    }, 180_000)

    it("on the team, developers, and payments pages", async () => {
      const hook = await site.call("webhooks.create", { url: "https://hooks.example.com/in", events: ["org.updated"] })
      const booking = await site.book(tripId, {}, 4)
      await site.giveUp("mail.confirmed", booking.id, "550 5.1.1: no such user")
      await walkAll([
        "/team",
        "/team/invite",
        "/audit",
        "/logins",
        "/passkeys",
        "/developers",
        "/developers/keys/new",
        "/developers/webhooks/new",
        `/developers/webhooks/${hook.id}`,
        `/developers/webhooks/${hook.id}/replay`,
        `/developers/webhooks/${hook.id}/delete`,
        "/applications",
        "/billing",
        "/export",
        "/payments",
        "/payments/connect",
        "/tasks"
      ])
    }, 180_000)
  })

  it.each<[string, () => void, RegExp]>([
    ["nothing", () => {}, /^nothing$/],
    ["an invisible focus", () => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync("main :focus { outline: none !important }")
      document.adoptedStyleSheets.push(sheet)
    }, /cannot be seen/],
    [
      "a link that is focused too early",
      () => document.querySelector("main a")?.setAttribute("tabindex", "2"),
      /first stop/
    ],
    [
      "a button that Tab skips",
      () => document.querySelector("main button")?.setAttribute("inert", ""),
      /its order/
    ],
    ["an element that covers the page", () => {
      const over = document.createElement("div")
      Object.assign(over.style, { position: "fixed", inset: "0", zIndex: "99" })
      document.body.append(over)
    }, /out of sight/],
    ["a link that traps the focus", () => {
      addEventListener("keydown", (event) => {
        if (document.activeElement?.matches("main a") === true) event.preventDefault()
      })
    }, /its order/]
  ])("control: the Tab order check detects %s", (_, breaks, pattern) =>
    on("/bookings", async (_, page) => {
      await page.evaluate(breaks)
      assert.match(await walk(page, "a page").then(() => "nothing", (error: unknown) => String(error)), pattern)
    }))

  it("can skip the menu", () =>
    on("/bookings", async ({ press, to }, page) => {
      await to("Skip to content")
      await press("Enter", "Tab")
      assert.isTrue(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement)))
    }))

  it("can book, move, and cancel", () =>
    on("", async ({ press, reads, to, type, use }, page) => {
      await use("New booking")
      await use(/^Browns Canyon/)
      await to(/^\d+:\d\d/)
      await press("Space")
      await to("Name (optional)")
      await type("Keyla Board")
      await to("Email")
      await type("keyla@example.com")
      await use("Create booking")
      await reads("Booking confirmed. The guest gets an email.")
      await use("Move")
      await to(/^\d+:\d\d/)
      await press("ArrowDown")
      await use("Review change")
      await use("Move booking")
      await reads("Booking moved. The guest gets an email.")
      await use("Cancel")
      await reads("keyla@example.com")
      await use("Cancel booking")
      await reads("Booking canceled. The guest gets an email.")
      assert.include(page.url(), "/dashboard/bookings/")
    }))

  it("can confirm a held spot", async () => {
    const { id } = await site.book(tripId, { hold_minutes: 60 }, 5)
    await on(`/bookings/${id}`, async ({ reads, use }) => {
      await use("Confirm")
      await use("Confirm booking")
      await reads("Booking confirmed. The guest gets the confirmation by email.")
    })
    assert.strictEqual((await site.booking(id)).status, "confirmed")
  })

  it("can find a booking, a departure, and a manifest", async () => {
    await seat("Findling")
    await on("/settings", async ({ reads, send, to, type, use }) => {
      await to("Search bookings and guests")
      await type("findl")
      await send()
      await use("Findling")
      await reads("findling@example.com")
      await use("Calendar")
      await use("Next week")
      await use(/^Raft trip/)
      await use("Print manifest")
      await use("Findling")
      await reads("findling@example.com")
    })
  })

  it("can answer a question, snooze it, and mark it done", async () => {
    const id = await asks("Drafting")
    await on("/inbox", async ({ press, reads, to, type, use }, page) => {
      await use(/^Drafting/)
      await use("Draft reply")
      await reads("A language model wrote this draft. Review it before you send it.")
      await to("Write to Drafting")
      assert.strictEqual(await page.getByLabel("Write to Drafting").inputValue(), "Where do we park?")
      await press("Control+a")
      await type("By the river.")
      await press("Control+Enter")
      await reads("Message sent.")
      await to("Saved reply")
      await type("Park")
      await use("Insert")
      await reads("The saved reply was filled in for this guest.")
      await use("Send")
      await reads("Message sent.")
      await use("Snooze")
      await use("Tomorrow, 8:00 AM")
      await reads("Snoozed.")
      await page.goto(`${site.url}/dashboard/inbox/${id}`)
      await use("Mark done")
      await reads("Conversation marked done.")
    })
    const messages = await rows("messages.list", { conversation_id: id })
    assert.deepStrictEqual(messages.slice(-2).map(({ body }) => body), [
      "By the river.",
      "Hi Drafting, park behind us."
    ])
  })

  it("can write to all guests of a departure", async () => {
    await seat("Broady")
    await on(`/departures/${sessionId}`, async ({ reads, to, type, use }) => {
      await use("Message all guests")
      await to("Message")
      await type("The river is high.")
      await use("Preview recipients")
      await reads("broady@example.com")
      await use(/^Send to \d+ recipient/)
      await reads("Sent to")
    })
  })

  it("can set weekly hours, add dates, and cancel one", async () => {
    const { id } = await site.call("offerings.create", { ...trip, name: "Evening float" })
    await on(`/offerings/${id}/hours`, async ({ reads, to, type, use }) => {
      await to("Monday until")
      await type("1200P")
      await use("Remove Sunday hours 1")
      await use("Save")
      await reads("Saved.")
    })
    const hours = await rows("offerings.get_hours", { id })
    assert.isFalse(hours.some(({ weekday }) => weekday === 0))
    assert.match(String(hours.find(({ weekday }) => weekday === 1)?.["end_time"]), /^12:00/)
    const raft = await site.call("offerings.create", { name: "Overnight", kind: "class", price_cents: 9500 })
    await on(`/offerings/${raft.id}/sessions`, async ({ reads, to, type, use }) => {
      await use("Add departures")
      await to("Last date")
      await type("05042027")
      await use("Preview departures")
      await use("Add 3 departures")
      await reads("Departures added.")
      await use(/^Cancel /)
      await use("Cancel departure")
      await reads("Departure canceled.")
    })
    assert.lengthOf(await rows("sessions.list", { offering_id: raft.id, status: "scheduled" }), 2)
  })

  it("can set up, change, pause, and delete an offering", () =>
    on("/offerings/new?kind=rental", async ({ press, reads, send, to, type, use }) => {
      await to("Name")
      await type("Kayak")
      await to(/^Price per item/)
      await type("45")
      await send()
      await reads("Weekly hours")
      await use("Activities")
      await use("Kayak")
      await to("Name")
      await press("End")
      await type(" for one")
      await send()
      await reads("Saved.")
      await use("Pause booking")
      await reads("Booking paused")
      await use("Delete…")
      await use("Delete activity")
      await reads("Activity deleted. All booked guests get an email.")
    }))

  it("can erase a guest", async () => {
    const { customer_id } = await site.book(tripId, { customer: { email: "gone@example.com", name: "Gone" } }, 6)
    await on(`/guests/${customer_id}`, async ({ press, reads, to, use }) => {
      await use("Erase…")
      await to("The guest requested erasure")
      await press("Space")
      await use("Erase permanently")
      await reads("Guest erased.")
    })
    assert.strictEqual((await site.call("customers.get", { id: customer_id }))["email"], "")
  })

  it("can approve a proposal and set the permissions of automations", async () => {
    await on("/automations/reminders", async ({ press, reads, to, use }) => {
      await to(/^(Off|Propose|Act)/)
      await press("ArrowDown")
      await use("Save")
      await reads("Saved.")
    })
    await site.call("automations.update", { automation: "brief", dial: "ask" })
    site.set("2027-05-02T14:00:00Z")
    await site.turn()
    await on("/proposals", async ({ reads, use }) => {
      await use(/^Approve/)
      await reads(/^Approved/)
    })
    site.set("2027-05-01T14:00:00Z")
  })

  it("can invite, promote, and remove a staff member", () =>
    on("/team", async ({ reads, to, type, use }) => {
      await use("Invite a team member")
      await to("Email address")
      await type("key@salida.example")
      await use("Send invitation")
      await reads("The new team member gets a sign-in link")
      await use("Change: key@salida.example")
      await to("Role")
      await type("Ow")
      await use("Save")
      await reads("Saved.")
      await use("Change: key@salida.example")
      await use("Remove from the team")
      await use("Remove from the team")
      await reads("Team member removed and signed out everywhere.")
    }))

  it("can add, test, and delete a webhook", () =>
    on("/developers", async ({ reads, to, type, use }) => {
      await use("Add webhook")
      await to("Address")
      await type("https://hooks.example.com/keys")
      await use("Add webhook")
      await use("Send test event")
      await use("Send test event")
      await reads("The response status was 200.")
      await use("Back to webhook")
      await use("Delete")
      await use("Delete webhook")
      await reads("Webhook deleted.")
    }))

  it("can connect and disconnect a payment account", () =>
    on("/payments", async ({ reads, to, type, use }) => {
      await use(/^Connect/)
      await to("Secret key")
      await type(TestProvider.access.key)
      await use("Connect account")
      await reads("Account connected. Guests now pay when they book.")
      await use(/^Disconnect/)
      await use("Disconnect account")
      await reads("Account disconnected. It receives no new payments.")
    }))

  it("can create and revoke an API key", () =>
    on("/developers", async ({ press, reads, to, type, use }) => {
      await use("Create key")
      await to("Name")
      await type("Kiosk")
      await to("Write")
      await press("Space")
      await use("Create key")
      await reads("Copy this key now.")
      await use("Done")
      await use("Revoke: Kiosk")
      await use("Revoke key")
      await reads("API key revoked.")
    }))

  it("can sign out another browser", async () => {
    await site.signIn("staff")
    await on("/logins", async ({ reads, use }) => {
      await use(/^Sign out: /)
      await reads("Browser signed out.")
    })
  })

  it("can retry failed work and export all data", async () => {
    const booking = await site.book(tripId, {}, 7)
    await site.giveUp("mail.confirmed", booking.id, "421 try later")
    await on("/tasks", async ({ reads, use }) => {
      await use(/^Retry/)
      await reads("Retrying now.")
    })
    await on("/export", async ({ press, to }, page) => {
      await to("Download")
      const [download] = await Promise.all([page.waitForEvent("download"), press("Enter")])
      assert.isNull(await download.failure())
    })
  })

  // This test must be last, because changing the time zone changes the dates.
  it("can change the settings and the time zone", () =>
    on("/settings", async ({ press, reads, send, to, type, use }) => {
      await to(/^Reply time/)
      await press("Control+a")
      await type("within an hour")
      await send()
      await reads("Saved.")
      await use("Change the time zone")
      await to("Time zone")
      await type("America/Chi")
      await use("Review change")
      await use("Change the time zone")
      await reads("Saved.")
      assert.strictEqual((await site.call("org.get", {}))["timezone"], "America/Chicago")
    }))
})
