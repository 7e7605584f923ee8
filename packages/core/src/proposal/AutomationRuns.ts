/**
 * Runs automations. A run first collects facts from external services. Then one transaction locks the org's
 * automations, counts the agent's own actions, writes the new proposals, and schedules the next run. A crashed run is
 * claimed again. Two concurrent runs therefore create only one proposal, and two automations cannot jointly exceed a
 * cap.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Action, Suggestion } from "../automation/Action.ts"
import {
  type Automation,
  type AutomationName,
  automationNames,
  AutomationStore,
  type AutonomyLevel,
  type ClaimedAutomation,
  make
} from "../automation/Automation.ts"
import { type AutonomyDecision, decideAutonomy } from "../automation/autonomyLimits.ts"
import { isReminderReason } from "../automation/revalidateActions.ts"
import * as Decider from "../Decider.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/Orgs.ts"
import { EventLog } from "../port/EventLog.ts"
import { deriveIdempotencyKey } from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope, UnitOfWork } from "../port/UnitOfWork.ts"
import { makeStaffNotificationTasks } from "../staff/Notifier.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { get } from "../time/Zone.ts"
import { deriveReminderIdempotencyKey, makeSuggestionCollector } from "./collectSuggestions.ts"
import {
  getProposalEmailWindow,
  isAwaitingApproval,
  type Proposal,
  proposalEmailWindowMs,
  ProposalStore
} from "./Proposal.ts"
import { proposalDecider } from "./ProposalDecider.ts"

/** A proposal that an automation would create, and what the agent would do with it. */
export interface PreviewedProposal extends Suggestion {
  /** Whether and when the proposal would start. Undefined if the automation is off. */
  readonly start: AutonomyDecision | undefined
  /**
   * Whether a proposal with the same automation, subject, and day already exists. If so, a second one is not created.
   */
  readonly isDuplicate: boolean
}

export interface AutomationPreview {
  readonly automation: AutomationName
  readonly dial: AutonomyLevel
  readonly suggestions: ReadonlyArray<PreviewedProposal>
}

export class AutomationRuns extends Context.Tag("@trailbook/core/AutomationRuns")<
  AutomationRuns,
  {
    /** Claims up to `limit` due runs. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ClaimedAutomation>>
    /** Executes a run and returns the number of new proposals. */
    readonly take: (claim: ClaimedAutomation) => Effect.Effect<number>
    readonly release: (claims: ReadonlyArray<ClaimedAutomation>) => Effect.Effect<void>
    /**
     * Returns the proposals that each of an org's automations would create now, regardless of its dial. Writes nothing
     * and executes nothing.
     */
    readonly preview: (orgId: string) => Effect.Effect<ReadonlyArray<AutomationPreview>>
  }
>() {
  static readonly layer = Layer.effect(AutomationRuns, Effect.suspend(() => makeAutomationRuns))
}

