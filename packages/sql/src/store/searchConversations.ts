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
import { type ConversationStore, inboxRanks, parseQueryTerms } from "@trailbook/core/conversation"
import { parseSearchQuery } from "@trailbook/core/customer"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import { maxPosition } from "../filterConditions.ts"
import { withLeadingSpace } from "../table/conversationTables.ts"

type SearchQuery = Parameters<ConversationStore["Type"]["list"]>[0] & { readonly q: string }

interface Row {
  readonly at: Position["at"]
  readonly id: string
  readonly found: boolean | 0 | 1
}

/** The number of conversations per slice. */
const sliceSize = 250

/** The number of conversations that are checked individually before one statement scans the rest. */
const maxChecked = 1000

/** Creates a search function that returns the IDs of the matches, in list order. */
export const makeSearchConversations = ({ dialect, query }: Database["Type"]) => {
  const conversations = dialect.table("conversations")

  return (search: SearchQuery): Effect.Effect<ReadonlyArray<string>> => {
    const { limit } = search
    const readChunk = (rank: number, from: Position, rows: number, isFullScan: boolean) => {
      const { condition, placed: addValue, values } = inboxRankCondition(rank, search, [from.at, from.id, rows])
      const isMatch = matchCondition(dialect, search, addValue, isFullScan)
      const text = `select v.last_at as at, v.id, ${
        isFullScan ? "true" : `(${isMatch})`
      } as found from ${conversations} v
        where ${condition} and (v.last_at, v.id) < ($1, $2)${isFullScan ? ` and (${isMatch})` : ""}
        order by v.last_at desc, v.id desc limit $3`
      return query<Row>(text, values)
    }

    const scan = (
      rank: number,
      from: Position,
      matches: ReadonlyArray<string>,
      readCount: number
    ): Effect.Effect<ReadonlyArray<string>> =>
      Effect.gen(function*() {
        if (rank === inboxRanks.length || matches.length === limit) return matches
        const isFullScan = dialect.isOutOfProcess && readCount >= maxChecked
        const size = isFullScan ? limit - matches.length : sliceSize
        const rows = yield* readChunk(rank, from, size, isFullScan)
        const all = [...matches, ...rows.filter(({ found }) => found).map(({ id }) => id)].slice(0, limit)
        const last = rows.at(-1)
        yield* yieldToEventLoop
        return rows.length < size || last === undefined
          ? yield* scan(rank + 1, maxPosition, all, readCount + rows.length)
          : yield* scan(rank, last, all, readCount + rows.length)
      })

    return scan(search.after?.rank ?? 0, search.after ?? maxPosition, [], 0)
  }
}

/**
 * Returns a condition that is true if the guest matches all terms of the query or a single message contains all of its
 * words.
 */
const matchCondition = (
  { holds, table }: Dialect,
  { orgId, q }: SearchQuery,
  addValue: (value: SqlValue) => string,
  isFullScan: boolean
): string => {
  const parts = parseSearchQuery(q).parts.map(({ word }) => addValue(withLeadingSpace(word)))
  const words = parseQueryTerms(q).map(addValue)
  const containsAll = (text: string, parts: ReadonlyArray<string>) =>
    parts.map((part) => holds(text, part)).join(" and ")
  const [customers, messages] = [table("customers"), table("messages")]
  const isOfOrg = (alias: string): string => `${alias}.org_id = ${addValue(orgId)}`
  const guest = isFullScan
    ? `case when v.customer_id is null then ${containsAll("v.words", parts)}
        else v.customer_id in (select c.id from ${customers} c where ${isOfOrg("c")} and ${
      containsAll("c.words", parts)
    }) end`
    : containsAll(
      `coalesce((select c.words from ${customers} c where c.org_id = v.org_id and c.id = v.customer_id), v.words)`,
      parts
    )
  // Do not use `exists`, because PostgreSQL would scan all messages of the org for every slice.
  const message = isFullScan
    ? `v.id in (select m.conversation_id from ${messages} m where ${isOfOrg("m")} and ${containsAll("m.words", words)})`
    : `coalesce((select 1 from ${messages} m
        where m.org_id = v.org_id and m.conversation_id = v.id and ${containsAll("m.words", words)} limit 1), 0) = 1`
  return [
    ...(parts.length === 0 ? [] : [`(${guest})`]),
    ...(words.length === 0 ? [] : [message])
  ].join(" or ") || "1 = 0"
}

type Filters = Omit<Parameters<ConversationStore["Type"]["list"]>[0], "after" | "limit" | "q">

/**
 * Returns a condition that is true if the conversation `v` is in this section of the inbox and passes the filters. Its
 * parameters are numbered after those for `baseValues`.
 */
export const inboxRankCondition = (
  rank: number,
  { customerId, now, orgId, status, unread }: Filters,
  baseValues: ReadonlyArray<SqlValue>
): {
  readonly condition: string
  readonly values: ReadonlyArray<SqlValue>
  readonly placed: (value: SqlValue) => string
} => {
  const { lastBy, snoozed } = inboxRanks[rank] ?? inboxRanks[0]
  const values = [...baseValues]
  const addValue = (value: SqlValue): string => {
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
