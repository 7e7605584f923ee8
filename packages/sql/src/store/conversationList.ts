/**
 * The inbox, part by part: who waits for a reply and is not snoozed, who was
 * answered, and then the same of those that are snoozed. Each part is read off an
 * index in its order.
 *
 * A search goes through the same rows a slice at a time, and looks at each: others
 * have their turn between two slices. No index of a database serves it, for none
 * parts text into words as `words.ts` does, and one of words would be one more copy
 * to erase.
 */
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { positionOf, ranks } from "@trailbook/core/conversation/Listing"
import * as Words from "@trailbook/core/conversation/words"
import * as Search from "@trailbook/core/customer/Search"
import { turn } from "@trailbook/core/time/turn"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import { list, type RowOf } from "../Columns.ts"
import type { Database } from "../Database.ts"
import type { Dialect, Value } from "../Dialect.ts"
import { end } from "../ends.ts"
import { conversationTable } from "../table/conversationTable.ts"
import { behindSpace } from "../table/customerTable.ts"

type Row = RowOf<typeof conversationTable.columns> & { readonly found: boolean | 0 | 1 }

/** How many conversations are looked at between two turns of others. */
const slice = 250

/**
 * @category reading
 */
export const conversationList = ({ dialect, query }: Database["Type"]): ConversationStore["Type"]["list"] => {
  const columns = list(conversationTable.columns, "v")
  const conversations = dialect.table("conversations")

  return ({ after, customerId, limit, now, orgId, q, status, unread }) => {
    const page = (rank: number, from: Position, rows: number) => {
      const { lastBy, snoozed } = ranks[rank] ?? ranks[0]
      const values: Array<Value> = [orgId, lastBy, from.at, from.id, rows, now]
      const placed = (value: Value): string => {
        values.push(value)
        return `$${values.length}`
      }
      const filter = [
        snoozed ? "v.snoozed_until > $6" : "(v.snoozed_until is null or v.snoozed_until <= $6)",
        ...(status === undefined ? [] : [`v.status = ${placed(status)}`]),
        ...(customerId === undefined ? [] : [`v.customer_id = ${placed(customerId)}`]),
        ...(unread === undefined ? [] : [unread ? isUnread : `not ${isUnread}`])
      ].join(" and ")
      const found = q === undefined ? "1 = 1" : foundBy(dialect, q, placed)
      const text = `select ${columns}, (${found}) as found from ${conversations} v
        where v.org_id = $1 and v.last_by = $2 and (v.last_at, v.id) < ($3, $4) and ${filter}
        order by v.last_at desc, v.id desc limit $5`
      return Effect.map(query<Row>(text, values), (rows) => ({
        rows: rows.map(conversationTable.decode),
        found: rows.filter(({ found }) => found).map(conversationTable.decode)
      }))
    }

    const through = (
      rank: number,
      from: Position,
      listed: ReadonlyArray<Conversation>
    ): Effect.Effect<ReadonlyArray<Conversation>> =>
      Effect.gen(function*() {
        if (rank === ranks.length) return listed
        const size = q === undefined ? limit - listed.length : slice
        const { found, rows } = yield* page(rank, from, size)
        const all = [...listed, ...found].slice(0, limit)
        if (all.length === limit) return all
        const last = rows.at(-1)
        if (rows.length < size || last === undefined) return yield* through(rank + 1, end, all)
        yield* turn
        return yield* through(rank, positionOf(last, now), all)
      })

    if (limit === 0) return Effect.succeed([])
    return after === undefined ? through(0, end, []) : through(after.rank, after, [])
  }
}

const isUnread = "(v.guest_at is not null and v.guest_at > coalesce(v.outfitter_read_at, -1))"

/** A condition: the guest has all parts of what is asked for, or one message has all of its words. */
const foundBy = ({ holds, table }: Dialect, q: string, placed: (value: Value) => string): string => {
  const parts = Search.read(q).parts.map(({ word }) => placed(behindSpace(word)))
  const words = Words.parts(q).map(placed)
  const every = (text: string, placed: ReadonlyArray<string>) => placed.map((part) => holds(text, part)).join(" and ")
  const guest = `coalesce((select c.words from ${
    table("customers")
  } c where c.org_id = v.org_id and c.id = v.customer_id), v.words)`
  return [
    ...(parts.length === 0 ? [] : [`(${every(guest, parts)})`]),
    ...(words.length === 0 ? [] : [
      `exists (select 1 from ${table("messages")} m
        where m.org_id = v.org_id and m.conversation_id = v.id and ${every("m.words", words)})`
    ])
  ].join(" or ") || "1 = 0"
}
