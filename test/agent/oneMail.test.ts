/** Tests the emails about an agent action: one per guest and action. */
import { createTrailbook, type Mail } from "trailbook"
import { assert, describe, it } from "vitest"

const hourMs = 3_600_000
/** 9 AM in Denver. */
const nine = Date.UTC(2027, 5, 5, 15)
const windyUntil = nine + 12 * hourMs

const outfit = async () => {
  let now = nine - 60 * hourMs
  const mails: Array<Mail> = []
  const refusedAddresses = new Set<string>()
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    publicUrl: "https://book.example.com",
    logLevel: "silent",
    mailer: {
      send: async (mail) => {
        if (refusedAddresses.has(mail.to.email)) throw Object.assign(new Error("No such mailbox"), { permanent: true })
        mails.push(mail)
      }
    },
    weather: {
      forecast: {
        at: async () => ({
          hours: Array.from({ length: 24 * 16 }, (_, at) => ({
            from: now + at * hourMs,
            to: now + (at + 1) * hourMs,
            tempC: 20,
            windKph: 10,
            gustKph: now + at * hourMs < windyUntil ? 90 : 10,
            precipMm: 0,
            precipPct: 0,
            thunder: false
          })),
          issuedAt: now,
          source: "Station",
          attribution: { text: "Station", url: "https://example.com/station" }
        })
      }
    }
  })
  const offering = (kind: "class" | "appointment", name: string) =>
    trailbook.offerings.create({ name, kind, location: "Boathouse", lat: 38, lon: -106, max_advance_days: 30 })
  const session = async (offering_id: string, startsAt: number) => {
    const { data: [one] } = await trailbook.sessions.create({
      offering_id,
      starts_at: new Date(startsAt).toISOString()
    })
    return one?.id ?? assert.fail("no session")
  }
  const work = async () => {
    for (let round = 0; round < 4; round++) await trailbook.worker.runOnce()
  }
  /** Returns all emails that the worker sends at `moment`. */
  const sentAt = async (moment: number): Promise<ReadonlyArray<Mail>> => {
    await work()
    now = moment
    mails.length = 0
    await work()
    return [...mails]
  }
  return { ...trailbook, mails, offering, refusedAddresses, sentAt, session, work }
}

const maya = { name: "Maya Okafor", email: "maya@example.com" }
const jonas = { name: "Jonas Lindqvist", email: "jonas@example.com" }
const to = (mails: ReadonlyArray<Mail>) => mails.map((mail) => mail.to.email).toSorted()

describe("an agent action", () => {
  it("sends each guest one email about all of their bookings", async () => {
    const { automations, bookings, close, offering, org, sentAt, session } = await outfit()
    const { id: offering_id } = await offering("class", "Rafting")
    const session_id = await session(offering_id, nine)
    const book = (customer: typeof maya, quantity: number, hold_minutes?: number) =>
      bookings.create({
        offering_id,
        session_id,
        quantity,
        customer,
        ...(hold_minutes === undefined ? {} : { hold_minutes })
      })
    const first = await book(maya, 2)
    const second = await book(maya, 1)
    const third = await book(jonas, 1)
    await book({ name: "Hana Held", email: "hana@example.com" }, 1, 60 * 24)
    await automations.update({
      automation: "weather",
      dial: "do_quiet",
      settings: { default: { max_gust_kph: 60, look_ahead_hours: 48 } }
    })
    const mails = await sentAt(nine - 47 * hourMs)
    // Messages to a session do not go to guests with holds, so this guest gets the standard email.
    assert.deepEqual(to(mails), ["hana@example.com", "jonas@example.com", "maya@example.com"])
    const mail = mails.find((mail) => mail.to.email === maya.email)
    assert.strictEqual(mail?.subject, "Canceled: Rafting")
    assert.isNull(mail?.thread)
    assert.match(mail?.text ?? "", /^Hi Maya,\n\n.* because of strong gusts of wind\. /)
    for (const { reference } of [first, second]) assert.include(mail?.text, reference)
    assert.notInclude(mail?.text, third.reference)
    assert.include(
      mail?.text,
      `${first.reference}: Rafting, Sat, Jun 5 at 9:00 AM, 2 guests\n  https://book.example.com/b/`
    )
    assert.include(mail?.text, `https://book.example.com/book/${(await org.get({})).slug}/${offering_id}`)
    assert.strictEqual(mail?.calendar?.method, "CANCEL")
    const uids = (mail?.calendar?.ics ?? "").match(/(?<=UID:)[\w-]+/g) ?? []
    assert.sameMembers([...uids], [first.id, second.id])
    await close()
  })

  it("sends the standard email to an address that bounced earlier", async () => {
    const { automations, bookings, close, messages, offering, refusedAddresses, sentAt, session, work } = await outfit()
    const { id: offering_id } = await offering("class", "Rafting")
    const session_id = await session(offering_id, nine)
    const { customer_id, reference } = await bookings.create({ offering_id, session_id, customer: maya })
    await work()
    refusedAddresses.add(maya.email)
    await messages.send({ customer_id, body: "Bring a towel." })
    await work()
    refusedAddresses.clear()
    await automations.update({
      automation: "weather",
      dial: "do_quiet",
      settings: { default: { max_gust_kph: 60, look_ahead_hours: 48 } }
    })
    const [mail, ...rest] = await sentAt(nine - 47 * hourMs)
    assert.lengthOf(rest, 0)
    assert.include(mail?.subject, `(${reference})`)
    await close()
  })

  it("sends no reminder to an address that bounced earlier", async () => {
    const { automations, bookings, close, messages, offering, refusedAddresses, sentAt, session, work } = await outfit()
    const { id: offering_id } = await offering("class", "Rafting")
    const session_id = await session(offering_id, nine)
    const { customer_id } = await bookings.create({ offering_id, session_id, customer: maya })
    await bookings.create({ offering_id, session_id, customer: jonas })
    await work()
    refusedAddresses.add(maya.email)
    await messages.send({ customer_id, body: "Bring a towel." })
    await work()
    refusedAddresses.clear()
    await automations.update({ automation: "reminders", dial: "do_quiet" })
    assert.deepEqual(to(await sentAt(nine - 24 * hourMs)), [jonas.email])
    await close()
  })

  it("sends one email about a canceled or moved appointment", async () => {
    for (const action of ["cancel", "move"] as const) {
      const { automations, bookings, close, offering, sentAt } = await outfit()
      const { id: offering_id } = await offering("appointment", "Guided fishing")
      const { reference } = await bookings.create({
        offering_id,
        starts_at: new Date(nine).toISOString(),
        customer: maya
      })
      await automations.update({
        automation: "weather",
        dial: "do_quiet",
        settings: { default: { max_gust_kph: 60, look_ahead_hours: 48, action } }
      })
      const [mail, ...rest] = await sentAt(nine - 47 * hourMs)
      assert.deepEqual(rest.map(({ subject }) => subject), [])
      assert.strictEqual(
        mail?.subject,
        action === "cancel" ? "Canceled: Guided fishing" : "New time: Guided fishing"
      )
      assert.include(mail?.text, "strong gusts of wind")
      assert.include(mail?.text, reference)
      assert.strictEqual(mail?.calendar?.method, action === "cancel" ? "CANCEL" : "PUBLISH")
      assert.include(
        mail?.text,
        action === "cancel" ? "https://book.example.com/book/" : "https://book.example.com/b/"
      )
      await close()
    }
  })

  it("sends one email about a guest's two moved bookings", async () => {
    const { automations, bookings, close, offering, sentAt, session } = await outfit()
    const { id: offering_id } = await offering("class", "Rafting")
    const session_id = await session(offering_id, nine)
    await session(offering_id, nine + 3 * hourMs)
    const mayasBookings = [
      await bookings.create({ offering_id, session_id, customer: maya }),
      await bookings.create({ offering_id, session_id, customer: maya })
    ]
    await automations.update({
      automation: "fill",
      dial: "do_quiet",
      settings: { min_guests: 4, min_guests_hours: 24 }
    })
    const [mail, ...rest] = await sentAt(nine - 23 * hourMs)
    assert.deepEqual(rest.map(({ subject }) => subject), [])
    assert.strictEqual(mail?.subject, "New time: Rafting")
    assert.include(mail?.text, "to Sat, Jun 5 at 12:00 PM because too few guests booked. Everything else")
    for (const { reference } of mayasBookings) assert.include(mail?.text, reference)
    await close()
  })
})

