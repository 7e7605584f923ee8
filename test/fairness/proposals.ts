import type { ActionFacts } from "@trailbook/core/automation"
import { makeCancelSessionAction, makeSendBroadcastAction } from "@trailbook/core/automation/Action"
import { type Proposal, ProposalStore } from "@trailbook/core/proposal"
import type { Session } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { openedSession, proposalOf } from "../proposalOf.ts"

export interface StoredProposals {
  /** Pending proposals to open a session. */
  readonly waiting: ReadonlyArray<string>
  /** Proposals that opened a session and can be undone. */
  readonly done: ReadonlyArray<string>
  /** Pending proposals to message all guests in a session and cancel it. */
  readonly calledOff: ReadonlyArray<string>
}

/** The number of items of each kind. It exceeds the burst limit of 200 requests per key. */
export const itemCount = 600

const reason = "r".repeat(200)

/** Stores pending and completed ops agent proposals. */
export const storeProposals = ({ calledOff, class: offering_id, now, opened, orgId }: {
  readonly orgId: string
  readonly now: Instant.Instant
  readonly class: string
  readonly opened: ReadonlyArray<Session>
  readonly calledOff: ReadonlyArray<Session>
}) =>
  Effect.gen(function*() {
    const store = yield* ProposalStore
    const add = (fields: Partial<Proposal>) => {
      const proposal = proposalOf(orgId, now, fields)
      return Effect.as(Effect.zipRight(store.add(proposal), store.put(proposal)), proposal.id)
    }
    const addOpening = (at: number) => {
      const starts_at = Instant.format(Instant.addMinutes(now, 60 * (7000 + at)))
      return add({
        actions: [{
          kind: "create_session",
          op: "sessions.create",
          input: { offering_id, starts_at },
          facts: { why: "full", reason, offering_id, starts_at },
          reversible: true
        }]
      })
    }
    const makeCancellation = ({ id, startsAt }: Session) => {
      const facts: ActionFacts = {
        why: "weather",
        reason,
        offering_id,
        session_id: id,
        starts_at: Instant.format(startsAt)
      }
      return add({
        automation: "weather",
        sessionId: id,
        expiresAt: startsAt,
        actions: [
          makeSendBroadcastAction({ session_id: id }, { subject: "Canceled", body: "w".repeat(4900) }, facts),
          makeCancelSessionAction(id, facts)
        ]
      })
    }
    return {
      waiting: yield* Effect.forEach(Array.from({ length: itemCount }, (_, at) => at), addOpening),
      done: yield* Effect.forEach(opened, ({ id }) => add(openedSession(id))),
      calledOff: yield* Effect.forEach(calledOff, makeCancellation)
    } satisfies StoredProposals
  })
