import type { ScenarioLaw, Violations } from "./Law.ts"
import { formatBookingLine, formatOfferingLine, formatWallTime, substituteNames } from "./reportLines.ts"
import type { World } from "./World.ts"

export interface ScenarioRun {
  /** The steps, one or more lines each. */
  readonly steps: ReadonlyArray<ReadonlyArray<string>>
  readonly violations: Violations
  readonly initialWorld: World
  readonly finalWorld: World
}

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

  constructor(law: Pick<ScenarioLaw, "name" | "title">, run: ScenarioRun, seed: number) {
    const cause = run.violations.find((violation) => violation instanceof Error)
    super(formatReport(law, run, seed), cause === undefined ? {} : { cause })
    this.law = law.name
    this.violations = run.violations.map(formatViolation)
    this.steps = run.steps
    this.seed = seed
  }
}

const formatViolation = (violation: ScenarioRun["violations"][number]): string =>
  violation instanceof Error ? violation.message : violation

const indent = (lines: ReadonlyArray<string>, by = "  "): ReadonlyArray<string> => lines.map((line) => `${by}${line}`)

/** Returns the offerings that the scenario used, or all offerings if nothing was booked. */
const listUsedOfferings = ({ bookings, offerings }: World): World["offerings"] => {
  const bookedOfferings = offerings.filter(({ id }) => bookings.some(({ offering_id }) => offering_id === id))
  return bookedOfferings.length === 0 ? offerings : bookedOfferings
}

const formatReport = (
  { name, title }: Pick<ScenarioLaw, "name" | "title">,
  { violations, initialWorld, steps, finalWorld }: ScenarioRun,
  seed: number
): string =>
  [
    name === title ? `Broken: ${name}` : `Broken: ${name} (${title})`,
    ...indent([...new Set(violations.map((violation) => substituteNames(finalWorld, formatViolation(violation))))]),
    "",
    `It is ${
      formatWallTime(initialWorld, initialWorld.now)
    } in ${initialWorld.timezone} (${initialWorld.now}). The story:`,
    ...steps.flatMap(([request = "", ...answers], at) => [`  ${at + 1}. ${request}`, ...indent(answers, "     ")]),
    "",
    `State at ${formatWallTime(finalWorld, finalWorld.now)}:`,
    ...indent(listUsedOfferings(finalWorld).map(formatOfferingLine)),
    ...indent(finalWorld.live.map((booking) => formatBookingLine(finalWorld, booking))),
    "",
    `To reproduce: capacityLaws({ …, seed: ${seed} })`
  ].join("\n")
