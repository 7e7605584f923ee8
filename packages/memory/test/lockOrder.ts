/**
 * Records and checks the order in which transactions on the memory adapter lock rows (`docs/concepts/lock-order.md`).
 *
 * Until it ends, a transaction holds every row that it locks, changes, or adds. It blocks on rows that other
 * transactions hold, and on a unique key that another transaction is adding. If all transactions lock in one order,
 * they cannot deadlock. The storage orders the rows within one locking statement (`locks/order`). Core is responsible
 * for the order of the statements.
 */
import { AutomationStore } from "@trailbook/core/automation"
import { type Booking, type BookingRecord, BookingStore } from "@trailbook/core/booking"
import { type Broadcast, BroadcastStore, ConversationStore, MessageStore } from "@trailbook/core/conversation"
import type { Conversation } from "@trailbook/core/conversation/Conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import { FileStore } from "@trailbook/core/file"
import { ResumableJobStore } from "@trailbook/core/job"
import { type DiscountCode, DiscountStore, OfferingStore, type OrgKey } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, RequestKeys, UnitOfWork } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { WebhookStore } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import { toRequestKey, toResumableJobKey } from "@trailbook/memory/Tables"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

export const tables = [
  "automation",
  "proposal",
  "request",
  "org",
  "offering",
  "session",
  "discount",
  "broadcast",
  "customer",
  "booking",
  "conversation",
  "message",
  "file",
  "task",
  "event",
  "unfinished",
  "counter"
] as const
export type Table = (typeof tables)[number]

/** The effect of one statement. Each row is identified by its sort key. */
export interface Step {
  readonly does: "locks" | "changes" | "adds"
  readonly table: Table
  readonly rows: ReadonlyArray<string>
  /** The IDs of the added rows. Later statements may change these rows. */
  readonly ids?: ReadonlyArray<string>
}

export type Unit = ReadonlyArray<Step>

/** Describes the violations in a unit of work. */
export const violations = (unit: Unit): ReadonlyArray<string> => {
  const locks = new Set<string>()
  // A table's existing rows are locked before rows are added to it.
  const rank = ({ does, table }: Step): number => 2 * tables.indexOf(table) + (does === "adds" ? 1 : 0)
  let last: Step | undefined
  return unit.flatMap((step) => {
    const { does, table, rows } = step
    const isOver = last?.table === "counter" ? [`${does} ${table} rows after its events, which come last`] : []
    const newLocks = rows.map((row) => `${table} ${row}`).filter((row) => !locks.has(row))
    if (does === "changes") return [...isOver, ...newLocks.map((row) => `changes ${row} without its lock`)]
    if (newLocks.length === 0) return isOver
    const before = last
    last = step
    for (const row of [...newLocks, ...(step.ids ?? []).map((id) => `${table} ${id}`)]) locks.add(row)
    const isSorted = does === "locks" || rows.every((row, at) => at === 0 || (rows[at - 1] ?? "") < row)
    return [
      ...isOver,
      ...(before !== undefined && rank(before) > rank(step)
        ? [`${does} ${table} rows after ${before.table} rows`]
        : []),
      ...(before !== undefined && rank(before) === rank(step) ? [`${does} ${table} rows in two statements`] : []),
      ...(isSorted ? [] : [`adds ${table} rows in the order ${rows.join(", ")}`])
    ]
  })
}

class CurrentUnit extends Context.Tag("@trailbook/memory/test/CurrentUnit")<CurrentUnit, Array<Step>>() {}

const record = (step: Step): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.serviceOption(CurrentUnit),
    Option.match({
      // A write outside a transaction is a transaction in its own right, but a lock taken there would be released
      // immediately.
      onNone: () =>
        step.does === "locks" ? Effect.dieMessage(`${step.table} rows locked outside of a unit`) : Effect.void,
      onSome: (unit) => Effect.sync(() => void (step.rows.length > 0 && unit.push(step)))
    })
  )

const rowName = ({ id, orgId }: OrgKey): string => `${id} ${orgId}`
const addressOf = ({ email, orgId }: Customer): string => `${orgId} ${email}`
const keyOf = ({ idempotency, orgId }: Booking): string => `${orgId} ${idempotency.key}`
const bookingsOf = (records: ReadonlyArray<BookingRecord>) => records.map(({ booking }) => booking)

const locking = <Row extends OrgKey>(table: Table, query: Effect.Effect<ReadonlyArray<Row>>) =>
  Effect.tap(query, (rows) => record({ does: "locks", table, rows: rows.map(rowName) }))

const lockingBookings = (query: Effect.Effect<ReadonlyArray<BookingRecord>>) =>
  Effect.tap(query, (records) => record({ does: "locks", table: "booking", rows: bookingsOf(records).map(rowName) }))

/**
 * Records changes to existing rows separately from added rows. `key` returns the unique key on which concurrent inserts
 * block.
 */
