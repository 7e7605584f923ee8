/**
 * Decides and runs proposals. A run executes one action per transaction. The transaction locks the proposal, executes
 * the next action as the agent through the operation registry, and stores the result. Each action is therefore executed
 * once, even after a crash or with concurrent workers. The transaction only starts a large action, which is then
 * finished in chunks before the next action.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Actor, type AgentActor, type DecisionSource, OperationRunner } from "../actor/Actor.ts"
import {
  type Action,
  type ActionFacts,
  type ActionResult,
  findResourceId,
  isGuestFacing
} from "../automation/Action.ts"
import { exceedsRefundLimit, findQuietHoursEnd } from "../automation/autonomyLimits.ts"
import { updateReminderSubject } from "../automation/messageTemplates.ts"
import { needsRevalidation, revalidateActions } from "../automation/revalidateActions.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { Cancellations } from "../booking/cancellation/Cancellations.ts"
import { makeBookingTask } from "../booking/eventsAndTasks.ts"
import { formatCancellations } from "../conversation/broadcast/Broadcast.ts"
import { type BroadcastAudience, Broadcasts } from "../conversation/broadcast/Broadcasts.ts"
import {
  explainMissingVariable,
  findMissingVariableNames,
  getBookingTemplateValues,
  renderTemplate
} from "../conversation/saved-reply/SavedReply.ts"
import * as Decider from "../Decider.ts"
import type { LimitEvaluation } from "../forecast/evaluateLimits.ts"
import { formatQuantity } from "../offering/formatQuantity.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/Orgs.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { PublicUrl } from "../port/PublicUrl.ts"
import { TransactionContext, UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal, refuse } from "../Refusal.ts"
import { SessionStore } from "../session/Session.ts"
import { makeStaffNotificationTasks } from "../staff/Notifier.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { get } from "../time/Zone.ts"
import { makeProposalStateLoader } from "./loadProposalState.ts"
import { type ClaimedProposal, isAwaitingApproval, type Proposal, ProposalStore } from "./Proposal.ts"
import { type MessageEdit, type ProposalCommand, proposalDecider } from "./ProposalDecider.ts"

type ProposalRefusal = Refusal<"not_found" | "proposal_decided" | "proposal_expired">

export class Proposals extends Context.Tag("@trailbook/core/Proposals")<
  Proposals,
  {
    /**
     * Immediately runs the actions that still apply. If no action applies or the approval is too late, the proposal
     * expires. Rejects a draft if one of its variables has no value for a guest.
     */
    readonly approve: (
      key: OrgKey,
      by: DecisionSource,
      draft: MessageEdit | undefined
    ) => Effect.Effect<Proposal, ProposalRefusal | Refusal<"invalid_request">>
    readonly dismiss: (key: OrgKey, by: DecisionSource) => Effect.Effect<Proposal, ProposalRefusal>
    /** Undoes the actions if all of them are reversible and no guest has booked a session that they created. */
    readonly undo: (key: OrgKey) => Effect.Effect<Proposal, Refusal<"not_found" | "not_reversible">>
    /** Claims up to `limit` runnable proposals. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<ClaimedProposal>>
    /** Runs a proposal to completion and returns the number of executed actions. */
    readonly run: (claim: ClaimedProposal) => Effect.Effect<number>
    readonly release: (claims: ReadonlyArray<ClaimedProposal>) => Effect.Effect<void>
    /** Expires up to `limit` proposals and returns how many it expired. */
    readonly expire: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(Proposals, Effect.suspend(() => makeProposals))
}

