import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { errorOf, type Options, type Service, start } from "./Service.ts"

const moment = Instant.make(Date.UTC(2027, 4, 1))

const during = async (
  options: Options,
  use: (service: Service, advance: (ms: number) => Promise<void>) => Promise<void>
): Promise<void> => {
  const clock = await Effect.runPromise(SettableClock.make(moment))
  const service = await start({ ...options, clock })
  try {
    await use(service, (ms) => Effect.runPromise(clock.advance(ms)))
  } finally {
    await service.close()
  }
}

describe("the rate limit", () => {
  it("allows each key a burst and then a steady rate", () =>
    during({ rateLimit: { perSecond: 2, burst: 3 } }, async ({ ask, newKey }, advance) => {
      const statuses = async (count: number) => {
        const answers = []
        for (let at = 0; at < count; at++) answers.push((await ask("GET", "/v1/org")).status)
        return answers
      }
      assert.deepStrictEqual(await statuses(5), [200, 200, 200, 429, 429])
      await advance(1000)
      assert.deepStrictEqual(await statuses(3), [200, 200, 429])
      // The limit affects neither other callers nor public endpoints.
      assert.strictEqual((await ask("GET", "/v1/org", { key: await newKey() })).status, 200)
      assert.strictEqual((await ask("GET", "/livez")).status, 200)
    }))

  it("reports the remaining requests and wait time in headers", () =>
    during({ rateLimit: { perSecond: 0.5, burst: 2 } }, async ({ ask }) => {
      const first = await ask("GET", "/v1/org")
      assert.strictEqual(first.headers.get("ratelimit-policy"), "\"key\";q=2;w=4")
      assert.strictEqual(first.headers.get("ratelimit"), "\"key\";r=1;t=2")
      assert.isNull(first.headers.get("retry-after"))
      // Every response costs one token.
      const wrong = await ask("GET", "/v1/bookings/1")
      assert.strictEqual(wrong.status, 400)
      assert.strictEqual(wrong.headers.get("ratelimit"), "\"key\";r=0;t=4")
      const response = await ask("GET", "/v1/org")
      assert.strictEqual(response.status, 429)
      assert.strictEqual(errorOf(response).code, "rate_limited")
      assert.strictEqual(response.headers.get("retry-after"), "2")
      assert.strictEqual(response.headers.get("ratelimit"), "\"key\";r=0;t=4")
    }))

  it("is 100 a second with a burst of 200 by default", () =>
    during({}, async ({ ask }) => {
      const { headers } = await ask("GET", "/v1/org")
      assert.strictEqual(headers.get("ratelimit-policy"), "\"key\";q=200;w=2")
      assert.strictEqual(headers.get("ratelimit"), "\"key\";r=199;t=1")
    }))

  it("is disabled if it is set to 0", () =>
    during({ rateLimit: { perSecond: 0 } }, async ({ ask }) => {
      // Each round stays below the per-network connection limit, but together the rounds exceed the default burst.
      const answers = []
      for (let round = 0; round < 3; round++) {
        answers.push(...await Promise.all(Array.from({ length: 100 }, () => ask("GET", "/v1/org"))))
      }
      assert.isTrue(answers.every(({ status }) => status === 200))
      assert.isNull(answers[0]?.headers.get("ratelimit"))
      assert.isNull(answers[0]?.headers.get("ratelimit-policy"))
    }))

  it("limits an address to 20 failures a minute", () =>
    during({}, async ({ ask }, advance) => {
      const askWrongKey = async () => (await ask("GET", "/v1/org", { key: "tb_live_wrong" })).status
      const statuses = []
      for (let at = 0; at < 21; at++) statuses.push(await askWrongKey())
      assert.deepStrictEqual(statuses, [...Array.from({ length: 20 }, () => 401), 429])
      const response = await ask("GET", "/v1/org", { key: null })
      assert.strictEqual(response.status, 429)
      assert.strictEqual(errorOf(response).code, "rate_limited")
      assert.strictEqual(response.headers.get("retry-after"), "3")
      assert.strictEqual((await ask("GET", "/v1/org")).status, 200)
      await advance(3000)
      assert.deepStrictEqual([await askWrongKey(), await askWrongKey()], [401, 429])
    }))

  it("counts failures by the client address behind a trusted proxy", () =>
    during({
      rateLimit: { failuresPerMinute: 1 },
      listen: { remoteAddressOf: ({ headers }) => String(headers["x-real-ip"]) }
    }, async ({ ask }) => {
      const askWithoutKey = async (address: string) =>
        (await ask("GET", "/v1/org", { key: null, headers: { "x-real-ip": address } })).status
      assert.deepStrictEqual([await askWithoutKey("192.0.2.1"), await askWithoutKey("192.0.2.1")], [401, 429])
      assert.strictEqual(await askWithoutKey("192.0.2.2"), 401)
    }))
})
