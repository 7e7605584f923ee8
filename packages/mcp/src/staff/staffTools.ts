import { notFound } from "@trailbook/core"
import * as Operation from "@trailbook/core/operation/Operation"
import { proposalsList, ProposalView } from "@trailbook/core/proposal"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { availabilityExplainTool } from "./availabilityExplainTool.ts"
import { deskFindTool } from "./deskFindTool.ts"
import { scheduleGetTool } from "./scheduleGetTool.ts"
import { sessionsCancelManyTool } from "./sessionsCancelManyTool.ts"
import { makeStaffTool, type StaffTool } from "./staffTool.ts"

const proposalsGetDeclared = Operation.make("proposals.get", {
  route: ["GET", "/desk/proposals/:id"],
  summary: "Get a proposal with its actions and facts.",
  input: Schema.Struct({ id: Field.withDescription("the proposal", Field.uuid) }),
  output: ProposalView,
  tool: {
    title: "Get a proposal",
    toolset: "agent",
    description: "Returns an ops agent proposal with its actions, facts, and message texts. Call it before deciding."
  }
})

/** The maximum number of pages to search, at 500 proposals per page. */
const maxPages = 10

const proposalsGet = makeStaffTool(proposalsGetDeclared, (call, actor, { id }) =>
  Effect.gen(function*() {
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages; pages++) {
      const page = yield* call(actor, proposalsList, { limit: 500, ...(cursor === undefined ? {} : { cursor }) })
      const answer = page.data.find((proposal) => proposal.id === id)
      if (answer !== undefined) {
        return {
          answer,
          notes: answer.status === "pending"
            ? [
              "This proposal has not been executed yet. proposals_approve executes it, and " +
              "proposals_dismiss dismisses it."
            ]
            : []
        }
      }
      cursor = page.next_cursor
      if (cursor === undefined) break
    }
    return yield* notFound("proposal", id)
  }))

/** The desk tools, in order of typical use. */
export const staffTools: ReadonlyArray<StaffTool> = [
  deskFindTool,
  scheduleGetTool,
  availabilityExplainTool,
  proposalsGet,
  sessionsCancelManyTool
]
