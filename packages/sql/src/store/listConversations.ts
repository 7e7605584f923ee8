/**
 * Lists the inbox in four sections: conversations that await a reply, answered conversations, and the snoozed
 * conversations of each kind. Each section is read from an index, in index order. A single statement reads all
 * sections, so a page is consistent without a transaction. A transaction would take longer than the page itself.
 */
import type { MessageAuthor } from "@trailbook/core/actor"
import { type ConversationStore, inboxRanks, type ListedConversation } from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Channel, MessageDirection, MessageKind } from "@trailbook/core/conversation/message/Message"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import type { Database } from "../Database.ts"
import type { Dialect, SqlValue } from "../Dialect.ts"
import { maxPosition } from "../filterConditions.ts"
import { keyCondition, queryWithRecords } from "../jsonParameter.ts"
import { inboxRankCondition, makeSearchConversations } from "./searchConversations.ts"

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