describe("a draft for a canceled departure", () => {
  it("cannot contain unknown or empty variables", async () => {
    const { automations, bookings, close, offering, offerings, proposals, sentAt, session, work } = await outfit()
    const { id: offering_id } = await offering("class", "Rafting")
    await offerings.update({ id: offering_id, location: "" })
    const session_id = await session(offering_id, nine)
    await bookings.create({ offering_id, session_id, customer: maya })
    await automations.update({
      automation: "weather",
      dial: "ask",
      settings: { default: { max_gust_kph: 60, look_ahead_hours: 48 } }
    })
    assert.deepEqual(await sentAt(nine - 47 * hourMs), [])
    const { data: [proposal] } = await proposals.list({ status: "pending" })
    const id = proposal?.id ?? ""
    const tryApproval = (draft: { readonly body: string; readonly subject?: string }) =>
      proposals.approve({ id, draft }).then(() => "approved", ({ message }) => String(message))
    assert.match(
      await tryApproval({ body: "Hi {firstname}" }),
      /^draft\.body: \{firstname\} is not a variable\. Use \{first_name\}/
    )
    assert.match(await tryApproval({ body: "Hi {First name}" }), /^draft\.body: \{First name\} is not a variable\./)
    assert.match(
      await tryApproval({ body: "Hi", subject: "Not at {meeting_point}" }),
      /^draft\.subject: \{meeting_point\} has no value/
    )
    assert.strictEqual(
      await tryApproval({ body: "Hi {first_name}, {offering} is off.", subject: "No {offering}" }),
      "approved"
    )
    await work()
    const { data } = await proposals.list({ status: "done" })
    assert.lengthOf(data, 1)
    await close()
  })

  it("is filled in for each guest", async () => {
    const { automations, bookings, close, mails, offering, proposals, sentAt, session, work } = await outfit()
    const { id: offering_id } = await offering("class", "Rafting")
    const session_id = await session(offering_id, nine)
    await bookings.create({ offering_id, session_id, customer: maya })
    await bookings.create({ offering_id, session_id, customer: jonas })
    await automations.update({
      automation: "weather",
      dial: "ask",
      settings: { default: { max_gust_kph: 60, look_ahead_hours: 48 } }
    })
    await sentAt(nine - 47 * hourMs)
    const { data: [proposal] } = await proposals.list({ status: "pending" })
    await proposals.approve({
      id: proposal?.id ?? "",
      draft: { body: "Hi {first_name}, {offering} at {meeting_point} is off.", subject: "No {offering}" }
    })
    await work()
    assert.deepEqual(mails.map(({ subject }) => subject), ["No Rafting", "No Rafting"])
    assert.sameMembers(mails.map(({ text }) => text.split("\n")[0]), [
      "Hi Jonas, Rafting at Boathouse is off.",
      "Hi Maya, Rafting at Boathouse is off."
    ])
    await close()
  })
})
