/**
 * Lists the inbox in four sections: conversations that await a reply, answered conversations, and the snoozed
 * conversations of each kind. Each section is read from an index, in index order. A single statement reads all
 * sections, so a page is consistent without a transaction. A transaction would take longer than the page itself.
 */
import { type ConversationStore, inboxRanks } from "@trailbook/core/conversation"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { maxInstant } from "../filters.ts"
import { among, queryWithRecords } from "../jsonParameter.ts"
import { conversationRecord, type ConversationRecordRow, selectRecords } from "../table/conversationRecord.ts"
import { chunkCondition, conversationSearch } from "./conversationSearch.ts"

type List = ConversationStore["Type"]["list"]

/**
 * The page sizes. The limit is part of the text, because SQLite takes half as long if it knows the limit. Each size
 * needs its own statement, so there are only a few sizes. A request reads one row more than its page size, which is 10
 * for the count in the dashboard menu, 30 for the dashboard inbox, and usually 50 or 100 for other pages.
 */
const sizes = [11, 31, 51, 101, 201, 501]

export const conversationList = (database: Database["Type"]): List => {
  const { dialect, query } = database
  const select = selectRecords(dialect)
  const byKeys = `${select} where ${among(dialect, "v")}`
  const search = conversationSearch(database)

  const listRanked: List = (listQuery) => {
    const { after, limit } = listQuery
    const first = after?.rank ?? 0
    const maxRows = sizes.find((size) => size >= limit) ?? limit
    let values: ReadonlyArray<Value> = []
    const rankQuery = (rank: number): string => {
      const from = rank === first ? after ?? maxInstant : maxInstant
      const { condition, placed, values: nextValues } = chunkCondition(rank, listQuery, values)
      values = nextValues
      return `select * from (${select}
        where ${condition} and (v.last_at, v.id) < (${placed(from.at)}, ${placed(from.id)})
        order by v.last_at desc, v.id desc limit ${maxRows}) as part_${rank}`
    }
    // The database reads the sections in order and stops when the page is full.
    const parts = inboxRanks.map((_, rank) => rank).filter((rank) => rank >= first).map(rankQuery)
    return Effect.map(
      query<ConversationRecordRow>(`${parts.join(" union all ")} limit ${maxRows}`, values),
      (rows) => rows.slice(0, limit).map(conversationRecord)
    )
  }

  return (listQuery) => {
    const { orgId, q } = listQuery
    if (q === undefined) return listRanked(listQuery)
    return Effect.flatMap(search({ ...listQuery, q }), (ids) =>
      Effect.map(
        queryWithRecords<ConversationRecordRow>(database, byKeys, ids.map((id) => ({ org_id: orgId, id }))),
        (rows) => {
          const rowById = new Map(rows.map((row) => [row.id, row]))
          return ids.flatMap((id) => {
            const row = rowById.get(id)
            return row === undefined ? [] : [conversationRecord(row)]
          })
        }
      ))
  }
}
