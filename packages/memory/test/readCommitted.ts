/**
 * Simulates a database with many connections on top of the memory adapter, to test core's locking without a server.
 *
 * A transaction buffers its changes and applies them when it commits. Each statement sees the rows that are committed
 * when it runs, plus the transaction's own changes (READ COMMITTED). Until the transaction ends, it holds the rows that
 * it locks or changes and the unique keys that it adds. Every call yields first. A locking statement locks its rows in
 * ID order, as with `order by`. A write locks its rows in argument order. Deadlocked transactions wait forever, as in a
 * database without deadlock detection, unless `onDeadlock` ends the transaction that closed the cycle.
 */
import { type Booking, BookingStore } from "@trailbook/core/booking"
import { parallel, sequential } from "@trailbook/core/concurrency"
import {
  type Broadcast,
  BroadcastStore,
  ConversationStore,
  MessageStore,
  SavedReplyStore
} from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import { FileStore } from "@trailbook/core/file"
import { ResumableJobStore } from "@trailbook/core/job"
import { GrantStore } from "@trailbook/core/oauth"
import { DiscountStore, OfferingStore, type OrgKey } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, RequestKeys, UnitOfWork } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { SessionStore } from "@trailbook/core/session"
import { PasskeyStore, StaffSessionStore } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import { WebhookStore } from "@trailbook/core/webhook"
import { portsLayer } from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import * as Table from "@trailbook/memory/Table"
import { allOrgsGroup, empty, type Tables, toRequestKey, toResumableJobKey } from "@trailbook/memory/Tables"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

type Change = (tables: Tables) => Tables
type Semaphore = ReturnType<typeof Effect.unsafeMakeSemaphore>

interface Unit {
  changes: ReadonlyArray<Change>
  readonly held: Map<string, Semaphore>
  waitsFor: string | undefined
  readonly pinned: Tables | undefined
}

interface Locks {
  /** Locks rows for the transaction. Waits while another transaction holds one of them. */
  readonly lock: (rows: ReadonlyArray<string>) => Effect.Effect<void>
  /** Locks the rows of a write. */
  readonly write: (rows: ReadonlyArray<string>) => Effect.Effect<void>
}

class RowLocks extends Context.Tag("@trailbook/memory/test/RowLocks")<RowLocks, Locks>() {}

export type Locking = "sorted" | "as they are named" | "none"

/** Runs in the transaction whose lock request would close a cycle. `rows` are the rows in the cycle. */
export type OnDeadlock = (rows: ReadonlyArray<string>) => Effect.Effect<void>

const newUnit = (pinned?: Tables): Unit => ({ changes: [], held: new Map(), waitsFor: undefined, pinned })

const apply = (tables: Tables, changes: ReadonlyArray<Change>) =>
  changes.reduce((before, change) => change(before), tables)

