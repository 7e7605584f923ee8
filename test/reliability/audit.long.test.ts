/**
 * Tests the audit itself. Each test corrupts the database from a correct run, and the audit must report the corruption.
 */
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeCounter } from "./Counter.ts"
import { dice } from "./dice.ts"
import { type Findings, noFindings } from "./Findings.ts"
import { startFleet } from "./Fleet.ts"
import { check, close, open, play, type Season } from "./season.ts"
import { copyOf, sqlite, type Target } from "./Target.ts"

const quiet = { name: "nothing", strike: async () => undefined }

/** Runs statements against a copy of the database and returns the audit's findings. */
const after = async (target: Target, season: Season, ...statements: ReadonlyArray<string>): Promise<Findings> => {
  const copy = await copyOf(target)
  try {
    await Effect.runPromise(Effect.provide(
      Effect.flatMap(Database, ({ execute }) => Effect.forEach(statements, (text) => execute(text))),
      copy.storage
    ))
    return await check(season, copy)
  } finally {
    await copy.close()
  }
}

/** Returns a booking whose last acknowledged status is confirmed. */
const confirmedBooking = ({ guests }: Season) => {
  for (const order of guests.flatMap(({ orders }) => orders)) {
    if (order.answer.kind === "booked" && order.answer.now.status === "confirmed") return order.answer
  }
  return assert.fail("no guest has a confirmed booking")
}

describe("the audit", () => {
  let target: Target
  let season: Season
  beforeAll(async () => {
    target = await sqlite()
    const fleet = await startFleet(target.url, target.folder, 1)
    const counter = makeCounter()
    season = await open(target, fleet, dice("controls"), counter)
    await play(season, fleet, quiet, dice("controls"), counter)
    await check(season, target)
    await close(season)
    await fleet.stop()
  })
  afterAll(() => target.close())

  it("accepts an ordinary run", async () => {
    assert.isAbove(season.sizes.events, 60)
    assert.deepStrictEqual(await check(season, target), noFindings)
  })

  it("reports a missing acknowledged booking", async () => {
    const { id, reference } = confirmedBooking(season)
    const { lost } = await after(
      target,
      season,
      `delete from bookings where id = '${id}'`
    )
    assert.include(lost.join("\n"), `booking ${reference}`)
    assert.include(lost.join("\n"), "is missing")
  })

  it("reports an acknowledged cancellation or move that was lost", async () => {
    const { id, reference } = confirmedBooking(season)
    const movedFindings = await after(
      target,
      season,
      `update bookings set starts_at = starts_at - 60000 where id = '${id}'`
    )
    assert.include(movedFindings.lost.join("\n"), `booking ${reference}`)
    const heldFindings = await after(
      target,
      season,
      `update bookings set status = 'cancelled', cancelled_at = created_at where id = '${id}'`
    )
    assert.include(heldFindings.lost.join("\n"), "was acknowledged as confirmed but is cancelled")
  })

  it("reports an order that was booked twice", async () => {
    const { id } = confirmedBooking(season)
    const { double } = await after(
      target,
      season,
      `update bookings set notes = (select notes from bookings where id = '${id}')
        where id = (select id from bookings where id <> '${id}' order by id limit 1)`
    )
    assert.include(double.join("\n"), "is booked 2 times")
  })

  it("reports sales that exceed capacity", async () => {
    const { double } = await after(
      target,
      season,
      `update events set data = json_set(data, '$.capacity', 1) where type = 'offering.created'`
    )
    assert.include(double.join("\n"), "of 1 spots are occupied")
  })

  it("reports a stored booking that was refused or never ordered", async () => {
    const { id } = confirmedBooking(season)
    const orders = season.guests.flatMap(({ orders }) => orders)
    const refusedOrder = orders.find(({ answer, late }) => answer.kind === "refused" && late.length === 0)
    const notesFindings = await after(
      target,
      season,
      `update bookings set notes = '${refusedOrder?.key}' where id = '${id}'`
    )
    assert.include(notesFindings.others.join("\n"), `order ${refusedOrder?.key} was refused but is booked`)
    const stray = await after(target, season, `update bookings set notes = '' where id = '${id}'`)
    assert.include(stray.others.join("\n"), "matches no order")
  })

  it("reports missing, renumbered, and changed events", async () => {
    const gapFindings = await after(target, season, "delete from events where id = 40")
    assert.include(gapFindings.holes.join("\n"), "the database: found event 41 in place of 40")
    const renumbered = await after(
      target,
      season,
      "update events set id = 100040 where id = 40"
    )
    assert.include(renumbered.holes.join("\n"), "the database: found event 100040 in place of")
    const reworded = await after(target, season, "update events set data = json_set(data, '$.name', '?') where id = 1")
    assert.include(reworded.holes.join("\n"), "follower 0 received event 1")
  })

  it("reports each problem recorded for an order", async () => {
    const order = season.guests[0]?.orders[0] ?? assert.fail()
    order.complaints.push("book was never answered")
    assert.deepStrictEqual((await check(season, target)).others, [`order ${order.key}: book was never answered`])
    order.complaints.pop()
  })
})