const makeProposals = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const broadcasts = yield* Broadcasts
  const cancellations = yield* Cancellations
  const operations = yield* OperationRunner
  const ids = yield* Ids
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const publicUrl = yield* PublicUrl
  const currentState = yield* makeProposalStateLoader
  const sessions = yield* SessionStore
  const staff = yield* StaffStore
  const store = yield* ProposalStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork

  const lock = (key: OrgKey) => Effect.flatMap(store.lock([key]), failIfNotFound("proposal", key.id))
  const find = (key: OrgKey) => Effect.flatMap(store.find([key]), failIfNotFound("proposal", key.id))

  /**
   * Runs a transaction that may change a proposal. Notifies open pages at the end of the transaction, because the
   * notification locks the org's event sequence.
   */
  const runAndNotify = ({ orgId }: OrgKey) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
    run(Effect.zipLeft(work, log.touch(orgId)))

  /** Notifies all staff members who have notifications turned on. */
  const notifyStaff = ({ id: aboutId, orgId }: OrgKey) =>
    Effect.gen(function*() {
      const dueAt = yield* currentTime
      yield* tasks.add(
        makeStaffNotificationTasks(ids, yield* staff.list(orgId), { kind: "mail.proposal", orgId, aboutId, dueAt })
      )
    })

  /** Applies a command and stores the result. */
  const decide = <Command extends ProposalCommand>(proposal: Proposal, command: Command) =>
    Effect.gen(function*() {
      const { events, state } = yield* Decider.run(proposalDecider)(proposal, command)
      if (events.length > 0) yield* store.put(state)
      const isHeld = !isAwaitingApproval(proposal) && isAwaitingApproval(state)
      if (isHeld || shouldNotifyStaff(proposal, state)) yield* notifyStaff(state)
      return state
    })

  /** Executes an operation as the agent inside the current transaction. A rejected operation changes nothing. */
  const runOperation = ({ id: proposalId, orgId }: OrgKey, op: string, input: object, coversChangeMail = false) =>
    Effect.flatMap(TransactionContext, (enclosingTransaction) => {
      const jobIds: Array<string> = []
      return run(operations.run(op, input)).pipe(
        Effect.map((response) => jobIds.length === 0 ? collectIds(response) : { id: jobIds[0] }),
        Effect.provideService(TransactionContext, {
          owner: enclosingTransaction?.owner ?? "engine",
          onJobStarted: (id) => void jobIds.push(id)
        }),
        Effect.provideService(Actor, agent(orgId, proposalId, coversChangeMail)),
        Effect.either
      )
    })

  /**
   * Finishes the last action in separate transactions if it was only started, because the next action depends on
   * it.
   */
  const finishJobs = (key: OrgKey) =>
    Effect.gen(function*() {
      const [proposal] = yield* store.find([key])
      const id = findResourceId(proposal?.actions.findLast(({ result }) => result !== undefined)?.result)
      if (id === undefined) return
      yield* broadcasts.job.finish({ orgId: key.orgId, id })
      yield* cancellations.jobs.session.finish({ orgId: key.orgId, id })
    })

  const loadOffering = ({ booking: { offeringId: id, orgId } }: BookingRecord) =>
    Effect.map(offerings.find([{ orgId, id }]), ([offering]) => offering)

  /**
   * Fills in the variables of a message to one guest. Appends a list of the bookings that the proposal has canceled
   * or moved, or that a pre-trip reminder covers, unless the reminder already links to all of them.
   */
  const renderInput = (proposal: Proposal, { facts, input }: Action) =>
    Effect.gen(function*() {
      const { orgId } = proposal
      if (typeof input.booking_id !== "string" || typeof input.body !== "string") return input
      const [record] = yield* bookings.find([{ orgId, id: input.booking_id }])
      if (record === undefined) return input
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
      const offering = yield* loadOffering(record)
      const values = getBookingTemplateValues(record, offering, org, publicUrl)
      const bookingChange = findBookingChanges(proposal.actions, facts)
      const records = bookingChange.ids.length === 0
        ? []
        : (yield* bookings.find(bookingChange.ids.map((id) => ({ orgId, id }))))
          .toSorted((a, b) => a.booking.reference < b.booking.reference ? -1 : 1)
      const isPreTripReminder = facts.why === "before_24h" || facts.why === "before_2h"
      const body = renderTemplate(input.body, values)
      const now = yield* currentTime
      const startsAt = Instant.parse(facts.starts_at ?? "") ?? now
      const remindedRecords = isPreTripReminder && facts.reworded !== true
        ? (yield* bookings.find((facts.booking_ids ?? []).map((id) => ({ orgId, id })))).filter(({ booking }) =>
          booking.status === "confirmed" && booking.startsAt === startsAt
        )
        : []
      const bookingLists = remindedRecords.some(({ booking }) => !body.includes(`/b/${booking.handle}`))
        ? [listBookings(remindedRecords, publicUrl)]
        : records.length === 0
        ? []
        : bookingChange.isCanceled
        ? [formatCancellations(records, offering, org, publicUrl)]
        : [listBookings(records, publicUrl)]
      return {
        ...input,
        ...(typeof input.subject === "string"
          ? {
            subject: isPreTripReminder
              ? updateReminderSubject(renderTemplate(input.subject, values), startsAt, now, org)
              : renderTemplate(input.subject, values)
          }
          : {}),
        body: [body, ...bookingLists].join("\n\n")
      }
    })

  /** Refuses a draft that uses a variable without a value for one of the message's recipients. */
  const checkDraft = ({ actions, orgId }: Proposal, draft: MessageEdit) =>
    Effect.gen(function*() {
      const action = actions.find(isMessage)
      if (action === undefined) return
      const { booking_id: id, target } = action.input
      const [record] = typeof id === "string" ? yield* bookings.find([{ orgId, id }]) : []
      const audience = record === undefined ? toAudience(target) : undefined
      for (const [field, text] of Object.entries(draft)) {
        if (text === undefined) continue
        const [name] = record !== undefined
          ? findMissingVariableNames(
            text,
            getBookingTemplateValues(
              record,
              yield* loadOffering(record),
              yield* Effect.orDie(Effect.flatten(orgs.find(orgId))),
              publicUrl
            )
          )
          : audience === undefined
          ? []
          : yield* broadcasts.findMissing({ orgId, audience, texts: [text] })
        if (name !== undefined) return yield* invalid(`draft.${field}: ${explainMissingVariable(name)}`)
      }
    })

  /** Sends the standard emails for bookings whose message was not sent because an action failed. */
  const mailUnsentChanges = ({ actions, orgId }: Proposal) =>
    Effect.gen(function*() {
      const coveredActions = actions.filter((action) =>
        action.result?.ok === true && isCoveredByMessage(actions, action)
      )
      const unsentActions = coveredActions.filter(({ input }) =>
        actions.some((action) => isMessageAbout(action, String(input.id)) && action.result?.ok !== true)
      )
      const records = yield* bookings.find(unsentActions.map(({ input }) => ({ orgId, id: String(input.id) })))
      const now = yield* currentTime
      yield* tasks.add(
        records.map(({ booking }) =>
          makeBookingTask(booking, booking.status === "cancelled" ? "mail.cancelled" : "mail.moved", ids.uuid(), now)
        )
      )
    })

  const begin = (proposal: Proposal, limitEvaluation: LimitEvaluation | undefined) =>
    Effect.gen(function*() {
      const now = yield* currentTime
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(proposal.orgId)))
      const validActions = revalidateActions(
        proposal.actions,
        yield* currentState.of(proposal, limitEvaluation, now),
        now
      )
      return yield* decide(proposal, {
        _tag: "Begin",
        now,
        holding: validActions,
        isOverCeiling: exceedsRefundLimit(validActions, org),
        loudFrom: earliestSendTime(validActions, org, now)
      })
    })

  /** Revalidates the next action of a started run, because the proposal may be days old. */
  const revalidateNext = (proposal: Proposal) =>
    Effect.gen(function*() {
      const next = proposal.actions.find(({ result }) => result === undefined)
      if (next === undefined || !needsRevalidation(next)) return proposal
      const now = yield* currentTime
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(proposal.orgId)))
      const actions = [next]
      const validActions = revalidateActions(
        actions,
        yield* currentState.of({ ...proposal, actions }, undefined, now),
        now
      )
      return yield* decide(proposal, {
        _tag: "GoOn",
        now,
        holds: validActions.length > 0,
        loudFrom: earliestSendTime(actions, org, now)
      })
    })

  const runNextAction = (proposal: Proposal) =>
    Effect.gen(function*() {
      const action = proposal.actions.find(({ result }) => result === undefined)
      if (action === undefined) return proposal
      const input = yield* renderInput(proposal, action)
      const outcome = yield* runOperation(proposal, action.op, input, isCoveredByMessage(proposal.actions, action))
      const result: ActionResult = Either.match(outcome, {
        onLeft: ({ message }) => ({ ok: false, error: message }),
        onRight: (data) => ({ ok: true, data })
      })
      const after = yield* decide(proposal, {
        _tag: "Take",
        now: yield* currentTime,
        result,
        undo: action.reversible === true && result.ok ? makeUndo(action, result) : undefined
      })
      if (after.status === "failed") yield* mailUnsentChanges(after)
      return after
    })

  /** Starts the run, or executes its next action. */
  const step = (key: OrgKey, claim: ClaimedProposal | undefined) =>
    Effect.gen(function*() {
      const [storedProposal] = yield* store.find([key])
      if (storedProposal === undefined) return false
      const isNew = storedProposal.actions.every(({ result }) => result === undefined)
      // An approved proposal was already revalidated on approval.
      const limitEvaluation = isNew && storedProposal.decidedBy === "agent"
        ? yield* currentState.judged(storedProposal)
        : undefined
      return yield* runAndNotify(key)(Effect.gen(function*() {
        const [proposal] = yield* store.lock([key])
        if (proposal === undefined || proposal.status !== "pending" || proposal.runAt === null) return false
        if (claim !== undefined && !(yield* store.isClaimed(claim))) return false
        const isBegun = proposal.actions.some(({ result }) => result !== undefined)
        const updatedProposal = yield* isBegun ? revalidateNext(proposal) : begin(proposal, limitEvaluation)
        if (
          updatedProposal.status !== "pending" || updatedProposal.runAt === null ||
          updatedProposal.runAt > (yield* currentTime)
        ) return false
        // The next action no longer applies and was removed, so continue with the one after it.
        if (isBegun && updatedProposal.actions.length < proposal.actions.length) return true
        return (yield* runNextAction(updatedProposal)).runAt !== null
      }))
    })

  const runToEnd = (key: OrgKey, claim: ClaimedProposal | undefined): Effect.Effect<number> =>
    Effect.iterate({ stepCount: 0, hasMore: true }, {
      while: ({ hasMore }) => hasMore,
      // An earlier worker may have crashed while finishing the last action.
      body: ({ stepCount }) =>
        Effect.map(
          Effect.zipRight(finishJobs(key), step(key, claim)),
          (hasMore) => ({ stepCount: stepCount + 1, hasMore })
        )
    }).pipe(
      Effect.map(({ stepCount }) => stepCount),
      Effect.zipLeft(finishJobs(key))
    )

  const approve = (key: OrgKey, by: DecisionSource, draft: MessageEdit | undefined) =>
    Effect.gen(function*() {
      const storedProposal = yield* find(key)
      if (draft !== undefined && isAwaitingApproval(storedProposal)) yield* checkDraft(storedProposal, draft)
      const limitEvaluation = isAwaitingApproval(storedProposal)
        ? yield* currentState.judged(storedProposal)
        : undefined
      return yield* runAndNotify(key)(Effect.gen(function*() {
        const proposal = yield* lock(key)
        const now = yield* currentTime
        const validActions = revalidateActions(
          proposal.actions,
          yield* currentState.of(proposal, limitEvaluation, now),
          now
        )
        return yield* decide(proposal, { _tag: "Approve", now, by, holding: validActions, draft })
      }))
    })

  const isBooked = (orgId: string, { undo }: Action) =>
    Effect.gen(function*() {
      const id = String(undo?.input.id)
      const [session] = yield* sessions.lock([{ orgId, id }])
      const [seats] = yield* sessions.countBookedSeats([{ orgId, id, now: yield* currentTime }])
      return session?.status !== "scheduled" || (seats?.booked ?? 0) > 0
    })

  return Proposals.of({
    approve: (key, by, draft) =>
      Effect.gen(function*() {
        const approvedProposal = yield* approve(key, by, draft)
        if (approvedProposal.status === "expired") return yield* refuse("proposal_expired")
        if (approvedProposal.runAt !== null) yield* runToEnd(key, undefined)
        return yield* find(key)
      }),
    dismiss: (key, by) =>
      runAndNotify(key)(Effect.gen(function*() {
        return yield* decide(yield* lock(key), { _tag: "Dismiss", now: yield* currentTime, by })
      })),
    undo: (key) =>
      runAndNotify(key)(Effect.gen(function*() {
        const proposal = yield* lock(key)
        const undoneProposal = yield* decide(proposal, { _tag: "Undo", now: yield* currentTime })
        for (const action of proposal.actions) {
          if (action.undo === undefined || (yield* isBooked(key.orgId, action))) {
            return yield* refuse("not_reversible")
          }
          const outcome = yield* runOperation(key, action.undo.op, action.undo.input)
          if (Either.isLeft(outcome)) return yield* refuse("not_reversible", outcome.left.message)
        }
        return undoneProposal
      })),
    claim: (limit) => Effect.flatMap(currentTime, (now) => store.claim({ now, limit, leaseMs })),
    // Keep the lease after a defect, so that the run is not retried immediately.
    run: (claim) => Effect.tap(runToEnd(claim, claim), () => store.release([claim])),
    release: store.release,
    expire: (limit) =>
      Effect.gen(function*() {
        const keys = yield* store.overdue(yield* currentTime, limit)
        yield* Effect.forEach(keys, (key) =>
          runAndNotify(key)(Effect.gen(function*() {
            const [proposal] = yield* store.lock([key])
            if (proposal !== undefined) yield* decide(proposal, { _tag: "Expire", now: yield* currentTime })
          })), { discard: true })
        return keys.length
      })
  })
})

