import {
  BroadcastStore,
  type BroadcastTarget,
  ConversationStore,
  DraftStore,
  MessageStore,
  SavedReplyStore
} from "@trailbook/core/conversation"
import { FileStore, type StoredFile } from "@trailbook/core/file"
import * as Instant from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { storeLayer } from "../Database.ts"
import type { SqlValue } from "../Dialect.ts"
import * as Rows from "../Rows.ts"
import {
  forUpdateSkipLockedClause,
  keyColumns,
  keyCondition,
  makeFilterConditions,
  minPosition,
  queryWithRecords
} from "../statements.ts"
import * as Table from "../Table.ts"
import {
  broadcastTable,
  conversationTable,
  conversationWriteTable,
  draftTable,
  fileTable,
  messageTable,
  messageWriteTable,
  savedReplyTable
} from "../table/conversationTables.ts"
import { makeListConversations } from "./listConversations.ts"
import { makeListUnreachedGuests } from "./listUnreachedGuests.ts"

const conversationStore = Rows.layer(ConversationStore, conversationTable, "v", (rows, database) => {
  const { dialect, erase } = database
  // The indexes are partial, so each statement must repeat the index condition `is not null` or `<> ''`, even though it
  // is redundant.
  const byCustomer = `${rows.select} where ${keyCondition(dialect, "v", "customer_id")} and v.customer_id is not null`
  const byEmail = `${rows.select} where ${keyCondition(dialect, "v", "from_email", "email")} and v.from_email <> ''`
  const all =
    `${rows.select} where v.org_id = $1 and (v.created_at, v.id) > ($2, $3) order by v.created_at, v.id limit $4`

  return {
    find: rows.findAll,
    lock: rows.lockAll,
    findByToken: rows.by("token"),
    findByCustomer: rows.ofKeys(byCustomer),
    findByEmail: (keys) => rows.ofRecords(byEmail, keys.map(({ email, orgId }) => ({ org_id: orgId, email }))),
    list: makeListConversations(database),
    all: (orgId, after = minPosition, limit) => rows.all(all, [orgId, after.at, after.id, limit]),
    put: Table.put(database, conversationWriteTable),
    erase: Table.put({ dialect, write: erase }, conversationWriteTable)
  }
})

const messageStore = Rows.layer(MessageStore, messageTable, "m", (rows, database) => {
  const { dialect, erase, write } = database
  const byBroadcast = `${rows.select} where m.org_id = $2 and m.broadcast_id = $3
    and m.customer_id in (select id from ${dialect.records("$1", { id: "text" })} as asked)`
  const latest = `${rows.select} where m.org_id = $1 and m.conversation_id = $2
    order by m.created_at desc, m.id desc limit $3`
  const page = (filter: string) =>
    `${rows.select} where m.org_id = $1 and (m.created_at, m.id) > ($2, $3)${filter} order by m.created_at, m.id limit $4`
  const markRead = `update ${rows.table} set read_at = $4
    where org_id = $1 and conversation_id = $2 and direction = $3 and read_at is null`
  const move = `update ${rows.table} set conversation_id = $3, customer_id = $4
    where org_id = $1 and conversation_id = $2`

  return {
    find: rows.findAll,
    findByMailKey: rows.by("org_id", "mail_key"),
    findByBounceToken: rows.by("bounce_token"),
    findOfBroadcast: (orgId, broadcastId, customerIds) =>
      rows.ofRecords(byBroadcast, customerIds.map((id) => ({ id })), orgId, broadcastId),
    listUnreachedGuests: makeListUnreachedGuests(database),
    list: ({ after = minPosition, bookingId, conversationId, customerId, limit, orgId }) => {
      const filter = makeFilterConditions({
        "m.conversation_id": conversationId,
        "m.booking_id": bookingId,
        "m.customer_id": customerId
      }, 5)
      return rows.all(page(filter.text), [orgId, after.at, after.id, limit, ...filter.values])
    },
    latest: ({ id, orgId }, limit) => rows.all(latest, [orgId, id, limit]),
    put: Table.put(database, messageWriteTable),
    erase: Table.put({ dialect, write: erase }, messageWriteTable),
    markRead: ({ id, orgId }, direction, at) => write(markRead, [orgId, id, direction, at]),
    move: ({ id, orgId }, to) => write(move, [orgId, id, to.conversationId, to.customerId])
  }
})

const broadcastStore = Rows.layer(BroadcastStore, broadcastTable, "c", (rows, database) => {
  const { dialect, query } = database
  const bookings = dialect.table("bookings")
  const selectBookings = (condition: string) =>
    `select b.customer_id, b.starts_at as at, b.id from ${bookings} b
    where b.org_id = $1 and b.status = 'confirmed' and (b.starts_at, b.id) > ($2, $3) and ${condition}
    order by b.starts_at, b.id limit $4`
  // The statement reads a single entry per guest from the index on customers' bookings, regardless of the target's
  // size.
  const selectGuests = (condition: string) =>
    `select customer_id, booking_id from (
      select asked.id as customer_id, (
        select b.id from ${bookings} b
        where b.org_id = asked.org_id and b.customer_id = asked.id and b.status = 'confirmed' and ${condition}
        order by b.starts_at, b.id limit 1
      ) as booking_id
      from ${dialect.records("$1", keyColumns)} as asked
    ) as each_guest where booking_id is not null order by customer_id`

  return {
    find: rows.find,
    lock: rows.lock,
    lockByKey: rows.lockBy("org_id", "key"),
    put: rows.putOne,
    listConfirmedBookings: ({ after, limit, orgId, target }) => {
      const { at, id } = after ?? positionBefore(target)
      const [condition, value] = targetCondition(target)
      return Effect.map(
        query<Position & { readonly customer_id: string }>(selectBookings(condition), [orgId, at, id, limit, value]),
        (rows) => rows.map(({ at, customer_id, id }) => ({ at, id, customerId: customer_id }))
      )
    },
    guests: ({ among, orgId, target }) => {
      const [condition, values] = fullTargetCondition(target)
      return Effect.map(
        queryWithRecords<{ readonly customer_id: string; readonly booking_id: string }>(
          database,
          selectGuests(condition),
          among.map((id) => ({ org_id: orgId, id })),
          ...values
        ),
        (rows) => rows.map(({ booking_id, customer_id }) => ({ customerId: customer_id, bookingId: booking_id }))
      )
    }
  }
})