const makeAutomationRuns = Effect.gen(function*() {
  const collectSuggestions = yield* makeSuggestionCollector
  const ids = yield* Ids
  const log = yield* EventLog
  const orgs = yield* OrgStore
  const proposals = yield* ProposalStore
  const staff = yield* StaffStore
  const store = yield* AutomationStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  /**
   * At the end of a window, emails the staff about pending proposals. All proposals in a window share one email.
   */
  const notify = (orgId: string, aboutId: string, now: Instant.Instant) =>
    Effect.gen(function*() {
      const dueAt = Instant.make((getProposalEmailWindow(now) + 1) * proposalEmailWindowMs)
      yield* tasks.add(
        makeStaffNotificationTasks(ids, yield* staff.list(orgId), { kind: "mail.proposal", orgId, aboutId, dueAt })
      )
    })

  /**
   * Expires pending fill proposals about a session that a weather proposal cancels. They are not dismissed, because
   * a dismissal by the agent would count toward its daily cap.
   */
  const expireFillProposals = ({ automation, orgId, sessionId }: Proposal, now: Instant.Instant) =>
    Effect.gen(function*() {
      if (automation !== "weather" || sessionId === null) return
      const pending = yield* proposals.list({ orgId, status: "pending", automation: "fill", limit: maxSearched })
      const sameSessionKeys = pending.filter((one) => one.sessionId === sessionId).map(({ id }) => ({ orgId, id }))
      for (const proposal of (yield* proposals.lock(sameSessionKeys)).filter(isAwaitingApproval)) {
        const decide = Decider.run(proposalDecider)
        const decision = Either.getOrThrow(decide({ ...proposal, expiresAt: now }, { _tag: "Expire", now }))
        yield* proposals.put(decision.state)
      }
    })

  const storeSuggestions = (
    claim: ClaimedAutomation,
    dial: Exclude<AutonomyLevel, "off">,
    org: Org,
    suggestions: ReadonlyArray<Suggestion>,
    now: Instant.Instant
  ) =>
    Effect.gen(function*() {
      yield* store.lock(org.id)
      // If the automation was changed or another run claimed it, this claim is void. The other run collects its own
      // facts.
      if (!(yield* store.scheduleNextRun(claim, getNextRunTime(claim.automation, org, now)))) return 0
      const zone = get(org.timezone)
      let newCount = 0
      let waitingId: string | undefined
      const newest = yield* proposals.list({ orgId: org.id, limit: maxSearched })
      const isAnnounced = newest.some(({ createdAt, decidedBy }) =>
        decidedBy !== "agent" && getProposalEmailWindow(createdAt) === getProposalEmailWindow(now)
      )
      let ranCount = yield* proposals.countOwn(org.id, Instant.addMinutes(now, -24 * 60))
      for (const suggestion of suggestions) {
        const { actions, expiresAt } = suggestion
        if (expiresAt <= now) continue
        const start = decideAutonomy({
          actions,
          dial,
          expiresAt,
          guards: org,
          now,
          recentRunCount: ranCount,
          zone
        })
        const isAutomatic = start._tag === "Runs"
        const id = ids.uuid()
        const proposal: Proposal = {
          ...suggestion,
          id,
          orgId: org.id,
          actions: actions.map((action, at) => withIdempotencyKey(ids, id, action, at)),
          status: "pending",
          dial,
          held: start._tag === "Waits" ? start.held : null,
          runAt: start._tag === "Runs" ? start.at : null,
          createdAt: now,
          decidedAt: isAutomatic ? now : null,
          decidedBy: isAutomatic ? "agent" : null,
          doneAt: null,
          error: null
        }
        if (!(yield* proposals.add(proposal))) continue
        yield* expireFillProposals(proposal, now)
        newCount++
        if (isAutomatic) ranCount++
        else waitingId ??= id
      }
      if (waitingId !== undefined && !isAnnounced) yield* notify(org.id, waitingId, now)
      if (newCount > 0) yield* log.touch(org.id)
      return newCount
    })

  return AutomationRuns.of({
    claim: (limit) => Effect.flatMap(currentTime, (now) => store.claim({ now, limit, leaseMs })),
    take: (claim) =>
      Effect.gen(function*() {
        const now = yield* currentTime
        const org = Option.getOrUndefined(yield* orgs.find(claim.orgId))
        const { dial } = claim
        if (org === undefined || dial === "off") return yield* Effect.as(store.scheduleNextRun(claim, null), 0)
        const suggestions = yield* collectSuggestions(org, claim, now)
        return yield* run(storeSuggestions(claim, dial, org, suggestions, now))
      }).pipe(Effect.provideService(TenantScope, [claim.orgId])),
    release: store.release,
    preview: (orgId) =>
      Effect.gen(function*() {
        const now = yield* currentTime
        const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
        const automationRows = yield* store.list(orgId)
        const zone = get(org.timezone)
        let ranCount = yield* proposals.countOwn(org.id, Instant.addMinutes(now, -24 * 60))
        return yield* Effect.forEach(automationNames, (name) =>
          Effect.gen(function*() {
            const automation: Automation = automationRows.find(({ automation }) => automation === name) ??
              make(orgId, name)
            const { dial } = automation
            const query = { orgId, automation: name, limit: maxNewest }
            const existingKeys = new Set((yield* proposals.list(query)).map(keyOf))
            const suggestions = (yield* collectSuggestions(org, automation, now)).filter(({ expiresAt }) =>
              expiresAt > now
            )
            return {
              automation: name,
              dial,
              suggestions: suggestions.map((suggestion): PreviewedProposal => {
                const isThere = existingKeys.has(keyOf(suggestion))
                const start = dial === "off"
                  ? undefined
                  : decideAutonomy({ ...suggestion, dial, guards: org, now, recentRunCount: ranCount, zone })
                if (start?._tag === "Runs" && !isThere) ranCount++
                return { ...suggestion, start, isDuplicate: isThere }
              })
            }
          }))
      }).pipe(Effect.provideService(TenantScope, [orgId]))
  })
})

/** The maximum number of proposals that a run searches, newest first. */
const maxSearched = 100

/** The maximum number of proposals that a preview compares with its suggestions, newest first. */
const maxNewest = 500

const keyOf = ({ day, subject }: Suggestion): string => `${day} ${subject}`

/**
 * The lease for a run. It is long, because a run queries the weather for many locations, and each query takes a few
 * seconds.
 */
const leaseMs = 5 * 60_000

/** The operations that are not idempotent and therefore need an idempotency key. */
const keyedOperations: ReadonlySet<string> = new Set(["sessions.create", "messages.send"])

/**
 * A reminder's key depends on its kind and booking, not on the proposal, so no booking gets the same reminder twice.
 */
const withIdempotencyKey = (
  ids: Pick<Ids["Type"], "digest">,
  proposalId: string,
  action: Action,
  at: number
): Action => {
  if (!keyedOperations.has(action.op)) return action
  const { booking_id, why } = action.facts
  const idempotency_key = isReminderReason(why) && booking_id !== undefined
    ? deriveReminderIdempotencyKey(ids, why, booking_id)
    : deriveIdempotencyKey(ids, `${proposalId}:${at}`)
  return { ...action, input: { ...action.input, idempotency_key } }
}

const intervalMinutes = { weather: 60, fill: 15, reminders: 5 } as const

/** Returns the time of an automation's next run. */
export const getNextRunTime = (
  automation: AutomationName,
  { briefHour, timezone }: Pick<Org, "briefHour" | "timezone">,
  now: Instant.Instant
): Instant.Instant => {
  if (automation !== "brief") return Instant.addMinutes(now, intervalMinutes[automation])
  const zone = get(timezone)
  const today = zone.dateAt(now)
  const runTimes = [0, 1, 2].map((days) => zone.instantAt(LocalDate.addDays(today, days), briefHour * 3600))
  return runTimes.find((at) => at > now) ?? Instant.addMinutes(now, 24 * 60)
}
