/** Tests emails to the staff about proposals that need approval. */
import { createTrailbook, type Mail } from "trailbook"
import { assert, it } from "vitest"

const hourMs = 3_600_000
/** 9 AM in Denver. */
const nine = Date.UTC(2027, 5, 5, 15)

it("owners receive one email about all pending proposals, weather first", async () => {
  let now = nine - 26 * hourMs
  const mails: Array<Mail> = []
  const { automations, bookings, close, offerings, proposals, sessions, staff, worker } = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    publicUrl: "https://book.example.com",
    logLevel: "silent",
    mailer: { send: async (mail) => void mails.push(mail) },
    weather: {
      forecast: {
        at: async () => ({
          hours: Array.from({ length: 48 }, (_, at) => ({
            from: now + at * hourMs,
            to: now + (at + 1) * hourMs,
            tempC: 10 + at % 2,
            windKph: 20,
            gustKph: 40,
            precipMm: 0,
            precipPct: 10,
            thunder: false
          })),
          issuedAt: now,
          source: "Station",
          attribution: { text: "Station", url: "https://example.com/station" }
        })
      },
      gauges: {
        at: async () => ({
          flowCfs: { value: 3420, at: now },
          gageFt: null,
          source: "Station",
          attribution: { text: "Station", url: "https://example.com/station" }
        })
      }
    }
  })
  await staff.add({ name: "Ana Owner", email: "ana@example.com", role: "owner" })
  const { id: offering_id } = await offerings.create({
    name: "Rafting",
    kind: "class",
    gauge_site: "07091200",
    lat: 38,
    lon: -106
  })
  const { data: [session] } = await sessions.create({ offering_id, starts_at: new Date(nine).toISOString() })
  const customer = { name: "Maya Okafor", email: "maya@example.com" }
  await bookings.create({ offering_id, session_id: session?.id ?? "", quantity: 3, customer })
  const work = async () => {
    for (let round = 0; round < 4; round++) await worker.runOnce()
  }
  await work()
  mails.length = 0
  now = nine - 2 * hourMs
  await automations.update({ automation: "brief", dial: "ask", settings: { see_you: false } })
  await automations.update({ automation: "weather", dial: "ask", settings: { default: { max_flow_cfs: 3000 } } })
  await work()
  now += hourMs / 4
  await work()
  const { data: pending } = await proposals.list({ status: "pending" })
  assert.lengthOf(pending, 2)
  const [mail, ...rest] = mails
  assert.deepEqual(rest.map(({ subject }) => subject), [])
  assert.strictEqual(mail?.to.email, "ana@example.com")
  assert.match(mail?.subject ?? "", /^Needs approval: Cancel Rafting, Sat, Jun 5 at 9:00 AM$/)
  for (const { id } of pending) assert.include(mail?.text, `https://book.example.com/dashboard/proposals#${id}`)
  const text = mail?.text ?? ""
  assert.strictEqual(text.split("a river flow of 3,420 cfs (limit 3,000)").length, 3)
  assert.include(text, "Because of a river flow of 3,420 cfs (limit 3,000).\n\nGuests to notify: 3\n\nDecide in time")
  assert.include(text, "This proposal expires Sat, Jun 5 at 9:00 AM.")
  assert.match(text, /- 9:00 AM: Rafting, 3 guests\. outside your limits: a river flow of .*river 3,420 cfs/i)
  for (const { id } of pending) {
    assert.include(mail?.html, `<a href="https://book.example.com/dashboard/proposals#${id}"`)
  }
  // Outfitters in Denver use US units by default.
  assert.include(mail?.text, "50 to 52 °F, wind 12 mph, gusts 25 mph, rain 10%")
  await close()
})
