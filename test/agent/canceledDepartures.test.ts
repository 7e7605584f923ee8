/** Tests pending reminders for departures that are canceled before staff decide on them. */
import { createTrailbook, type Mail } from "trailbook"
import { assert, it } from "vitest"

const hourMs = 3_600_000
/** 9 AM in Denver. */
const nine = Date.UTC(2027, 5, 5, 15)

it("the pending reminder of a canceled departure expires", async () => {
  let now = nine - 60 * hourMs
  const mails: Array<Mail> = []
  const { automations, bookings, close, offerings, proposals, sessions, staff, worker } = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    publicUrl: "https://book.example.com",
    logLevel: "silent",
    mailer: { send: async (mail) => void mails.push(mail) }
  })
  await staff.add({ name: "Ana Owner", email: "ana@example.com", role: "owner" })
  const customer = { name: "Maya Okafor", email: "maya@example.com" }
  const starts_at = new Date(nine).toISOString()
  const { id: guide } = await offerings.create({ name: "Guide", kind: "appointment" })
  const single = await bookings.create({ offering_id: guide, starts_at, customer })
  const departure = async (name: string) => {
    const { id: offering_id } = await offerings.create({ name, kind: "class" })
    const { data: [session] } = await sessions.create({ offering_id, starts_at })
    await bookings.create({ offering_id, session_id: session?.id ?? "", customer })
    return session?.id ?? ""
  }
  const canceledId = await departure("Rafting")
  const keptId = await departure("Kayaking")
  const work = async () => {
    for (let round = 0; round < 3; round++) await worker.runOnce()
  }
  await work()
  mails.length = 0
  now = nine - 24 * hourMs
  await automations.update({ automation: "reminders", dial: "ask" })
  await work()
  const { data: before } = await proposals.list({ status: "pending" })
  assert.lengthOf(before, 3)

  await sessions.cancel({ id: canceledId })
  await bookings.cancel({ id: single.id })
  assert.deepEqual((await proposals.list({ status: "pending" })).data.map(({ session_id }) => session_id), [keptId])
  const pages: Array<string | null> = []
  for (let cursor: string | undefined, hasMore = true; hasMore;) {
    const page = await proposals.list({ status: "pending", limit: 1, ...cursor === undefined ? {} : { cursor } })
    pages.push(...page.data.map(({ session_id }) => session_id))
    cursor = page.next_cursor
    hasMore = cursor !== undefined
  }
  assert.deepEqual(pages, [keptId])
  const statuses = (await proposals.list()).data.map(({ session_id, status }) => [session_id, status])
  assert.sameDeepMembers(statuses, [[canceledId, "expired"], [null, "expired"], [keptId, "pending"]])

  now += hourMs / 4
  await work()
  const notices = mails.filter(({ to }) => to.email === "ana@example.com")
  assert.deepEqual(
    notices.map(({ subject }) => subject.startsWith("Needs approval: Send 24-hour reminder for Kayaking")),
    [
      true
    ]
  )
  for (const { id, session_id } of before.filter(({ session_id }) => session_id !== keptId)) {
    const refusal = await proposals.approve({ id }).then(() => undefined, (error: { readonly code?: unknown }) => error)
    assert.strictEqual(refusal?.code, "proposal_expired", String(session_id))
  }
  await work()
  assert.deepEqual(mails.filter(({ subject }) => subject.startsWith("Tomorrow")), [])
  await close()
})
