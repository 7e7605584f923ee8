/**
 * A search of the inbox goes through the list a slice at a time, and looks at each
 * conversation: others have their turn between two slices. No index of a database
 * serves it, for none parts text into words as `words.ts` does, and one of words
 * would be one more copy to erase.
 *
 * Where the page is not full soon, few are found. A database that keeps nobody waiting
 * by a long statement then goes through all messages of the org at once and keeps
 * what is found by a hash of it: a fifth of the time of looking into one conversation
 * after the other.
 */
import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import type { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { inboxRanks } from "@trailbook/core/conversation/inboxOrder"
import * as Words from "@trailbook/core/conversation/searchTerms"
import * as Search from "@trailbook/core/customer/customerSearch"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Dialect, Value } from "../Dialect.ts"
import { maxInstant } from "../openBounds.ts"
import { behindSpace } from "../table/customerTable.ts"
import { chunkCondition } from "./chunkCondition.ts"

type Asked = Parameters<ConversationStore["Type"]["list"]>[0] & { readonly q: string }

interface Row {
  readonly at: Position["at"]
  readonly id: string
  readonly found: boolean | 0 | 1
}

/** How many conversations are looked at between two turns of others. */
const slice = 250

/** So many are looked at one by one, before all that is left is gone through at once. */
const soon = 1000

/** The ids of what is found, in the order of the list. */
export const conversationSearch = ({ dialect, query }: Database["Type"]) => {
  const conversations = dialect.table("conversations")

  return (asked: Asked): Effect.Effect<ReadonlyArray<string>> => {
    const { limit } = asked
    const read = (rank: number, from: Position, rows: number, whole: boolean) => {
      const { condition, placed, values } = chunkCondition(rank, asked, [from.at, from.id, rows])
      const found = foundBy(dialect, asked, placed, whole)
      const text = `select v.last_at as at, v.id, ${whole ? "true" : `(${found})`} as found from ${conversations} v
        where ${condition} and (v.last_at, v.id) < ($1, $2)${whole ? ` and (${found})` : ""}
        order by v.last_at desc, v.id desc limit $3`
      return query<Row>(text, values)
    }

    const through = (
      rank: number,
      from: Position,
      before: ReadonlyArray<string>,
      looked: number
    ): Effect.Effect<ReadonlyArray<string>> =>
      Effect.gen(function*() {
        if (rank === inboxRanks.length || before.length === limit) return before
        const whole = dialect.apart && looked >= soon
        const size = whole ? limit - before.length : slice
        const rows = yield* read(rank, from, size, whole)
        const all = [...before, ...rows.filter(({ found }) => found).map(({ id }) => id)].slice(0, limit)
        const last = rows.at(-1)
        yield* yieldToEventLoop
        return rows.length < size || last === undefined
          ? yield* through(rank + 1, maxInstant, all, looked + rows.length)
          : yield* through(rank, last, all, looked + rows.length)
      })

    return through(asked.after?.rank ?? 0, asked.after ?? maxInstant, [], 0)
  }
}

/** A condition: the guest has all parts of what is asked for, or one message has all of its words. */
const foundBy = (
  { holds, table }: Dialect,
  { orgId, q }: Asked,
  placed: (value: Value) => string,
  whole: boolean
): string => {
  const parts = Search.parseSearch(q).parts.map(({ word }) => placed(behindSpace(word)))
  const words = Words.queryTerms(q).map(placed)
  const every = (text: string, placed: ReadonlyArray<string>) => placed.map((part) => holds(text, part)).join(" and ")
  const [customers, messages] = [table("customers"), table("messages")]
  const ofOrg = (alias: string): string => `${alias}.org_id = ${placed(orgId)}`
  const guest = whole
    ? `case when v.customer_id is null then ${every("v.words", parts)}
        else v.customer_id in (select c.id from ${customers} c where ${ofOrg("c")} and ${every("c.words", parts)}) end`
    : every(
      `coalesce((select c.words from ${customers} c where c.org_id = v.org_id and c.id = v.customer_id), v.words)`,
      parts
    )
  // Not "exists", which Postgres answers by going through all messages of the org for every slice.
  const message = whole
    ? `v.id in (select m.conversation_id from ${messages} m where ${ofOrg("m")} and ${every("m.words", words)})`
    : `coalesce((select 1 from ${messages} m
        where m.org_id = v.org_id and m.conversation_id = v.id and ${every("m.words", words)} limit 1), 0) = 1`
  return [
    ...(parts.length === 0 ? [] : [`(${guest})`]),
    ...(words.length === 0 ? [] : [message])
  ].join(" or ") || "1 = 0"
}
