import * as Effect from "effect/Effect"
import type { Action } from "../automation/Action.ts"
import { skyWords } from "../automation/words/skyWords.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import { toSingleLine } from "../mail/sanitizeHeader.ts"
import type { Org } from "../org/Org.ts"
import { getUnits } from "../org/units.ts"
import { byUrgency, waitingWindow } from "../proposal/byUrgency.ts"
import { canceledDepartures } from "../proposal/canceledDepartures.ts"
import { isWaiting, type Proposal } from "../proposal/Proposal.ts"
import { ProposalStore } from "../proposal/ProposalStore.ts"
import type { Task } from "../task/Task.ts"
import * as Instant from "../time/Instant.ts"
import { makeStaffNoticeHandler } from "./staffNotices.ts"
import { makeAttachOrg } from "./withOrg.ts"

/**
 * Notifies the staff of proposals that need approval, or of an action of the ops agent. The notification does not name
 * guests.
 */
export const proposalNotices = ({ staffUrl }: {
  /** The URL of the dashboard. */
  readonly staffUrl: string
}) =>
  Effect.gen(function*() {
    const proposals = yield* ProposalStore
    const expireCanceled = yield* canceledDepartures
    const withOrgs = yield* makeAttachOrg

    const read = (tasks: ReadonlyArray<Task>, idOf: (task: Task) => string) =>
      Effect.gen(function*() {
        const found = yield* proposals.find(tasks.map((task) => ({ orgId: task.orgId, id: idOf(task) })))
        return yield* withOrgs(tasks, (task) => {
          const proposal = found.find((row) => row.id === idOf(task) && row.orgId === task.orgId)
          return proposal && { proposal }
        })
      })

    /** The pending proposals of the same window, the most urgent first. */
    const waitingWith = ({ createdAt, orgId }: Proposal) =>
      Effect.map(
        Effect.flatMap(proposals.list({ orgId, status: "pending", limit: maxListed }), expireCanceled),
        (pending) =>
          pending.filter((other) => isWaiting(other) && waitingWindow(other.createdAt) === waitingWindow(createdAt))
            .toSorted(byUrgency)
      )

    return yield* makeStaffNoticeHandler(read, ({ org, proposal }) => {
      const { id: aboutId, decidedBy, status } = proposal
      if (decidedBy === "agent" && (status === "done" || status === "failed")) {
        return Effect.succeed({
          about: "proposal",
          aboutId,
          subject: `${status === "failed" ? "Not finished" : "Done"}: ${toSingleLine(proposal.title)}`,
          text: textOf(proposal, org, staffUrl)
        })
      }
      return Effect.map(waitingWith(proposal), (waiting) => {
        const [first] = waiting
        if (first === undefined) {
          return undefined
        }
        return {
          about: "proposal",
          aboutId: first.id,
          subject: waiting.length === 1
            ? `${first.actions.length === 0 ? "" : "Needs approval: "}${toSingleLine(first.title)}`
            : `${waiting.length} proposals: ${toSingleLine(first.title)}`,
          text: waiting.map((one) => waitingText(one, org, staffUrl)).join("\n\n")
        }
      })
    })
  })

/** More pending proposals are only in the dashboard. */
const maxListed = 100

const waitingText = (proposal: Proposal, org: Org, staffUrl: string): string =>
  [
    proposal.title,
    ...reasonsOf(proposal.actions).map((reason) => `- ${reason}`),
    ...proposal.held === "cap" ? ["Needs approval because the ops agent reached its daily limit."] : [],
    ...proposal.held === "money" ? ["Needs approval because the refund is above your limit."] : [],
    ...briefLines(proposal, org, staffUrl),
    ...proposal.actions.length === 0
      ? []
      : [`Decide by ${makeLocalTimeFormat(org.timezone).time(proposal.expiresAt)}:`],
    `${staffUrl}/dashboard/proposals#${proposal.id}`
  ].join("\n")

const textOf = (proposal: Proposal, org: Org, staffUrl: string): string =>
  [
    proposal.automation === "brief" && proposal.actions.length === 0
      ? ""
      : proposal.status === "failed"
      ? `The ops agent started this automatically but could not finish it: ${
        proposal.error ?? "an action was rejected"
      }.`
      : "The ops agent did this automatically.",
    proposal.title,
    reasonsOf(proposal.actions).map((reason) => `- ${reason}`).join("\n"),
    briefLines(proposal, org, staffUrl).join("\n"),
    `You are receiving this because the ${proposal.automation} automation notifies you of its actions. You can change this in the dashboard.`
  ].filter((part) => part !== "").join("\n\n")

/** The distinct reasons, independent of the number of guests. */
const reasonsOf = (
  actions: ReadonlyArray<Action>
): ReadonlyArray<string> => [...new Set(actions.map(({ facts }) => facts.reason))]

/** The trips of a brief with their guests and weather, and the conversations without a reply. */
const briefLines = ({ automation, data }: Proposal, org: Org, staffUrl: string): ReadonlyArray<string> => {
  if (automation !== "brief") return []
  const weather = rowsIn(data.weather)
  const trips = rowsIn(data.trips).map((trip) => {
    const sky = weather.find(({ offering, starts_at }) => offering === trip.offering && starts_at === trip.starts_at)
    const startsAt = Instant.parse(String(trip.starts_at))
    const at = startsAt === undefined ? String(trip.starts_at) : makeLocalTimeFormat(org.timezone).time(startsAt)
    const forecast = sky === undefined ? "" : toSingleLine(skyWords(sky, getUnits(org)).join(", "))
    return `- ${at}: ${toSingleLine(String(trip.offering))}, ${counted(Number(trip.guests), "guest")}` +
      (forecast === "" ? "" : `. ${forecast}`)
  })
  const threads = rowsIn(data.unanswered).map((row) => `- ${staffUrl}/dashboard/inbox/${String(row.conversation_id)}`)
  const sources = [
    ...new Set(weather.flatMap(({ attribution }) => rowsIn(attribution).map(({ text }) => String(text))))
  ]
  return [
    trips.length === 0 ? "No trips today." : "Trips:",
    ...trips,
    ...sources.length === 0 ? [] : [`Weather: ${sources.join(", ")}`],
    ...threads.length === 0 ? [] : ["Conversations without a reply:", ...threads]
  ]
}

const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

type Row = Readonly<Record<string, unknown>>

const rowsIn = (value: unknown): ReadonlyArray<Row> =>
  Array.isArray(value) ? value.filter((row): row is Row => typeof row === "object" && row !== null) : []
