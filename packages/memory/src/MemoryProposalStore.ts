import type { ClaimedProposal, Proposal } from "@trailbook/core/proposal/Proposal"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { claimRows } from "./claimRows.ts"
import { noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, findRows, orgKey, proposalKey, type QueuedProposal, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(ProposalStore, (database) => {
  const { read, unitOfWork, write } = database
  const { claim, good, release } = claimRows<QueuedProposal, ClaimedProposal>(database, {
    claimedBy: ({ proposals }, { id, orgId }) => Table.get(proposals, orgKey(orgId, id)),
    claimOf: Struct.omit("leaseUntil"),
    putAll
  })
  const find: ProposalStore["Type"]["find"] = (keys) =>
    read(({ proposals }) => findRows(proposals, keys).map(proposalOf))
  return {
    add: (proposal) =>
      unitOfWork.run(Effect.gen(function*() {
        const isThere = yield* read(({ proposals }) =>
          Table.getBy(proposals, "subject", proposalKey(proposal)) !== undefined
        )
        if (isThere) return false
        yield* write((tables) => {
          requireRow(tables.orgs, proposal.orgId)
          return putAll(tables, [{ ...proposal, ...noLease }])
        })
        return true
      })),
    find,
    // No lock needed: transactions run one at a time.
    lock: find,
    list: ({ after, automation, limit, orgId, status }) =>
      read(({ proposals }) =>
        takeFirst(
          Table.range(
            proposals,
            status === undefined ? "created" : "state",
            status === undefined ? orgId : orgKey(orgId, status),
            { order: "desc", below: after }
          ),
          limit,
          (row) => automation === undefined || row.automation === automation
        ).map(proposalOf)
      ),
    put: (proposal) =>
      write((tables) => {
        requireRow(tables.orgs, proposal.orgId)
        const { fence, leaseUntil } = Table.get(tables.proposals, orgKey(proposal.orgId, proposal.id)) ?? noLease
        return putAll(tables, [{ ...proposal, fence, leaseUntil }])
      }),
    countOwn: (orgId, after) =>
      read(({ proposals }) => [...Table.range(proposals, "own", orgId, { above: { at: after, id: "~" } })].length),
    overdue: (now, limit) =>
      read(({ proposals }) =>
        takeFirst(Table.range(proposals, "waiting", everyOrg, { below: { at: now + 1, id: "" } }), limit).map((
          { id, orgId }
        ) => ({ orgId, id }))
      ),
    claim: (asked) =>
      claim(
        asked,
        ({ proposals }) => Table.range(proposals, "due", everyOrg, { below: { at: asked.now + 1, id: "" } })
      ),
    isClaimed: (claim) => Effect.map(read(good([claim])), (rows) => rows.length > 0),
    release
  }
})

const proposalOf = (row: QueuedProposal): Proposal => Struct.omit(row, "fence", "leaseUntil")

const putAll = (tables: Tables, rows: ReadonlyArray<QueuedProposal>): Tables => ({
  ...tables,
  proposals: rows.reduce(Table.put, tables.proposals)
})
