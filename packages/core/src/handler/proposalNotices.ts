import * as Effect from "effect/Effect"
import type { Action } from "../automation/Action.ts"
import { oneLine } from "../mail/oneLine.ts"
import type { Proposal } from "../proposal/Proposal.ts"
import { ProposalStore } from "../proposal/ProposalStore.ts"
import type { Task } from "../task/Task.ts"
import { besideOrgs } from "./besideOrgs.ts"
import { notices } from "./notices.ts"

/**
 * Tells the staff what the ops agent has done by itself, where its dial says that they are told. It names no guest.
 *
 * @category handlers
 */
export const proposalNotices = Effect.gen(function*() {
  const proposals = yield* ProposalStore
  const withOrgs = yield* besideOrgs

  const read = (tasks: ReadonlyArray<Task>, idOf: (task: Task) => string) =>
    Effect.gen(function*() {
      const found = yield* proposals.find(tasks.map((task) => ({ orgId: task.orgId, id: idOf(task) })))
      return yield* withOrgs(tasks, (task) => {
        const proposal = found.find((row) => row.id === idOf(task) && row.orgId === task.orgId)
        return proposal && { proposal }
      })
    })

  return yield* notices(read, ({ proposal }) =>
    Effect.succeed({
      about: "proposal",
      aboutId: proposal.id,
      subject: `${proposal.status === "failed" ? "Not finished" : "Done"}: ${oneLine(proposal.title)}`,
      text: textOf(proposal)
    }))
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
