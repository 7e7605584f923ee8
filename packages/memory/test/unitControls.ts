/**
 * For each law of transactions, the event feed, races, and the model run, a storage that breaks it: without its guard,
 * blind to uncommitted writes, or with a rejected design.
 */
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { ResumableJobStore } from "@trailbook/core/job/ResumableJobStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { EventLog, type StoredEvent } from "@trailbook/core/port/EventLog"
import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Runtime from "effect/Runtime"
import { broken, swallowed, unjudged } from "./broken.ts"
import * as ReadCommitted from "./readCommitted.ts"

const unguarded = (...laws: ReadonlyArray<string>) =>
  laws.map((law) => [law, "units run unguarded", Memory.layerUnguarded] as const)
const unlocked = (...laws: ReadonlyArray<string>) =>
  laws.map((law) => [law, "rows are not locked", ReadCommitted.layer("none")] as const)

/**
 * An earlier design: serves every event up to the newest one that is old enough, although a lock can delay an older
 * event.
 */
const upToTheNewest = broken(EventLog, (log) => ({
  page: (query) =>
    Effect.map(log.page({ ...query, ...anyEvent, orgId: query.orgId }), ({ events }) => {
      const isOld = ({ createdAt }: StoredEvent) => createdAt <= query.youngAfter || createdAt >= query.youngBefore
      const head = events.findLast(isOld)?.id ?? 0
      const served = events.filter(({ id, type }) =>
        id > query.after && id <= head && (query.type === undefined || type === query.type)
      )
      const page = served.slice(0, query.limit)
      return {
        events: page,
        nextAfter: Math.max(query.after, page.length === query.limit ? page.at(-1)?.id ?? 0 : head)
      }
    })
}))

const anyEvent = { after: 0, type: undefined, limit: 1_000_000, youngAfter: Instant.max, youngBefore: Instant.min }

/** The naive design: each event is served as soon as it is old enough. */
const filteredByAge = broken(EventLog, (log) => ({
  page: (query) =>
    Effect.map(log.page({ ...query, ...anyEvent, orgId: query.orgId }), ({ events }) => {
      const old = events.filter(({ createdAt }) => createdAt <= query.youngAfter || createdAt >= query.youngBefore)
      const wanted = old.filter(({ id, type }) => id > query.after && (query.type === undefined || type === query.type))
      const page = wanted.slice(0, query.limit)
      const next = page.length === query.limit ? page.at(-1)?.id : old.at(-1)?.id
      return { events: page, nextAfter: Math.max(query.after, next ?? 0) }
    })
}))

/** A database sequence: an event gets its number before it becomes visible. */
const numberedFirst = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const log = yield* EventLog
    const last = yield* Ref.make(0)
    const stored = yield* Ref.make<ReadonlyArray<StoredEvent>>([])
    const visible = (orgId: string) =>
      Effect.map(
        Ref.get(stored),
        (events) => events.filter((event) => event.orgId === orgId).toSorted((a, b) => a.id - b.id)
      )
    return EventLog.of({
      ...log,
      append: (events) =>
        Effect.forEach(events, (event) =>
          Effect.gen(function*() {
            const id = yield* Ref.updateAndGet(last, (id) => id + 1)
            yield* Effect.repeatN(Effect.yieldNow(), (id * 7) % 5)
            yield* Ref.update(stored, (all) => [...all, { ...event, id }])
          }), { discard: true }),
      latest: (orgId, limit) => Effect.map(visible(orgId), (events) => events.slice(-limit)),
      page: ({ after, limit, orgId, type }) =>
        Effect.map(visible(orgId), (events) => ({
          events: events.filter((event) => event.id > after && (type === undefined || event.type === type)).slice(
            0,
            limit
          ),
          nextAfter: Math.max(after, events.at(-1)?.id ?? 0)
        }))
    })
  })
).pipe(Layer.provideMerge(Memory.layerUnguarded))

const forgetfulOfferings = broken(OfferingStore, ({ put }) => ({ put: unjudged(put) }))
const forgetfulSessions = broken(SessionStore, ({ put }) => ({ put: unjudged(put) }))

