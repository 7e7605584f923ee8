import { type Action, formatConditions, sumRefundCents } from "@trailbook/core/automation"
import { makeLocalTimeFormat } from "@trailbook/core/mail"
import { getUnits } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { actionView, type AutomationPreview, AutomationRuns, type PreviewedProposal } from "@trailbook/core/proposal"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import { makeClock } from "@trailbook/runtime/makeClock"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { makeWeatherLayers } from "@trailbook/runtime/service/weatherLayers"
import { assertSettingsComplete, listMissingWeatherSettings } from "@trailbook/server/dependentSettings"
import { runProgram } from "@trailbook/server/runProgram"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { findOrgOrDefault } from "../database/findOrgOrDefault.ts"
import { requireDatabaseFile } from "../database/withDatabase.ts"
import type { CommandRunner } from "./Command.ts"
import * as Print from "./Print.ts"

export const run: CommandRunner<"agent preview"> = async ({ at, database, json, org, ...settings }) => {
  assertSettingsComplete("agent preview", ...listMissingWeatherSettings(settings))
  const preview = await runProgram(
    Effect.gen(function*() {
      const { batches, storage } = yield* loadAdapter(requireDatabaseFile(database))
      const domain = engineLayer(NodeIds.layer, batches, makeWeatherLayers(settings))
      return yield* Effect.provide(previewProposals(org, at), Layer.provideMerge(domain, storage))
    })
  )
  if (json) Print.json(toView(preview))
  else {
    const hasSources = settings.forecast !== "off" || settings.gauges !== "off"
    for (const line of formatLines(preview, hasSources)) Print.line(line)
  }
}

interface FoundOrg {
  readonly org: Org
  readonly now: Instant.Instant
  readonly previews: ReadonlyArray<AutomationPreview>
}

const previewProposals = (slugOrId: string | undefined, at: Instant.Instant | undefined) =>
  Effect.gen(function*() {
    const org = yield* findOrgOrDefault(slugOrId)
    const { preview } = yield* AutomationRuns
    // Use the same time for all previews, because it determines which actions run now and which wait until quiet hours
    // end.
    const now = at ?? (yield* currentTime)
    return { org, now, previews: yield* Effect.withClock(preview(org.id), makeClock(() => now)) }
  })

const formatLines = ({ now, org, previews }: FoundOrg, hasSources: boolean): ReadonlyArray<string> => [
  `${org.name}, ${makeLocalTimeFormat(org.timezone).time(now)}`,
  "",
  ...previews.flatMap((preview) => formatPreview(preview, org, now, hasSources)),
  Print.formatDim("Preview only: no changes were made.")
]

const toView = ({ now, org, previews }: FoundOrg) => ({
  org_id: org.id,
  org: org.slug,
  at: Instant.format(now),
  automations: previews.map(({ automation, dial, suggestions }) => ({
    automation,
    dial,
    proposals: suggestions.map(toPreview)
  }))
})

const toPreview = (
  { actions, bookingId, data, day, expiresAt, isDuplicate, sessionId, start, title }: PreviewedProposal
) => ({
  title,
  day: LocalDate.format(day),
  session_id: sessionId,
  booking_id: bookingId,
  data: start?._tag === "Waits" && start.held !== null ? { ...data, held: start.held } : data,
  actions: actions.map(actionView),
  money: actions.some(({ money }) => money === true),
  expires_at: Instant.format(expiresAt),
  is_there: isDuplicate,
  run_at: start?._tag === "Runs" && !isDuplicate ? Instant.format(start.at) : null
})

type OrgFormat = Pick<Org, "currency" | "timezone" | "units">

const formatPreview = (
  { automation, dial, suggestions }: AutomationPreview,
  org: OrgFormat,
  now: Instant.Instant,
  hasSources: boolean
): ReadonlyArray<string> => [
  Print.formatBold(`${automation.padEnd(10)} ${dial}`),
  ...(suggestions.length > 0
    ? suggestions.flatMap((proposal) => formatProposal(proposal, org, now))
    : automation === "weather" && !hasSources
    ? ["  no proposals: no weather or river service is configured. Set --forecast and --gauges."]
    : ["  no proposals"]),
  ""
]

