import { createTrailbook } from "trailbook"
import { assert, describe, it, onTestFinished } from "vitest"
import { apply, type Outfit } from "../template/apply.ts"
import { outfit } from "../template/outfitter.ts"

/** 6:00 in Denver on a Saturday, eight days before the clocks go forward. */
const now = Date.parse("2027-03-06T13:00:00Z")

const openTrailbook = async () => {
  const { activities: _, ...org } = outfit
  const trailbook = await createTrailbook({ database: ":memory:", org, clock: () => now, log: () => {} })
  onTestFinished(() => trailbook.close())
  await apply(trailbook, outfit, now)
  /**
   * Returns everything that the file can change. The tests also compare the event cursor, because an update would add
   * events.
   */
  const stored = async () => {
    const { data: offerings } = await trailbook.offerings.list()
    const [raft, kayak] = ["half-day-raft", "kayak"].map((key) =>
      offerings.find(({ metadata }) => metadata["key"] === key)
    )
    if (raft === undefined || kayak === undefined) throw new Error("An activity is missing.")
    const { data: hours } = await trailbook.offerings.get_hours({ id: kayak.id })
    const { data: sessions } = await trailbook.sessions.list({ offering_id: raft.id, limit: 500 })
    return { hours, kayak, offerings, raft, sessions }
  }
  return { stored, trailbook }
}

const raft = outfit.activities["half-day-raft"]
const kayak = outfit.activities["kayak"]
if (raft?.kind !== "class" || kayak?.kind !== "rental") throw new Error("The template has a class and a rental.")

const withActivities = (activities: Outfit["activities"]): Outfit => ({ ...outfit, activities })

describe("apply", () => {
  it("creates the activities, their hours, and the departures for the coming weeks", async () => {
    const { stored } = await openTrailbook()
    const { hours, offerings, sessions } = await stored()
    assert.lengthOf(offerings, 2)
    assert.lengthOf(hours, 7)
    assert.lengthOf(sessions, 2 * 7 * 8)
  })

  it("interprets departure times as local times before and after a clock change", async () => {
    const { stored, trailbook } = await openTrailbook()
    const early = { ...raft, departures: [{ weekdays: [0], times: ["08:00"] }] }
    await apply(trailbook, withActivities({ "half-day-raft": early }), now)
    const starts = (await stored()).sessions.map(({ starts_at }) => Date.parse(starts_at))
    assert.strictEqual(starts[0], Date.parse("2027-03-06T09:00:00-07:00"))
    // On March 14, the clocks go forward at 2:00, which is 9:00 UTC.
    for (const start of ["2027-03-13T09:00:00-07:00", "2027-03-14T08:00:00-06:00", "2027-03-14T13:30:00-06:00"]) {
      assert.include(starts, Date.parse(start))
    }
  })

  it("changes nothing if the file has not changed", async () => {
    const { stored, trailbook } = await openTrailbook()
    const before = await stored()
    const { next_after } = await trailbook.events.list({ after: 0 })
    await apply(trailbook, outfit, now)
    assert.deepStrictEqual(await stored(), before)
    assert.strictEqual((await trailbook.events.list({ after: 0 })).next_after, next_after)
  })

  it("updates the changed fields, and keeps fields that the file omits", async () => {
    const { stored, trailbook } = await openTrailbook()
    const before = await stored()
    await trailbook.offerings.update({ id: before.raft.id, min_notice_minutes: 90 })
    const changes = {
      "half-day-raft": { ...raft, price_cents: 9900 },
      kayak: { ...kayak, hours: [{ weekdays: [6], start_time: "08:00", end_time: "20:00" }] }
    }
    await apply(trailbook, { ...withActivities(changes), name: "Salida River Co." }, now)
    const after = await stored()
    assert.deepInclude(after.raft, { id: before.raft.id, price_cents: 9900, min_notice_minutes: 90 })
    assert.deepStrictEqual(after.hours.map(({ weekday }) => weekday), [6])
    assert.lengthOf(after.offerings, 2)
    assert.strictEqual((await trailbook.org.get()).name, "Salida River Co.")
  })

  it("adds new departures, and keeps departures that were removed from the file", async () => {
    const { stored, trailbook } = await openTrailbook()
    const before = await stored()
    const fewer = { ...raft, departures: [{ weekdays: [6], times: ["17:00"] }] }
    await apply(trailbook, withActivities({ "half-day-raft": fewer }), now)
    const after = await stored()
    assert.lengthOf(after.sessions, before.sessions.length + 8)
    assert.lengthOf(after.offerings, 2)
  })

  it("does not recreate a canceled departure", async () => {
    const { stored, trailbook } = await openTrailbook()
    const { sessions: [first] } = await stored()
    if (first === undefined) throw new Error("There is no departure.")
    await trailbook.sessions.cancel({ id: first.id })
    const before = await stored()
    await apply(trailbook, outfit, now)
    assert.deepStrictEqual((await stored()).sessions, before.sessions)
  })
})
