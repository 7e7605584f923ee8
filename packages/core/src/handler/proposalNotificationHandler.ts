import * as Effect from "effect/Effect"
import { type Action, isGuestFacing, sumRefundCents } from "../automation/Action.ts"
import { formatConditions } from "../automation/formatConditions.ts"
import { formatStartTime } from "../conversation/message/formatStartTime.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import { toSingleLine } from "../mail/toSingleLine.ts"
import { formatAmount } from "../money/Currency.ts"
import type { Org } from "../org/Org.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import { getUnits } from "../org/units.ts"
import { findNotifiedGuests, makeExpireCanceledReminders } from "../proposal/findNotifiedGuests.ts"
import {
  compareByUrgency,
  getProposalEmailWindow,
  isAwaitingApproval,
  type Proposal,
  ProposalStore
} from "../proposal/Proposal.ts"
import type { Task } from "../task/Task.ts"
import * as Instant from "../time/Instant.ts"
import { makeStaffNotificationHandler } from "./staffNotificationHandler.ts"
import { makeAttachOrg } from "./taskSubjects.ts"

/**
 * Notifies the staff of proposals that need approval, or of an action by the ops agent. The notification does not name
 * guests.
 */
export const makeProposalNotificationHandler = ({ staffUrl }: {
  /** The dashboard URL. */
  readonly staffUrl: string
}) =>
  Effect.gen(function*() {
    const messages = yield* MessageStore
    const proposals = yield* ProposalStore
    const expireCanceled = yield* makeExpireCanceledReminders
    const attachOrgs = yield* makeAttachOrg

    const loadProposals = (tasks: ReadonlyArray<Task>, getProposalId: (task: Task) => string) =>
      Effect.gen(function*() {
        const rows = yield* proposals.find(tasks.map((task) => ({ orgId: task.orgId, id: getProposalId(task) })))
        return yield* attachOrgs(tasks, (task) => {
          const proposal = rows.find((row) => row.id === getProposalId(task) && row.orgId === task.orgId)
          return proposal && { proposal }
        })
      })

    /** Returns the pending proposals created in the same time window as this one, most urgent first. */
    const loadPendingInWindow = ({ createdAt, orgId }: Proposal) =>
      Effect.map(
        Effect.flatMap(proposals.list({ orgId, status: "pending", limit: maxListed }), expireCanceled),
        (pending) =>
          pending.filter((other) =>
            isAwaitingApproval(other) && getProposalEmailWindow(other.createdAt) === getProposalEmailWindow(createdAt)
          )
            .toSorted(compareByUrgency)
      )

    const toUrl = ({ id }: Proposal) => `${staffUrl}/dashboard/proposals#${id}`

    return yield* makeStaffNotificationHandler(loadProposals, ({ org, proposal }) =>
      Effect.gen(function*() {
        const { actions, decidedBy, id: aboutId, orgId, status } = proposal
        if (decidedBy === "agent" && (status === "done" || status === "failed")) {
          const notified = findNotifiedGuests(actions.map(({ facts, kind }) => ({ kind, facts: { ...facts } })))
          const unreached = (yield* messages.listUnreachedGuests({ orgId, ...notified, limit: maxListed })).length
          return {
            about: "proposal" as const,
            aboutId,
            subject: status === "failed" ? `Not finished: ${toHeadline(proposal)}` : toDoneSubject(proposal),
            text: [
              ...status === "failed"
                ? [
                  `The ops agent could not complete its actions: ${
                    ensureFinalPeriod(proposal.error ?? "an action was rejected")
                  }`
                ]
                : [],
              ...toSections(proposal, org, staffUrl),
              ...unreached === 0
                ? []
                : [
                  `The guests on ${
                    formatCount(unreached, "booking")
                  } did not get the email. Call the guests listed in the proposal.`
                ]
            ].join("\n\n"),
            url: toUrl(proposal),
            urlLabel: "Open the proposal"
          }
        }
        const pendingProposals = yield* loadPendingInWindow(proposal)
        const [first] = pendingProposals
        if (first === undefined) return undefined
        const isSingle = pendingProposals.length === 1
        return {
          about: "proposal" as const,
          aboutId: first.id,
          subject: toPendingSubject(first, pendingProposals),
          text: pendingProposals.map((one) =>
            [
              ...isSingle ? [] : [toHeadline(one)],
              ...toPendingSections(one, org, staffUrl),
              ...isSingle ? [] : [toUrl(one)]
            ].join("\n\n")
          ).join("\n\n"),
          url: isSingle ? toUrl(first) : `${staffUrl}/dashboard/proposals`,
          urlLabel: first.actions.length === 0 ? "Open the proposal" : "Review and approve"
        }
      }))
  })

/** The maximum number of proposals to list. The dashboard lists all pending proposals. */
const maxListed = 100

/** Returns the title without its reason, because the text already states the reason. */
const toHeadline = ({ automation, title }: Proposal): string => {
  const line = toSingleLine(title)
  const end = line.lastIndexOf(": ")
  return automation === "brief" ? `Morning brief: ${line}` : end === -1 ? line : line.slice(0, end)
}

