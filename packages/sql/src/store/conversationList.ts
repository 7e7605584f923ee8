/**
 * The inbox: who waits for a reply and is not snoozed, who was answered, and then the
 * same of those that are snoozed. Each part is read off an index in its order, all in
 * one statement: a page is of one moment without a transaction, which with what it
 * asks would take longer than the page.
 */
import type { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { inboxRanks } from "@trailbook/core/conversation/inboxOrder"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { among, queryWithRecords } from "../jsonParameter.ts"
import { maxInstant } from "../openBounds.ts"
import { conversationRecord, type ConversationRecordRow, selectRecords } from "../table/conversationRecord.ts"
import { chunkCondition } from "./chunkCondition.ts"
import { conversationSearch } from "./conversationSearch.ts"

type List = ConversationStore["Type"]["list"]

/**
 * Said in the statement, for SQLite goes through the parts in half the time when it knows how many rows are wanted; and of
 * few sizes, for each is a statement of its own. A page of 50 or 100 asks for one more.
 */
const sizes = [51, 101, 201, 501]

export const conversationList = (database: Database["Type"]): List => {
  const { dialect, query } = database
  const select = selectRecords(dialect)
  const byKeys = `${select} where ${among(dialect, "v")}`
  const search = conversationSearch(database)

  const listed: List = (asked) => {
    const { after, limit } = asked
    const first = after?.rank ?? 0
    const most = sizes.find((size) => size >= limit) ?? limit
    let values: ReadonlyArray<Value> = []
    const part = (rank: number): string => {
      const from = rank === first ? after ?? maxInstant : maxInstant
      const { condition, placed, values: given } = chunkCondition(rank, asked, values)
      values = given
      return `select * from (${select}
        where ${condition} and (v.last_at, v.id) < (${placed(from.at)}, ${placed(from.id)})
        order by v.last_at desc, v.id desc limit ${most}) as part_${rank}`
    }
    // One part is gone through after the other, and none of those behind a page that is full.
    const parts = inboxRanks.map((_, rank) => rank).filter((rank) => rank >= first).map(part)
    return Effect.map(
      query<ConversationRecordRow>(`${parts.join(" union all ")} limit ${most}`, values),
      (rows) => rows.slice(0, limit).map(conversationRecord)
    )
  }

  return (asked) => {
    const { orgId, q } = asked
    if (q === undefined) return listed(asked)
    return Effect.flatMap(search({ ...asked, q }), (ids) =>
      Effect.map(
        queryWithRecords<ConversationRecordRow>(database, byKeys, ids.map((id) => ({ org_id: orgId, id }))),
        (rows) => {
          const found = new Map(rows.map((row) => [row.id, row]))
          return ids.flatMap((id) => {
            const row = found.get(id)
            return row === undefined ? [] : [conversationRecord(row)]
          })
        }
      ))
  }
}
