/** Tests that an outfitter's export contains all of the ops agent's automations and proposals. */
import { createTrailbook } from "trailbook"
import { assert, it } from "vitest"

const hourMs = 3_600_000

it("an outfitter's export contains the automations and proposals that the API lists", async () => {
  const now = Date.UTC(2027, 5, 2, 18)
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    mailer: "none",
    logLevel: "silent"
  })
  const { id: offering_id } = await trailbook.offerings.create({ name: "Rafting", kind: "class", capacity: 1 })
  const { data } = await trailbook.sessions.create({
    offering_id,
    starts_at: new Date(now + 72 * hourMs).toISOString()
  })
  const customer = { email: "ada@example.com", name: "Ada" }
  await trailbook.bookings.create({ offering_id, session_id: data[0]?.id ?? "", customer })
  for (const [automation, dial] of [["fill", "do_quiet"], ["brief", "ask"]] as const) {
    await trailbook.automations.update({ automation, dial })
  }
  for (let round = 0; round < 2; round++) await trailbook.worker.runOnce()
  const { automations, proposals } = await trailbook.org.export()
  assert.deepStrictEqual(automations, (await trailbook.automations.list({})).data)
  assert.deepStrictEqual(automations.map(({ dial }) => dial).toSorted(), ["ask", "do_quiet", "off", "off"])
  assert.deepStrictEqual(proposals, (await trailbook.proposals.list({ limit: 500 })).data)
  assert.include(proposals.map(({ status }) => status), "done")
  await trailbook.close()
})