const toDoneSubject = (proposal: Proposal): string =>
  toHeadline(proposal).replace(
    /^(Cancel|Move|Open|Send) /,
    (_, verb: keyof typeof pastTenses) => `${pastTenses[verb]} automatically: `
  )

const pastTenses = { Cancel: "Canceled", Move: "Moved", Open: "Opened", Send: "Sent" }

const toPendingSubject = (first: Proposal, pendingProposals: ReadonlyArray<Proposal>): string => {
  const { length } = pendingProposals.filter(({ actions }) => actions.length > 0)
  if (length > 1) return `${length} proposals need approval: ${toHeadline(first)}`
  if (first.automation === "brief") return `${toHeadline(first)}${length === 0 ? "" : " (needs approval)"}`
  return `Needs approval: ${toHeadline(first)}`
}

const toPendingSections = (proposal: Proposal, org: Org, staffUrl: string): ReadonlyArray<string> => [
  ...toSections(proposal, org, staffUrl),
  ...proposal.held === "cap" ? ["Needs approval because the ops agent reached its daily limit."] : [],
  ...proposal.held === "money" ? ["Needs approval because the refund is above your limit."] : [],
  ...proposal.actions.length === 0
    ? []
    : [
      `${proposal.actions.some(isGuestFacing) ? "Decide in time to reach your guests. " : ""}This proposal expires ${
        formatStartTime(proposal.expiresAt, org.timezone)
      }.`
    ]
]

/** Returns the proposal's reasons and impact and, for a brief, its content. */
const toSections = (proposal: Proposal, org: Org, staffUrl: string): ReadonlyArray<string> => {
  const { actions } = proposal
  const reasons = [...new Set(actions.map(({ facts }) => facts.reason))]
    // A reminder's reason repeats its title.
    .filter((reason) => !proposal.title.startsWith(reason.replace(/\.$/, "")))
  const guests = countAffected(actions)
  const refund = sumRefundCents(actions)
  const impact = [
    ...guests === 0 ? [] : [`Guests to notify: ${guests}`],
    ...refund === 0 ? [] : [`Refunds: ${formatAmount(refund, org.currency)}`]
  ].map((line) => proposal.status === "done" ? line.replace("Guests to notify", "Guests notified") : line)
  return [reasons.join("\n"), impact.join("\n"), ...toBriefSections(proposal, org, staffUrl)]
    .filter((section) => section !== "")
}

/**
 * Returns the number of seats, people, or items that the actions affect. A canceled session counts once, including all
 * of its bookings.
 */
const countAffected = (actions: ReadonlyArray<Action>): number => {
  const guestActions = actions.filter(isGuestFacing)
  const session = guestActions.find(({ kind }) => kind === "cancel_session")
  const changes = guestActions.filter(({ kind }) => kind !== "message")
  return (session === undefined ? changes.length === 0 ? guestActions : changes : [session])
    .reduce((sum, { facts }) => sum + (facts.guests ?? 0), 0)
}

/** Returns a brief's trips, with their guests and weather, and its unanswered conversations. */
const toBriefSections = ({ automation, data }: Proposal, org: Org, staffUrl: string): ReadonlyArray<string> => {
  if (automation !== "brief") return []
  const clock = makeLocalTimeFormat(org.timezone)
  const weather = toRows(data.weather)
  const trips = toRows(data.trips).map((trip) => {
    const conditions = weather.find(({ offering, starts_at }) =>
      offering === trip.offering && starts_at === trip.starts_at
    )
    const forecast = conditions === undefined
      ? ""
      : toSingleLine(formatConditions(conditions, getUnits(org)).join(", "))
    return `- ${formatWith(clock.hour, trip.starts_at)}: ${toSingleLine(String(trip.offering))}, ${
      formatCount(Number(trip.guests), "guest")
    }${forecast === "" ? "" : `. ${forecast.charAt(0).toUpperCase()}${forecast.slice(1)}`}`
  })
  const threads = toRows(data.unanswered).map((row) =>
    `- Since ${formatWith(clock.shortDay, row.since)}: ${staffUrl}/dashboard/inbox/${String(row.conversation_id)}`
  )
  const sources = [
    ...new Set(weather.flatMap(({ attribution }) => toRows(attribution).map(({ text }) => String(text))))
  ]
  return [
    trips.length === 0 ? "No trips today." : ["Trips:", ...trips].join("\n"),
    ...threads.length === 0 ? [] : [["Conversations without a reply:", ...threads].join("\n")],
    ...sources.length === 0 ? [] : [`Sources: ${sources.join(", ")}`]
  ]
}

const formatWith = (format: (instant: Instant.Instant) => string, value: unknown): string => {
  const instant = Instant.parse(String(value))
  return instant === undefined ? String(value) : format(instant)
}

const formatCount = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

type Row = Readonly<Record<string, unknown>>

const toRows = (value: unknown): ReadonlyArray<Row> =>
  Array.isArray(value) ? value.filter((row): row is Row => typeof row === "object" && row !== null) : []
