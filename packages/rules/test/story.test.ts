/** Checks the generated scenarios' coverage, because a law finds errors only in cases that occur. */
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import type { OfferingSetup } from "@trailbook/rules/OfferingSetup"
import { findClockChanges, scenarioArbitrary, type Step } from "@trailbook/rules/Scenario"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"

const storage: Layer.Layer<Storage> = Layer.die(new Error("Nothing is stored here."))
const clinic = { name: "Clinic", kind: "class", sessions: [{ starts_at: "2027-05-01T15:00:00Z" }] } as const
const outfit: OfferingSetup = {
  storage,
  timezone: "America/Denver",
  offerings: [
    { name: "Raft", kind: "rental", min_notice_minutes: 90 },
    clinic,
    ...["a", "b", "c", "d"].map((name) => ({ name, kind: "appointment" as const }))
  ]
}

const samples = (setup: OfferingSetup, about: ReadonlyArray<Step["_tag"]> = []) =>
  FastCheck.sample(scenarioArbitrary(setup, about), { numRuns: 500, seed: 7 })
const stepsOf = (stories: ReturnType<typeof samples>) => stories.flatMap(({ steps }) => steps)
const hourMs = 3_600_000

describe("scenarios", () => {
  it("contain every kind of step and every edge case", () => {
    const steps = stepsOf(samples(outfit))
    const edges = steps.flatMap((step) => step._tag === "Book" || step._tag === "Move" ? [step.start.edge] : [])
    assert.strictEqual(new Set(steps.map(({ _tag }) => _tag)).size, 7)
    assert.strictEqual(new Set(edges).size, 10)
    assert.isTrue(steps.some((step) => step._tag === "Book" && step.atOnce > 1))
    assert.isTrue(steps.some((step) => step._tag === "Wait" && "edge" in step.until && step.until.ms === -1))
  })

  it("use at most three offerings each, and together use all offerings", () => {
    const offeringSets = samples(outfit).map(({ steps }) =>
      new Set(steps.flatMap((step) => step._tag === "Book" ? [step.offering] : []))
    )
    assert.isTrue(offeringSets.every(({ size }) => size <= 3))
    assert.strictEqual(new Set(offeringSets.flatMap((some) => [...some])).size, outfit.offerings.length)
  })

  it("contain more than five steps on average, within the limit", () => {
    const lengths = samples({ ...outfit, steps: 12 }).map(({ steps }) => steps.length)
    assert.strictEqual(Math.max(...lengths), 12)
    assert.isAbove(lengths.reduce((sum, length) => sum + length, 0) / lengths.length, 5)
  })

  it("contain a step more often if a law marks it as relevant", () => {
    const share = (steps: ReadonlyArray<Step>) => steps.filter(({ _tag }) => _tag === "Move").length / steps.length
    assert.isAbove(share(stepsOf(samples(outfit, ["Move"]))), 1.5 * share(stepsOf(samples(outfit))))
  })

  it("start shortly before clock changes and sessions, and exactly at the minimum notice", () => {
    const begins = samples(outfit).map(({ startTime: begins }) => begins)
    const shortlyBefore = (moment: number) => begins.filter((at) => at < moment && moment - at <= 32 * hourMs).length
    const [spring = 0, autumn = 0] = findClockChanges(
      Zone.get("America/Denver"),
      Instant.make(Date.UTC(2027, 4, 1, 15))
    )
    for (const moment of [spring, autumn, Date.UTC(2027, 4, 1, 15)]) assert.isAbove(shortlyBefore(moment), 50)
    assert.isTrue(begins.some((at) => (at + 90 * 60_000) % hourMs === 0))
  })

  it("start shortly before a session if only sessions can be booked", () => {
    const begins = samples({ ...outfit, offerings: [clinic] }).map(({ startTime: begins }) => begins)
    const start = Date.UTC(2027, 4, 1, 15)
    assert.isTrue(begins.every((at) => at < start && start - at <= 30 * hourMs))
  })
})