const leaseMs = 2 * 60_000

/**
 * Returns whether to notify the staff that the agent acted on the proposal. Canceling an empty session affects no
 * guests, so the staff are not notified of it.
 */
const shouldNotifyStaff = (before: Proposal, { actions, decidedBy, dial, status }: Proposal): boolean =>
  before.status === "pending" && (status === "failed" || (status === "done" && !actions.some(isForEmptySession))) &&
  decidedBy === "agent" && dial === "do_tell"

const isForEmptySession = ({ facts }: Action): boolean => facts.why === "few" && facts.guests === 0

const agent = (orgId: string, proposalId: string, coversChangeMail: boolean): AgentActor => ({
  _tag: "Agent",
  orgId,
  proposalId,
  coversChangeMail,
  scopes: new Set(["read", "write"])
})

/** Returns the earliest time at which these actions can run without notifying guests during quiet hours. */
const earliestSendTime = (actions: ReadonlyArray<Action>, org: Org, now: Instant.Instant): Instant.Instant =>
  actions.some(isGuestFacing) ? findQuietHoursEnd(org, get(org.timezone), now) : now

/** Extracts the IDs from a response. Only the IDs are stored, because the rest contains guest data. */
const collectIds = (response: unknown): unknown => {
  const idOf = (value: unknown) =>
    typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? [value.id] : []
  const rows = typeof response === "object" && response !== null && "data" in response && Array.isArray(response.data)
    ? response.data.flatMap(idOf)
    : idOf(response)
  return rows.length === 1 ? { id: rows[0] } : { ids: rows }
}