/**
 * Returns the position before the first booking of a target. The position combines both lower bounds, because a
 * database would use only one of them.
 */
const positionBefore = (target: BroadcastTarget): Position => {
  if ("sessionId" in target) return minPosition
  return { at: "offeringId" in target ? target.from + 1 : target.from, id: "" }
}

/** Returns the condition that keeps only the target's bookings after the position from `positionBefore`. */
const targetCondition = (target: BroadcastTarget): readonly [condition: string, value: SqlValue] => {
  if ("sessionId" in target) return ["b.session_id = $5", target.sessionId]
  return "offeringId" in target ? ["b.offering_id = $5", target.offeringId] : ["b.starts_at < $5", target.to]
}

const fullTargetCondition = (
  target: BroadcastTarget
): readonly [condition: string, values: ReadonlyArray<SqlValue>] => {
  if ("sessionId" in target) return ["b.session_id = $2", [target.sessionId]]
  return "offeringId" in target
    ? ["b.offering_id = $2 and b.starts_at > $3", [target.offeringId, target.from]]
    : ["b.starts_at >= $2 and b.starts_at < $3", [target.from, target.to]]
}

const savedReplyStore = Rows.layer(
  SavedReplyStore,
  savedReplyTable,
  "r",
  (rows, { write }) => ({ lock: rows.lock, list: rows.ofOrg, put: rows.putOne, remove: rows.remove(write) })
)

const draftStore = storeLayer(DraftStore, (database) => {
  const { dialect, query, write } = database
  const table = dialect.table("drafts")
  const timesQuery = `select at from ${table} where org_id = $1 order by at`
  return {
    requestTimes: (orgId) =>
      Effect.map(
        query<{ readonly at: number | string }>(timesQuery, [orgId]),
        (rows) => rows.map(({ at }) => Instant.make(Number(at)))
      ),
    add: Table.makeWriteOne(Table.insert(database, draftTable)),
    remove: ({ id, orgId }) => write(`delete from ${table} where org_id = $1 and id = $2`, [orgId, id]),
    forget: (orgId, until) => write(`delete from ${table} where org_id = $1 and at <= $2`, [orgId, until])
  }
})

const useColumns = { org_id: "text", id: "text", name: "text", message_id: "text", position: "integer" } as const

const fileStore = Rows.layer(FileStore, fileTable, "f", (rows, { dialect, write }) => {
  const use = `update ${rows.table} as f
    set name = given.name, message_id = given.message_id, position = given.position
    from ${dialect.records("$1", useColumns)} as given
    where f.org_id = given.org_id and f.id = given.id`
  const requestedIds = `(select id from ${dialect.records("$2", { id: "text" })} as asked)`
  const byMessages =
    `${rows.select} where f.org_id = $1 and f.message_id in ${requestedIds} order by f.message_id, f.position, f.id`
  const removeOfMessages =
    `delete from ${rows.table} where org_id = $1 and message_id in ${requestedIds} returning ${rows.returned}`
  // This statement spans all orgs, because the engine itself runs it.
  const removeUnused = `with old as materialized (
      select f.org_id, f.id from ${rows.table} f where f.message_id is null and f.created_at <= $1
      order by f.created_at, f.org_id, f.id limit $2${forUpdateSkipLockedClause(dialect, "f")}
    )
    delete from ${rows.table} where (org_id, id) in (select org_id, id from old) returning ${rows.returned}`
  const discard = `delete from ${rows.table} where org_id = $1 and id = $2 and message_id is null`

  const toIdRecords = (ids: ReadonlyArray<string>): string => JSON.stringify(ids.map((id) => ({ id })))

  return {
    add: rows.addOne,
    find: rows.find,
    lock: (orgId, ids) => rows.lockAll(ids.map((id) => ({ orgId, id }))),
    use: (files) => files.length === 0 ? Effect.void : write(use, [JSON.stringify(files.map(fileTable.encode))]),
    ofMessages: (orgId, messageIds) =>
      messageIds.length === 0
        ? Effect.succeed([])
        : rows.all(byMessages, [orgId, toIdRecords(messageIds)]),
    removeOfMessages: (orgId, messageIds) =>
      messageIds.length === 0
        ? Effect.succeed([])
        : rows.execute(removeOfMessages, [orgId, toIdRecords(messageIds)]),
    removeUnused: (madeBefore, limit) =>
      Effect.map(rows.execute(removeUnused, [madeBefore, limit]), (files) => files.toSorted(oldestFirst)),
    discard: ({ id, orgId }) => write(discard, [orgId, id])
  }
})

const oldestFirst = (a: StoredFile, b: StoredFile): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

export const layer = Layer.mergeAll(
  conversationStore,
  messageStore,
  broadcastStore,
  savedReplyStore,
  draftStore,
  fileStore
)