const formatProposal = (proposal: PreviewedProposal, org: OrgFormat, now: Instant.Instant): ReadonlyArray<string> => [
  `  ${proposal.title}`,
  `    ${describeOutcome(proposal, org, now)}`,
  ...formatBrief(proposal, org),
  ...formatActions(proposal.actions, org),
  ...findAttributions(proposal.data).map((line) => `    ${Print.formatDim(line)}`)
]

const describeOutcome = (
  { isDuplicate, start }: PreviewedProposal,
  { timezone }: OrgFormat,
  now: Instant.Instant
): string => {
  if (isDuplicate) return "A proposal for this subject already exists."
  if (start === undefined) return "The dial is off, so the agent would not create this proposal."
  if (start._tag === "Runs") {
    return start.at <= now
      ? "The agent would execute this proposal immediately."
      : `The agent would execute this proposal ${makeLocalTimeFormat(timezone).time(start.at)}, when quiet hours end.`
  }
  return approvalReasons[start.held ?? "person"]
}

const approvalReasons = {
  person: "This proposal would need your approval.",
  cap: "This proposal would need your approval because the daily limit has been reached.",
  money: "This proposal would need your approval because its refund exceeds the agent's limit."
} as const

const formatActions = (actions: ReadonlyArray<Action>, org: OrgFormat): ReadonlyArray<string> => {
  const [first] = actions
  const isSeries = actions.length > 1 && actions.every(({ kind }) => kind === first?.kind)
  const visibleActions = isSeries ? actions.slice(0, 1) : actions
  return [
    ...visibleActions.flatMap((action) => [`    - ${describeAction(action, org)}`, ...formatMessage(action)]),
    ...(isSeries ? [`    - and ${actions.length - 1} more like this`] : [])
  ]
}

const describeAction = (action: Action, { currency }: OrgFormat): string => {
  const cents = sumRefundCents([action])
  const { reason } = action.facts
  return `${action.op}: ${reason}${cents === 0 ? "" : ` Refunds ${(cents / 100).toFixed(2)} ${currency}.`}`
}

const formatMessage = ({ facts: { body, subject } }: Action): ReadonlyArray<string> =>
  body === undefined
    ? []
    : [...(subject === undefined ? [] : [`Subject: ${subject}`, ""]), ...body.split("\n")]
      .map((line) => `        ${Print.formatDim(line)}`.trimEnd())

/** Returns the trips in the daily brief with their weather. */
const formatBrief = ({ automation, data }: PreviewedProposal, org: OrgFormat): ReadonlyArray<string> =>
  automation !== "brief" ? [] : [
    ...toRows(data.trips).map((trip) =>
      `    ${formatTime(trip.starts_at, org.timezone)}  ${toText(trip.offering)}, ${formatGuests(trip.guests)}`
    ),
    ...toRows(data.weather).flatMap((weather) => {
      const conditions = formatConditions(weather, getUnits(org))
      return conditions.length === 0
        ? []
        : [`    ${formatTime(weather.starts_at, org.timezone)}  ${conditions.join(", ")}`]
    })
  ]

/** Returns the attributions for the weather and river data, without duplicates. */
const findAttributions = (data: PreviewedProposal["data"]): ReadonlyArray<string> => [
  ...new Set(
    [...toRows(data.attribution), ...toRows(data.weather).flatMap(({ attribution }) => toRows(attribution))]
      .map((attribution) => `${toText(attribution.text)}: ${toText(attribution.url)}`)
  )
]

interface Row {
  readonly [name: string]: unknown
}

const toRows = (value: unknown): ReadonlyArray<Row> =>
  Array.isArray(value) ? value.filter((row): row is Row => typeof row === "object" && row !== null) : []

const toText = (value: unknown): string => typeof value === "string" || typeof value === "number" ? String(value) : ""

const formatGuests = (value: unknown): string => `${toText(value)} ${value === 1 ? "guest" : "guests"}`

const formatTime = (value: unknown, timezone: string): string => {
  const at = typeof value === "string" ? Instant.parse(value) : undefined
  return at === undefined ? "" : makeLocalTimeFormat(timezone).time(at)
}
