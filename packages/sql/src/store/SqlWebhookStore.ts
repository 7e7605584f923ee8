import type { Webhook } from "@trailbook/core/webhook/Webhook"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ColumnRecord, type ColumnRow, list } from "../Columns.ts"
import { isAny } from "../jsonParameter.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { webhookTable } from "../table/webhookTable.ts"
import { markBacklog } from "./deliveryBacklog.ts"

const standingColumns = { cursor: "integer", stopped_at: "integer?" } as const

const added = { ...webhookTable.columns, cursor: "integer" } as const

export const layer = storeLayer(WebhookStore, (database) => {
  const { dialect, execute, query, transaction, write } = database
  const rows = Rows.make(database, webhookTable, "w")
  const marked = markBacklog(database)
  // Locks the counter, so that this statement waits for transactions that are about to commit an event. Later events
  // come after the cursor of the new endpoint.
  const watch = `insert into ${dialect.table("event_counters")} as counter (org_id, last, undelivered)
    values ($1, 0, false)
    on conflict (org_id) do update set undelivered = coalesce(counter.undelivered, false)
    returning last`
  const names = Object.keys(added).join(", ")
  const insert = `insert into ${rows.table} (${names})
    select ${names} from ${dialect.records("$1", added)} as given where true`
  const standing = `select ${list(standingColumns, "w")} from ${rows.table} w where w.org_id = $1 and w.id = $2`
  // Runs for the engine itself, across orgs.
  const pageOfAll = `${rows.select} where w.id > $1 order by w.id limit $2`
  const ofKey = "where org_id = $1 and id = $2"
  const remove = `delete from ${rows.table} ${ofKey} returning id`
  const rewind = `update ${rows.table}
    set cursor = $3, stopped_at = null, retry_at = null, lease_until = null ${ofKey} returning id`
  const reseal = `update ${rows.table} set sealed_secret = $4 ${ofKey} and sealed_secret = $3`

  const record = (webhook: Webhook, cursor: number): ColumnRecord<typeof added> => ({
    ...webhookTable.encode(webhook),
    cursor
  })

  return {
    add: (webhook) =>
      transaction(Effect.flatMap(
        execute<{ readonly last: number }>(watch, [webhook.orgId]),
        ([counter]) => write(insert, [JSON.stringify([record(webhook, counter?.last ?? 0)])])
      )),
    find: rows.find,
    standing: ({ id, orgId }) =>
      Effect.map(
        query<ColumnRow<typeof standingColumns>>(standing, [orgId, id]),
        ([row]) => Option.map(Option.fromNullable(row), ({ cursor, stopped_at: stoppedAt }) => ({ cursor, stoppedAt }))
      ),
    list: rows.ofOrg,
    remove: ({ id, orgId }) => isAny(execute(remove, [orgId, id])),
    rewind: ({ id, orgId }, after) =>
      transaction(Effect.flatMap(
        execute(rewind, [orgId, id, after]),
        ({ length }) => length === 0 ? Effect.succeed(false) : Effect.as(marked(orgId), true)
      )),
    page: (after, limit) => rows.all(pageOfAll, [after, limit]),
    reseal: (webhook, sealed) => write(reseal, [webhook.orgId, webhook.id, webhook.sealedSecret, sealed])
  }
})
