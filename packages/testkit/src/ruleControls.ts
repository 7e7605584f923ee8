/**
 * Whether an outfitter's own rules say anything: what a rule is there to hold
 * must break when the setting that sees to it is loosened. A rule that holds
 * whatever is loosened may look for a name or a time that never comes.
 */
import { capacityLaws } from "./capacityLaws.ts"
import { maxScenarios, openWorld } from "./rules/checkRule.ts"
import { mutateSettings } from "./rules/mutations.ts"
import type { OfferingSetup, Rule } from "./rules/OfferingSetup.ts"
import { ruleLaw } from "./rules/ruleLaw.ts"

/** What loosening each setting did to a rule. */
export interface RuleReport {
  readonly rule: string
  /** About how many moments the rule was asked with its settings as they are. */
  readonly asked: number
  /** In how many of them somebody had booked. */
  readonly booked: number
  readonly settings: ReadonlyArray<{
    /** `"Raft": capacity 4 -> 5` */
    readonly setting: string
    /** The first story that broke the rule then; `undefined` when none did: this setting does not see to the rule. */
    readonly brokenInStory: number | undefined
  }>
  /** All of it, for people. */
  readonly text: string
}

/** No setting that was loosened broke the rule. */
export class RuleNeverFails extends Error {
  override readonly name = "RuleGuardsNothing"
  readonly report: RuleReport

  constructor(report: RuleReport) {
    super(
      `${report.text}\nNothing that was loosened breaks this rule. It may look for a name or a time that never comes, ` +
        "or hold whatever is booked."
    )
    this.report = report
  }
}

export interface RuleControl {
  /** The name of its test. */
  readonly name: string
  /** Rejects with `RuleNeverFails` when no setting sees to the rule, and with a `LawBroken` when it does not hold. */
  readonly run: () => Promise<RuleReport>
}

/**
 * One control for each rule of an outfit. Each plays stories with one setting at
 * a time a step wider (capacity and the largest booking one more, no buffer, no
 * notice, twice as many starts, always open), and says which of them let the rule
 * be broken.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { ruleControls } from "@trailbook/testkit/ruleControls"
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
export const ruleControls = (outfit: OfferingSetup): ReadonlyArray<RuleControl> => {
  // Refuses an outfit that no story can be told about.
  capacityLaws(outfit)
  return (outfit.rules ?? []).map((rule) => ({ name: `control: ${rule.name}`, run: () => control(outfit, rule) }))
}

/** Stories for each setting: a setting is called idle only after more of them than a law is tried on. */
const defaultRuns = 100

const control = async (given: OfferingSetup, rule: Rule): Promise<RuleReport> => {
  const outfit = { ...given, runs: given.runs ?? defaultRuns }
  const { asked, booked } = await heard(outfit, rule)
  const settings: Array<RuleReport["settings"][number]> = []
  for (const { offering, outfit: wider, setting, shown } of mutateSettings(outfit, await openWorld(outfit))) {
    const law = ruleLaw({ ...rule, check: (world) => rule.check(shown(world)) })
    settings.push({ setting, brokenInStory: await maxScenarios(wider, law, offering) })
  }
  const counted = { rule: rule.name, asked, booked, settings }
  const report = { ...counted, text: textOf(counted, outfit.runs) }
  if (settings.every(({ brokenInStory }) => brokenInStory === undefined)) throw new RuleNeverFails(report)
  return report
}

/** Asks the rule as its law does, and counts. */
const heard = async (outfit: OfferingSetup, rule: Rule) => {
  let asked = 0
  let booked = 0
  const check: Rule["check"] = (world) => {
    asked++
    if (world.live.length > 0) booked++
    return rule.check(world)
  }
  await capacityLaws({ ...outfit, rules: [{ ...rule, check }] }).at(-1)?.run()
  // A law asks twice about every moment.
  return { asked: asked / 2, booked: booked / 2 }
}

const textOf = ({ asked, booked, rule, settings }: Omit<RuleReport, "text">, runs: number): string =>
  [
    `${rule}: asked about ${asked} moments, in ${booked} of them somebody had booked.`,
    ...settings.map(({ brokenInStory, setting }) =>
      brokenInStory === undefined
        ? `  ${setting}: holds in all ${runs} stories`
        : `  ${setting}: broken in story ${brokenInStory}`
    )
  ].join("\n")
