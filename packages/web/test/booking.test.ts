/** Tests booking with only links and forms, as in a browser without JavaScript. */
import { assert, beforeEach, describe, it } from "vitest"
import { type Season, season } from "./season.ts"
import { type Answer, open, type World } from "./World.ts"

/** Returns the fields that a browser would send for the form. */
const fieldsOf = (html: string): Record<string, string> => {
  const fields: Record<string, string> = {}
  for (const [, tag = ""] of html.matchAll(/<(input [^>]*)>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1] ?? ""
    const value = /value="([^"]*)"/.exec(tag)?.[1] ?? ""
    if (/type="radio"/.test(tag) && !/ checked/.test(tag)) continue
    fields[name] = value.replaceAll("&quot;", "\"").replaceAll("&amp;", "&").replaceAll("&lt;", "<")
  }
  return fields
}

const ada = { name: "Ada Lovelace", email: "ada@example.com" }

describe("the booking page", () => {
  let world: World
  let all: Season
  const path = (offering: string, below = "") => `/book/salida-river-co/${offering}${below}`
  beforeEach(async () => {
    world = await open()
    all = await season(world)
  })

  const details = (offering: string, query: Record<string, string>) =>
    world.ask(`${path(offering, "/details")}?${new URLSearchParams(query)}`)
  const book = (offering: string, form: Record<string, string>, headers = {}) =>
    world.ask(path(offering), { form, headers })
  const bookings = async () => {
    const { data } = await world.call("bookings.list", { limit: 500 }) as unknown as {
      readonly data: ReadonlyArray<Record<string, unknown> & { readonly customer: Record<string, unknown> }>
    }
    return data
  }
  const fillForm = async (offering: string, query: Record<string, string>): Promise<Record<string, string>> => {
    const { html, status } = await details(offering, query)
    assert.strictEqual(status, 200)
    return { ...fieldsOf(html), ...ada }
  }

  it("lists open offerings, each with its next available start time", async () => {
    const { html } = await world.ask("/book/salida-river-co")
    assert.match(html, /Browns Canyon Half Day.*Next: Mon, May 3.*Fly Fishing.*Next: Sat, May 1/s)
    assert.include(html, ">1 left<")
    const about = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "")
    assert.strictEqual(about.makesOffer[0].price, "95.00")
  })

  it("shows every day's availability and selects the first available day", async () => {
    const { html } = await world.ask(path(all.raft))
    assert.match(html, /aria-label="Monday, May 3: 2 times, up to 12 left" aria-current="date"/)
    assert.match(html, /aria-label="Tuesday, May 4: 1 time, up to 2 left"/)
    assert.include(html, "Times on Monday, May 3")
    assert.include(html, "Denver time (MDT)")
    // The first departure of that day has too few seats for a party of five.
    const five = await world.ask(`${path(all.raft)}?quantity=5`)
    assert.match(five.html, /aria-label="Monday, May 3: 1 time, up to 12 left"/)
    assert.match(five.html, /Tuesday, May 4: full/)
    assert.match(five.html, /disabled[^>]*>|<input[^>]*disabled/)
  })

  it.each(["class", "appointment", "rental"] as const)("books a %s and opens the guest's page", async (kind) => {
    const offering = { class: all.raft, appointment: all.guide, rental: all.kayak }[kind]
    const query: Record<string, string> = {
      class: { slot: all.sessions[4] ?? "", date: "2027-05-05", quantity: "2" },
      appointment: { slot: "2027-05-03T15:00:00.000Z", date: "2027-05-03", quantity: "4" },
      rental: { slot: "2027-05-03T15:00:00.000Z", date: "2027-05-03", quantity: "2", periods: "3" }
    }[kind]
    const { headers, status } = await book(offering, await fillForm(offering, query))
    assert.strictEqual(status, 303)
    assert.match(headers.get("location") ?? "", /^\/b\/[\w-]{22,}\?new=1$/)
    const booking = (await bookings()).find(({ offering_id, source }) =>
      offering_id === offering && source === "widget"
    )
    assert.deepInclude(booking, {
      quantity: Number(query["quantity"]),
      status: "confirmed",
      total_cents: { class: 19_000, appointment: 24_000, rental: 27_000 }[kind]
    })
  })

  describe("with rates and extras", () => {
    const pricing = {
      rates: [
        { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
        { id: "child", name: "Child", price_cents: 7500, places: 1, needs_any_of: ["adult"] },
        { id: "infant", name: "Infant", price_cents: 0, places: 0, max: 1 }
      ],
      extras: [{ id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place" }]
    }
    beforeEach(async () => {
      await world.call("offerings.update", { id: all.raft, pricing })
      const fees = [{ id: "tax", name: "River tax", percent_bps: 1000, per: "order_value", tax: true }]
      await world.call("org.update", { fees })
    })

    /** Follows the link with the given label. */
    const press = async ({ html }: Answer, label: string): Promise<Answer> => {
      const tag = [...html.matchAll(/<a [^>]*>/g)].map(([tag]) => tag)
        .find((tag) => tag.includes(`aria-label="${label}"`))
      assert.isDefined(tag, label)
      return world.ask((/href="([^"]*)"/.exec(tag ?? "")?.[1] ?? "").replaceAll("&amp;", "&"))
    }

    it("books the chosen party at the shown price", async () => {
      let page = await world.ask(`${path(all.raft)}?date=2027-05-05`)
      for (const label of ["Adult", "Child", "Wetsuit", "Wetsuit"]) page = await press(page, `Add one: ${label}`)
      assert.include(page.html, "$324.50")
      assert.include(page.html, "Times on Wednesday, May 5")
      const party = fieldsOf(page.html)["party"] ?? ""
      assert.strictEqual(party, "adult:2,child:1/wetsuit:2")
      const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05", party })
      assert.strictEqual((await book(all.raft, form)).status, 303)
      const booking = (await bookings()).find(({ source }) => source === "widget")
      assert.deepInclude(booking, { quantity: 3, total_cents: 32_450, extras: [{ extra_id: "wetsuit", quantity: 2 }] })
    })

    it("offers no button that would exceed a maximum", async () => {
      let page = await press(await world.ask(path(all.raft)), "Add one: Infant")
      assert.notInclude(page.html, "Add one: Infant")
      page = await press(await press(page, "Add one: Child"), "Remove one: Adult")
      assert.include(page.html, "Child can be booked only with Adult.")
      assert.match(page.html, /<button [^>]*disabled[^>]*>Continue/)
    })

    it("reduces an extra's quantity when the party shrinks", async () => {
      let page = await world.ask(`${path(all.raft)}?party=adult:2/wetsuit:2`)
      page = await press(page, "Remove one: Adult")
      assert.strictEqual(fieldsOf(page.html)["party"], "adult:1/wetsuit:1")
    })

    it.each(["x", "adult:0", "adult:99999", "nobody:2", "adult:1/nothing:2", "adult:1,adult:1", "/"])(
      "ignores the invalid selection %s in the URL",
      async (party) => {
        const { status } = await world.ask(`${path(all.raft)}?${new URLSearchParams({ party })}`)
        assert.strictEqual(status, 200)
      }
    )

    it("lists the smallest party's price without added taxes", async () => {
      assert.include((await world.ask("/book/salida-river-co")).html, ">from $95<")
    })
  })

  it("books only once if the form is sent twice", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    const before = (await bookings()).length
    const answers = await Promise.all([book(all.raft, form), book(all.raft, form), book(all.raft, form)])
    assert.strictEqual(new Set(answers.map(({ headers }) => headers.get("location"))).size, 1)
    assert.strictEqual((await bookings()).length, before + 1)
  })

  it("asks for confirmation if a form is resubmitted with changes", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    await book(all.raft, form)
    const other = await book(all.raft, { ...form, name: "Grace" })
    assert.strictEqual(other.status, 409)
    assert.include(other.html, "already submitted this form")
    assert.strictEqual((await book(all.raft, { ...fieldsOf(other.html), email: "grace@example.com" })).status, 303)
  })

  it("shows field errors and keeps the input", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05", quantity: "2" })
    const wrong = {
      ...form,
      name: " ",
      email: "ada",
      phone: "1".repeat(41),
      notes: "One of us is \"left\"-handed & <b>"
    }
    const { html, status } = await book(all.raft, wrong)
    assert.strictEqual(status, 422)
    for (const name of ["name", "email", "phone"]) {
      assert.match(html, new RegExp(`href="#${name}"`))
      assert.match(html, new RegExp(`aria-invalid="true"[^>]*aria-describedby="[^"]*${name}-error`))
    }
    const again = fieldsOf(html)
    assert.deepInclude(again, {
      key: form["key"],
      email: "ada",
      phone: "1".repeat(41),
      quantity: "2",
      slot: form["slot"]
    })
    assert.include(html, "One of us is &quot;left&quot;-handed &amp; &lt;b>")
  })

  it("returns to the time picker if another guest took the spot", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[0] ?? "", date: "2027-05-03" })
    const [first, second] = await Promise.all([
      book(all.raft, form),
      book(all.raft, { ...form, key: crypto.randomUUID(), email: "grace@example.com", name: "Grace", phone: "719 555" })
    ])
    const [won, lost] = first.status === 303 ? [first, second] : [second, first]
    assert.deepStrictEqual([won.status, lost.status], [303, 409])
    assert.include(lost.html, "That time is no longer available")
    assert.include(lost.html, "Times on Monday, May 3")
    const fields = fieldsOf(lost.html)
    assert.isNotEmpty(fields["name"])
    // A button in the form selects another day.
    const other = await world.ask(path(all.raft, "/times"), { form: { ...fields, quantity: "1", date: "2027-05-05" } })
    assert.strictEqual(other.status, 200)
    assert.include(other.html, "Times on Wednesday, May 5")
    assert.strictEqual(fieldsOf(other.html)["email"], fields["email"])
    const detailsPage = await world.ask(path(all.raft, "/details"), {
      form: { ...fieldsOf(other.html), quantity: "1", slot: all.sessions[4] ?? "" }
    })
    assert.strictEqual(detailsPage.status, 200)
    assert.strictEqual(fieldsOf(detailsPage.html)["email"], fields["email"])
    assert.strictEqual((await book(all.raft, fieldsOf(detailsPage.html))).status, 303)
  })

  it("shows the time picker if the selected time is unavailable", async () => {
    await world.call("sessions.cancel", { id: all.sessions[4] })
    const { html, status } = await details(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    assert.strictEqual(status, 409)
    assert.include(html, "That time is no longer available")
    assert.notInclude(html, "Your details are saved in the form")
  })

  it("returns the same not-found page for all unavailable offerings", async () => {
    const other = await open()
    await other.newOrg({ name: "Other", timezone: "America/Denver" })
    await world.call("offerings.update", { id: all.guide, active: false })
    await world.call("offerings.delete", { id: all.kayak })
    const forms = [
      "0197c0de-0000-7000-8000-000000000002",
      all.guide,
      all.kayak,
      "nothing",
      "..%2F",
      all.guide.toUpperCase()
    ]
    const answers: Array<Answer> = []
    for (const id of forms) {
      answers.push(await world.ask(path(id)), await world.ask(path(id, `/details?slot=${all.sessions[0]}`)))
      answers.push(await book(id, { ...ada, slot: all.sessions[0] ?? "", key: crypto.randomUUID() }))
    }
    answers.push(await world.ask(`/book/nobody/${all.raft}`))
    for (const { html, status } of answers) {
      assert.strictEqual(status, 404)
      assert.strictEqual(html, answers[0]?.html)
    }
    assert.notInclude((await world.ask("/book/salida-river-co")).html, "Fly Fishing")
  })

  it("does not reveal or change an existing guest's data", async () => {
    const customer = await world.call("customers.upsert", {
      email: "ada@example.com",
      name: "Ada King",
      phone: "555 0100"
    })
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    const { headers, html, status } = await book(all.raft, { ...form, name: "Mallory", phone: "666" })
    assert.strictEqual(status, 303)
    assert.notInclude(html + headers.get("location"), "King")
    const after = await world.call("customers.get", { id: customer.id })
    assert.deepInclude(after, { name: "Ada King", phone: "555 0100" })
    // If a customer has only an email address, the booking supplies the name.
    const blank = await world.call("customers.upsert", { email: "bob@example.com" })
    const second = await fillForm(all.raft, { slot: all.sessions[6] ?? "", date: "2027-05-08" })
    await book(all.raft, { ...second, name: "Bob", email: "bob@example.com" })
    assert.deepInclude(await world.call("customers.get", { id: blank.id }), { name: "Bob" })
  })

  it("refuses a form from another site before reading its body", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    const before = await world.tables()
    for (
      const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, { origin: "null" }]
    ) {
      const { html, status } = await book(all.raft, form, headers)
      assert.strictEqual(status, 403)
      assert.include(html, "another website")
    }
    for (const below of ["", "/details?slot=" + all.sessions[4], "/times"]) await world.ask(path(all.raft, below))
    await world.ask("/book/salida-river-co/question")
    assert.strictEqual(await world.tables(), before)
    assert.strictEqual((await book(all.raft, form, { "sec-fetch-site": "same-origin" })).status, 303)
  })

  it("shows the form again if its signature is invalid", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    const other = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    const [seconds = "", signature = ""] = (form["shown"] ?? "").split(".")
    const later = `${Number(seconds) + 1}.${signature}`
    const before = await world.tables()
    const wrong = [{ trail_hint: "spam" }, { shown: "" }, { shown: "0" }, { shown: later }, {
      shown: other["shown"] ?? ""
    }]
    for (const change of wrong) {
      const { html, status } = await book(all.raft, { ...form, ...change })
      assert.deepStrictEqual([status, html.includes("submit it again")], [422, true], JSON.stringify(change))
    }
    world.set("2027-05-02T14:00:01Z")
    assert.strictEqual((await book(all.raft, form)).status, 422)
    assert.strictEqual(await world.tables(), before)
    world.set("2027-05-01T14:00:00Z")
    assert.strictEqual((await book(all.raft, form)).status, 303)
  })

  it("accepts a form that a password manager sends immediately", async () => {
    const form = await fillForm(all.raft, { slot: all.sessions[4] ?? "", date: "2027-05-05" })
    assert.strictEqual((await book(all.raft, { ...form, website: "https://ada.example" })).status, 303)
  })

  it("limits bookings and questions per client address", async () => {
    const statuses = async (path: string, form: Record<string, string>, times: number) => {
      const codes: Array<number> = []
      for (let n = 0; n < times; n++) codes.push((await world.ask(path, { form, address: "192.0.2.7" })).status)
      return codes
    }
    const bookingCodes = await statuses(
      path(all.raft),
      { slot: all.sessions[4] ?? "", date: "2027-05-05", shown: "0" },
      11
    )
    assert.deepStrictEqual(bookingCodes, [...Array<number>(10).fill(422), 429])
    const results = await statuses("/book/salida-river-co/question", { shown: "0" }, 4)
    assert.deepStrictEqual(results, [422, 422, 422, 429])
  })

  it("delivers a question only once", async () => {
    await world.call("customers.upsert", { email: "ada@example.com", name: "Ada King" })
    await world.call("org.update", { reply_window: "within two hours", away_notice: "On the river until Monday." })
    const { html } = await world.ask("/book/salida-river-co/question")
    assert.include(html, "within two hours")
    assert.include(html, "On the river until Monday.")
    const form = { ...fieldsOf(html), ...ada, body: "Can my 7 year old come?" }
    const answers = await Promise.all([1, 2].map(() => world.ask("/book/salida-river-co/question", { form })))
    for (const { headers, status } of answers) {
      assert.deepStrictEqual([status, headers.get("location")], [303, "/book/salida-river-co/question?sent=1"])
    }
    const { data } = await world.call("messages.list", {}) as unknown as { readonly data: ReadonlyArray<unknown> }
    assert.lengthOf(data, 1)
    const wrong = await world.ask("/book/salida-river-co/question", { form: { ...form, email: "no", body: "" } })
    assert.strictEqual(wrong.status, 422)
    assert.match(wrong.html, /href="#email".*href="#body"/s)
  })
})