/** Applies the latest recorded expiry of any offering to all offerings. */
const judgedTogether = broken(OfferingStore, ({ lock, put }) => {
  let latest = Instant.make(0)
  return {
    put: (rows) =>
      Effect.suspend(() => {
        for (const { judgedAt } of rows) if (judgedAt > latest) latest = judgedAt
        return put(rows)
      }),
    lock: (keys) => Effect.map(lock(keys), (rows) => rows.map((row) => ({ ...row, judgedAt: latest })))
  }
})

/** Reads in another connection than the transaction. */
const readingOutside = Layer.effect(
  CustomerStore,
  Effect.gen(function*() {
    const store = yield* CustomerStore
    const outside = Runtime.runPromise(yield* Effect.runtime())
    return { ...store, list: (query) => Effect.promise(() => outside(store.list(query))) } satisfies typeof store
  })
).pipe(Layer.provideMerge(Memory.layer))

export const unitControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "transactions/commits",
    "success undoes",
    broken(UnitOfWork, ({ run }) => ({ run: (work) => Effect.flip(run(Effect.flip(work))) }))
  ],
  ...unguarded(
    "transactions/refusal",
    "transactions/defect",
    "transactions/interruption",
    "transactions/joined",
    "transactions/joined-refusal",
    "transactions/at-once",
    "transactions/snapshot"
  ),
  [
    "transactions/interrupted-anywhere",
    "the commit takes its time, and who is interrupted does not wait for it",
    broken(UnitOfWork, ({ run }) => ({
      run: (work) => Effect.disconnect(Effect.uninterruptible(run(Effect.zipLeft(work, Effect.sleep("20 millis")))))
    }))
  ],
  [
    "transactions/outlived",
    "what comes too late is lost in silence",
    broken(CustomerStore, ({ put }) => ({ put: swallowed(put) }))
  ],
  ["transactions/own-writes", "reads have a connection of their own", readingOutside],
  [
    "transactions/outside",
    "writes are put off",
    broken(CustomerStore, ({ put }) => ({
      put: (rows) => Effect.asVoid(Effect.forkDaemon(Effect.delay(put(rows), "100 millis")))
    }))
  ],
  [
    "transactions/snapshot-waits-for-none",
    "a snapshot is a unit of work",
    broken(UnitOfWork, ({ run }) => ({ snapshot: run }))
  ],

  ...unlocked(
    "locks/org",
    "locks/offering",
    "locks/session",
    "locks/coming",
    "locks/customer",
    "locks/email",
    "locks/booking",
    "locks/in-session",
    "locks/upcoming",
    "locks/of-customer",
    "locks/unfinished"
  ),
  ["locks/order", "rows are locked as they are named", ReadCommitted.layer("as they are named")],

  [
    "events/append",
    "events are numbered backwards",
    broken(EventLog, ({ append }) => ({ append: (events) => append(events.toReversed()) }))
  ],
  ["events/page", "each event is filtered by its age", filteredByAge],
  ["events/page", "events are served up to the newest that is not young", upToTheNewest],
  ["feed/stalled", "events are served up to the newest that is not young", upToTheNewest],
  ["feed/stalled", "each event is filtered by its age", filteredByAge],
  [
    "events/young",
    "bounds are part of youth",
    broken(EventLog, ({ page }) => ({
      page: (query) => page({ ...query, youngAfter: Instant.make(query.youngAfter - 1) })
    }))
  ],
  [
    "events/latest",
    "the newest comes first",
    broken(EventLog, ({ latest }) => ({
      latest: (orgId, limit) => Effect.map(latest(orgId, limit), (events) => events.toReversed())
    }))
  ],
  [
    "events/about-customer",
    "only bookings are about a customer",
    broken(EventLog, ({ about }) => ({
      about: (...asked) =>
        Effect.map(about(...asked), (events) => events.filter(({ type }) => type.startsWith("booking.")))
    }))
  ],
  [
    "events/heads",
    "only events count",
    broken(EventLog, () => ({ touch: () => Effect.void }))
  ],
  [
    "events/heads",
    "a touch is an event",
    broken(EventLog, ({ append }) => ({
      touch: (orgId) => append([{ orgId, type: "org.updated", data: {}, person: null, createdAt: Instant.min }])
    }))
  ],
  [
    "events/heads",
    "an org that is asked for twice is answered twice",
    broken(EventLog, ({ heads }) => ({
      heads: (orgIds) => Effect.map(Effect.forEach(orgIds, (orgId) => heads([orgId])), (all) => all.flat())
    }))
  ],
  ["events/rewrite", "nothing is rewritten", broken(EventLog, () => ({ rewrite: () => Effect.void }))],
  [
    "nothing/latest",
    "the last none of a list are all of it",
    broken(EventLog, ({ latest }) => ({
      latest: (orgId, limit) => Effect.map(latest(orgId, 1000), (events) => events.slice(-limit))
    }))
  ],
  ...unguarded("events/dense"),
  ["feed/clock-jumps", "each event is filtered by its age", filteredByAge],
  ["feed/writers", "an event has its number before it is there", numberedFirst],

  ...unlocked(
    "races/last-places",
    "races/last-seats",
    "races/network",
    "races/departure-share",
    "races/last-items",
    "races/late-confirms",
    "races/late-confirm-create",
    "races/move-create",
    "races/moves-meet",
    "races/session-cancel",
    "races/offering-delete",
    "races/capacity",
    "races/class-capacity",
    "races/class-capacity-move",
    "races/class-capacity-confirm",
    "races/pause",
    "races/class-pause",
    "races/all",
    "races/sweep-confirm",
    "races/pay-create",
    "races/erase-create",
    "races/resend",
    "races/staff",
    "races/most-staff",
    "races/last-owner",
    "races/sign-in-link"
  ),
  ["races/moves-cross", "rows are locked as they are named", ReadCommitted.layer("as they are named")],
  // Locking rows in the given order would not break this law, because a failed batch is retried one order at a time and
  // succeeds. The deadlock counts show that no batch has to fail.
  [
    "races/guests-cross",
    "guests are not found by id",
    broken(CustomerStore, () => ({ find: () => Effect.succeed([]) }))
  ],
  [
    "races/same-key",
    "keys are not looked up",
    broken(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "races/same-creation",
    "keys are not looked up",
    broken(RequestKeys, () => ({ find: () => Effect.succeed(Option.none()) }))
  ],
  [
    "races/same-creation",
    "keys are not bound",
    broken(RequestKeys, () => ({ bind: () => Effect.void }))
  ],
  [
    "races/same-keys-cross",
    "keys are not looked up",
    broken(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "races/same-guest",
    "addresses are not looked up",
    broken(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],
  [
    "races/new-guests-cross",
    "addresses are not looked up",
    broken(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],
  [
    "races/upserts",
    "addresses are not looked up",
    broken(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],

  ...["confirm", "pay", "move", "late-confirm", "back"].flatMap((law) => [
    [`clocks/${law}`, "offerings forget when they were judged", forgetfulOfferings] as const,
    [`clocks/${law}`, "sessions forget when they were judged", forgetfulSessions] as const
  ]),
  ["clocks/elsewhere", "one place is judged for all", judgedTogether],
  [
    "clocks/sweep",
    "what is cancelled stays as it was",
    broken(BookingStore, (store) => ({
      put: (rows) => store.put(rows.filter(({ status }) => status !== "cancelled"))
    }))
  ],
  ...["parts/offering", "parts/session", "parts/customer", "parts/question"].map((law) =>
    [
      law,
      "what was begun is not written down",
      broken(ResumableJobStore, () => ({ put: () => Effect.void }))
    ] as const
  ),

  [
    "model/same-answers",
    "expired holds keep their places",
    broken(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],
  [
    "model/batches",
    "of several bookings that are locked one is found",
    broken(BookingStore, (store) => ({
      lock: (keys) => Effect.map(store.lock(keys), (records) => records.slice(0, 1))
    }))
  ],
  [
    "model/batches",
    "of several questions about places one is answered",
    broken(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(
          store.overlapping(queries),
          (answers) => answers.map((answer, at) => at === 0 ? answer : { taken: [], lapsedAt: null })
        )
    }))
  ]
]
