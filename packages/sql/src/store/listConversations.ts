/**
 * Lists the inbox in four sections: conversations that await a reply, answered conversations, and the snoozed
 * conversations of each kind. Each section is read from an index, in index order. A single statement reads all
 * sections, so a page is consistent without a transaction. A transaction would take longer than the page itself.
 */
import type { MessageAuthor } from "@trailbook/core/actor"
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import {
  type ConversationStore,
  inboxRanks,
  type ListedConversation,
  parseQueryTerms
} from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Channel, MessageDirection, MessageKind } from "@trailbook/core/conversation/message/Message"
import { parseSearchQuery } from "@trailbook/core/customer"
import type { Instant } from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import type { Database } from "../Database.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import { keyCondition, maxPosition, queryWithRecords } from "../statements.ts"
import { withLeadingSpace } from "../table/conversationTables.ts"

type List = ConversationStore["Type"]["list"]

/**
 * The page sizes. The limit is part of the text, because SQLite takes half as long if it knows the limit. Each size
 * needs its own statement, so only a few sizes are available. A request reads one row more than its page size, which is
 * 10 for the count in the dashboard menu, 30 for the dashboard inbox, and usually 50 or 100 for other pages.
 */
const pageSizes = [11, 31, 51, 101, 201, 501]

export const makeListConversations = (database: Database["Type"]): List => {
  const { dialect, query } = database
  const select = selectRecords(dialect)
  const byKeys = `${select} where ${keyCondition(dialect, "v")}`
  const search = makeSearchConversations(database)

  const listRanked: List = (listQuery) => {
    const { after, limit } = listQuery
    const first = after?.rank ?? 0
    const maxRows = pageSizes.find((size) => size >= limit) ?? limit
    let values: ReadonlyArray<SqlValue> = []
    const rankQuery = (rank: number): string => {
      const from = rank === first ? after ?? maxPosition : maxPosition
      const { condition, placed: addValue, values: nextValues } = inboxRankCondition(rank, listQuery, values)
      values = nextValues
      return `select * from (${select}
        where ${condition} and (v.last_at, v.id) < (${addValue(from.at)}, ${addValue(from.id)})
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

const columns = {
  id: "text",
  org_id: "text",
  customer_id: "text?",
  from_name: "text?",
  from_email: "text?",
  status: "text",
  last_message_id: "text?",
  last_at: "instant",
  last_by: "text?",
  guest_at: "instant?",
  outfitter_read_at: "instant?",
  guest_read_at: "instant?",
  snoozed_until: "instant?",
  created_at: "instant"
} as const

/** A conversation with the guest and last-message columns that the list shows. */
type ConversationRecordRow = ColumnRow<typeof columns> & {
  readonly customer_name: string | null
  readonly customer_email: string
  readonly customer_phone: string
  readonly message_at: Instant | null
  readonly message_direction: MessageDirection
  readonly message_kind: MessageKind
  readonly message_channel: Channel
  readonly message_sent_by: MessageAuthor
  readonly message_body: string
}

/**
 * Returns the start of a statement that reads the records of the conversations `v`. The guest and the message are
 * looked up for each row. Otherwise, a plan made without the page size could read all of the org's guests for one page.
 */
const selectRecords = ({ lateral, table }: Dialect): string => {
  const joinRow = (name: string, alias: string, id: string): string => {
    const condition = `${alias}.org_id = v.org_id and ${alias}.id = ${id}`
    return lateral
      ? `left join lateral (select * from ${table(name)} ${alias} where ${condition} limit 1) as ${alias} on true`
      : `left join ${table(name)} ${alias} on ${condition}`
  }
  return `select ${toSelectList(columns, "v")},
    c.name as customer_name, c.email as customer_email, c.phone as customer_phone,
    m.created_at as message_at, m.direction as message_direction, m.kind as message_kind,
    m.channel as message_channel, m.sent_by as message_sent_by, m.body as message_body
  from ${table("conversations")} v
    ${joinRow("customers", "c", "v.customer_id")}
    ${joinRow("messages", "m", "v.last_message_id")}`
}

/** Decodes a row. The function is handwritten for speed, because the inbox is read often and has many rows. */
const conversationRecord = (row: ConversationRecordRow): ListedConversation => ({
  conversation: {
    id: row.id,
    orgId: row.org_id,
    customerId: row.customer_id,
    fromName: row.from_name,
    fromEmail: row.from_email,
    status: row.status as Conversation["status"],
    lastMessageId: row.last_message_id,
    lastAt: row.last_at,
    lastBy: row.last_by as Conversation["lastBy"],
    guestAt: row.guest_at,
    outfitterReadAt: row.outfitter_read_at,
    guestReadAt: row.guest_read_at,
    snoozedUntil: row.snoozed_until,
    createdAt: row.created_at
  },
  customer: row.customer_id === null || row.customer_name === null
    ? undefined
    : { id: row.customer_id, name: row.customer_name, email: row.customer_email, phone: row.customer_phone },
  last: row.last_message_id === null || row.message_at === null ? undefined : {
    id: row.last_message_id,
    direction: row.message_direction,
    kind: row.message_kind,
    channel: row.message_channel,
    sentBy: row.message_sent_by,
    body: row.message_body,
    createdAt: row.message_at
  }
})

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

/**
 * Creates a search function that returns the IDs of the matches, in list order. It scans the inbox in slices and checks
 * each conversation. Other requests can run between slices. A database's full-text index does not help, because no
 * database splits text into words the way the search does. A separate word index would be another copy of personal data
 * to erase.
 *
 * If the page does not fill soon, matches are rare. A database outside this process then scans all of the org's
 * messages in one statement and collects the matches in a hash table. This is five times as fast as checking each
 * conversation.
 */
const makeSearchConversations = ({ dialect, query }: Database["Type"]) => {
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
const inboxRankCondition = (
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
