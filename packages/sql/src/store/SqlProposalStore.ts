import type { ClaimedProposal } from "@trailbook/core/proposal/Proposal"
import { ProposalStore } from "@trailbook/core/proposal/ProposalStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import type { Dialect } from "../Dialect.ts"
import { end } from "../ends.ts"
import { filters } from "../filters.ts"
import { claimed, isClaimOf, isFree } from "../lease.ts"
import * as Reader from "../Reader.ts"
import { among, forUpdate, forUpdateOfFree, keyColumns, keyRecord } from "../records.ts"
import * as Table from "../Table.ts"
import { proposalTable } from "../table/proposalTable.ts"

const claimColumns = { ...proposalTable.columns, fence: "integer" } as const
const claimedKey = { ...keyColumns, fence: "integer" } as const

type ClaimRow = RowOf<typeof claimColumns>

/**
 * A condition: the proposal `p` can be claimed, for it may run.
 *
 * @category SQL
 */
export const isDueProposal = (dialect: Dialect, now: `$${number}`): string =>
  `p.run_at <= ${now} and ${isFree(dialect, "p")}`

/**
 * Who asks for what may run reads first, in no transaction: nearly always nothing does.
 *
 * @category layers
 */
export const layer = Layer.effect(
  ProposalStore,
  Effect.map(Database, (database) => {
    const { dialect, execute, query, write } = database
    const rows = Reader.make(database, proposalTable, "p")
    const names = Object.keys(proposalTable.columns).join(", ")
    const insert = `insert into ${rows.table} (${names})
      select ${names} from ${dialect.records("$1", proposalTable.columns)} as given where true
      on conflict (org_id, automation, subject, day) do nothing returning id`
    const byKeys = `${rows.select} where ${among(dialect, "p")}`
    const lock = `${byKeys} order by p.org_id, p.id${forUpdate(dialect, "p")}`
    const page = (filter: string) =>
      `${rows.select} where p.org_id = $1 and (p.created_at, p.id) < ($2, $3)${filter}
      order by p.created_at desc, p.id desc limit $4`
    const countOwn = `select count(*) as counted from ${rows.table} p
      where p.org_id = $1 and p.decided_by = 'agent' and p.decided_at > $2`
    const overdue = `select p.org_id, p.id from ${rows.table} p
      where p.status = 'pending' and p.run_at is null and p.expires_at <= $1 order by p.expires_at, p.id limit $2`
    const isDue = isDueProposal(dialect, "$1")
    const look = `select exists (select 1 from ${rows.table} p where ${isDue}) as any_due`
    const claim = `with next as materialized (
        select p.org_id as next_org_id, p.id as next_id from ${rows.table} p where ${isDue}
        order by p.run_at, p.id limit $2${forUpdateOfFree(dialect, "p")}
      )
      update ${rows.table} set ${claimed(dialect, "$3")}
      from next where org_id = next_org_id and id = next_id
      returning ${Object.keys(claimColumns).join(", ")}`
    const isClaimed = `select p.id from ${rows.table} p where p.org_id = $1 and p.id = $2 and ${isClaimOf("$3")}`
    const release = `update ${rows.table} as p set lease_until = null
      from ${dialect.records("$1", claimedKey)} as claimed
      where p.org_id = claimed.org_id and p.id = claimed.id and p.fence = claimed.fence`

    return ProposalStore.of({
      add: (proposal) =>
        Effect.map(
          execute(insert, [JSON.stringify([proposalTable.encode(proposal)])]),
          ({ length }) => length > 0
        ),
      find: rows.ofKeys(byKeys),
      lock: rows.ofKeys(lock),
      list: ({ after = end, automation, limit, orgId, status }) => {
        const filter = filters({ "p.status": status, "p.automation": automation }, 5)
        return rows.all(page(filter.text), [orgId, after.at, after.id, limit, ...filter.values])
      },
      put: Table.one(Table.put(database, proposalTable)),
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