const database = (locking: Locking, onDeadlock: OnDeadlock) =>
  Layer.effectContext(Effect.sync(() => {
    let committed: Tables = empty
    const rows = new Map<string, Semaphore>()
    const current = FiberRef.unsafeMake<Unit | undefined>(undefined, { join: (parent) => parent })

    const holders = new Map<string, Unit>()

    /**
     * Follows the chain of lock holders, starting from the row that the transaction is waiting for. Returns the rows in
     * the chain if it leads back to the transaction.
     */
    const circle = (unit: Unit): ReadonlyArray<string> | undefined => {
      const rows: Array<string> = []
      let row = unit.waitsFor
      while (row !== undefined) {
        rows.push(row)
        const holder = holders.get(row)
        if (holder === unit) return rows
        row = holder?.waitsFor
      }
      return undefined
    }

    const take = (unit: Unit, row: string) =>
      Effect.suspend(() => {
        if (unit.held.has(row)) return Effect.void
        const semaphore = rows.get(row) ?? Effect.unsafeMakeSemaphore(1)
        rows.set(row, semaphore)
        unit.waitsFor = row
        const cycle = circle(unit)
        const recordHolder = Effect.sync(() => {
          unit.held.set(row, semaphore)
          holders.set(row, unit)
        })
        return Effect.uninterruptibleMask((restore) =>
          Effect.zipRight(
            restore(Effect.zipRight(cycle === undefined ? Effect.void : onDeadlock(cycle), semaphore.take(1))),
            recordHolder
          )
        ).pipe(Effect.ensuring(Effect.sync(() => void (unit.waitsFor = undefined))))
      })

    const begin = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const unit = newUnit()
          const commit = (exit: Exit.Exit<A, E>) =>
            Effect.sync(() => {
              if (Exit.isSuccess(exit)) committed = apply(committed, unit.changes)
            })
          const release = Effect.suspend(() =>
            Effect.forEach(unit.held, ([row, semaphore]) => {
              holders.delete(row)
              return semaphore.release(1)
            }, { discard: true })
          )
          const exit = yield* Effect.exit(restore(Effect.locally(work, current, unit)))
          yield* Effect.ensuring(commit(exit), release)
          return yield* exit
        })
      )

    const join = <A, E, R>(unit: Unit, work: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const { changes } = unit
        return Effect.onError(work, () => Effect.sync(() => void (unit.changes = changes)))
      })

    const memory = MemoryDatabase.of({
      read: (query) =>
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.map(FiberRef.get(current), (unit) => query(apply(unit?.pinned ?? committed, unit?.changes ?? [])))
        ),
      write: (change) =>
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.map(FiberRef.get(current), (unit) => {
            // Check unique keys and references now. The commit checks them again.
            const tables = apply(committed, [...unit?.changes ?? [], change])
            if (unit === undefined) committed = tables
            else unit.changes = [...unit.changes, change]
          })
        ),
      unitOfWork: {
        queryAll: parallel,
        // A connection runs one statement at a time, even if that statement waits for a lock.
        queryInOrder: sequential,
        assertCanWait: Effect.void,
        run: (work) =>
          Effect.flatMap(FiberRef.get(current), (unit) => unit === undefined ? begin(work) : join(unit, work)),
        snapshot: (reads) => Effect.suspend(() => Effect.locally(reads, current, newUnit(committed)))
      }
    })
    const takeAll = (rows: ReadonlyArray<string>) =>
      Effect.flatMap(FiberRef.get(current), (unit) => {
        if (unit === undefined || locking === "none") return Effect.void
        return Effect.forEach(rows, (row) => Effect.zipRight(Effect.yieldNow(), take(unit, row)), { discard: true })
      })
    const locks = RowLocks.of({
      lock: (rows) => takeAll(locking === "sorted" ? rows.toSorted() : rows),
      write: takeAll
    })
    return Context.make(MemoryDatabase, memory).pipe(Context.add(RowLocks, locks))
  }))

const rowsOf = (table: string, keys: ReadonlyArray<OrgKey>) => keys.map(({ id, orgId }) => `${table} ${orgId} ${id}`)

/** Reads rows, locks them, and reads them again with the changes that were committed during the wait. */
const lockingRead = <Row>(
  lock: Locks["lock"],
  query: Effect.Effect<ReadonlyArray<Row>>,
  names: (rows: ReadonlyArray<Row>) => ReadonlyArray<string>
) => Effect.zipRight(Effect.flatMap(query, (rows) => lock(names(rows))), query)

const keyOf = ({ idempotency, orgId }: Booking) => [`idempotency key ${orgId} ${idempotency.key}`]
const addressOf = ({ email, orgId }: Customer) => [`address ${orgId} ${email}`]
const withWhom = ({ customerId, fromEmail, orgId }: Conversation) => [
  customerId === null ? `question ${orgId} ${fromEmail}` : `conversation of ${orgId} ${customerId}`
]
const mailOf = ({ broadcastId, customerId, mailKey, orgId }: Message) => [
  ...(mailKey === null ? [] : [`mail ${orgId} ${mailKey}`]),
  ...(broadcastId === null ? [] : [`broadcast to ${orgId} ${broadcastId} ${customerId}`])
]
const saidTo = ({ key, orgId }: Broadcast) => [`broadcast key ${orgId} ${key}`]

