/**
 * Whether an outfitter's own offerings keep what Trailbook promises, and whether
 * they keep the outfitter's own rules: as properties that run in vitest, in
 * node:test, in jest, or in anything that awaits a promise.
 */
import { kinds as everyKind } from "@trailbook/core/offering/Offering"
import * as Zone from "@trailbook/core/time/Zone"
import { atLeastOne } from "./atLeastOne.ts"
import { changeLaws } from "./rules/changeLaws.ts"
import { checkRule } from "./rules/checkRule.ts"
import type { StoryLaw } from "./rules/Law.ts"
import type { OfferingSetup } from "./rules/OfferingSetup.ts"
import { placeLaws } from "./rules/placeLaws.ts"
import { ruleLaw } from "./rules/ruleLaw.ts"
import { timeLaws } from "./rules/timeLaws.ts"

export { LawBroken } from "./rules/LawBroken.ts"
export type { OfferingInput, OfferingSetup, Rule } from "./rules/OfferingSetup.ts"
export type { LocalMoment, OpenOffering, World } from "./rules/World.ts"

export interface CapacityLaw {
  /** The name of its test; it does not change. A rule's is its own. */
  readonly name: string
  /** The promise in one sentence. */
  readonly says: string
  /** Tells stories, and rejects with a `LawBroken` when one of them breaks the law. */
  readonly run: () => Promise<void>
}

/**
 * The laws that are about these offerings, and one for each rule. Every law
 * tells stories of its own (guests who book, hold, move and cancel, several at
 * once, while time passes) through the operations of the API over the storage
 * that is given, and looks at what there is after every step.
 *
 * It throws when the outfit cannot be told stories about: an unknown time zone or
 * kind, no offerings, no runs, or two laws or offerings of one name.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { capacityLaws } from "@trailbook/testkit/capacityLaws"
 *
 * const laws = capacityLaws({
 *   storage: Memory.layer,
 *   timezone: "America/Denver",
 *   offerings: [{ name: "Raft", kind: "rental", capacity: 6, buffer_minutes: 30 }]
 * })
 *
 * for (const law of laws) test(law.name, law.run)
 */
export const capacityLaws = (outfit: OfferingSetup): ReadonlyArray<CapacityLaw> => {
  const { offerings, rules = [], runs = 1, steps = 1, timezone } = outfit
  if (Zone.find(timezone) === undefined) throw new Error(`There is no time zone ${timezone}.`)
  // What follows would be laws that are tried on nothing, and hold.
  if (offerings.length < 1) throw new Error("There are no offerings.")
  const odd = offerings.find(({ kind }) => !everyKind.includes(kind))
  if (odd !== undefined) throw new Error(`The offering "${odd.name}" must be a ${everyKind.join(", ")}.`)
  atLeastOne("runs", runs)
  atLeastOne("steps", steps)
  once("offering", offerings.map(({ name }) => name))
  const kinds = new Set(offerings.map(({ kind }) => kind))
  const laws: ReadonlyArray<StoryLaw> = [
    ...[...placeLaws, ...timeLaws, ...changeLaws].filter((law) => law.kinds.some((kind) => kinds.has(kind))),
    ...rules.map(ruleLaw)
  ]
  once("law", laws.map(({ name }) => name))
  return laws.map((law) => ({ name: law.name, says: law.says, run: () => checkRule(outfit, law) }))
}

/** Reports name offerings and laws; two of one name could not be told apart. */
const once = (what: string, names: ReadonlyArray<string>): void => {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`There are two ${what}s named "${twice}".`)
}
