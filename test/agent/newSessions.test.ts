/** Tests the fill automation and new sessions. */
import { createTrailbook, type Mail } from "trailbook"
import { assert, describe, it } from "vitest"

const hourMs = 3_600_000
/** 9 AM in Denver. */
const nine = Date.UTC(2027, 5, 5, 15)

const outfit = async (dial: "do_tell" | "do_quiet") => {
  let now = nine - 72 * hourMs
  const mails: Array<Mail> = []
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    publicUrl: "https://book.example.com",
    logLevel: "silent",
    mailer: { send: async (mail) => void mails.push(mail) }
  })
  await trailbook.staff.add({ name: "Ana Owner", email: "ana@example.com", role: "owner" })
  const { id: offering_id } = await trailbook.offerings.create({ name: "Rafting", kind: "class", capacity: 4 })
  const open = async (startsAt: number) => {
    const { data: [session] } = await trailbook.sessions.create({
      offering_id,
      starts_at: new Date(startsAt).toISOString()
    })
    return session?.id ?? assert.fail("no session")
  }
  await trailbook.automations.update({
    automation: "fill",
    dial,
    settings: { full_pct: 80, min_guests: 2, min_guests_hours: 48 }
  })
  const at = async (moment: number) => {
    now = moment
    for (let round = 0; round < 3; round++) await trailbook.worker.runOnce()
    const { data } = await trailbook.sessions.list({})
    return data.map(({ starts_at, status }) => [Date.parse(starts_at), status] as const)
  }
  return { ...trailbook, at, mails, offering_id, open }
}

describe("the fill automation", () => {
  it("does not cancel an empty session that it opened itself", async () => {
    const { at, bookings, close, offering_id, open } = await outfit("do_quiet")
    const session_id = await open(nine - 24 * hourMs)
    await bookings.create({ offering_id, session_id, quantity: 4, customer: { name: "Maya", email: "m@example.com" } })
    const sessions = [[nine - 24 * hourMs, "scheduled"], [nine, "scheduled"]] as const
    assert.deepEqual(await at(nine - 45 * hourMs), sessions.map((row) => [...row] as const))
    for (const hours of [44, 30, 1]) assert.deepEqual((await at(nine - hours * hourMs)).at(-1), [nine, "scheduled"])
    await close()
  })

  it("cancels an empty session that staff opened", async () => {
    const { at, close, mails, open, proposals } = await outfit("do_tell")
    await open(nine)
    assert.deepEqual(await at(nine - 49 * hourMs), [[nine, "scheduled"]])
    assert.deepEqual(await at(nine - 47 * hourMs), [[nine, "cancelled"]])
    assert.deepEqual((await proposals.list({ status: "done" })).data.map(({ automation }) => automation), ["fill"])
    assert.deepEqual(mails, [])
    await close()
  })
})