/** Returns whether a draft can replace the text of an action. */
const isMessage = ({ kind }: Action): boolean => kind === "message" || kind === "remind"

/** Returns whether an action sends a message about this booking. */
const isMessageAbout = ({ facts, op }: Action, bookingId: string): boolean =>
  op === "messages.send" && (facts.booking_ids?.includes(bookingId) ?? facts.booking_id === bookingId)

/** Returns whether the proposal sends the guest a message about this change to the booking. */
const isCoveredByMessage = (actions: ReadonlyArray<Action>, { input, op }: Action): boolean =>
  (op === "bookings.cancel" || op === "bookings.move") &&
  actions.some((other) => isMessageAbout(other, String(input.id)))

/** Returns the bookings that a message covers and that the proposal has moved or canceled. */
const findBookingChanges = (actions: ReadonlyArray<Action>, facts: ActionFacts) => {
  const bookingIds = facts.booking_ids ?? (facts.booking_id === undefined ? [] : [facts.booking_id])
  const changes = actions.filter(({ input, op, result }) =>
    (op === "bookings.cancel" || op === "bookings.move") && result?.ok === true && bookingIds.includes(String(input.id))
  )
  return {
    ids: changes.map(({ input }) => String(input.id)),
    isCanceled: changes.some(({ op }) => op === "bookings.cancel")
  }
}

const listBookings = (records: ReadonlyArray<BookingRecord>, publicUrl: string): string =>
  [
    records.length === 1 ? "Your booking:" : "Your bookings:",
    ...records.map(({ booking, offering: { kind } }) =>
      `- ${booking.reference}, ${formatQuantity(kind, booking.quantity)}: ${publicUrl}/b/${booking.handle}`
    )
  ].join("\n")

/** Returns the audience of a broadcast action. */
const toAudience = (target: unknown): BroadcastAudience | undefined => {
  if (typeof target !== "object" || target === null) return undefined
  if ("session_id" in target && typeof target.session_id === "string") return { sessionId: target.session_id }
  const date = "date" in target && typeof target.date === "string" ? LocalDate.parse(target.date) : undefined
  return date === undefined ? undefined : { date }
}

const makeUndo = ({ kind }: Action, result: ActionResult): Action["undo"] => {
  const id = findResourceId(result)
  return kind === "create_session" && id !== undefined ? { op: "sessions.cancel", input: { id } } : undefined
}
