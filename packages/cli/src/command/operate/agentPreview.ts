import { makeLocalTimeFormat } from "@trailbook/core/mail"
import type { Org } from "@trailbook/core/org/Org"
import { actionView, AutomationRuns, type Preview, type PreviewedProposal } from "@trailbook/core/proposal"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { adapter } from "@trailbook/runtime/adapter"
import { engine } from "@trailbook/runtime/engine"
import { makeClock } from "@trailbook/runtime/makeClock"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { weatherLayer } from "@trailbook/runtime/service/weatherLayer"
import { assertComplete, weatherMissing } from "@trailbook/server/dependentSettings"
import { runProgram } from "@trailbook/server/runProgram"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { requireFile } from "../../database/requireFile.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { formatPreview } from "./formatPreview.ts"

export const run: Run<"agent preview"> = async ({ at, database, json, org, ...settings }) => {
  assertComplete("agent preview", ...weatherMissing(settings))
  const preview = await runProgram(
    Effect.gen(function*() {
      const { batches, storage } = yield* adapter(requireFile(database))
      const domain = engine(NodeIds.layer, batches, weatherLayer(settings))
      return yield* Effect.provide(previewProposals(org, at), Layer.provideMerge(domain, storage))
    })
  )
  if (json) Print.json(view(preview))
  else {
    const hasSources = settings.forecast !== "off" || settings.gauges !== "off"
    for (const line of lines(preview, hasSources)) Print.line(line)
  }
}

interface FoundOrg {
  readonly org: Org
  readonly now: Instant.Instant
  readonly previews: ReadonlyArray<Preview>
}

const previewProposals = (slugOrId: string | undefined, at: Instant.Instant | undefined) =>
  Effect.gen(function*() {
    const org = yield* orgIdFromDetails(slugOrId)
    const { preview } = yield* AutomationRuns
    // Use the same time for all previews, because it determines which actions run now and which wait until quiet hours
    // end.
    const now = at ?? (yield* currentTime)
    return { org, now, previews: yield* Effect.withClock(preview(org.id), makeClock(() => now)) }
  })

const lines = ({ now, org, previews }: FoundOrg, hasSources: boolean): ReadonlyArray<string> => [
  `${org.name}, ${makeLocalTimeFormat(org.timezone).time(now)}`,
  "",
  ...previews.flatMap((preview) => formatPreview(preview, org, now, hasSources)),
  Print.faint("Preview only: no changes were made.")
]

const view = ({ now, org, previews }: FoundOrg) => ({
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
  { actions, bookingId, data, day, expiresAt, isThere, sessionId, start, title }: PreviewedProposal
) => ({
  title,
  day: LocalDate.format(day),
  session_id: sessionId,
  booking_id: bookingId,
  data: start?._tag === "Waits" && start.held !== null ? { ...data, held: start.held } : data,
  actions: actions.map(actionView),
  money: actions.some(({ money }) => money === true),
  expires_at: Instant.format(expiresAt),
  is_there: isThere,
  run_at: start?._tag === "Runs" && !isThere ? Instant.format(start.at) : null
})
