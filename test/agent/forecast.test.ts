/** Tests that people and assistants read the same forecast that the ops agent acts on. */
import { createTrailbook } from "trailbook"
import { assert, it } from "vitest"

const hourMs = 3_600_000
/** 9 AM in Denver. */
const nine = Date.UTC(2027, 5, 5, 15)

it("forecast.get returns exceeded limits as the agent's proposals word them, and reports missing data", async () => {
  const now = nine - 24 * hourMs
  let gustKph = 90
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    clock: () => now,
    logLevel: "silent",
    mailer: "none",
    weather: {
      forecast: {
        at: async () => ({
          hours: Array.from({ length: 96 }, (_, at) => ({
            from: now + at * hourMs,
            to: now + (at + 1) * hourMs,
            tempC: 20,
            windKph: 10,
            gustKph,
            precipMm: null,
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
  const { automations, close, forecast, offerings, proposals, sessions, worker } = trailbook
  const place = { kind: "class", duration_minutes: 180 } as const
  const { id: raft } = await offerings.create({ ...place, name: "Rafting", lat: 38, lon: -106, gauge_site: "07091200" })
  const { id: walk } = await offerings.create({ ...place, name: "Walk" })
  const schedule = (offering_id: string, days: number) =>
    sessions.create({ offering_id, starts_at: new Date(nine + days * 24 * hourMs).toISOString() })
  const { data: [near] } = await schedule(raft, 0)
  await schedule(walk, 0)
  await schedule(raft, 2)
  await automations.update({
    automation: "weather",
    dial: "ask",
    settings: { default: { max_gust_kph: 60, max_precip_mm: 5 } }
  })
  const { data } = await forecast.get({ days: 14 })
  assert.deepStrictEqual(
    data.map(({ checked, offering, outside_limits }) => [offering, checked, outside_limits])
      .toSorted((a, b) => String(a) < String(b) ? -1 : 1),
    [
      ["Rafting", false, ["gusts of 55.9 mph (limit 37.3)"]],
      ["Rafting", true, ["gusts of 55.9 mph (limit 37.3)"]],
      ["Walk", true, []]
    ]
  )
  const rafting = data.find(({ session_id }) => session_id === near?.id)
  assert.deepInclude(rafting, { temp_c: [20, 20], gust_kph: 90, unknown_limits: ["max_precip_mm"], flow_cfs: null })
  assert.deepStrictEqual(rafting?.attribution, [{ text: "Station", url: "https://example.com/station" }])
  assert.match(rafting?.missing.join() ?? "", /is not configured/)
  assert.deepStrictEqual(data.find(({ offering }) => offering === "Walk")?.unknown_limits, [
    "max_gust_kph",
    "max_precip_mm"
  ])

  await worker.runOnce()
  const { data: pending } = await proposals.list({ status: "pending" })
  assert.deepStrictEqual(pending.map(({ session_id }) => session_id), [near?.id ?? ""])
  assert.include(JSON.stringify(pending), rafting?.outside_limits[0] ?? "-")

  const first = await forecast.get({ days: 14, limit: 2 })
  const rest = await forecast.get({ days: 14, limit: 2, cursor: first.next_cursor ?? "" })
  assert.deepStrictEqual([...first.data, ...rest.data], data)
  assert.lengthOf((await forecast.get({ offering_id: raft })).data, 1)

  gustKph = 20
  assert.isEmpty((await forecast.get({})).data.flatMap(({ outside_limits }) => outside_limits))
  await close()
})
