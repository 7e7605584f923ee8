/** Checks that an outfitter's rules can fail: loosening the setting that enforces a rule must break the rule. */
import * as Memory from "@trailbook/memory"
import {
  capacityLaws,
  type OfferingSetup,
  type Rule,
  ruleControls,
  ScenarioLawFailed,
  VacuousRuleError,
  type World
} from "@trailbook/rules"
import { assert, describe, it } from "vitest"

const trips = {
  name: "Guided half day",
  kind: "appointment",
  duration_minutes: 240,
  slot_interval_minutes: 60,
  capacity: 2,
  hours: [{ weekday: 6, start_time: "08:30", end_time: "18:30" }]
} as const

const outfit = (check: Rule["check"]): OfferingSetup => ({
  storage: Memory.layer,
  timezone: "America/Denver",
  offerings: [trips],
  rules: [{ name: "the rule", check }],
  seed: 5,
  runs: 25
})

const control = (check: Rule["check"]) => {
  const [control] = ruleControls(outfit(check))
  assert.isDefined(control)
  return control.run().then((report) => report, (error: unknown) => error)
}

const law = (check: Rule["check"]) =>
  capacityLaws(outfit(check)).at(-1)?.run().then(() => undefined, (error: unknown) => error)

const atOnce = ({ live }: World): boolean =>
  live.every(({ starts_at }) => live.filter((other) => other.starts_at === starts_at).length <= 2)

describe("a rule's control", () => {
  it("reports the settings that enforce the rule", async () => {
    const [control] = ruleControls(outfit(atOnce))
    assert.isDefined(control)
    const { requests: checks, booked, settings, text } = await control.run()
    const names = settings.filter(({ brokenInStory }) => brokenInStory !== undefined).map(({ setting }) => setting)
    assert.deepStrictEqual(names, ["\"Guided half day\": capacity 2 -> 3"])
    assert.include(settings.map(({ setting }) => setting), "\"Guided half day\": a start every 60 minutes -> every 30")
    assert.isAbove(booked, 20)
    assert.isAbove(checks, booked)
    assert.include(text, `the rule: checked in ${checks} states, ${booked} of them with bookings.`)
  })

  it("fails if no loosened setting breaks the rule", async () => {
    const never = ({ live, local }: World) =>
      live.filter(({ starts_at }) => local(starts_at).time === "8:30").length < 1
    const error = await control(never)
    assert.instanceOf(error, VacuousRuleError)
    assert.include(error.message, "capacity 2 -> 3: holds in all 25 stories")
    assert.include(error.message, "No loosened setting breaks this rule.")
  })

  it("passes the outfitter's original settings to the rule", async () => {
    const byItsOwnCapacity = ({ live, offerings: [offering] }: World) =>
      live.every(({ starts_at }) =>
        live.filter((other) => other.starts_at === starts_at).length <= (offering?.capacity ?? 0)
      )
    assert.notInstanceOf(await control(byItsOwnCapacity), Error)
  })

  it("reports a rule that fails with the original settings", async () => {
    assert.instanceOf(await control(({ live }) => live.length === 0), ScenarioLawFailed)
  })
})

describe("a rule", () => {
  it("receives local times in the same format as opening hours", async () => {
    const times = new Set<string>()
    const error = await law((world) => {
      for (const { starts_at } of world.live) times.add(world.local(starts_at).time)
      const [offering] = world.offerings
      assert.deepStrictEqual(offering?.hours, [{ weekday: 6, start_time: "08:30", end_time: "18:30" }])
    })
    assert.isUndefined(error)
    assert.isTrue(times.has("08:30"), [...times].join())
  })

  it("is reported with its error and stack if it throws", async () => {
    const rangeError = new RangeError("The van is full.")
    const error = await law(({ live }) => {
      if (live.length > 0) throw rangeError
    })
    assert.instanceOf(error, ScenarioLawFailed)
    assert.strictEqual(error.cause, rangeError)
    assert.deepStrictEqual(error.violations, ["The van is full."])
    assert.include(error.message, "The van is full.")
  })

  it("is reported as flaky if it returns different results for one scenario", async () => {
    let calls = 0
    const error = await law(() => ++calls % 7 !== 0)
    assert.instanceOf(error, ScenarioLawFailed)
    assert.include(error.message, "flaky")
  })

  it("is reported as flaky if it depends on earlier calls", async () => {
    let calls = 0
    // The rule's result depends on the number of earlier calls, not on the scenario.
    const error = await law(() => ![41, 42].includes(++calls))
    assert.instanceOf(error, ScenarioLawFailed)
    assert.match(error.message, /[Ff]laky/)
  })
})