const putting = <Row extends OrgKey>(
  table: Table,
  there: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<OrgKey>>,
  put: (rows: ReadonlyArray<Row>) => Effect.Effect<void>,
  key?: (row: Row) => string
) =>
(rows: ReadonlyArray<Row>) =>
  Effect.gen(function*() {
    const storedNames = new Set((yield* there(rows)).map(rowName))
    const isThere = (row: Row) => storedNames.has(rowName(row))
    yield* record({ does: "changes", table, rows: rows.filter(isThere).map(rowName) })
    // IDs are random, so no concurrent transaction adds the same ID. Without another unique key, the insert order is
    // irrelevant.
    const newRows = rows.filter((row) => !isThere(row))
    const ids = newRows.map(rowName)
    yield* record({ does: "adds", table, rows: key === undefined ? ids.toSorted() : newRows.map(key), ids })
    yield* put(rows)
  })

const lockingOne = <Row extends OrgKey>(table: Table, query: Effect.Effect<Option.Option<Row>>) =>
  Effect.map(locking(table, Effect.map(query, Option.toArray)), ([row]) => Option.fromNullable(row))

const withWhom = ({ customerId, fromEmail, orgId }: Conversation): string => `${orgId} ${customerId ?? fromEmail}`

/** Requires the transaction to hold the lock on the conversation that owns the rows. */
const ofConversation = (key: OrgKey): Effect.Effect<void> =>
  record({ does: "changes", table: "conversation", rows: [rowName(key)] })

const within =
  (table: Table, put: (rows: ReadonlyArray<Message>) => Effect.Effect<void>) => (rows: ReadonlyArray<Message>) =>
    Effect.forEach(rows, ({ conversationId: id, orgId }) => ofConversation({ orgId, id }), { discard: true }).pipe(
      Effect.zipRight(record({ does: "locks", table, rows: rows.map(rowName) })),
      Effect.zipRight(put(rows))
    )

