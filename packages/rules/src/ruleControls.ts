/**
 * Checks that an outfitter's own rules can fail. A rule must break when the setting that enforces it is loosened. A
 * rule that survives every change may depend on a name or a time that never occurs.
 */
import { capacityLaws } from "./capacityLaws.ts"
import { countScenariosToViolation, loadInitialWorld } from "./checkRule.ts"
import { makeRuleLaw } from "./Law.ts"
import { mutateSettings } from "./mutations.ts"
import type { OfferingSetup, Rule } from "./OfferingSetup.ts"

/** How loosening each setting affects a rule. */
export interface RuleReport {
  readonly rule: string
  /** The number of states in which the rule was checked with the original settings. */
  readonly requests: number
  /** The number of scenarios that had bookings. */
  readonly booked: number
  readonly settings: ReadonlyArray<{
    /** The change, such as `"Raft": capacity 4 -> 5`. */
    readonly setting: string
    /**
     * The number of the first scenario that broke the rule. Undefined if no scenario broke the rule, which means that
     * this setting does not enforce it.
     */
    readonly brokenInStory: number | undefined
  }>
  /** A human-readable summary. */
  readonly text: string
}

/** No loosened setting broke the rule. */
export class VacuousRuleError extends Error {
  override readonly name = "VacuousRuleError"
  readonly report: RuleReport

  constructor(report: RuleReport) {
    super(
      `${report.text}\nNo loosened setting breaks this rule. Check whether the rule selects a name or a time ` +
        "that never occurs, or is true for all bookings."
    )
    this.report = report
  }
}

export interface RuleControl {
  /** The name of the control's test. */
  readonly name: string
  /**
   * Rejects with `VacuousRuleError` if no setting enforces the rule, and with a `ScenarioLawFailed` if the rule fails.
   */
  readonly run: () => Promise<RuleReport>
}

/**
 * Creates one control for each rule in a setup. Each control loosens one setting at a time by one step (capacity and
 * maximum quantity plus one, no buffer, no notice, twice as many starts, always open). It runs scenarios with each
 * change and reports which changes break the rule.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { ruleControls } from "@trailbook/rules"
 *
 * const controls = ruleControls({
 *   storage: Memory.layer,
 *   timezone: "America/Denver",
 *   offerings: [{ name: "Raft", kind: "rental", capacity: 4 }],
 *   rules: [{ name: "four rafts", check: ({ live }) => live.length <= 4 }]
 * })
 *
 * for (const control of controls) test(control.name, async () => console.log((await control.run()).text))
 */
export const ruleControls = (setup: OfferingSetup): ReadonlyArray<RuleControl> => {
  // This call rejects an invalid setup.
  capacityLaws(setup)
  return (setup.rules ?? []).map((rule) => ({ name: `control: ${rule.name}`, run: () => runControl(setup, rule) }))
}

/**
 * The number of scenarios per setting. It exceeds a law's default, so that a setting is reported as ineffective only
 * after a thorough search.
 */
const defaultRuns = 100

const runControl = async (setup: OfferingSetup, rule: Rule): Promise<RuleReport> => {
  const fullSetup = { ...setup, runs: setup.runs ?? defaultRuns }
  const { requests, booked } = await countChecks(fullSetup, rule)
  const settings: Array<RuleReport["settings"][number]> = []
  for (
    const { offering, setup: loosenedSetup, setting, toOriginalWorld } of mutateSettings(
      fullSetup,
      await loadInitialWorld(fullSetup)
    )
  ) {
    const law = makeRuleLaw({ ...rule, check: (world) => rule.check(toOriginalWorld(world)) })
    settings.push({ setting, brokenInStory: await countScenariosToViolation(loosenedSetup, law, offering) })
  }
  const summary = { rule: rule.name, requests, booked, settings }
  const report = { ...summary, text: formatReport(summary, fullSetup.runs) }
  if (settings.every(({ brokenInStory }) => brokenInStory === undefined)) throw new VacuousRuleError(report)
  return report
}

/** Checks the rule the same way its law does, and counts the checks. */
const countChecks = async (setup: OfferingSetup, rule: Rule) => {
  let requests = 0
  let bookedCount = 0
  const check: Rule["check"] = (world) => {
    requests++
    if (world.live.length > 0) bookedCount++
    return rule.check(world)
  }
  await capacityLaws({ ...setup, rules: [{ ...rule, check }] }).at(-1)?.run()
  // A law checks every state twice.
  return { requests: requests / 2, booked: bookedCount / 2 }
}

const formatReport = ({ requests, booked, rule, settings }: Omit<RuleReport, "text">, runs: number): string =>
  [
    `${rule}: checked in ${requests} states, ${booked} of them with bookings.`,
    ...settings.map(({ brokenInStory, setting }) =>
      brokenInStory === undefined
        ? `  ${setting}: holds in all ${runs} stories`
        : `  ${setting}: broken in story ${brokenInStory}`
    )
  ].join("\n")
