import { Actor, makeHostActor } from "@trailbook/core/actor"
import { maxSlots } from "@trailbook/core/availability/Availability"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

const moment = Instant.make(Date.UTC(2027, 4, 1))
const metadata = { said: "x".repeat(16_000) }

let service: Service
let clock: SettableClock.SettableClock
let year = ""
let offering = ""

const run = (name: string, input: unknown): Promise<unknown> =>
  Effect.runPromise(
    Effect.provideService(service.registry.run(name, input), Actor, makeHostActor({ orgId: service.orgId })).pipe(
      Effect.withClock(clock)
    )
  )

beforeAll(async () => {
  clock = await Effect.runPromise(SettableClock.make(moment))
  service = await start({ clock, rateLimit: { perSecond: 10, burst: 20 } })
  const guideOffering = await run("offerings.create", {
    name: "Guide",
    kind: "appointment",
    duration_minutes: 5,
    slot_interval_minutes: 5,
    max_advance_days: 730
  })
  offering = (guideOffering as { id: string }).id
  const hours = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time: "00:00", end_time: "24:00" }))
  await run("offerings.set_hours", { id: offering, hours })
  year = `/v1/offerings/${offering}/availability?from=2027-05-01&to=2028-04-30`
  for (let at = 0; at < 200; at++) await run("customers.upsert", { email: `guest${at}@example.com`, metadata })
})

afterAll(() => service.close())

/** Creates a key that has not used any of its rate limit. */
const newKey = () => service.newKey()

const startExport = async (key: string): Promise<Response> =>
  service.handler(new Request(`${service.url}/v1/org/export`, { headers: { authorization: `Bearer ${key}` } }))

describe("a long response", () => {
  it("ends at a date boundary if it lists availability", async () => {
    const starts: Array<string> = []
    let path: string | undefined = year
    let answers = 0
    while (path !== undefined) {
      const { json, status } = await service.ask("GET", path, { key: await newKey() })
      assert.strictEqual(status, 200)
      const { data, next_from } = json as { data: ReadonlyArray<{ starts_at: string }>; next_from?: string }
      assert.isAtMost(data.length, maxSlots)
      for (const { starts_at } of data) starts.push(starts_at)
      path = next_from === undefined ? undefined : year.replace(/from=[^&]*/, `from=${next_from}`)
      answers++
    }
    // The offering has start times every 5 minutes on 366 local dates. The DST changes remove one hour and add another.
    assert.strictEqual(starts.length, 366 * 288)
    assert.strictEqual(new Set(starts).size, starts.length)
    assert.deepStrictEqual(starts, starts.toSorted())
    assert.strictEqual(answers, Math.ceil(366 / Math.floor(maxSlots / 288)))
  })

  it("has the same content when sent in chunks", async () => {
    const { text } = await service.ask("GET", year, { key: await newKey() })
    const whole = await run("availability.get", { id: offering, from: "2027-05-01", to: "2028-04-30" })
    assert.deepStrictEqual(JSON.parse(text), whole)
    const guests = await service.ask("GET", "/v1/customers?limit=500", { key: await newKey() })
    assert.strictEqual(guests.text, JSON.stringify(await run("customers.list", { limit: 500 })))
  })

  it("counts as one more request for each full 32 KiB", async () => {
    const key = await newKey()
    const ask = async (path: string) => {
      const { headers, status, text } = await service.ask("GET", path, { key })
      return { status, length: text.length, limit: headers.get("ratelimit"), wait: headers.get("retry-after") }
    }
    assert.strictEqual((await ask("/v1/org")).limit, "\"key\";r=19;t=1")
    const { length } = await ask(year)
    const tokens = 18 - Math.floor(length / 32_768)
    assert.isBelow(tokens, 0)
    // The clock is stopped, so no tokens are refilled and the count is exact.
    const next = await ask("/v1/org")
    assert.deepStrictEqual([next.status, next.limit], [429, `"key";r=0;t=${Math.ceil((20 - tokens) / 10)}`])
    assert.strictEqual(next.wait, String(Math.ceil((1 - tokens) / 10)))
    await Effect.runPromise(clock.advance(Number(next.wait) * 1000))
    assert.strictEqual((await ask("/v1/org")).status, 200)
  })
})

it("a long list response exhausts its key's rate limit", async () => {
  const key = await newKey()
  const { status, text } = await service.ask("GET", "/v1/customers?limit=500", { key })
  assert.strictEqual(status, 200)
  assert.isAbove(text.length, 3_000_000)
  assert.strictEqual((await service.ask("GET", "/v1/org", { key })).status, 429)
})

describe("an export", () => {
  it("is refused while the outfitter has another one in progress", async () => {
    const first = await startExport(await newKey())
    assert.strictEqual(first.status, 200)
    const second = await service.ask("GET", "/v1/org/export", { key: await newKey() })
    assert.strictEqual(second.status, 429)
    assert.strictEqual(errorOf(second).code, "export_limited")
    assert.strictEqual(second.headers.get("retry-after"), "10")
    const whole = await first.json() as { customers: ReadonlyArray<unknown> }
    assert.strictEqual(whole.customers.length, 200)
    const third = await startExport(await newKey())
    assert.deepStrictEqual(
      Object.keys(await third.json() as object),
      Object.keys(await run("org.export", {}) as object)
    )
  })

  it("is aborted if the client does not read it", async () => {
    const stalledExport = await startExport(await newKey())
    assert.strictEqual(stalledExport.status, 200)
    await Effect.runPromise(clock.advance(5000))
    // The previous response's memory has been freed, so the next request succeeds.
    let answer = await startExport(await newKey())
    while (answer.status === 429) answer = await startExport(await newKey())
    await answer.text()
    const outcome = await stalledExport.text().then(() => "whole", () => "broken off")
    assert.strictEqual(outcome, "broken off")
    assert.isTrue(service.log.some(({ code }) => code === "broken_off"))
  })

  it("ends when the client disconnects, so that another export can start", async () => {
    const firstExport = await startExport(await newKey())
    await firstExport.body?.cancel()
    let answer = await startExport(await newKey())
    while (answer.status === 429) answer = await startExport(await newKey())
    assert.strictEqual(answer.status, 200)
    await answer.text()
  })
})