const stores = (units: Array<Unit>) =>
  Layer.effectContext(Effect.gen(function*() {
    const automations = yield* AutomationStore
    const bookings = yield* BookingStore
    const broadcasts = yield* BroadcastStore
    const conversations = yield* ConversationStore
    const files = yield* FileStore
    const messages = yield* MessageStore
    const proposals = yield* ProposalStore
    const customers = yield* CustomerStore
    const log = yield* EventLog
    const discounts = yield* DiscountStore
    const offerings = yield* OfferingStore
    const orgs = yield* OrgStore
    const taskStore = yield* TaskStore
    const sessions = yield* SessionStore
    const requests = yield* RequestKeys
    const unfinished = yield* ResumableJobStore
    const webhooks = yield* WebhookStore
    const transactions = yield* UnitOfWork
    const { run } = transactions

    return Context.make(BookingStore, {
      ...bookings,
      lock: (keys) => lockingBookings(bookings.lock(keys)),
      lockInSession: (key) => lockingBookings(bookings.lockInSession(key)),
      lockUpcoming: (key, now) => lockingBookings(bookings.lockUpcoming(key, now)),
      lockOfCustomer: (...args) => lockingBookings(bookings.lockOfCustomer(...args)),
      put: putting("booking", (rows) => Effect.map(bookings.lock(rows), bookingsOf), bookings.put, keyOf)
    }).pipe(
      Context.add(CustomerStore, {
        ...customers,
        lock: (keys) => locking("customer", customers.lock(keys)),
        lockByEmail: (keys) => locking("customer", customers.lockByEmail(keys)),
        put: putting("customer", customers.find, customers.put, addressOf)
      }),
      Context.add(OfferingStore, {
        ...offerings,
        lock: (keys) => locking("offering", offerings.lock(keys)),
        lockOfOrg: (orgId) => Effect.asVoid(locking("offering", offerings.list({ orgId, limit: Infinity }))),
        put: putting("offering", offerings.find, offerings.put)
      }),
      Context.add(DiscountStore, {
        ...discounts,
        lock: (key) => lockingOne("discount", discounts.lock(key)),
        lockByCode: (keys) => locking("discount", discounts.lockByCode(keys)),
        put: (row) =>
          putting(
            "discount",
            ([one = row]) => Effect.map(discounts.lock(one), Option.toArray),
            ([one = row]) => discounts.put(one),
            ({ code, orgId }: DiscountCode) => `${orgId} ${code}`
          )([row])
      }),
      Context.add(SessionStore, {
        ...sessions,
        lock: (keys) => locking("session", sessions.lock(keys)),
        lockUpcoming: (key, now) => locking("session", sessions.lockUpcoming(key, now)),
        put: putting("session", sessions.lock, sessions.put)
      }),
      Context.add(AutomationStore, {
        ...automations,
        lock: (orgId) =>
          Effect.tap(automations.lock(orgId), () => record({ does: "locks", table: "automation", rows: [orgId] })),
        put: (row) =>
          Effect.zipRight(
            record({ does: "locks", table: "automation", rows: [row.orgId] }),
            automations.put(row)
          )
      }),
      Context.add(ProposalStore, {
        ...proposals,
        add: (proposal) =>
          Effect.zipRight(
            record({ does: "adds", table: "proposal", rows: [rowName(proposal)] }),
            proposals.add(proposal)
          ),
        lock: (keys) => locking("proposal", proposals.lock(keys)),
        put: (proposal) =>
          Effect.zipRight(
            record({ does: "changes", table: "proposal", rows: [rowName(proposal)] }),
            proposals.put(proposal)
          )
      }),
      Context.add(BroadcastStore, {
        ...broadcasts,
        lock: (key) => lockingOne("broadcast", broadcasts.lock(key)),
        lockByKey: (...key) => lockingOne("broadcast", broadcasts.lockByKey(...key)),
        put: (row) =>
          putting(
            "broadcast",
            ([one = row]) => Effect.map(broadcasts.find(one), Option.toArray),
            ([one = row]) => broadcasts.put(one),
            ({ key, orgId }: Broadcast) => `${orgId} ${key}`
          )([row])
      }),
      Context.add(ConversationStore, {
        ...conversations,
        lock: (keys) => locking("conversation", conversations.lock(keys)),
        put: putting("conversation", conversations.find, conversations.put, withWhom),
        erase: putting("conversation", conversations.find, conversations.erase, withWhom)
      }),
      // Messages themselves are not locked. A transaction that changes them must hold the lock on their conversation.
      Context.add(MessageStore, {
        ...messages,
        put: within("message", messages.put),
        erase: within("message", messages.erase),
        markRead: (key, ...how) => Effect.zipRight(ofConversation(key), messages.markRead(key, ...how)),
        move: (key, to) => Effect.zipRight(ofConversation(key), messages.move(key, to))
      }),
      Context.add(FileStore, {
        ...files,
        lock: (orgId, ids) => locking("file", files.lock(orgId, ids)),
        use: (rows) =>
          Effect.zipRight(record({ does: "changes", table: "file", rows: rows.map(rowName) }), files.use(rows)),
        removeOfMessages: (orgId, ids) =>
          Effect.tap(files.removeOfMessages(orgId, ids), (rows) =>
            record({ does: "locks", table: "file", rows: rows.map(rowName) }))
      }),
      Context.add(OrgStore, {
        ...orgs,
        lock: (id) =>
          Effect.tap(orgs.lock(id), () => record({ does: "locks", table: "org", rows: [id] })),
        put: (org) => Effect.zipRight(record({ does: "changes", table: "org", rows: [org.id] }), orgs.put(org))
      }),
      Context.add(TaskStore, {
        ...taskStore,
        add: (tasks) =>
          Effect.zipRight(
            record({ does: "adds", table: "task", rows: tasks.map(rowName).sort() }),
            taskStore.add(tasks)
          )
      }),
      Context.add(EventLog, {
        ...log,
        rewrite: (orgId, events) =>
          Effect.zipRight(
            record({ does: "locks", table: "event", rows: events.map(({ id }) => `${orgId} ${id}`) }),
            log.rewrite(orgId, events)
          ),
        // The storage increments event counters in org order.
        append: (events) =>
          Effect.zipRight(
            record({ does: "locks", table: "counter", rows: events.map(({ orgId }) => orgId) }),
            log.append(events)
          ),
        touch: (orgId) => Effect.zipRight(record({ does: "locks", table: "counter", rows: [orgId] }), log.touch(orgId))
      }),
      Context.add(RequestKeys, {
        ...requests,
        bind: (request) =>
          Effect.zipRight(
            record({ does: "adds", table: "request", rows: [toRequestKey(request)] }),
            requests.bind(request)
          )
      }),
      Context.add(ResumableJobStore, {
        ...unfinished,
        lock: (key) =>
          Effect.zipRight(
            record({ does: "locks", table: "unfinished", rows: [toResumableJobKey(key)] }),
            unfinished.lock(key)
          ),
        put: (row) =>
          Effect.flatMap(unfinished.find(row), (stored) =>
            Effect.zipRight(
              record({
                does: Option.isSome(stored) ? "changes" : "adds",
                table: "unfinished",
                rows: [toResumableJobKey(row)]
              }),
              unfinished.put(row)
            ))
      }),
      Context.add(WebhookStore, {
        ...webhooks,
        // A new endpoint starts after the newest event, so the org's event counter is locked.
        add: (webhook) =>
          Effect.zipRight(record({ does: "locks", table: "counter", rows: [webhook.orgId] }), webhooks.add(webhook))
      }),
      Context.add(UnitOfWork, {
        ...transactions,
        run: <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.flatMap(Effect.serviceOption(CurrentUnit), (around) => {
            if (Option.isSome(around)) return run(work)
            const unit: Array<Step> = []
            units.push(unit)
            const within = (context: Context.Context<R>): Context.Context<R> => Context.add(context, CurrentUnit, unit)
            return run(Effect.mapInputContext(work, within))
          })
      })
    )
  }))

/** The memory adapter. Appends the steps of each transaction to `units`. */
export const recordUnits = (units: Array<Unit>): Layer.Layer<Storage> => Layer.provideMerge(stores(units), Memory.layer)
