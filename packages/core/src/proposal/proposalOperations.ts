import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { toDecisionSource } from "../actor/Actor.ts"
import { automationNames } from "../automation/Automation.ts"
import { BookingStore } from "../booking/BookingStore.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { largeRowPageSize, makePaginatedHandler } from "../port/readInPages.ts"
import { toCreationPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { page } from "../wire/View.ts"
import { findNotifiedGuests, isGuestNotified, makeExpireCanceledReminders } from "./findNotifiedGuests.ts"
import { type Proposal, proposalStatuses, ProposalStore, ProposalView, proposalView } from "./Proposal.ts"
import { Proposals } from "./Proposals.ts"

const maxUnreached = 1000

const idField = Field.withDescription("the proposal", Field.uuid)

export const proposalsList = Operation.make("proposals.list", {
  route: ["GET", "/proposals"],
  summary: "List the ops agent's pending and past proposals, newest first.",
  description: "A page with status=pending can be shorter than limit even if next_cursor is set.",
  input: Schema.Struct({
    status: Field.describedOptional("only proposals with this status", Field.oneOf(...proposalStatuses)),
    automation: Field.describedOptional("only proposals by this automation", Field.oneOf(...automationNames)),
    ...Field.paging
  }),
  output: page(ProposalView),
  tool: {
    title: "List proposals",
    toolset: "agent",
    description: "Lists the ops agent's pending (status=pending) and past proposals, newest first."
  }
})

export const proposalsApprove = Operation.make("proposals.approve", {
  route: ["POST", "/proposals/:id/approve"],
  summary: "Approve a proposal and run its actions now.",
  description:
    "Runs the actions in order and stops at the first rejected action. The status is then failed, and error contains " +
    "the reason. Actions that no longer apply are skipped. A proposal with no actions left expires. To " +
    "replace the text of the first message or reminder, set draft.",
  input: Schema.Struct({
    id: idField,
    draft: Field.describedOptional(
      "the replacement text for the first message or reminder",
      Field.object({
        body: Field.withDescription("the message as plain text", Field.text({ min: 1, max: 5000 })),
        subject: Field.describedOptional("the email subject", Field.text({ max: 200 }))
      })
    )
  }),
  output: ProposalView,
  refusals: ["not_found", "proposal_decided", "proposal_expired"],
  hints: { destructive: true, openWorld: true },
  tool: {
    title: "Approve a proposal",
    toolset: "agent",
    description:
      "Runs a proposal's actions now, which can cancel or move bookings, issue refunds, and email guests. Show the " +
      "proposal to the user and ask first. Cannot be undone unless reversible is true afterward."
  }
})

export const proposalsDismiss = Operation.make("proposals.dismiss", {
  route: ["POST", "/proposals/:id/dismiss"],
  summary: "Dismiss a proposal without running its actions.",
  description: "A proposal that is scheduled to run after quiet hours can be dismissed until it starts.",
  input: Schema.Struct({ id: idField }),
  output: ProposalView,
  refusals: ["not_found", "proposal_decided", "proposal_expired"],
  tool: {
    title: "Dismiss a proposal",
    toolset: "agent",
    description: "Dismisses a proposal. Its actions do not run, and it is not proposed again for that day."
  }
})

export const proposalsUndo = Operation.make("proposals.undo", {
  route: ["POST", "/proposals/:id/undo"],
  summary: "Undo a proposal by canceling the sessions it created, if none has bookings.",
  input: Schema.Struct({ id: idField }),
  output: ProposalView,
  refusals: ["not_found", "not_reversible"],
  hints: { destructive: true },
  tool: {
    title: "Undo a proposal",
    toolset: "agent",
    description: "Cancels the sessions that a proposal created, if none has bookings. Requires reversible=true. " +
      "Cannot be undone."
  }
})

export const proposalOperations = [proposalsList, proposalsApprove, proposalsDismiss, proposalsUndo] as const

const list = makePaginatedHandler("proposals", largeRowPageSize, toCreationPosition, proposalView)

export const proposalHandlers = Effect.gen(function*() {
  const proposals = yield* Proposals
  const store = yield* ProposalStore
  const bookings = yield* BookingStore
  const messages = yield* MessageStore
  const expireCanceled = yield* makeExpireCanceledReminders

  /** Annotates each executed proposal with the number of bookings whose guests were not reached. */
  const withUnreached = (orgId: string, rows: ReadonlyArray<Proposal>) =>
    Effect.gen(function*() {
      const audiencesById = new Map(
        rows.flatMap(({ actions, id, status }) => {
          const audience = findNotifiedGuests(actions.map(({ facts, kind }) => ({ kind, facts: { ...facts } })))
          const isNotified = audience.bookingIds.length + audience.sessionIds.length > 0
          return isNotified && (status === "done" || status === "failed") ? [[id, audience] as const] : []
        })
      )
      const audiences = [...audiencesById.values()]
      const unreachedRows = yield* messages.listUnreachedGuests({
        orgId,
        bookingIds: [...new Set(audiences.flatMap(({ bookingIds }) => bookingIds))],
        sessionIds: [...new Set(audiences.flatMap(({ sessionIds }) => sessionIds))],
        limit: maxUnreached
      })
      const records = yield* bookings.find(unreachedRows.map(({ bookingId: id }) => ({ orgId, id })))
      return rows.map((row) => {
        const audience = audiencesById.get(row.id)
        return audience === undefined ? row : {
          ...row,
          unreached: records.filter(({ booking }) => isGuestNotified(audience, booking.id, booking.sessionId)).length
        }
      })
    })
  const toShownProposal = (proposal: Proposal) =>
    Effect.flatMap(withUnreached(proposal.orgId, [proposal]), ([row = proposal]) => Effect.succeed(proposalView(row)))

  return {
    "proposals.list": ({ automation, status, ...paging }, { orgId }) =>
      Effect.map(
        list(paging, (after, limit) =>
          store.list({ orgId, status, automation, after, limit }).pipe(
            Effect.flatMap(expireCanceled),
            Effect.flatMap((rows) => withUnreached(orgId, rows))
          )),
        // Filter by status after paging, because the number of rows read shows whether there is another page.
        (page) => status === "pending" ? { ...page, data: page.data.filter((row) => row.status === status) } : page
      ),
    "proposals.approve": ({ draft, id }, actor) =>
      Effect.flatMap(proposals.approve({ orgId: actor.orgId, id }, toDecisionSource(actor), draft), toShownProposal),
    "proposals.dismiss": ({ id }, actor) =>
      Effect.map(proposals.dismiss({ orgId: actor.orgId, id }, toDecisionSource(actor)), proposalView),
    "proposals.undo": ({ id }, { orgId }) => Effect.map(proposals.undo({ orgId, id }), proposalView)
  } satisfies OperationHandlers<typeof proposalOperations>
})
