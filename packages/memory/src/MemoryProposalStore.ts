import type { ClaimedProposal, Proposal } from "@trailbook/core/proposal/Proposal"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { firstOf } from "./firstOf.ts"
import { claimed, isClaimOf, isFree, unclaimed } from "./Lease.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, found, proposalKey, type QueuedProposal, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<ProposalStore, never, MemoryDatabase> = Layer.effect(
  ProposalStore,
  Effect.map(MemoryDatabase, ({ read, unitOfWork, write }) => {
    const find: ProposalStore["Type"]["find"] = (keys) =>
      read(({ proposals }) => found(proposals, keys).map(proposalOf))
    return ProposalStore.of({
      add: (proposal) =>
        unitOfWork.run(Effect.gen(function*() {
          const isThere = yield* read(({ proposals }) =>
            Table.getBy(proposals, "subject", proposalKey(proposal)) !== undefined
          )
          if (isThere) return false
          yield* write((tables) => {
            referred(tables.orgs, proposal.orgId)
            return putAll(tables, [{ ...proposal, ...unclaimed }])
          })
          return true
        })),
      find,
      // Units run one after the other: what one has read, no other changes before it ends.
      lock: find,
      list: ({ after, automation, limit, orgId, status }) =>
        read(({ proposals }) =>
          firstOf(
            Table.range(
              proposals,
              status === undefined ? "created" : "state",
              status === undefined ? orgId : within(orgId, status),
              { order: "desc", ...(after === undefined ? {} : { below: after }) }
            ),
            limit,
            (row) => automation === undefined || row.automation === automation
          ).map(proposalOf)
        ),
      put: (proposal) =>
        write((tables) => {
          referred(tables.orgs, proposal.orgId)
          const { fence, leaseUntil } = Table.get(tables.proposals, within(proposal.orgId, proposal.id)) ?? unclaimed
          return putAll(tables, [{ ...proposal, fence, leaseUntil }])
        }),
      countOwn: (orgId, after) =>
        read(({ proposals }) => [...Table.range(proposals, "own", orgId, { above: { at: after, id: "~" } })].length),
      overdue: (now, limit) =>
        read(({ proposals }) =>
          firstOf(Table.range(proposals, "waiting", everyOrg, { below: { at: now + 1, id: "" } }), limit).map((
            { id, orgId }
          ) => ({ orgId, id }))
        ),
      claim: ({ leaseMs, limit, now }) =>
        unitOfWork.run(Effect.gen(function*() {
          const at = yield* moment
          const due = yield* read(({ proposals }) =>
            firstOf(
              Table.range(proposals, "due", everyOrg, { below: { at: now + 1, id: "" } }),
              limit,
              (row) => isFree(row, at)
            )
          )
          const taken = due.map((row) => claimed(row, at, leaseMs))
          yield* write((tables) => putAll(tables, taken))
          return taken.map((row): ClaimedProposal => Struct.omit(row, "leaseUntil"))
        })),
      isClaimed: (claim) => read((tables) => rowOf(tables, claim).length > 0),
      release: (claims) =>
        write((tables) =>
          putAll(
            tables,
            claims.flatMap((claim) => rowOf(tables, claim)).map((row) => ({ ...row, leaseUntil: null }))
          )
        )
    })
  })
)

const proposalOf = (row: QueuedProposal): Proposal => Struct.omit(row, "fence", "leaseUntil")

const putAll = (tables: Tables, rows: ReadonlyArray<QueuedProposal>): Tables => ({
  ...tables,
  proposals: rows.reduce(Table.put, tables.proposals)
})

/** The row that is claimed, unless the claim is void. */
const rowOf = ({ proposals }: Tables, claim: ClaimedProposal): ReadonlyArray<QueuedProposal> => {
  const row = Table.get(proposals, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}
