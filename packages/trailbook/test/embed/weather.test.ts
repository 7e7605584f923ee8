/** Tests a host's weather sources: their effect on trips, and their failures. */
import { createTrailbook, type Forecast, type Gauges, type Weather } from "trailbook"
import { assert, it } from "vitest"

const org = { name: "Salida River Co.", timezone: "America/Denver" }
const attribution = { text: "Our own station", url: "https://example.com/station" }
const hourMs = 3_600_000

/** Returns a five-day forecast with the given gusts. */
const gusty = (gustKph: number | null): Forecast => ({
  at: async () => ({
    hours: Array.from({ length: 120 }, (_, at) => {
      const from = Math.floor(Date.now() / hourMs) * hourMs + at * hourMs
      return {
        from,
        to: from + hourMs,
        tempC: 20,
        windKph: 10,
        gustKph,
        precipMm: 0,
        precipPct: 0,
        thunder: false
      }
    }),
    issuedAt: Date.now(),
    source: "Our station",
    attribution
  })
})

const high: Gauges = {
  at: async (site) => ({
    flowCfs: site === "pier" ? { value: 4000, at: Date.now() } : null,
    gageFt: null,
    source: "Our gauge",
    attribution
  })
}

/** Returns the proposals for a trip that starts in 20 hours, and the log. */
const proposed = async (weather: Weather | undefined) => {
  const lines: Array<string> = []
  const trailbook = await createTrailbook({
    database: ":memory:",
    org,
    weather,
    mailer: "none",
    log: (line) => void lines.push(line)
  })
  const { id } = await trailbook.offerings.create({
    name: "Float",
    kind: "class",
    lat: 38,
    lon: -106,
    gauge_site: "pier"
  })
  await trailbook.sessions.create({ offering_id: id, starts_at: new Date(Date.now() + 20 * hourMs).toISOString() })
  await trailbook.automations.update({
    automation: "weather",
    dial: "ask",
    settings: { default: { max_gust_kph: 60, min_temp_c: 5, max_flow_cfs: 3000 } }
  })
  await trailbook.worker.runOnce()
  const { data } = await trailbook.proposals.list()
  await trailbook.close()
  return { data, logged: lines.join() }
}

it("the agent proposes a cancellation based on the host's forecast and gauge", async () => {
  const { data: [one, ...others] } = await proposed({ forecast: gusty(80), gauges: high })
  assert.deepEqual(others, [])
  assert.deepEqual(one?.data["broken"], [
    { limit: "max_gust_kph", bound: 60, value: 80 },
    { limit: "max_flow_cfs", bound: 3000, value: 4000 }
  ])
  assert.deepEqual(one?.data["attribution"], [attribution, attribution])
})

it("the agent proposes no cancellation in fair weather or without a readable forecast", async () => {
  const brokenForecast: Forecast = { at: () => Promise.reject(new Error("key hunter2 was refused")) }
  for (
    const weather of [undefined, {}, { forecast: gusty(20) }, { forecast: gusty(null) }, {
      forecast: { at: async () => null }
    }]
  ) {
    assert.deepEqual((await proposed(weather)).data, [])
  }
  const { data, logged } = await proposed({ forecast: brokenForecast })
  assert.deepEqual(data, [])
  assert.include(logged, "The host application's weather failed: Error.")
  assert.notInclude(logged, "hunter2")
})

it("createTrailbook names the option in its error if the weather source is invalid", async () => {
  const wrong = async (weather: unknown): Promise<string> => {
    try {
      await createTrailbook({ database: ":memory:", org, weather: weather as Weather })
    } catch (error) {
      return error instanceof TypeError ? error.message : "another error"
    }
    return "none"
  }
  assert.match(await wrong({ sky: {} }), /^weather\.sky: is not an option. Valid options: forecast, gauges/)
  assert.match(await wrong({ forecast: {} }), /^weather\.forecast: must be an object with at\(\)/)
  assert.match(await wrong({ forecast: { source: "nws" } }), /^weather\.forecast: must be/)
  assert.match(await wrong({ gauges: { source: "usgs", url: "here" } }), /^weather\.gauges: must be/)
})
