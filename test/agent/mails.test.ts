/** Tests the emails that guests receive from the ops agent. */
import { createTrailbook, type Mail } from "trailbook"
import { assert, it } from "vitest"

const hourMs = 3_600_000
/** 9 AM in Denver. */
const nine = Date.UTC(2027, 5, 5, 15)

const outfit = async (gustKph = 10) => {
  let now = nine - 60 * hourMs
  const mails: Array<Mail> = []
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    publicUrl: "https://book.example.com",
    logLevel: "silent",
    mailer: { send: async (mail) => void mails.push(mail) },
    weather: {
      forecast: {
        at: async () => ({
          hours: Array.from({ length: 96 }, (_, at) => ({
            from: now + at * hourMs,
            to: now + (at + 1) * hourMs,
            tempC: 20,
            windKph: 10,
            gustKph,
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
  const { id: offering_id } = await trailbook.offerings.create({
    name: "Rafting",
    kind: "class",
    location: "Boathouse, Riverside Park",
    lat: 38,
    lon: -106
  })
  const { data: [session] } = await trailbook.sessions.create({ offering_id, starts_at: new Date(nine).toISOString() })
  for (
    const [name, email] of [["Maya Okafor", "maya@example.com"], ["Jonas Lindqvist", "jonas@example.com"]] as const
  ) {
    await trailbook.bookings.create({ offering_id, session_id: session?.id ?? "", customer: { name, email } })
  }
  /** Returns the emails that the worker sends at `moment`, except emails about bookings. */
  const sentAt = async (moment: number): Promise<ReadonlyArray<Mail>> => {
    now = moment
    mails.length = 0
    for (let round = 0; round < 3; round++) await trailbook.worker.runOnce()
    return mails.filter(({ subject }) => !subject.startsWith("Booking "))
  }
  return { ...trailbook, offering_id, sentAt, session_id: session?.id ?? "" }
}

it("the agent sends each guest one complete reminder email", async () => {
  const { automations, close, sentAt } = await outfit()
  await automations.update({ automation: "reminders", dial: "do_quiet" })
  const mails = await sentAt(nine - 24 * hourMs)
  assert.deepEqual(mails.map(({ to }) => to.email).toSorted(), ["jonas@example.com", "maya@example.com"])
  const maya = mails.find(({ to }) => to.email === "maya@example.com")
  assert.strictEqual(maya?.automatic, "generated")
  assert.strictEqual(maya?.subject, "Tomorrow: Rafting")
  const [before, link, after, ...rest] = maya?.text.split(/(https:\/\/book\.example\.com\/b\/[\w-]+)/) ?? []
  assert.match(
    before ?? "",
    /^Hi Maya,\n\nThis is a reminder that Rafting starts on Sat, Jun 5 at 9:00 AM\. We look forward to seeing you\.\n\nMeeting point: Boathouse, Riverside Park\nMap: https:\/\/www\.openstreetmap\.org\/\S+\n\nIf your plans have changed, reply to this message\.\n\nYour booking:\n- [0-9A-Z]{8}, 1 guest: $/
  )
  assert.strictEqual(after, "\n\n-- \nSalida River Co.\n")
  assert.include(maya?.html, `<a href="${link}">${link}</a>`)
  assert.deepEqual(rest, [])
  assert.lengthOf(await sentAt(nine - 23 * hourMs), 0)
  await close()
})

it("a guest with two bookings for a departure gets one reminder", async () => {
  const { automations, bookings, close, offering_id, sentAt, session_id } = await outfit()
  const customer = { name: "Maya Okafor", email: "maya@example.com" }
  const { reference } = await bookings.create({ offering_id, session_id, quantity: 3, customer })
  await automations.update({ automation: "reminders", dial: "do_quiet" })
  const mails = await sentAt(nine - 24 * hourMs)
  assert.deepEqual(mails.map(({ to }) => to.email).toSorted(), ["jonas@example.com", "maya@example.com"])
  const maya = mails.find(({ to }) => to.email === "maya@example.com")
  assert.match(maya?.text ?? "", /Your bookings:\n- \S+, . guests?: .*\n- \S+, . guests?: /)
  assert.include(maya?.text, `${reference}, 3 guests: `)
  await close()
})

it("a reminder delayed by quiet hours states that the trip is today", async () => {
  const { automations, bookings, close, offering_id, org, sentAt, sessions } = await outfit()
  await org.update({ quiet_from: 21, quiet_to: 7 })
  const evening = nine + 12.5 * hourMs
  const { data: [float] } = await sessions.create({ offering_id, starts_at: new Date(evening).toISOString() })
  const customer = { name: "Hana Sato", email: "hana@example.com" }
  await bookings.create({ offering_id, session_id: float?.id ?? "", customer })
  await automations.update({ automation: "reminders", dial: "do_quiet" })
  assert.deepEqual(await sentAt(evening - 24 * hourMs), [])
  const mails = await sentAt(nine - 1.9 * hourMs)
  assert.deepEqual(mails.filter(({ to }) => to.email === customer.email).map(({ subject }) => subject), [
    "Today: Rafting"
  ])
  await close()
})

it("no reminder is sent while a weather cancellation is waiting for approval", async () => {
  const { automations, close, proposals, sentAt } = await outfit(90)
  await automations.update({ automation: "weather", dial: "ask", settings: { default: { max_gust_kph: 60 } } })
  assert.deepEqual(await sentAt(nine - 24.5 * hourMs), [])
  await automations.update({ automation: "reminders", dial: "do_quiet" })
  assert.deepEqual(await sentAt(nine - 24 * hourMs), [])
  const { data: [one] } = await proposals.list({ status: "pending" })
  await proposals.dismiss({ id: one?.id ?? "" })
  assert.lengthOf(await sentAt(nine - 23 * hourMs), 2)
  await close()
})

it("a weather proposal expires the pending fill proposal for the same session", async () => {
  const { automations, close, proposals, sentAt } = await outfit(90)
  await automations.update({ automation: "fill", dial: "ask", settings: { min_guests: 4, min_guests_hours: 48 } })
  await sentAt(nine - 35 * hourMs)
  assert.lengthOf((await proposals.list({ status: "pending" })).data, 1)
  await automations.update({ automation: "weather", dial: "ask", settings: { default: { max_gust_kph: 60 } } })
  await sentAt(nine - 34 * hourMs)
  const { data: pending } = await proposals.list({ status: "pending" })
  assert.deepEqual(pending.map(({ automation }) => automation), ["weather"])
  const { data: [fill] } = await proposals.list({ automation: "fill" })
  assert.include(fill, { status: "expired", decided_by: null })
  await close()
})

it("a saved reply can replace the default reminder", async () => {
  const { automations, close, saved_replies, sentAt } = await outfit()
  const { id } = await saved_replies.create({
    title: "Previous day",
    body: "Dear {first_name}, {offering} meets at {meeting_point}: {start_time}. {booking_link} {org}"
  })
  await automations.update({ automation: "reminders", dial: "do_quiet", settings: { before_24h_reply_id: id } })
  const mails = await sentAt(nine - 24 * hourMs)
  const maya = mails.find(({ to }) => to.email === "maya@example.com")
  assert.match(
    maya?.text ?? "",
    /^Dear Maya, Rafting meets at Boathouse, Riverside Park: Sat, Jun 5 at 9:00 AM\. https:\/\/book\.example\.com\/b\/[\w-]{20,} Salida River Co\.\n/
  )
  await close()
})

it("a staff member's draft replaces the reminder to one guest only", async () => {
  const { automations, close, proposals, sentAt } = await outfit()
  await automations.update({ automation: "reminders", dial: "ask" })
  assert.lengthOf(await sentAt(nine - 24 * hourMs), 0)
  const { data: [one] } = await proposals.list({ status: "pending" })
  await proposals.approve({
    id: one?.id ?? "",
    draft: { subject: "Bring a hat", body: "Hi {first_name}, it will be hot." }
  })
  const mails = await sentAt(nine - 24 * hourMs + 60_000)
  assert.lengthOf(mails, 2)
  const [draftedMail, ...others] = mails.filter(({ text }) => text.includes("it will be hot"))
  assert.strictEqual(draftedMail?.subject, "Bring a hat")
  assert.match(draftedMail?.text ?? "", /^Hi (?:Maya|Jonas), it will be hot\.\n/)
  assert.deepEqual(others, [])
  await close()
})

it("the agent emails cancellations with a reason, day-of-trip notes, and thank-yous", async () => {
  const windy = await outfit(90)
  await windy.automations.update({
    automation: "weather",
    dial: "do_tell",
    settings: { default: { max_gust_kph: 60 } }
  })
  const off = await windy.sentAt(nine - 40 * hourMs)
  assert.deepEqual(off.map(({ to }) => to.email).toSorted(), ["jonas@example.com", "maya@example.com"])
  for (const { subject, text } of off) {
    assert.strictEqual(subject, "Canceled: Rafting")
    assert.match(
      text,
      /^Hi (?:Maya|Jonas),\n\nWe had to cancel Rafting on Sat, Jun 5 at 9:00 AM because of strong gusts of wind\. We are sorry, but your safety/
    )
    assert.include(text, "You do not need to do anything.")
  }
  await windy.close()

  const calm = await outfit()
  await calm.org.update({ review_url: "https://example.com/review" })
  await calm.automations.update({ automation: "brief", dial: "do_quiet" })
  await calm.automations.update({
    automation: "reminders",
    dial: "do_quiet",
    settings: { before_24h: false, before_2h: false, after_6h: true }
  })
  const note = await calm.sentAt(nine - hourMs)
  assert.deepEqual(note.map(({ subject }) => subject), Array(2).fill("See you today at Salida River Co."))
  const { data: [brief] } = await calm.proposals.list({ automation: "brief" })
  assert.include(JSON.stringify(brief?.data), "\"guests\":2")
  assert.include(JSON.stringify(brief?.data), "https://example.com/station")
  const thanks = await calm.sentAt(nine + 9 * hourMs)
  assert.lengthOf(thanks, 2)
  for (const { text } of thanks) assert.include(text, "leave a review: https://example.com/review")
  await calm.close()
})

it("automation settings cannot name a nonexistent offering or saved reply", async () => {
  const { automations, close, offering_id, offerings } = await outfit()
  const unknown = "0197c0de-0000-7000-8000-00000000beef"
  const trySettings = (settings: object, automation: "weather" | "reminders") =>
    automations.update({ automation, settings: { ...settings } }).then(() => "taken", ({ message }) => String(message))
  assert.strictEqual(
    await trySettings({ offerings: { [offering_id]: {}, [unknown]: { max_gust_kph: 1 } } }, "weather"),
    `settings.offerings.${unknown}: is not one of this outfitter's offerings`
  )
  assert.strictEqual(
    await trySettings({ before_24h_reply_id: unknown }, "reminders"),
    "settings.before_24h_reply_id: is not one of this outfitter's saved replies"
  )
  assert.strictEqual(await trySettings({ offerings: { [offering_id]: { max_gust_kph: 1 } } }, "weather"), "taken")
  assert.strictEqual(await trySettings({ before_24h_reply_id: null }, "reminders"), "taken")
  await offerings.delete({ id: offering_id, cancel_bookings: true })
  assert.match(
    await trySettings({ offerings: { [offering_id]: {} } }, "weather"),
    /is not one of this outfitter's offerings/
  )
  await close()
})

it("a thank-you email requires a review_url", async () => {
  const { automations, close, org, sentAt } = await outfit()
  const thank = { automation: "reminders", dial: "do_quiet", settings: { before_2h: false, after_6h: true } } as const
  const before = await automations.list()
  const refusal = await automations.update(thank).then(
    () => undefined,
    (error: Readonly<Record<string, unknown>>) => error
  )
  assert.strictEqual(refusal?.["code"], "invalid_request")
  assert.strictEqual(
    refusal?.["message"],
    "settings.after_6h: requires a review link. Set the review link (review_url) first."
  )
  assert.deepEqual(await automations.list(), before)
  const off = await automations.update({ ...thank, settings: { after_6h: false } })
  assert.strictEqual(off.settings["after_6h"], false)
  await org.update({ review_url: "https://example.com/review" })
  assert.strictEqual((await automations.update(thank)).settings["after_6h"], true)
  await org.update({ review_url: null })
  assert.deepEqual(await sentAt(nine + 9 * hourMs), [])
  await close()
})

it("a booking that moves to another session gets no second reminder", async () => {
  const { automations, bookings, close, offering_id, proposals, sentAt, sessions } = await outfit()
  await automations.update({ automation: "reminders", dial: "do_quiet" })
  assert.lengthOf(await sentAt(nine - 24 * hourMs), 2)
  const { data: [later] } = await sessions.create({
    offering_id,
    starts_at: new Date(nine + 96 * hourMs).toISOString()
  })
  const { data: [first] } = await bookings.list({ limit: 1 })
  await bookings.move({ id: first?.id ?? "", session_id: later?.id ?? "" })
  const again = await sentAt(nine + 72 * hourMs)
  assert.deepEqual(again.filter(({ subject }) => subject.startsWith("Tomorrow")), [])
  assert.deepEqual((await proposals.list({ status: "failed" })).data, [])
  await close()
})
