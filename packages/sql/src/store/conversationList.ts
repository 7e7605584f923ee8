/**
 * The inbox, part by part: who waits for a reply and is not snoozed, who was
 * answered, and then the same of those that are snoozed. Each part is read off an
 * index in its order.
 */
import type { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import type { ListedConversation } from "@trailbook/core/conversation/ListedConversation"
import { ranks } from "@trailbook/core/conversation/Listing"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import { end } from "../ends.ts"
import { among, queryFor } from "../records.ts"
import { conversationRecord, type ConversationRecordRow, selectRecords } from "../table/conversationRecord.ts"
import { conversationSearch } from "./conversationSearch.ts"
import { inPart } from "./inPart.ts"

type List = ConversationStore["Type"]["list"]

/**
 * @category reading
 */
export const conversationList = (database: Database["Type"]): List => {
  const { dialect, query } = database
  const select = selectRecords(dialect)
  const byKeys = `${select} where ${among(dialect, "v")}`
  const search = conversationSearch(database)

  const listed: List = (asked) => {
    const page = (rank: number, from: Position, rows: number) => {
      const { condition, values } = inPart(rank, asked, [from.at, from.id, rows])
      const text =
        `${select} where ${condition} and (v.last_at, v.id) < ($1, $2) order by v.last_at desc, v.id desc limit $3`
      return Effect.map(query<ConversationRecordRow>(text, values), (found) => found.map(conversationRecord))
    }
    const through = (
      rank: number,
      from: Position,
      before: ReadonlyArray<ListedConversation>
    ): Effect.Effect<ReadonlyArray<ListedConversation>> =>
      rank === ranks.length || before.length === asked.limit
        ? Effect.succeed(before)
        : Effect.flatMap(
          page(rank, from, asked.limit - before.length),
          (found) => through(rank + 1, end, [...before, ...found])
        )
    return through(asked.after?.rank ?? 0, asked.after ?? end, [])
  }

  return (asked) => {
    const { orgId, q } = asked
    if (q === undefined) return listed(asked)
    return Effect.flatMap(search({ ...asked, q }), (ids) =>
      Effect.map(
        queryFor<ConversationRecordRow>(database, byKeys, ids.map((id) => ({ org_id: orgId, id }))),
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
