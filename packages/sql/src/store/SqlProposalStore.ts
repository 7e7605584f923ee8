import type { ClaimedProposal } from "@trailbook/core/proposal/Proposal"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { end } from "../ends.ts"
import { filters } from "../filters.ts"
import { claimed, isClaimOf, isFree } from "../lease.ts"
import { among, forUpdate, forUpdateOfFree, keyColumns, keyRecord, queryFor } from "../records.ts"
import * as Table from "../Table.ts"
import { proposalTable } from "../table/proposalTable.ts"

const claimColumns = { ...proposalTable.columns, fence: "integer" } as const
const claimedKey = { ...keyColumns, fence: "integer" } as const

type Row = RowOf<typeof proposalTable.columns>
type ClaimRow = RowOf<typeof claimColumns>

/**
 * Who asks for what may run reads first, in no transaction: nearly always nothing does.
 *
 * @category layers
 */
export const layer = Layer.effect(
  ProposalStore,
  Effect.map(Database, (database) => {
    const { dialect, execute, query, write } = database
    const proposals = dialect.table("proposals")
    const names = Object.keys(proposalTable.columns).join(", ")
    const insert = `insert into ${proposals} (${names})
      select ${names} from ${dialect.records("$1", proposalTable.columns)} as given where true
      on conflict (org_id, automation, subject, day) do nothing returning id`
    const select = `select ${list(proposalTable.columns, "p")} from ${proposals} p`
    const byKeys = `${select} where ${among(dialect, "p")}`
    const lock = `${byKeys} order by p.org_id, p.id${forUpdate(dialect, "p")}`
    const page = (filter: string) =>
      `${select} where p.org_id = $1 and (p.created_at, p.id) < ($2, $3)${filter}
      order by p.created_at desc, p.id desc limit $4`
    const countOwn = `select count(*) as counted from ${proposals} p
      where p.org_id = $1 and p.decided_by = 'agent' and p.decided_at > $2`
    const overdue = `select p.org_id, p.id from ${proposals} p
      where p.status = 'pending' and p.run_at is null and p.expires_at <= $1 order by p.expires_at, p.id limit $2`
    const isDue = `p.run_at <= $1 and ${isFree(dialect, "p")}`
    const look = `select exists (select 1 from ${proposals} p where ${isDue}) as any_due`
    const claim = `with next as materialized (
        select p.org_id as next_org_id, p.id as next_id from ${proposals} p where ${isDue}
        order by p.run_at, p.id limit $2${forUpdateOfFree(dialect, "p")}
      )
      update ${proposals} set ${claimed(dialect, "$3")}
      from next where org_id = next_org_id and id = next_id
      returning ${Object.keys(claimColumns).join(", ")}`
    const isClaimed = `select p.id from ${proposals} p where p.org_id = $1 and p.id = $2 and ${isClaimOf("$3")}`
    const release = `update ${proposals} as p set lease_until = null
      from ${dialect.records("$1", claimedKey)} as claimed
      where p.org_id = claimed.org_id and p.id = claimed.id and p.fence = claimed.fence`

    const decode = (rows: ReadonlyArray<Row>) => rows.map(proposalTable.decode)
    const put = Table.put(database, proposalTable)

    return ProposalStore.of({
      add: (proposal) =>
        Effect.map(
          execute(insert, [JSON.stringify([proposalTable.encode(proposal)])]),
          ({ length }) => length > 0
        ),
      find: (keys) => Effect.map(queryFor<Row>(database, byKeys, keys.map(keyRecord)), decode),
      lock: (keys) => Effect.map(queryFor<Row>(database, lock, keys.map(keyRecord)), decode),
      list: ({ after = end, automation, limit, orgId, status }) => {
        const filter = filters({ "p.status": status, "p.automation": automation }, 5)
        return Effect.map(query<Row>(page(filter.text), [orgId, after.at, after.id, limit, ...filter.values]), decode)
      },
      put: (proposal) => put([proposal]),
      countOwn: (orgId, after) =>
        Effect.map(
          query<{ readonly counted: number }>(countOwn, [orgId, after]),
          ([row]) => row?.counted ?? 0
        ),
      overdue: (now, limit) =>
        Effect.map(
          query<RowOf<typeof keyColumns>>(overdue, [now, limit]),
          (rows) => rows.map(({ id, org_id }) => ({ orgId: org_id, id }))
        ),
      claim: ({ leaseMs, limit, now }) =>
        Effect.gen(function*() {
          const [found] = yield* query<{ readonly any_due: boolean | 0 | 1 }>(look, [now])
          if (!found?.any_due) return []
          const rows = yield* execute<ClaimRow>(claim, [now, limit, leaseMs])
          return rows.map((row): ClaimedProposal => ({ ...proposalTable.decode(row), fence: row.fence })).sort(
            (a, b) => (a.runAt ?? 0) - (b.runAt ?? 0)
          )
        }),
      isClaimed: ({ fence, id, orgId }) => Effect.map(query(isClaimed, [orgId, id, fence]), ({ length }) => length > 0),
      release: (claims) =>
        claims.length === 0 ? Effect.void : write(release, [
          JSON.stringify(claims.map((claim) => ({ ...keyRecord(claim), fence: claim.fence })))
        ])
    })
  })
)
