/**
 * The report of a failed scenario, in API terms: with names instead of IDs, and local times next to timestamps.
 */
import type { BookingView } from "@trailbook/core/booking"
import * as Either from "effect/Either"
import type { ScenarioLaw, Violations } from "./Law.ts"
import type { ExecutedRequest, StepOutcome } from "./runStep.ts"
import type { OfferingWithHours, World } from "./World.ts"

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

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

/** Formats a timestamp in the outfitter's time zone, such as `Sat 2027-05-01 09:00`. */
const formatWallTime = ({ local }: World, timestamp: string): string => {
  const { date, time, weekday } = local(timestamp)
  return `${weekdays[weekday]} ${date} ${time}`
}

/** Returns the display name for an ID: an offering's name, or the number of a booking or session. */
const findName = ({ bookings, offerings, sessions }: World, id: string): string | undefined => {
  const booking = bookings.findIndex((one) => one.id === id)
  if (booking >= 0) return `booking ${booking + 1}`
  const session = sessions.findIndex((one) => one.id === id)
  if (session >= 0) return `session ${session + 1}`
  return offerings.find((one) => one.id === id)?.name
}

const timestampPattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** Replaces IDs, references, and timestamps in a sentence with the names used in the report. */
const substituteNames = (world: World, sentence: string): string => {
  const { bookings, offerings, sessions } = world
  const namedText = [...bookings, ...sessions, ...offerings].reduce(
    (text, { id }) => text.replaceAll(id, findName(world, id) ?? id),
    sentence
  )
  return bookings.reduce((text, { reference }, at) => text.replaceAll(reference, `${at + 1}`), namedText).replace(
    timestampPattern,
    (match) => `${match} (${formatWallTime(world, match)})`
  )
}

const formatInput = (world: World, { input }: ExecutedRequest<unknown>): string => {
  const { customer: _guest, idempotency_key: _key, ...fields } = input
  const entries = Object.entries(fields).map(([field, value]) => {
    const name = typeof value === "string" ? findName(world, value) : undefined
    return `${field}: ${JSON.stringify(name ?? value)}`
  })
  const { starts_at } = input
  const local = typeof starts_at === "string" ? ` (${formatWallTime(world, starts_at)})` : ""
  return `{ ${entries.join(", ")} }${local}`
}

const formatSpan = (world: World, { ends_at, session_id, starts_at }: BookingView): string => {
  const until = formatWallTime(world, ends_at)
  const from = formatWallTime(world, starts_at)
  const isSameDay = until.slice(0, 14) === from.slice(0, 14)
  const session = session_id === null ? "" : `, ${findName(world, session_id)}`
  return `${from} to ${isSameDay ? until.slice(15) : until}${session}`
}

/** Formats a booking on one line. */
const formatBookingLine = (world: World, booking: BookingView): string => {
  const hold = booking.expires_at === null ? "" : ` until ${formatWallTime(world, booking.expires_at)}`
  const quantity = booking.quantity === 1 ? "" : `, quantity ${booking.quantity}`
  return `${findName(world, booking.id)}: ${booking.status}${hold}, "${booking.offering.name}" ${
    formatSpan(world, booking)
  }${quantity}`
}

const formatAnswer = (world: World, { result }: ExecutedRequest<unknown>): string => {
  if (Either.isLeft(result)) return `refused, ${result.left.code}: ${result.left.message}`
  const id = (result.right as { readonly id?: unknown }).id
  const booking = world.bookings.find((one) => one.id === id)
  return booking === undefined ? "done" : formatBookingLine(world, booking)
}

/** Formats a step's outcome. */
export const formatOutcomeLines = (outcome: StepOutcome, world: World): ReadonlyArray<string> => {
  const { requests } = outcome
  const [first] = requests
  if (first === undefined) return [`time passes until ${formatWallTime(world, world.now)} (${world.now})`]
  const times = requests.length === 1 ? "" : `, ${requests.length} guests concurrently`
  return [
    `${first.name} ${formatInput(world, first)}${times}`,
    ...requests.map((one: ExecutedRequest<unknown>) => `-> ${formatAnswer(world, one)}`)
  ]
}

/** Formats the offering settings that determine what can be booked. */
const formatOfferingLine = (
  { buffer_minutes, capacity, duration_minutes, kind, name }: OfferingWithHours
): string =>
  `"${name}": ${kind}, ${duration_minutes} minutes, capacity ${capacity}${
    kind === "class" ? "" : `, buffer ${buffer_minutes} minutes`
  }`
