import type { ClaimedProposal, Proposal, ProposalStore } from "@trailbook/core/proposal"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Journal } from "../Journal.ts"
import { claimRow, isClaimOf, isFree, unclaimedLease } from "../Lease.ts"
import { byCreation, page } from "../page.ts"
import { proposalKey, type QueuedProposal, within } from "../Rows.ts"
import { type Change, findRows, get, inGroup, sizeOf, type State } from "../State.ts"

export const proposalStore = ({ read, unitOfWork, write }: Journal): ProposalStore["Type"] => {
  const find: ProposalStore["Type"]["find"] = (keys) =>
    read(({ proposals }) => findRows(proposals, keys).map(proposalOf))
  return {
    add: (row) =>
      unitOfWork.run(Effect.gen(function*() {
        if (yield* read(({ proposals }) => sizeOf(proposals, proposalKey(row)) > 0)) return false
        yield* write(() => [put({ ...row, ...unclaimedLease })])
        return true
      })),
    find,
    // Transactions run one after another, so a row cannot change between its read and the commit.
    lock: find,
    list: ({ after, automation, limit, orgId, status }) =>
      read(({ proposals }) => {
        const rows = inGroup(proposals, `org ${orgId}`).filter((row) =>
          (status === undefined || row.status === status) && (automation === undefined || row.automation === automation)
        )
        return page(rows, byCreation, { after, limit, order: "desc" }).map(proposalOf)
      }),
    put: (row) =>
      write(({ proposals }) => {
        const { fence, leaseUntil } = get(proposals, within(row.orgId, row.id)) ?? unclaimedLease
        return [put({ ...row, fence, leaseUntil })]
      }),
    countOwn: (orgId, after) =>
      read(({ proposals }) =>
        inGroup(proposals, `org ${orgId}`).filter(({ decidedAt, decidedBy }) =>
          decidedBy === "agent" && (decidedAt ?? 0) > after
        ).length
      ),
    overdue: (now, limit) =>
      read(({ proposals }) =>
        page(
          inGroup(proposals, "waiting").filter(({ expiresAt }) => expiresAt <= now),
          ({ expiresAt: at, id }) => ({ at, id }),
          { limit }
        ).map(({ id, orgId }) => ({ orgId, id }))
      ),
    claim: ({ leaseMs, limit, now }) =>
      unitOfWork.run(Effect.gen(function*() {
        const at = yield* currentTime
        const due = yield* read(({ proposals }) =>
          inGroup(proposals, "due").filter((row) => (row.runAt ?? Infinity) <= now && isFree(row, at))
        )
        const next = page(due, ({ id, orgId, runAt }) => ({ at: runAt ?? 0, id: within(orgId, id) }), { limit })
        const claims = next.map((row) => claimRow(row, at, leaseMs))
        yield* write(() => claims.map(put))
        return claims.map((row) => Struct.omit(row, "leaseUntil"))
      })),
    isClaimed: (claim) => read((state) => queued(state, claim).length > 0),
    release: (claims) =>
      write((state) => claims.flatMap((claim) => queued(state, claim)).map((row) => put({ ...row, leaseUntil: null })))
  }
}

const proposalOf = (row: QueuedProposal): Proposal => Struct.omit(row, "fence", "leaseUntil")

const put = (row: QueuedProposal): Change => ({ table: "proposals", row })

const queued = ({ proposals }: State, claim: ClaimedProposal): ReadonlyArray<QueuedProposal> => {
  const row = get(proposals, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}
