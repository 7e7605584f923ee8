import type { ClaimedTask } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { claimed, isClaimOf, isFree } from "../lease.ts"
import { forUpdateOfFree } from "../records.ts"
import * as Table from "../Table.ts"
import { taskTable } from "../table/taskTable.ts"

const claimColumns = { ...taskTable.columns, fence: "integer" } as const

type Row = RowOf<typeof claimColumns>

const claimedKey = { org_id: "text", id: "text", fence: "integer" } as const

/**
 * A worker that asks for tasks reads first, with one statement and in no
 * transaction: nearly always there are none.
 *
 * @category layers
 */
export const layer = Layer.effect(
  TaskStore,
  Effect.map(Database, (database) => {
    const { dialect, execute, query, write } = database
    const tasks = dialect.table("outbox")
    const isDue = (moment: `$${number}`, kinds: `$${number}`) =>
      `t.due_at <= ${moment} and ${isFree(dialect, "t")}
        and t.kind in (select kind from ${dialect.records(kinds, { kind: "text" })} as wanted)`
    const look = `select exists (select 1 from ${tasks} t where ${isDue("$1", "$2")}) as any_due`
    const claim = `with next as materialized (
        select t.org_id as next_org_id, t.id as next_id from ${tasks} t where ${isDue("$2", "$4")}
        order by t.due_at, t.id limit $3${forUpdateOfFree(dialect, "t")}
      )
      update ${tasks} set ${claimed(dialect, "$1")}
      from next where org_id = next_org_id and id = next_id
      returning ${Object.keys(claimColumns).join(", ")}`
    const isClaimed = `org_id = $1 and id = $2 and ${isClaimOf("$3")}`
    const done = `delete from ${tasks} where lease_until is not null
      and (org_id, id, fence) in (select org_id, id, fence from ${dialect.records("$1", claimedKey)} as claimed)`
    const postpone = `update ${tasks} set due_at = $4, attempts = $5, last_error = $6, lease_until = null
      where ${isClaimed}`
    const release = `update ${tasks} as t set lease_until = null
      from ${dialect.records("$1", claimedKey)} as claimed
      where t.org_id = claimed.org_id and t.id = claimed.id and t.fence = claimed.fence`

    return TaskStore.of({
      add: Table.insert(database, taskTable),
      claim: ({ kinds, leaseMs, limit, now }) =>
        Effect.gen(function*() {
          const wanted = JSON.stringify(kinds.map((kind) => ({ kind })))
          const [found] = yield* query<{ readonly any_due: boolean | 0 | 1 }>(look, [now, wanted])
          if (!found?.any_due) return []
          const rows = yield* execute<Row>(claim, [leaseMs, now, limit, wanted])
          return rows.map(claimOf).sort(longestDueFirst)
        }),
      done: (tasks) => tasks.length === 0 ? Effect.void : write(done, [keysOf(tasks)]),
      postpone: ({ attempts, dueAt, fence, id, lastError, orgId }) =>
        write(postpone, [orgId, id, fence, dueAt, attempts, lastError]),
      release: (tasks) => tasks.length === 0 ? Effect.void : write(release, [keysOf(tasks)])
    })
  })
)

const keysOf = (tasks: ReadonlyArray<ClaimedTask>): string =>
  JSON.stringify(tasks.map(({ fence, id, orgId }) => ({ org_id: orgId, id, fence })))

const claimOf = (row: Row): ClaimedTask => ({ ...taskTable.decode(row), fence: row.fence })

const longestDueFirst = (a: ClaimedTask, b: ClaimedTask): number => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1)
