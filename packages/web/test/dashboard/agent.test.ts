/** Tests proposals and automations on the dashboard, without scripts. */
import * as Instant from "@trailbook/core/time/Instant"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { fillAutomationFields, makeLimitFields } from "../../src/dashboard/automations/automationFields.ts"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

interface Proposal {
  readonly id: string
  readonly status: string
  readonly automation: string
  readonly unreached?: number
  readonly actions: ReadonlyArray<{ readonly facts: Readonly<Record<string, unknown>> }>
}

describe("the proposals and automations pages", () => {
  let site: TestSite
  let cookie: string
  let classId: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("owner")
    classId = (await site.call("offerings.create", { ...trip, kind: "class", capacity: 10 })).id
  })
  afterEach(() => site.close())

  const get = (path: string, as = cookie) => site.ask(path, { headers: { cookie: as } })
  const post = (path: string, form: Readonly<Record<string, string>>, as = cookie) =>
    site.ask(path, { headers: { cookie: as }, form })
  const addSession = async (starts_at: string) => {
    const { data } = await site.call("sessions.create", { offering_id: classId, starts_at }) as unknown as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    return data[0]?.id ?? ""
  }
  const addBooking = (session_id: string, quantity: number) =>
    site.call("bookings.create", {
      offering_id: classId,
      session_id,
      quantity,
      customer: { email: `guest${quantity}@example.com`, name: "Zoe Long" }
    })
  const proposals = async () =>
    (await site.call("proposals.list", {}) as unknown as { readonly data: ReadonlyArray<Proposal> }).data
  /** Creates a proposal for a day that is nearly full. */
  const full = async () => {
    await addBooking(await addSession("2027-05-10T15:00:00Z"), 9)
    await site.call("automations.update", { automation: "fill", dial: "ask" })
    await site.turn()
    return (await proposals())[0]?.id ?? ""
  }
  /** Creates a proposal to remind a guest about a departure tomorrow. */
  const reminder = async () => {
    await addBooking(await addSession("2027-05-02T15:30:00Z"), 2)
    site.set("2027-05-01T16:00:00Z")
    await site.call("automations.update", { automation: "reminders", dial: "ask" })
    await site.turn()
    return (await proposals())[0]?.id ?? ""
  }
  const textOf = async () =>
    (await site.call("messages.list", {}) as unknown as { readonly data: ReadonlyArray<{ readonly body: string }> })
      .data.map(({ body }) => body)

  it("approve a proposal, and undo it only once", async () => {
    const id = await full()
    const { html } = await get("/dashboard/proposals")
    assert.include(html, "1 pending")
    assert.include(html, "Open a departure for Browns Canyon Half Day, Tue, May 11, 9:00")
    const { headers } = await post("/dashboard/proposals", { id, do: "approve" })
    assert.strictEqual(headers.get("location"), "/dashboard/proposals?done=approved")
    const listHtml = (await get("/dashboard/proposals")).html
    assert.include(listHtml, "Undo cancels the new departure. You can undo until the first booking. No email is sent.")
    assert.include(listHtml, "No pending proposals")
    await post("/dashboard/proposals", { id, do: "undo" })
    assert.strictEqual((await proposals())[0]?.status, "undone")
    const again = await post("/dashboard/proposals", { id, do: "undo" })
    assert.strictEqual(again.status, 409)
    assert.include(again.html, "This proposal cannot be undone.")
  })

  it("dismiss a proposal, and then refuse to approve it", async () => {
    const id = await full()
    assert.strictEqual((await post("/dashboard/proposals", { id, do: "dismiss" })).status, 303)
    const { html, status } = await post("/dashboard/proposals", { id, do: "approve" })
    assert.strictEqual(status, 409)
    assert.include(html, "This proposal was already decided. Its status is dismissed.")
    assert.include((await get("/dashboard/proposals?status=dismissed")).html, `id="${id}"`)
    assert.notInclude((await get("/dashboard/proposals?status=done")).html, `id="${id}"`)
    assert.notInclude((await get("/dashboard/proposals?automation=brief")).html, `id="${id}"`)
  })

  it("refuse to approve an expired proposal", async () => {
    const id = await full()
    site.set("2027-05-11T15:30:00Z")
    const { html, status } = await post("/dashboard/proposals", { id, do: "approve" })
    assert.strictEqual(status, 409)
    assert.include(html, "This proposal has expired.")
  })

  const unescaped = (html: string) =>
    html.replaceAll("&quot;", "\"").replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&")

  /** Returns the message in the proposal's form. */
  const form = async () => {
    const html = unescaped((await get("/dashboard/proposals")).html)
    return {
      was: /name="was" value="([^"]+)"/.exec(html)?.[1] ?? "",
      subject: /name="subject"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? "",
      body: /<textarea[^>]*name="body"[^>]*>([^<]*)<\/textarea>/.exec(html)?.[1] ?? ""
    }
  }

  it("send the text that a staff member edited", async () => {
    const id = await reminder()
    const words = await form()
    assert.include(words.body, "Browns Canyon Half Day")
    await post("/dashboard/proposals", { ...words, id, do: "approve", body: "Bring a towel, {first_name}." })
    assert.deepStrictEqual(await textOf(), ["Bring a towel, Zoe."])
  })

  it("send the original text if it was not edited", async () => {
    const id = await reminder()
    const words = await form()
    await post("/dashboard/proposals", { ...words, id, do: "approve", body: words.body.replaceAll("\n", "\r\n") })
    const [one] = await proposals()
    assert.strictEqual(one?.status, "done")
    assert.isUndefined(one?.actions[0]?.facts["reworded"])
  })

  it("redisplay rejected text exactly as typed", async () => {
    const id = await reminder()
    const words = await form()
    const { html, status } = await post("/dashboard/proposals", { ...words, id, do: "approve", body: "x".repeat(5001) })
    assert.strictEqual(status, 422)
    assert.include(html, "draft.body: must be 1 to 5000 characters long")
    assert.include(html, "x".repeat(5001))
    assert.deepStrictEqual(await textOf(), [])
  })

  it("return the not-found page for an unknown ID", async () => {
    const { status } = await post("/dashboard/proposals", {
      id: "0199aaaa-0000-7000-8000-00000000000f",
      do: "approve"
    })
    assert.strictEqual(status, 404)
  })

  it("list the guests whom a message did not reach", async () => {
    const session = await addSession("2027-05-02T15:30:00Z")
    const booking = await site.call("bookings.create", {
      offering_id: classId,
      session_id: session,
      quantity: 5,
      customer: { email: "zoe@example.com", name: "Zoe Long", phone: "+1 719 555 0100" }
    })
    // A relative with the same email address is added later. The booking keeps the details that were entered for it.
    await site.call("customers.upsert", { email: "zoe@example.com", name: "Max Long", phone: "+1 719 555 0199" })
    site.set("2027-05-01T16:00:00Z")
    await site.call("automations.update", { automation: "reminders", dial: "ask" })
    await site.turn()
    const id = (await proposals())[0]?.id ?? ""
    await post("/dashboard/proposals", { id, do: "approve" })
    const pages = async () => {
      const paths = ["/dashboard", `/dashboard/departures/${session}`, "/dashboard/proposals"]
      return Promise.all(paths.map(async (path) => (await get(path)).html))
    }
    for (const html of await pages()) assert.notInclude(html, "not be reached")
    const messageId =
      (await site.call("messages.list", {}) as unknown as { readonly data: ReadonlyArray<{ id: string }> })
        .data[0]?.id ?? ""
    const failedAt = Instant.parse("2027-05-01T16:01:00Z") ?? null
    await site.tell(messageId, { failedAt, failure: "550 5.1.1 no such user" })
    await site.call("sessions.cancel", { id: session })
    const after = await pages()
    for (const html of after) {
      assert.match(html, /guest on 1 booking could not be reached/i)
      assert.include(html, "tel:+17195550100")
      assert.include(html, "Zoe Long")
      assert.include(html, "zoe@example.com: 550 5.1.1 no such user")
    }
    assert.include(after[1], "This departure is canceled. Some guests were not notified.")
    const [proposal] = await proposals()
    assert.deepInclude(proposal, { status: "done", unreached: 1 })

    const { id: call } = await site.call("messages.send", { booking_id: booking.id, body: "The trip is canceled." })
    await site.tell(call, { deliveredAt: Instant.parse("2027-05-01T17:00:00Z") ?? null })
    for (const html of await pages()) assert.notInclude(html, "not be reached")
  })

  it("show the most urgent proposals first on Today", async () => {
    const oldest = await reminder()
    for (let minute = 10; minute < 22; minute++) await addBooking(await addSession(`2027-05-02T16:${minute}:00Z`), 1)
    site.set("2027-05-01T16:30:00Z")
    await site.turn()
    const all = await proposals()
    assert.isAbove(all.length, 10)
    assert.strictEqual(all.at(-1)?.id, oldest)
    for (const path of ["/dashboard", "/dashboard/proposals"]) {
      assert.include((await get(path)).html, oldest, path)
    }
  })

  it("preview proposals without storing them", async () => {
    await addBooking(await addSession("2027-05-10T15:00:00Z"), 9)
    const before = await site.tables()
    const { html } = await get("/dashboard/automations?preview=1", await site.signIn("staff"))
    assert.include(html, "The automation is off, so nothing would happen.")
    assert.include(html, "Open a departure for Browns Canyon Half Day")
    assert.notInclude((await get("/dashboard/automations")).html, "Proposal preview")
    assert.notStrictEqual(before, undefined)
    assert.lengthOf(await proposals(), 0)
  })

  it("let only owners configure automations", async () => {
    const staff = await site.signIn("staff")
    assert.include((await get("/dashboard/automations", staff)).html, "Only owners can change this.")
    assert.strictEqual((await get("/dashboard/automations/fill", staff)).status, 403)
    assert.strictEqual((await post("/dashboard/automations/fill", { dial: "do_tell" }, staff)).status, 403)
    assert.strictEqual((await get("/dashboard/automations/everything")).status, 404)
  })

  const settings = async (automation: string) => {
    const { data } = await site.call("automations.list", {}) as unknown as {
      readonly data: ReadonlyArray<
        { readonly automation: string; readonly dial: string; readonly settings: Readonly<Record<string, unknown>> }
      >
    }
    const row = data.find((one) => one.automation === automation)
    return [row?.dial, row?.settings] as const
  }

  it("accept only settings within their bounds", async () => {
    const fill = { dial: "do_tell", full_pct: "90", min_guests: "4", min_guests_hours: "24" }
    assert.strictEqual((await post("/dashboard/automations/fill", fill)).status, 303)
    assert.deepStrictEqual(await settings("fill"), ["do_tell", { full_pct: 90, min_guests: 4, min_guests_hours: 24 }])
    await post("/dashboard/automations/fill", { ...fill, min_guests: "" })
    assert.strictEqual((await settings("fill"))[1]?.["min_guests"], null)
    for (const { label, max, min, name } of fillAutomationFields) {
      for (const value of [min - 1, max + 1]) {
        const { html, status } = await post("/dashboard/automations/fill", { ...fill, [name]: String(value) })
        assert.strictEqual(status, 422, `${name} ${value}`)
        assert.include(html, `${label}: must be`)
        assert.include(html, `value="${value}"`)
      }
      for (const value of [min, max]) {
        assert.strictEqual((await post("/dashboard/automations/fill", { ...fill, [name]: String(value) })).status, 303)
      }
    }
    await post("/dashboard/automations/brief", { dial: "ask" })
    assert.deepStrictEqual(await settings("brief"), ["ask", { see_you: false }])
    await post("/dashboard/automations/reminders", { dial: "ask", before_2h: "true" })
    assert.deepStrictEqual(await settings("reminders"), [
      "ask",
      { before_24h: false, before_2h: true, after_6h: false, balance_due_days: null, before_24h_reply_id: null }
    ])
  })

  it("require a review link for the thank-you message", async () => {
    const thank = { dial: "ask", after_6h: "true" }
    const { html, status } = await post("/dashboard/automations/reminders", thank)
    assert.strictEqual(status, 422)
    assert.include(html, "6 hours after the trip, with a review link: requires a review link. Set the review link")
    assert.match(html, /name="after_6h" value="true" checked/)
    await site.call("org.update", { review_url: "https://example.com/review" })
    assert.strictEqual((await post("/dashboard/automations/reminders", thank)).status, 303)
    assert.strictEqual((await settings("reminders"))[1]?.["after_6h"], true)
  })

  it("accept weather limits for all offerings or for one offering", async () => {
    await site.call("org.update", { units: "metric" })
    for (const { max, min, name } of makeLimitFields("metric")) {
      for (const [value, status] of [[min, 303], [max, 303], [min - 1, 422], [max + 1, 422]] as const) {
        const answer = await post("/dashboard/automations/weather", { dial: "off", [name]: String(value) })
        assert.strictEqual(answer.status, status, `${name} ${value}`)
      }
    }
    await post("/dashboard/automations/weather", { dial: "ask", max_gust_kph: "45,5", thunder: "true", action: "move" })
    const input = { max_gust_kph: 45.5, thunder: true, action: "move" }
    assert.deepStrictEqual(await settings("weather"), ["ask", { default: input, offerings: {} }])
    const offeringPath = `/dashboard/automations/weather?offering=${classId}`
    await post(offeringPath, { max_gust_kph: "none", min_temp_c: "5" })
    assert.deepStrictEqual((await settings("weather"))[1]?.["offerings"], {
      [classId]: { max_gust_kph: null, min_temp_c: 5 }
    })
    assert.match((await get(offeringPath)).html, /name="max_gust_kph" id="max_gust_kph" value="none"/)
    await post(offeringPath, {})
    assert.deepStrictEqual((await settings("weather"))[1], { default: input, offerings: {} })
    const unknown = "/dashboard/automations/weather?offering=0199aaaa-0000-7000-8000-00000000000f"
    assert.strictEqual((await get(unknown)).status, 404)
  })

  it("use US units for limits in a US time zone", async () => {
    const path = "/dashboard/automations/weather"
    for (const { label, max, min, name, unit } of makeLimitFields("us")) {
      for (const [value, status] of [[min, 303], [max, 303], [min - 1, 422], [max + 1, 422]] as const) {
        const { html, status: responseStatus } = await post(path, { dial: "off", [name]: String(value) })
        assert.strictEqual(responseStatus, status, `${name} ${value}`)
        if (["mph", "in", "°F"].includes(unit) && status === 422) {
          const error = `${label}: must be a number from ${min} to ${max} ${unit}`
          assert.include(html, `<a href="#${name}">${error}</a>`)
          assert.include(html, `<span class="bad" id="${name}-error">${error}</span>`)
        }
      }
    }
    const storedLimits = { max_gust_kph: 65, max_precip_mm: 0.1, min_temp_c: 3.3333, max_flow_cfs: 3200.5 }
    await site.call("automations.update", { automation: "weather", settings: { default: storedLimits } })
    const { html } = await get(path)
    const fields = { max_gust_kph: "40.4", max_precip_mm: "0", min_temp_c: "38", max_flow_cfs: "3200.5" }
    for (const [name, value] of Object.entries(fields)) {
      assert.include(html, `name="${name}" id="${name}" value="${value}"`)
    }
    assert.include(html, "Maximum gust<span class=\"hint\"> (mph)")
    await post(path, fields)
    assert.deepStrictEqual((await settings("weather"))[1]?.["default"], storedLimits)
    await post(path, { ...fields, max_gust_kph: "40" })
    assert.deepStrictEqual((await settings("weather"))[1]?.["default"], { ...storedLimits, max_gust_kph: 64.3738 })
    assert.include((await get(path)).html, "name=\"max_gust_kph\" id=\"max_gust_kph\" value=\"40\"")
    assert.include((await get("/dashboard/automations")).html, "maximum gust 40 mph")
  })

  it("show 12-hour times if the outfitter uses US units", async () => {
    await full()
    const as = { cookie, "accept-language": "en-GB" }
    const loadPage = async () => (await site.ask("/dashboard/proposals", { headers: as })).html
    assert.match(await loadPage(), /11 May, 9:00.am/)
    await site.call("org.update", { units: "metric" })
    assert.match(await loadPage(), /11 May, 9:00(?!.[ap]m)/)
  })
})
