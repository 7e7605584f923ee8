/**
 * Searches the inbox by scanning the list in slices and checking each conversation. Other requests can run between
 * slices. A database's full-text index does not help, because no database splits text into words the way the search
 * does. A separate word index would be another copy of personal data to erase.
 *
 * If the page does not fill soon, matches are rare. A database outside this process then scans all of the org's
 * messages in one statement and collects the matches in a hash table. This is five times as fast as checking each
 * conversation.
 */
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import { type ConversationStore, inboxRanks, queryTerms } from "@trailbook/core/conversation"
import { parseSearch } from "@trailbook/core/customer"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Dialect, Value } from "../Dialect.ts"
import { maxInstant } from "../filters.ts"
import { behindSpace } from "../table/conversationTables.ts"

type SearchQuery = Parameters<ConversationStore["Type"]["list"]>[0] & { readonly q: string }

interface Row {
  readonly at: Position["at"]
  readonly id: string
  readonly found: boolean | 0 | 1
}

/** The number of conversations per slice. */
const slice = 250

/** The number of conversations that are checked individually before one statement scans the rest. */
const soon = 1000

/** Creates a search function that returns the IDs of the matches, in list order. */
export const conversationSearch = ({ dialect, query }: Database["Type"]) => {
  const conversations = dialect.table("conversations")

  return (search: SearchQuery): Effect.Effect<ReadonlyArray<string>> => {
    const { limit } = search
    const readChunk = (rank: number, from: Position, rows: number, isWhole: boolean) => {
      const { condition, placed, values } = chunkCondition(rank, search, [from.at, from.id, rows])
      const isMatch = foundBy(dialect, search, placed, isWhole)
      const text = `select v.last_at as at, v.id, ${isWhole ? "true" : `(${isMatch})`} as found from ${conversations} v
        where ${condition} and (v.last_at, v.id) < ($1, $2)${isWhole ? ` and (${isMatch})` : ""}
        order by v.last_at desc, v.id desc limit $3`
      return query<Row>(text, values)
    }

    const through = (
      rank: number,
      from: Position,
      before: ReadonlyArray<string>,
      readCount: number
    ): Effect.Effect<ReadonlyArray<string>> =>
      Effect.gen(function*() {
        if (rank === inboxRanks.length || before.length === limit) return before
        const isWhole = dialect.apart && readCount >= soon
        const size = isWhole ? limit - before.length : slice
        const rows = yield* readChunk(rank, from, size, isWhole)
        const all = [...before, ...rows.filter(({ found }) => found).map(({ id }) => id)].slice(0, limit)
        const last = rows.at(-1)
        yield* yieldToEventLoop
        return rows.length < size || last === undefined
          ? yield* through(rank + 1, maxInstant, all, readCount + rows.length)
          : yield* through(rank, last, all, readCount + rows.length)
      })

    return through(search.after?.rank ?? 0, search.after ?? maxInstant, [], 0)
  }
}

/**
 * Returns a condition that is true if the guest matches all terms of the query or a single message contains all of its
 * words.
 */
const foundBy = (
  { holds, table }: Dialect,
  { orgId, q }: SearchQuery,
  placed: (value: Value) => string,
  isWhole: boolean
): string => {
  const parts = parseSearch(q).parts.map(({ word }) => placed(behindSpace(word)))
  const words = queryTerms(q).map(placed)
  const every = (text: string, parts: ReadonlyArray<string>) => parts.map((part) => holds(text, part)).join(" and ")
  const [customers, messages] = [table("customers"), table("messages")]
  const ofOrg = (alias: string): string => `${alias}.org_id = ${placed(orgId)}`
  const guest = isWhole
    ? `case when v.customer_id is null then ${every("v.words", parts)}
        else v.customer_id in (select c.id from ${customers} c where ${ofOrg("c")} and ${every("c.words", parts)}) end`
    : every(
      `coalesce((select c.words from ${customers} c where c.org_id = v.org_id and c.id = v.customer_id), v.words)`,
      parts
    )
  // Do not use `exists`, because PostgreSQL would scan all messages of the org for every slice.
  const message = isWhole
    ? `v.id in (select m.conversation_id from ${messages} m where ${ofOrg("m")} and ${every("m.words", words)})`
    : `coalesce((select 1 from ${messages} m
        where m.org_id = v.org_id and m.conversation_id = v.id and ${every("m.words", words)} limit 1), 0) = 1`
  return [
    ...(parts.length === 0 ? [] : [`(${guest})`]),
    ...(words.length === 0 ? [] : [message])
  ].join(" or ") || "1 = 0"
}

type Filters = Omit<Parameters<ConversationStore["Type"]["list"]>[0], "after" | "limit" | "q">

/**
 * Returns a condition that is true if the conversation `v` is in this section of the inbox and passes the filters. The
 * numbers of its values follow those of the values in `baseValues`.
 */
export const chunkCondition = (
  rank: number,
  { customerId, now, orgId, status, unread }: Filters,
  baseValues: ReadonlyArray<Value>
): { readonly condition: string; readonly values: ReadonlyArray<Value>; readonly placed: (value: Value) => string } => {
  const { lastBy, snoozed } = inboxRanks[rank] ?? inboxRanks[0]
  const values = [...baseValues]
  const addValue = (value: Value): string => {
    values.push(value)
    return `$${values.length}`
  }
  const condition = [
    `v.org_id = ${addValue(orgId)}`,
    `v.last_by = ${addValue(lastBy)}`,
    snoozed
      ? `v.snoozed_until > ${addValue(now)}`
      : `(v.snoozed_until is null or v.snoozed_until <= ${addValue(now)})`,
    ...(status === undefined ? [] : [`v.status = ${addValue(status)}`]),
    ...(customerId === undefined ? [] : [`v.customer_id = ${addValue(customerId)}`]),
    ...(unread === undefined ? [] : [unread ? isUnread : `not ${isUnread}`])
  ].join(" and ")
  return { condition, values, placed: addValue }
}

const isUnread = "(v.guest_at is not null and v.guest_at > coalesce(v.outfitter_read_at, -1))"
