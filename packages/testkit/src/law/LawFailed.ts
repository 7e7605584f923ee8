import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"

interface LawName {
  readonly key: string
  readonly title: string
}

/**
 * A storage adapter broke a law. The error contains the rule, the actual result, the smallest failing case, and how to
 * reproduce it. The `cause` is the original error with its own stack.
 */
export class LawFailed extends Error {
  override readonly name = "LawFailed"
  /** The law's key, which is used in lists of known gaps. */
  readonly law: string

  constructor({ key, title }: LawName, error: unknown) {
    const failedCase = error instanceof CaseFailed ? error : undefined
    const cause = failedCase === undefined ? error : failedCase.cause
    super(
      [
        `Broken: ${key} (${title})`,
        ...indent(describeFailure(cause)),
        ...(failedCase === undefined
          ? []
          : [
            "",
            "Smallest failing case:",
            ...indent(formatLines(failedCase.smallest)),
            "",
            `To reproduce: suite(name, layer, { …, seed: ${failedCase.seed} })`
          ])
      ].join("\n"),
      { cause }
    )
    this.law = key
  }
}

/** Runs the steps of a law, and dies with a `LawFailed` if a step fails. */
export const dieWithLawFailed = <E, R>(law: LawName, steps: Effect.Effect<void, E, R>): Effect.Effect<void, never, R> =>
  Effect.catchAllDefect(Effect.orDie(steps), (defect) => Effect.die(new LawFailed(law, defect)))

/** A generated case that breaks a law. The `cause` is the original error. */
export class CaseFailed extends Error {
  override readonly name = "CaseFailed"
  readonly smallest: unknown
  readonly seed: number

  constructor(smallest: unknown, seed: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.smallest = smallest
    this.seed = seed
  }
}

const indent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => `  ${line}`)

/** The maximum number of reported differences. More differences add no information. */
const maxDifferences = 8

const describeFailure = (cause: unknown): ReadonlyArray<string> => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const [first = "", ...rest] = message.split("\n")
  const lines = [truncate(first, 300), ...rest.slice(0, 40).map((line) => truncate(line, 300))]
  if (typeof cause !== "object" || cause === null || !("actual" in cause && "expected" in cause)) return lines
  const diffLines = listDifferences(cause.expected, cause.actual)
  return diffLines.length === 0 ? lines : [
    ...lines.slice(0, 1),
    ...diffLines.slice(0, maxDifferences),
    ...(diffLines.length > maxDifferences ? [`and ${diffLines.length - maxDifferences} more`] : [])
  ]
}

const isPlain = (value: unknown): value is object => typeof value === "object" && value !== null

/** Lists the differences between two values, leaf by leaf. */
const listDifferences = (expected: unknown, actual: unknown, path = ""): ReadonlyArray<string> => {
  if (Object.is(expected, actual)) return []
  if (!isPlain(expected) || !isPlain(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return [`${path === "" ? "" : `${path}: `}expected ${formatLeaf(expected)}, got ${formatLeaf(actual)}`]
  }
  const [expectedByKey, actualByKey] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))]
  return [...new Set([...expectedByKey.keys(), ...actualByKey.keys()])].flatMap((key) =>
    listDifferences(
      expectedByKey.get(key),
      actualByKey.get(key),
      Array.isArray(expected) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`
    )
  )
}

const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`

/**
 * Returns whether a number is likely a timestamp. All instants in the cases are in this century, so a
 * smaller number is not an instant.
 */
const isMoment = (value: number): boolean =>
  Number.isInteger(value) && value > Date.UTC(2000, 0, 1) && value < Date.UTC(2100, 0, 1)

const formatLeaf = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (typeof value === "number" && isMoment(value)) return Instant.format(Instant.make(value))
  if (typeof value === "string" && value.length > 60) {
    return `${JSON.stringify(value.slice(0, 40))}… (${[...value].length} characters)`
  }
  return truncate(JSON.stringify(value), 120)
}

/** The maximum number of lines. Longer output is truncated. */
const maxLines = 80

/** Formats a value with one field per line. Short objects fit on one line. */
const formatLines = (value: unknown): ReadonlyArray<string> => {
  const lines = toLines(value)
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`]
}

const isEmpty = (value: unknown): boolean =>
  value === "" || value === 0 || value === null || value === undefined || value === false ||
  (isPlain(value) && Object.keys(value).length === 0)

/** The maximum number of fields that are shown on one line. */
const maxInlineFields = 6

const toLines = (value: unknown): ReadonlyArray<string> => {
  if (!isPlain(value)) return [formatLeaf(value)]
  const fields = Object.entries(value)
  const shownFields = Array.isArray(value) || fields.length <= maxInlineFields
    ? fields
    : fields.filter(([, inner]) => !isEmpty(inner))
  const lines = toFieldLines(value, shownFields)
  return shownFields.length === fields.length
    ? lines
    : [...lines, `(and ${fields.length - shownFields.length} empty fields)`]
}

const toFieldLines = (value: object, entries: ReadonlyArray<readonly [string, unknown]>): ReadonlyArray<string> => {
  const fields = entries.map(([key, inner]) => ({ key: Array.isArray(value) ? "-" : `${key}:`, lines: toLines(inner) }))
  const singleLine = `{ ${fields.map(({ key, lines }) => `${key} ${lines.join(" ")}`).join(", ")} }`
  if (entries.length === 0) return [Array.isArray(value) ? "[]" : "{}"]
  if (!Array.isArray(value) && singleLine.length <= 100) return [singleLine]
  return fields.flatMap(({ key, lines: [first = "", ...rest] }) =>
    rest.length === 0
      ? [`${key} ${first}`]
      : key === "-"
      ? [`- ${first}`, ...indent(rest)]
      : [key, ...indent([first, ...rest])]
  )
}
