/** Tests the range of listed dates. The dates are local to the outfitter, and the range includes both ends. */
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

/** In Denver, it is still May 1. */
const moment = Instant.make(Date.parse("2027-05-02T04:30:00Z"))

describe("the availability date range", () => {
  let service: Service
  let path = ""
  beforeAll(async () => {
    service = await start({ clock: await Effect.runPromise(SettableClock.make(moment)) })
    await service.ask("PATCH", "/v1/org", { body: { timezone: "America/Denver" } })
    const body = { name: "Kayak", kind: "rental", max_advance_days: 730 }
    const { json } = await service.ask("POST", "/v1/offerings", { body })
    path = `/v1/offerings/${(json as { readonly id: string }).id}/availability`
  })
  afterAll(() => service.close())

  const local = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Denver" })
  const dates = async (query: string) => {
    const { json, status } = await service.ask("GET", `${path}${query}`)
    assert.strictEqual(status, 200, query)
    const { data, timezone } = json as {
      readonly timezone: string
      readonly data: ReadonlyArray<{ readonly starts_at: string }>
    }
    assert.strictEqual(timezone, "America/Denver")
    return data.map(({ starts_at }) => local.format(new Date(starts_at)))
  }
  const after = (date: string, days: number) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  const run = (first: string, days: number) => Array.from({ length: days }, (_, n) => after(first, n))

  it("defaults to 14 days", async () => {
    // Today has no slots left, because the outfitter closed at five.
    assert.deepStrictEqual(await dates(""), run("2027-05-02", 13))
    assert.deepStrictEqual(await dates("?from=2027-06-10"), run("2027-06-10", 14))
    assert.deepStrictEqual(await dates("?to=2027-05-03"), ["2027-05-02", "2027-05-03"])
    assert.deepStrictEqual(await dates("?from=2027-05-04&to=2027-05-04"), ["2027-05-04"])
  })

  it("is refused if reversed or longer than 366 days", async () => {
    const first = "2027-05-02"
    assert.deepStrictEqual(await dates(`?from=${first}&to=${after(first, 365)}`), run(first, 366))
    for (
      const [to, says] of [
        [after(first, 366), "to: the range must be at most 366 days"],
        [after(first, -1), "to: must not be before from"]
      ] as const
    ) {
      const answer = await service.ask("GET", `${path}?from=${first}&to=${to}`)
      assert.deepEqual([answer.status, errorOf(answer)], [400, { code: "invalid_request", message: says }])
    }
  })
})
