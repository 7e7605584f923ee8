/** Formats an ops agent preview as text. */
import { type Action, refundCents, weatherText } from "@trailbook/core/automation"
import { makeLocalTimeFormat } from "@trailbook/core/mail"
import { getUnits } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import type { Preview, PreviewedProposal } from "@trailbook/core/proposal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Print from "../Print.ts"

type OrgFormat = Pick<Org, "currency" | "timezone" | "units">

export const formatPreview = (
  { automation, dial, suggestions }: Preview,
  org: OrgFormat,
  now: Instant.Instant,
  hasSources: boolean
): ReadonlyArray<string> => [
  Print.strong(`${automation.padEnd(10)} ${dial}`),
  ...(suggestions.length > 0
    ? suggestions.flatMap((one) => foreseenLines(one, org, now))
    : automation === "weather" && !hasSources
    ? ["  no proposals: no weather or river service is configured. Set --forecast and --gauges."]
    : ["  no proposals"]),
  ""
]

const foreseenLines = (one: PreviewedProposal, org: OrgFormat, now: Instant.Instant): ReadonlyArray<string> => [
  `  ${one.title}`,
  `    ${becomes(one, org, now)}`,
  ...briefLines(one, org),
  ...actionLines(one.actions, org),
  ...attributionsIn(one.data).map((line) => `    ${Print.faint(line)}`)
]

const becomes = ({ isThere, start }: PreviewedProposal, { timezone }: OrgFormat, now: Instant.Instant): string => {
  if (isThere) return "A proposal for this subject already exists."
  if (start === undefined) return "The dial is off, so the agent would not create this proposal."
  if (start._tag === "Runs") {
    return start.at <= now
      ? "The agent would execute this proposal immediately."
      : `The agent would execute this proposal ${makeLocalTimeFormat(timezone).time(start.at)}, when quiet hours end.`
  }
  return waits[start.held ?? "person"]
}

const waits = {
  person: "This proposal would need your approval.",
  cap: "This proposal would need your approval because the daily limit has been reached.",
  money: "This proposal would need your approval because its refund exceeds the agent's limit."
} as const

const actionLines = (actions: ReadonlyArray<Action>, org: OrgFormat): ReadonlyArray<string> => {
  const [first] = actions
  const isSeries = actions.length > 1 && actions.every(({ kind }) => kind === first?.kind)
  const visibleActions = isSeries ? actions.slice(0, 1) : actions
  return [
    ...visibleActions.flatMap((action) => [`    - ${did(action, org)}`, ...messageLines(action)]),
    ...(isSeries ? [`    - and ${actions.length - 1} more like this`] : [])
  ]
}

const did = (action: Action, { currency }: OrgFormat): string => {
  const cents = refundCents([action])
  const { reason } = action.facts
  return `${action.op}: ${reason}${cents === 0 ? "" : ` Refunds ${(cents / 100).toFixed(2)} ${currency}.`}`
}

const messageLines = ({ facts: { body, subject } }: Action): ReadonlyArray<string> =>
  body === undefined
    ? []
    : [...(subject === undefined ? [] : [`Subject: ${subject}`, ""]), ...body.split("\n")]
      .map((line) => `        ${Print.faint(line)}`.trimEnd())

/** Returns the trips in the daily brief with their weather. */
const briefLines = ({ automation, data }: PreviewedProposal, org: OrgFormat): ReadonlyArray<string> =>
  automation !== "brief" ? [] : [
    ...rows(data.trips).map((trip) =>
      `    ${clockOf(trip.starts_at, org.timezone)}  ${text(trip.offering)}, ${guests(trip.guests)}`
    ),
    ...rows(data.weather).flatMap((weather) => {
      const conditions = weatherText(weather, getUnits(org))
      return conditions.length === 0
        ? []
        : [`    ${clockOf(weather.starts_at, org.timezone)}  ${conditions.join(", ")}`]
    })
  ]

/** Returns the attributions for the weather and river data, without duplicates. */
const attributionsIn = (data: PreviewedProposal["data"]): ReadonlyArray<string> => [
  ...new Set(
    [...rows(data.attribution), ...rows(data.weather).flatMap(({ attribution }) => rows(attribution))]
      .map((whose) => `${text(whose.text)}: ${text(whose.url)}`)
  )
]

interface Row {
  readonly [name: string]: unknown
}

const rows = (value: unknown): ReadonlyArray<Row> =>
  Array.isArray(value) ? value.filter((row): row is Row => typeof row === "object" && row !== null) : []

const text = (value: unknown): string => typeof value === "string" || typeof value === "number" ? String(value) : ""

const guests = (value: unknown): string => `${text(value)} ${value === 1 ? "guest" : "guests"}`

const clockOf = (value: unknown, timezone: string): string => {
  const at = typeof value === "string" ? Instant.parse(value) : undefined
  return at === undefined ? "" : makeLocalTimeFormat(timezone).time(at)
}
