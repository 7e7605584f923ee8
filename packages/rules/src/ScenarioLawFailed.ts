import type { ScenarioLaw } from "./Law.ts"
import { formatBookingLine, formatOfferingLine, formatWallTime, substituteNames } from "./reportLines.ts"
import type { ScenarioRun } from "./runScenario.ts"
import type { World } from "./World.ts"

/** A law failed. The error contains the shortest failing scenario found. */
export class ScenarioLawFailed extends Error {
  override readonly name = "ScenarioLawFailed"
  /** The error that a rule threw, with its own stack, if that is what broke the law. */
  declare readonly cause?: Error
  /** The law's name. */
  readonly law: string
  /** The violations, as sentences. */
  readonly violations: ReadonlyArray<string>
  /** The scenario's steps, one or more lines each. */
  readonly steps: ReadonlyArray<ReadonlyArray<string>>
  /** The seed that replays the scenario: `capacityLaws({ …, seed })`. */
  readonly seed: number

  constructor(law: Pick<ScenarioLaw, "name" | "title">, telling: ScenarioRun, seed: number) {
    const cause = telling.violations.find((complaint) => complaint instanceof Error)
    super(messageOf(law, telling, seed), cause === undefined ? {} : { cause })
    this.law = law.name
    this.violations = telling.violations.map(sentenceOf)
    this.steps = telling.steps
    this.seed = seed
  }
}

const sentenceOf = (complaint: ScenarioRun["violations"][number]): string =>
  complaint instanceof Error ? complaint.message : complaint

const indent = (lines: ReadonlyArray<string>, by = "  "): ReadonlyArray<string> => lines.map((line) => `${by}${line}`)

/** Returns the offerings that the scenario used, or all offerings if nothing was booked. */
const toldOf = ({ bookings, offerings }: World): World["offerings"] => {
  const bookedOfferings = offerings.filter(({ id }) => bookings.some(({ offering_id }) => offering_id === id))
  return bookedOfferings.length === 0 ? offerings : bookedOfferings
}

const messageOf = (
  { name, title }: Pick<ScenarioLaw, "name" | "title">,
  { violations: complaints, initialWorld: opened, steps, finalWorld: world }: ScenarioRun,
  seed: number
): string =>
  [
    name === title ? `Broken: ${name}` : `Broken: ${name} (${title})`,
    ...indent([...new Set(complaints.map((complaint) => substituteNames(world, sentenceOf(complaint))))]),
    "",
    `It is ${formatWallTime(opened, opened.now)} in ${opened.timezone} (${opened.now}). The story:`,
    ...steps.flatMap(([request = "", ...answers], at) => [`  ${at + 1}. ${request}`, ...indent(answers, "     ")]),
    "",
    `State at ${formatWallTime(world, world.now)}:`,
    ...indent(toldOf(world).map(formatOfferingLine)),
    ...indent(world.live.map((booking) => formatBookingLine(world, booking))),
    "",
    `To reproduce: capacityLaws({ …, seed: ${seed} })`
  ].join("\n")
