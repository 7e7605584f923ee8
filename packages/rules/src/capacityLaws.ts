/**
 * Checks an outfitter's offerings against Trailbook's capacity guarantees and the outfitter's own rules. The checks are
 * property tests that run in vitest, node:test, jest, or any runner that awaits promises.
 */
import { offeringKinds } from "@trailbook/core/offering/Offering"
import * as Zone from "@trailbook/core/time/Zone"
import { assertAtLeastOne } from "@trailbook/testkit/assertAtLeastOne"
import { changeLaws } from "./changeLaws.ts"
import { checkRule } from "./checkRule.ts"
import { makeRuleLaw, type ScenarioLaw } from "./Law.ts"
import type { OfferingSetup } from "./OfferingSetup.ts"
import { placeLaws } from "./placeLaws.ts"
import { timeLaws } from "./timeLaws.ts"

export type { OfferingInput, OfferingSetup, Rule } from "./OfferingSetup.ts"
export { ScenarioLawFailed } from "./ScenarioLawFailed.ts"
export type { LocalMoment, OfferingWithHours, World } from "./World.ts"

export interface CapacityLaw {
  /** The stable name of the test. A rule uses its own name. */
  readonly name: string
  /** The guarantee in one sentence. */
  readonly title: string
  /** Runs scenarios and rejects with a `ScenarioLawFailed` if a scenario breaks the law. */
  readonly run: () => Promise<void>
}

/**
 * Returns the laws that apply to these offerings, plus one per rule. Each law generates scenarios, in which guests
 * book, hold, move, and cancel concurrently while time passes. It runs them through the API's operations on the setup's
 * storage and checks the state after every step.
 *
 * Throws if the setup is invalid. A setup is invalid if its time zone or an offering's kind is unknown, if it has no
 * offerings or runs, or if two laws or two offerings share a name.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { capacityLaws } from "@trailbook/rules"
 *
 * const laws = capacityLaws({
 *   storage: Memory.layer,
 *   timezone: "America/Denver",
 *   offerings: [{ name: "Raft", kind: "rental", capacity: 6, buffer_minutes: 30 }]
 * })
 *
 * for (const law of laws) test(law.name, law.run)
 */
export const capacityLaws = (setup: OfferingSetup): ReadonlyArray<CapacityLaw> => {
  const { offerings, rules = [], runs = 1, steps = 1, timezone } = setup
  if (Zone.find(timezone) === undefined) throw new Error(`The time zone ${timezone} does not exist.`)
  // Without this check, the laws would have nothing to test and would always pass.
  if (offerings.length < 1) throw new Error("At least one offering is required.")
  const invalidOffering = offerings.find(({ kind }) => !offeringKinds.includes(kind))
  if (invalidOffering !== undefined) {
    throw new Error(`The kind of the offering "${invalidOffering.name}" must be one of ${offeringKinds.join(", ")}.`)
  }
  assertAtLeastOne("runs", runs)
  assertAtLeastOne("steps", steps)
  rejectDuplicates("offering", offerings.map(({ name }) => name))
  const kinds = new Set(offerings.map(({ kind }) => kind))
  const laws: ReadonlyArray<ScenarioLaw> = [
    ...[...placeLaws, ...timeLaws, ...changeLaws].filter((law) => law.kinds.some((kind) => kinds.has(kind))),
    ...rules.map(makeRuleLaw)
  ]
  rejectDuplicates("law", laws.map(({ name }) => name))
  return laws.map((law) => ({ name: law.name, title: law.title, run: () => checkRule(setup, law) }))
}

/** Rejects duplicate names, because reports identify offerings and laws by name. */
const rejectDuplicates = (label: string, names: ReadonlyArray<string>): void => {
  const duplicate = names.find((name, at) => names.indexOf(name) !== at)
  if (duplicate !== undefined) throw new Error(`Two ${label}s have the name "${duplicate}".`)
}
