import * as Effect from "effect/Effect"
import type { Action } from "../automation/Action.ts"
import { oneLine } from "../mail/oneLine.ts"
import { OrgStore } from "../org/OrgStore.ts"
import type { Proposal } from "../proposal/Proposal.ts"
import { ProposalStore } from "../proposal/ProposalStore.ts"
import { noticeSubject } from "../staff/noticeTasks.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import * as Handler from "../task/Handler.ts"
import { fiveDays } from "../task/patience.ts"
import type { Task } from "../task/Task.ts"
import { orgsOf } from "./orgsOf.ts"
import { recipient, telling } from "./telling.ts"

/**
 * Tells the staff what the ops agent has done by itself, where its dial says that they are told. It names no guest.
 *
 * @category handlers
 */
export const proposalNotices = Effect.gen(function*() {
  const orgs = yield* OrgStore
  const proposals = yield* ProposalStore
  const staff = yield* StaffStore
  const tell = yield* telling

  const read = (tasks: ReadonlyArray<Task>) =>
    Effect.gen(function*() {
      const asked = tasks.map((task) => ({ orgId: task.orgId, ...noticeSubject(task) }))
      const found = yield* proposals.find(asked.map(({ aboutId: id, orgId }) => ({ orgId, id })))
      const outfitters = yield* orgsOf(orgs, tasks)
      const people = (yield* Effect.forEach(outfitters.keys(), staff.list)).flat()
      return asked.map(({ aboutId, orgId, staffId }) => {
        const proposal = found.find((row) => row.id === aboutId && row.orgId === orgId)
        const member = people.find((row) => row.id === staffId && row.orgId === orgId && row.notify)
        const org = outfitters.get(orgId)
        return proposal && member && org && { proposal, member, org }
      })
    })

  return Handler.make({
    triedForMinutes: fiveDays,
    read,
    run: ({ id }, { member, org, proposal }) =>
      tell({
        id,
        about: "proposal",
        aboutId: proposal.id,
        org: { id: org.id, name: oneLine(org.name) },
        to: recipient(member),
        subject: `${proposal.status === "failed" ? "Not finished" : "Done"}: ${oneLine(proposal.title)}`,
        text: textOf(proposal),
        replyTo: null
      })
  })
})

const textOf = (proposal: Proposal): string =>
  [
    proposal.status === "failed"
      ? `The ops agent began this by itself and could not finish it: ${proposal.error ?? "an action was refused"}.`
      : "The ops agent did this by itself.",
    proposal.title,
    reasonsOf(proposal.actions).map((reason) => `- ${reason}`).join("\n"),
    `You hear of it because the automation ${proposal.automation} is set to do_tell; with do_quiet it acts and tells nobody.`
  ].filter((part) => part !== "").join("\n\n")

/** Each reason once, however many guests it concerns. */
const reasonsOf = (
  actions: ReadonlyArray<Action>
): ReadonlyArray<string> => [...new Set(actions.map(({ facts }) => facts.reason))]
