import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createTrailbook } from "trailbook"
import { describe, expect, it, onTestFinished } from "vitest"
import { answer, database, folder, outfitter, trailbook } from "./program.ts"

/** Starts a gauge server that reports a current flow of 3,420 cubic feet per second. */
const gauge = async () => {
  const urls: Array<string | undefined> = []
  const server = createServer(({ headers }, response) => {
    urls.push(headers["user-agent"])
    response.setHeader("content-type", "application/json").end(JSON.stringify({
      type: "FeatureCollection",
      features: [{
        type: "Feature",
        geometry: null,
        properties: {
          monitoring_location_id: "USGS-07093700",
          parameter_code: "00060",
          time: new Date().toISOString(),
          value: "3420",
          unit_of_measure: "ft^3/s"
        }
      }]
    }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return { urls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const hourMs = 3_600_000

/** Creates a trip that starts in 30 hours, on a river with a flow limit. */
const rafting = async () => {
  const cwd = folder()
  await outfitter(cwd)
  const trailbook = await createTrailbook({
    database: `sqlite:${join(cwd, "a.sqlite")}`,
    org: "salida-river-co",
    logLevel: "silent"
  })
  const { id } = await trailbook.offerings.create({ name: "Float", kind: "class", gauge_site: "07093700" })
  const starts_at = new Date(Date.now() + 30 * hourMs).toISOString()
  const { data } = await trailbook.sessions.create({ offering_id: id, starts_at })
  await trailbook.bookings.create({
    offering_id: id,
    session_id: data[0]?.id ?? "",
    quantity: 2,
    customer: { email: "maya@example.com", name: "Maya Okafor" }
  })
  await trailbook.automations.update({
    automation: "weather",
    dial: "do_tell",
    settings: { offerings: { [id]: { max_flow_cfs: 3000 } } }
  })
  await trailbook.org.update({ quiet_from: null, quiet_to: null })
  await trailbook.close()
  return cwd
}

const preview = ["agent", "preview", ...database]

describe("agent preview", () => {
  it("prints each proposal with its reason, and changes nothing", async () => {
    const cwd = await rafting()
    const { urls, url } = await gauge()
    const options = ["--gauges", "usgs", "--gauges-url", url, "--forecast-contact", "ops@example.com"]
    const { code, stderr, stdout } = await trailbook([...preview, ...options], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/^Salida River Co\., \w{3}, /)
    expect(stdout).toContain("weather    do_tell\n  Cancel Float, ")
    expect(stdout).toContain("a river flow of 3,420 cfs (limit 3,000)")
    expect(stdout).toContain(
      "    The agent would execute this proposal immediately.\n    - messages.broadcast: Because of a river flow of "
    )
    expect(stdout).toContain("Subject: Canceled: Float")
    expect(stdout).toContain("We had to cancel Float on ")
    expect(stdout).toContain(
      "River data from the U.S. Geological Survey: https://waterdata.usgs.gov/monitoring-location/USGS-07093700/"
    )
    expect(stdout).toMatch(/fill {7}off\n {2}no proposals/)
    expect(stdout).not.toContain("Maya")
    expect(urls).toContain("Trailbook (ops@example.com)")

    const result = await answer([...preview, ...options], { cwd })
    const [weather] = result.automations as ReadonlyArray<{ readonly proposals: ReadonlyArray<object> }>
    expect(weather?.proposals).toMatchObject([{
      data: { broken: [{ limit: "max_flow_cfs", bound: 3000, value: 3420 }] },
      actions: [{ op: "messages.broadcast" }, { op: "sessions.cancel" }],
      money: false,
      is_there: false,
      run_at: result.at
    }])

    const after = await createTrailbook({ database: `sqlite:${join(cwd, "a.sqlite")}`, org: "salida-river-co" })
    expect((await after.proposals.list()).data).toEqual([])
    expect((await after.sessions.list()).data).toMatchObject([{ status: "scheduled", booked: 2 }])
    await after.close()
  })

  it("lists the proposals for a given time", async () => {
    const cwd = await rafting()
    const at = new Date(Date.now() + 7 * hourMs).toISOString()
    const result = await answer([...preview, "--at", at], { cwd })
    expect(result.at).toBe(at)
    const [weather, , , reminders] = result.automations as ReadonlyArray<{ readonly proposals: ReadonlyArray<object> }>
    expect(weather?.proposals).toEqual([])
    expect(reminders?.proposals).toMatchObject([{ data: { reminder: "before_24h" }, run_at: null }])
  })

  it("refuses conflicting settings before it opens the database", async () => {
    const cwd = folder()
    for (
      const [args, message] of [
        [["--forecast", "nws"], "--forecast nws requires --forecast-contact"],
        [["--forecast-key", "abc"], "--forecast-key requires --forecast"],
        [["--gauges-url", "http://127.0.0.1:1"], "--gauges-url requires --gauges"],
        [["--forecast", "sun"], "--forecast must be one of off, open-meteo, nws"]
      ] as const
    ) {
      const { code, stderr } = await trailbook([...preview, ...args], { cwd })
      expect(code).toBe(2)
      expect(stderr).toContain(message)
    }
  })
})
