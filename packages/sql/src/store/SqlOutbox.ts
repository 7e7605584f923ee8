import { type ClaimedErrand, Outbox } from "@trailbook/core/port/Outbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { claimed, isClaimOf, isFree } from "../lease.ts"
import { forUpdateOfFree } from "../records.ts"
import * as Table from "../Table.ts"
import { errandTable } from "../table/errandTable.ts"

const claimColumns = { ...errandTable.columns, fence: "integer" } as const

type Row = RowOf<typeof claimColumns>

const claimedKey = { org_id: "text", id: "text", fence: "integer" } as const

/**
 * A worker that asks for errands reads first, with one statement and in no
 * transaction: nearly always there are none.
 *
 * @category layers
 */
export const layer = Layer.effect(
  Outbox,
  Effect.map(Database, (database) => {
    const { dialect, execute, query, write } = database
    const outbox = dialect.table("outbox")
    const isDue = (moment: `$${number}`, kinds: `$${number}`) =>
      `e.due_at <= ${moment} and ${isFree(dialect, "e")}
        and e.kind in (select kind from ${dialect.records(kinds, { kind: "text" })} as wanted)`
    const look = `select exists (select 1 from ${outbox} e where ${isDue("$1", "$2")}) as any_due`
    const claim = `with next as materialized (
        select e.org_id as next_org_id, e.id as next_id from ${outbox} e where ${isDue("$2", "$4")}
        order by e.due_at, e.id limit $3${forUpdateOfFree(dialect, "e")}
      )
      update ${outbox} set ${claimed(dialect, "$1")}
      from next where org_id = next_org_id and id = next_id
      returning ${Object.keys(claimColumns).join(", ")}`
    const isClaimed = `org_id = $1 and id = $2 and ${isClaimOf("$3")}`
    const done = `delete from ${outbox} where lease_until is not null
      and (org_id, id, fence) in (select org_id, id, fence from ${dialect.records("$1", claimedKey)} as claimed)`
    const postpone = `update ${outbox} set due_at = $4, attempts = $5, last_error = $6, lease_until = null
      where ${isClaimed}`
    const release = `update ${outbox} as e set lease_until = null
      from ${dialect.records("$1", claimedKey)} as claimed
      where e.org_id = claimed.org_id and e.id = claimed.id and e.fence = claimed.fence`

    return Outbox.of({
      add: Table.insert(database, errandTable),
      claim: ({ kinds, leaseMs, limit, now }) =>
        Effect.gen(function*() {
          const wanted = JSON.stringify(kinds.map((kind) => ({ kind })))
          const [found] = yield* query<{ readonly any_due: boolean | 0 | 1 }>(look, [now, wanted])
          if (!found?.any_due) return []
          const rows = yield* execute<Row>(claim, [leaseMs, now, limit, wanted])
          return rows.map(claimOf).sort(longestDueFirst)
        }),
      done: (errands) => errands.length === 0 ? Effect.void : write(done, [keysOf(errands)]),
      postpone: ({ attempts, dueAt, fence, id, lastError, orgId }) =>
        write(postpone, [orgId, id, fence, dueAt, attempts, lastError]),
      release: (errands) => errands.length === 0 ? Effect.void : write(release, [keysOf(errands)])
    })
  })
)

const keysOf = (errands: ReadonlyArray<ClaimedErrand>): string =>
  JSON.stringify(errands.map(({ fence, id, orgId }) => ({ org_id: orgId, id, fence })))

const claimOf = (row: Row): ClaimedErrand => ({ ...errandTable.decode(row), fence: row.fence })

const longestDueFirst = (a: ClaimedErrand, b: ClaimedErrand): number => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1)
