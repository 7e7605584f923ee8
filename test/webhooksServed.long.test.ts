/**
 * Kills and suspends servers and workers that deliver to receivers of all kinds, and checks the received requests. `npm
 * run test:reliability -- deliveries` runs a longer version.
 */
import { assert, describe, it } from "vitest"
import { postgres, sqlite, type Target } from "./reliability/Target.ts"
import { checkDeliveries, type Endpoint, nothingWrong, type Strike } from "./webhooks/checkDeliveries.ts"
import { deliveryRun, type Outcome } from "./webhooks/deliveryRun.ts"
import type { Arrival } from "./webhooks/ReceiverServer.ts"
import type { Workers } from "./webhooks/Workers.ts"

const seed = process.env["RELIABILITY_SEED"] ?? "every run"

/** A hanging receiver takes 5 seconds. A healthy receiver must not wait for it, even on a busy machine. */
const promptMillis = 3000

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity

const runDeliveries = async (target: Target, workers: number): Promise<Outcome> => {
  try {
    return await deliveryRun({
      target,
      workers,
      seed,
      everyMillis: 300,
      quietSeconds: 6,
      strikes: async function*(workers: Workers, dice, endLeases): AsyncGenerator<Strike> {
        // The leases of killed workers are expired manually, because they last 30 seconds.
        yield await workers.killAll(endLeases)
        yield await workers.stall(dice, 1500)
      }
    })
  } finally {
    await target.close()
  }
}

describe.concurrent("every receiver gets its subscribed events in order while processes are killed, on", () => {
  it.each([
    ["Postgres with a server and two workers", postgres, 2],
    ["SQLite with a server that also runs the worker", sqlite, 0]
  ])("%s", async (_, open, workers) => {
    const outcome = await runDeliveries(await open(), workers)
    assert.deepStrictEqual(outcome.verdict, nothingWrong)
    assert.isAbove(outcome.taken, 100)
    assert.isAbove(outcome.failed, 20)
    assert.isAbove(outcome.delayMillis.length, 10)
    assert.isBelow(median(outcome.delayMillis), promptMillis)
  }, 240_000)
})

describe("the delivery checker", () => {
  const at = 1_000_000
  const log = [1, 2, 3, 4, 5].map((id) => ({ id, type: id % 2 === 0 ? "org.updated" : "booking.held", data: { id } }))
  const arrival = (id: number, fields: Partial<Arrival> = {}): Arrival => ({
    eventId: id,
    body: JSON.stringify({ id, type: log[id - 1]?.type, created_at: "2026-07-01T12:00:00.000Z", data: { id } }),
    header: undefined,
    at: at + id * 1000,
    inFlight: 1,
    endedAt: at + id * 1000 + 1,
    status: 200,
    ...fields
  })
  const all = log.map(({ id }) => arrival(id))
  const checkArrivals = (
    arrivals: ReadonlyArray<Arrival>,
    options: Partial<Endpoint> = {},
    strikes: ReadonlyArray<Strike> = []
  ) => checkDeliveries({ name: "it", arrivals, events: ["*"], after: 0, upTo: 5, ...options }, log, strikes)
  const complaints = (...args: Parameters<typeof checkArrivals>) => checkArrivals(...args).verdict

  it("accepts a correct receiver", () => {
    assert.deepStrictEqual(complaints(all), nothingWrong)
    assert.deepStrictEqual(complaints([arrival(4)], { events: ["org.updated"], after: 2 }), nothingWrong)
    assert.deepStrictEqual(complaints([arrival(1, { status: 500 }), ...all]), nothingWrong)
    assert.deepStrictEqual(complaints([arrival(1, { status: undefined })], { upTo: 0 }), nothingWrong)
  })

  it("reports a missing delivery", () => {
    assert.lengthOf(complaints(all.slice(0, 4)).missing, 1)
    assert.lengthOf(complaints([...all.slice(0, 4), arrival(5, { status: 500 })]).missing, 1)
    assert.lengthOf(complaints([arrival(2)], { events: ["org.updated"] }).missing, 1)
    assert.lengthOf(complaints(all.slice(0, 4), { upTo: 4 }).missing, 0)
  })

  it("reports out-of-order and unsubscribed events", () => {
    assert.lengthOf(complaints([arrival(2), ...all]).outOfOrder, 1)
    assert.lengthOf(complaints([arrival(1, { status: 500 }), arrival(2), ...all]).outOfOrder, 1)
    assert.lengthOf(complaints([arrival(2), arrival(3), arrival(4)], { events: ["org.updated"] }).outOfOrder, 1)
    assert.lengthOf(complaints([arrival(2), ...all.slice(2)], { after: 2 }).outOfOrder, 1)
  })

  it("reports repeated deliveries that were not caused by a killed process", () => {
    const again = [arrival(1), arrival(2), arrival(2, { at: at + 40_000 }), ...all.slice(2)]
    const kill = { from: at + 2500, to: at + 2500, outlastsLease: false }
    assert.lengthOf(complaints(again).repeated, 1)
    assert.deepStrictEqual(complaints(again, {}, [kill]), nothingWrong)
    assert.strictEqual(checkArrivals(again, {}, [kill]).duplicates, 1)
    assert.lengthOf(complaints(again, {}, [{ ...kill, from: at + 60_000, to: at + 60_000 }]).repeated, 1)
    const answered = (millis: number) =>
      all.flatMap((one) =>
        one.eventId === 2 ? [{ ...one, endedAt: kill.to + millis }, { ...one, at: kill.to + 1000 }] : [one]
      )
    assert.lengthOf(complaints(answered(400), {}, [kill]).repeated, 0)
    assert.lengthOf(complaints(answered(600), {}, [kill]).repeated, 1)
    const older = [arrival(1), arrival(2), arrival(1, { at: at + 40_000 }), ...all.slice(2)]
    assert.lengthOf(complaints(older, {}, [kill]).repeated, 1)
    const frozen = { from: at + 2500, to: at + 35_000, outlastsLease: true }
    assert.lengthOf(complaints(older, {}, [frozen]).repeated, 0)
    assert.lengthOf(complaints([...older, arrival(2, { at: at + 41_000 })], {}, [frozen]).repeated, 1)
  })

  it("reports concurrent requests, unless a sender was paused", () => {
    const two = [arrival(1, { status: undefined }), arrival(1, { inFlight: 2 }), ...all.slice(1)]
    assert.lengthOf(complaints(two).overlapping, 1)
    assert.lengthOf(complaints(two, {}, [{ from: at, to: at + 900, outlastsLease: false }]).overlapping, 1)
    assert.lengthOf(complaints(two, {}, [{ from: at, to: at + 40_000, outlastsLease: true }]).overlapping, 0)
  })

  it("reports an event that differs from the stored one", () => {
    assert.lengthOf(complaints([arrival(1, { body: JSON.stringify({ id: 1, data: {} }) }), ...all.slice(1)]).altered, 1)
  })
})