const stores = Layer.effectContext(Effect.gen(function*() {
  const { lock, write } = yield* RowLocks
  const bookings = yield* BookingStore
  const broadcasts = yield* BroadcastStore
  const conversations = yield* ConversationStore
  const customers = yield* CustomerStore
  const files = yield* FileStore
  const { read } = yield* MemoryDatabase
  const logins = yield* StaffSessionStore
  const passkeys = yield* PasskeyStore
  const messages = yield* MessageStore
  const log = yield* EventLog
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore
  const webhooks = yield* WebhookStore
  const requests = yield* RequestKeys
  const discounts = yield* DiscountStore
  const unfinished = yield* ResumableJobStore
  const grants = yield* GrantStore
  const savedReplies = yield* SavedReplyStore
  const proposals = yield* ProposalStore

  const lockAs = <A>(table: string, keys: ReadonlyArray<OrgKey>, query: Effect.Effect<A>) =>
    Effect.zipRight(lock(rowsOf(table, keys)), query)
  const lockFound = (query: ReturnType<typeof bookings.lock>) =>
    lockingRead(lock, query, (rows) => rowsOf("booking", rows.map(({ booking }) => booking)))
  const putAs =
    <Row extends OrgKey>(table: string, put: (rows: ReadonlyArray<Row>) => Effect.Effect<void>) =>
    (rows: ReadonlyArray<Row>) => Effect.zipRight(write(rowsOf(table, rows)), put(rows))
  /** An insert blocks while another transaction adds a row with the same unique key. */
  const unique = <Row extends OrgKey>(
    find: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<OrgKey>>,
    keysOf: (row: Row) => ReadonlyArray<string>,
    put: (rows: ReadonlyArray<Row>) => Effect.Effect<void>
  ) =>
  (rows: ReadonlyArray<Row>) =>
    Effect.flatMap(find(rows), (existing) => {
      const isThere = new Set(rowsOf("", existing))
      const newRows = rows.filter((row) => rowsOf("", [row]).every((name) => !isThere.has(name)))
      return Effect.zipRight(write(newRows.flatMap(keysOf)), put(rows))
    })

  const lockOne = (query: Effect.Effect<Option.Option<Broadcast>>) =>
    Effect.map(
      lockingRead(lock, Effect.map(query, Option.toArray), (rows) => rowsOf("broadcast", rows)),
      Option.fromIterable
    )
  const putConversations = putAs("conversation", conversations.put)
  const putMessages = putAs("message", messages.put)
  const ofConversation = (key: OrgKey) =>
    read((tables) => [...Table.range(tables.messages, "inConversation", `${key.orgId} ${key.id}`)])
  /** Locks all messages of a conversation, and then runs a change that selects its own rows. */
  const changeAll = (key: OrgKey, change: Effect.Effect<void>) =>
    Effect.zipRight(Effect.flatMap(ofConversation(key), (rows) => lock(rowsOf("message", rows))), change)

  return Context.make(BookingStore, {
    ...bookings,
    lock: (keys) => lockAs("booking", keys, bookings.lock(keys)),
    lockInSession: (key) => lockFound(bookings.lockInSession(key)),
    lockUpcoming: (key, now) => lockFound(bookings.lockUpcoming(key, now)),
    lockOfCustomer: (...args) => lockFound(bookings.lockOfCustomer(...args)),
    findUnproven: (queries) => {
      const networks = queries.flatMap((query) => "network" in query ? [`network ${query.orgId} ${query.network}`] : [])
      return Effect.zipRight(lock([...new Set(networks)]), bookings.findUnproven(queries))
    },
    put: unique(
      (rows) => Effect.map(bookings.lock(rows), (records) => records.map(({ booking }) => booking)),
      keyOf,
      putAs("booking", bookings.put)
    )
  }).pipe(
    Context.add(CustomerStore, {
      ...customers,
      lock: (keys) => lockAs("customer", keys, customers.lock(keys)),
      lockByEmail: (keys) => lockingRead(lock, customers.lockByEmail(keys), (rows) => rowsOf("customer", rows)),
      put: unique(customers.find, addressOf, putAs("customer", customers.put))
    }),
    Context.add(ConversationStore, {
      ...conversations,
      lock: (keys) => lockAs("conversation", keys, conversations.lock(keys)),
      put: unique(conversations.find, withWhom, putConversations),
      erase: putConversations
    }),
    Context.add(MessageStore, {
      ...messages,
      put: unique(messages.find, mailOf, putMessages),
      erase: putMessages,
      markRead: (key, ...how) => changeAll(key, messages.markRead(key, ...how)),
      move: (key, to) => changeAll(key, messages.move(key, to))
    }),
    Context.add(BroadcastStore, {
      ...broadcasts,
      lock: (key) => lockOne(broadcasts.lock(key)),
      lockByKey: (orgId, key) => lockOne(broadcasts.lockByKey(orgId, key)),
      put: (row) =>
        unique(
          (rows) => Effect.map(broadcasts.find(rows[0] ?? row), Option.toArray),
          saidTo,
          putAs("broadcast", () => broadcasts.put(row))
        )([row])
    }),
    Context.add(StaffSessionStore, {
      ...logins,
      lockLink: (digest) => Effect.zipRight(lock([`sign-in link ${digest}`]), logins.lockLink(digest)),
      putLink: (link) => Effect.zipRight(write([`sign-in link ${link.digest}`]), logins.putLink(link)),
      lock: (key) => Effect.zipRight(lock(rowsOf("login", [key])), logins.lock(key)),
      put: (login) => Effect.zipRight(write(rowsOf("login", [login])), logins.put(login))
    }),
    Context.add(PasskeyStore, {
      ...passkeys,
      lock: (key) => Effect.zipRight(lock(rowsOf("passkey", [key])), passkeys.lock(key)),
      put: (passkey) => Effect.zipRight(write(rowsOf("passkey", [passkey])), passkeys.put(passkey)),
      lockChallenge: (digest) => Effect.zipRight(lock([`challenge ${digest}`]), passkeys.lockChallenge(digest)),
      removeChallenge: (digest) => Effect.zipRight(write([`challenge ${digest}`]), passkeys.removeChallenge(digest))
    }),
    Context.add(FileStore, {
      ...files,
      lock: (orgId, ids) => lockAs("file", ids.toSorted().map((id) => ({ orgId, id })), files.lock(orgId, ids)),
      use: putAs("file", files.use),
      // A real database would skip locked rows. This simulation waits for the locks and then reads again.
      removeUnused: (moment, limit) =>
        Effect.gen(function*() {
          const old = read(({ files }) =>
            Table.takeFirst(Table.range(files, "unused", allOrgsGroup, { below: { at: moment + 1, id: "" } }), limit)
          )
          const rows = yield* old
          yield* write(rowsOf("file", rows))
          const currentIds = new Set((yield* old).map(({ id }) => id))
          return yield* Effect.tap(
            Effect.succeed(rows.filter(({ id }) => currentIds.has(id))),
            (oldRows) => Effect.forEach(oldRows, files.discard)
          )
        })
    }),
    Context.add(OfferingStore, {
      ...offerings,
      lock: (keys) => lockAs("offering", keys, offerings.lock(keys)),
      lockOfOrg: (orgId) =>
        Effect.flatMap(offerings.list({ orgId, limit: Infinity }), (rows) => lock(rowsOf("offering", rows))),
      put: putAs("offering", offerings.put)
    }),
    Context.add(DiscountStore, {
      ...discounts,
      lock: (key) => lockAs("discount code", [key], discounts.lock(key)),
      lockByCode: (keys) => lockingRead(lock, discounts.lockByCode(keys), (rows) => rowsOf("discount code", rows)),
      put: (row) =>
        Effect.zipRight(write([...rowsOf("discount code", [row]), `code ${row.orgId} ${row.code}`]), discounts.put(row))
    }),
    Context.add(SessionStore, {
      ...sessions,
      lock: (keys) => lockAs("session", keys, sessions.lock(keys)),
      lockUpcoming: (key, now) => lockingRead(lock, sessions.lockUpcoming(key, now), (rows) => rowsOf("session", rows)),
      put: putAs("session", sessions.put)
    }),
    Context.add(OrgStore, {
      ...orgs,
      lock: (id) => Effect.zipRight(lock([`org ${id}`]), orgs.lock(id)),
      put: (org) => Effect.zipRight(write([`org ${org.id}`]), orgs.put(org))
    }),
    Context.add(EventLog, {
      ...log,
      // The org's event counter is also a row. `lock` locks several counters in a fixed order.
      append: (events) =>
        Effect.zipRight(lock([...new Set(events.map(({ orgId }) => `counter ${orgId}`))]), log.append(events))
    }),
    Context.add(WebhookStore, {
      ...webhooks,
      add: (webhook) => Effect.zipRight(lock([`counter ${webhook.orgId}`]), webhooks.add(webhook))
    }),
    Context.add(RequestKeys, {
      ...requests,
      bind: (request) => Effect.zipRight(write([`request ${toRequestKey(request)}`]), requests.bind(request))
    }),
    Context.add(ResumableJobStore, {
      ...unfinished,
      lock: (key) => Effect.zipRight(lock([`unfinished ${toResumableJobKey(key)}`]), unfinished.lock(key)),
      put: (row) => Effect.zipRight(write([`unfinished ${toResumableJobKey(row)}`]), unfinished.put(row)),
      remove: (key) => Effect.zipRight(write([`unfinished ${toResumableJobKey(key)}`]), unfinished.remove(key))
    }),
    Context.add(GrantStore, {
      ...grants,
      lock: (key) => lockAs("grant", [key], grants.lock(key)),
      put: (grant) => Effect.zipRight(write(rowsOf("grant", [grant])), grants.put(grant)),
      lockCode: (digest) => Effect.zipRight(lock([`code ${digest}`]), grants.lockCode(digest)),
      putCode: (code) => Effect.zipRight(write([`code ${code.digest}`]), grants.putCode(code)),
      lockToken: (digest) => Effect.zipRight(lock([`token ${digest}`]), grants.lockToken(digest)),
      putToken: (token) => Effect.zipRight(write([`token ${token.digest}`]), grants.putToken(token))
    }),
    Context.add(SavedReplyStore, {
      ...savedReplies,
      lock: (key) => lockAs("saved reply", [key], savedReplies.lock(key)),
      put: (reply) => Effect.zipRight(write(rowsOf("saved reply", [reply])), savedReplies.put(reply))
    }),
    Context.add(ProposalStore, {
      ...proposals,
      lock: (keys) => lockAs("proposal", keys, proposals.lock(keys)),
      put: (proposal) => Effect.zipRight(write(rowsOf("proposal", [proposal])), proposals.put(proposal))
    }),
    Context.add(UnitOfWork, yield* UnitOfWork)
  )
}))

export const layer = (locking: Locking, onDeadlock: OnDeadlock = () => Effect.void): Layer.Layer<Storage> =>
  stores.pipe(Layer.provideMerge(portsLayer), Layer.provide(database(locking, onDeadlock)))
