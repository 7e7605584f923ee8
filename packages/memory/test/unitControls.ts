/**
 * Storage adapters that each break one law about transactions, the event feed, races, or the model run. They lack a
 * guard, ignore uncommitted writes, or implement a design that was rejected.
 */
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { ResumableJobStore } from "@trailbook/core/job"
import { OfferingStore } from "@trailbook/core/offering"
import { EventLog, RequestKeys, type StoredEvent, UnitOfWork } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Runtime from "effect/Runtime"
import { breakPort, dropJudgedAt, storingBookings, swallowFailures } from "./brokenStorage.ts"
import * as ReadCommitted from "./readCommitted.ts"

const unguarded = (...laws: ReadonlyArray<string>) =>
  laws.map((law) => [law, "runs transactions without isolation", Memory.layerUnguarded] as const)
const unlocked = (...laws: ReadonlyArray<string>) =>
  laws.map((law) => [law, "does not lock rows", ReadCommitted.layer("none")] as const)

/**
 * An earlier design. It serves every event up to the newest event that is old enough, even though a lock can delay an
 * older event.
 */
const upToTheNewest = breakPort(EventLog, (log) => ({
  page: (query) =>
    Effect.map(log.page({ ...query, ...anyEvent, orgId: query.orgId }), ({ events }) => {
      const isOld = ({ createdAt }: StoredEvent) => createdAt <= query.youngAfter || createdAt >= query.youngBefore
      const head = events.findLast(isOld)?.id ?? 0
      const matches = events.filter(({ id, type }) =>
        id > query.after && id <= head && (query.type === undefined || type === query.type)
      )
      const page = matches.slice(0, query.limit)
      return {
        events: page,
        nextAfter: Math.max(query.after, page.length === query.limit ? page.at(-1)?.id ?? 0 : head)
      }
    })
}))

const anyEvent = { after: 0, type: undefined, limit: 1_000_000, youngAfter: Instant.max, youngBefore: Instant.min }

/** The naive design. It serves each event as soon as it is old enough. */
const filteredByAge = breakPort(EventLog, (log) => ({
  page: (query) =>
    Effect.map(log.page({ ...query, ...anyEvent, orgId: query.orgId }), ({ events }) => {
      const old = events.filter(({ createdAt }) => createdAt <= query.youngAfter || createdAt >= query.youngBefore)
      const matches = old.filter(({ id, type }) =>
        id > query.after && (query.type === undefined || type === query.type)
      )
      const page = matches.slice(0, query.limit)
      const next = page.length === query.limit ? page.at(-1)?.id : old.at(-1)?.id
      return { events: page, nextAfter: Math.max(query.after, next ?? 0) }
    })
}))

/** Numbers events with a database sequence, so an event gets its number before it becomes visible. */
const numberedFirst = Layer.effect(
  EventLog,
  Effect.gen(function*() {
    const log = yield* EventLog
    const last = yield* Ref.make(0)
    const eventsRef = yield* Ref.make<ReadonlyArray<StoredEvent>>([])
    const visible = (orgId: string) =>
      Effect.map(
        Ref.get(eventsRef),
        (events) => events.filter((event) => event.orgId === orgId).toSorted((a, b) => a.id - b.id)
      )
    return EventLog.of({
      ...log,
      append: (events) =>
        Effect.forEach(events, (event) =>
          Effect.gen(function*() {
            const id = yield* Ref.updateAndGet(last, (id) => id + 1)
            yield* Effect.repeatN(Effect.yieldNow(), (id * 7) % 5)
            yield* Ref.update(eventsRef, (all) => [...all, { ...event, id }])
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

const forgetfulOfferings = breakPort(OfferingStore, ({ put }) => ({ put: dropJudgedAt(put) }))
const forgetfulSessions = breakPort(SessionStore, ({ put }) => ({ put: dropJudgedAt(put) }))

/** Applies the latest recorded expiry of any offering to all offerings. */
const judgedTogether = breakPort(OfferingStore, ({ lock, put }) => {
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

/** Reads on a connection other than the transaction's. */
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
    "rolls back successful transactions",
    breakPort(UnitOfWork, ({ run }) => ({ run: (work) => Effect.flip(run(Effect.flip(work))) }))
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
    "commits slowly, and does not delay an interruption until the commit is done",
    breakPort(UnitOfWork, ({ run }) => ({
      run: (work) => Effect.disconnect(Effect.uninterruptible(run(Effect.zipLeft(work, Effect.sleep("20 millis")))))
    }))
  ],
  [
    "transactions/outlived",
    "silently loses writes that arrive too late",
    breakPort(CustomerStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  ["transactions/own-writes", "reads outside of the transaction", readingOutside],
  [
    "transactions/outside",
    "delays writes",
    breakPort(CustomerStore, ({ put }) => ({
      put: (rows) => Effect.asVoid(Effect.forkDaemon(Effect.delay(put(rows), "100 millis")))
    }))
  ],
  [
    "transactions/snapshot-waits-for-none",
    "runs a snapshot as a writing transaction",
    breakPort(UnitOfWork, ({ run }) => ({ snapshot: run }))
  ],

  ...unlocked(
    "locks/org",
    "locks/sign-in-link",
    "locks/login",
    "locks/passkey",
    "locks/grant",
    "locks/authorization-code",
    "locks/token",
    "locks/offering",
    "locks/offerings-of-org",
    "locks/session",
    "locks/coming",
    "locks/customer",
    "locks/email",
    "locks/booking",
    "locks/in-session",
    "locks/upcoming",
    "locks/of-customer",
    "locks/discount",
    "locks/discount-code",
    "locks/saved-reply",
    "locks/proposal",
    "locks/unfinished"
  ),
  ["locks/order", "locks rows in the given order", ReadCommitted.layer("as they are named")],

  [
    "events/append",
    "numbers events in reverse order",
    breakPort(EventLog, ({ append }) => ({ append: (events) => append(events.toReversed()) }))
  ],
  ["events/page", "filters each event by age only", filteredByAge],
  ["events/page", "returns events up to the newest one that is not recent", upToTheNewest],
  ["feed/stalled", "returns events up to the newest one that is not recent", upToTheNewest],
  ["feed/stalled", "filters each event by age only", filteredByAge],
  [
    "events/young",
    "treats an event exactly at the bound as recent",
    breakPort(EventLog, ({ page }) => ({
      page: (query) => page({ ...query, youngAfter: Instant.make(query.youngAfter - 1) })
    }))
  ],
  [
    "events/latest",
    "returns the newest event first",
    breakPort(EventLog, ({ latest }) => ({
      latest: (orgId, limit) => Effect.map(latest(orgId, limit), (events) => events.toReversed())
    }))
  ],
  [
    "events/about-customer",
    "returns only booking events",
    breakPort(EventLog, ({ about }) => ({
      about: (...args) =>
        Effect.map(about(...args), (events) => events.filter(({ type }) => type.startsWith("booking.")))
    }))
  ],
  [
    "events/heads",
    "does not count touches",
    breakPort(EventLog, () => ({ touch: () => Effect.void }))
  ],
  [
    "events/heads",
    "appends an event for a touch",
    breakPort(EventLog, ({ append }) => ({
      touch: (orgId) => append([{ orgId, type: "org.updated", data: {}, person: null, createdAt: Instant.min }])
    }))
  ],
  [
    "events/heads",
    "returns two results for an org that is requested twice",
    breakPort(EventLog, ({ heads }) => ({
      heads: (orgIds) => Effect.map(Effect.forEach(orgIds, (orgId) => heads([orgId])), (all) => all.flat())
    }))
  ],
  ["events/rewrite", "rewrites no events", breakPort(EventLog, () => ({ rewrite: () => Effect.void }))],
  [
    "nothing/latest",
    "returns all events when zero are requested",
    breakPort(EventLog, ({ latest }) => ({
      latest: (orgId, limit) => Effect.map(latest(orgId, 1000), (events) => events.slice(-limit))
    }))
  ],
  ...unguarded("events/dense"),
  ["feed/clock-jumps", "filters each event by age only", filteredByAge],
  ["feed/writers", "numbers an event before it is visible", numberedFirst],

  ...unlocked(
    "races/last-places",
    "races/last-seats",
    "races/walk-ins",
    "races/walk-in-pause",
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
    "races/class-closure",
    "races/closure",
    "races/closure-confirm",
    "races/discount-code",
    "races/discount-uses",
    "races/discount-changes",
    "races/discount-restores",
    "races/plans",
    "races/session-update",
    "races/all",
    "races/sweep-confirm",
    "races/pay-create",
    "races/erase-create",
    "races/resend",
    "attendance/order",
    "attendance/changes",
    "races/restore",
    "updates/capacity",
    "updates/money",
    "updates/attendance",
    "races/staff",
    "races/most-staff",
    "races/most-saved-replies",
    "races/last-owner",
    "races/sign-in-link"
  ),
  ["races/moves-cross", "locks rows in the given order", ReadCommitted.layer("as they are named")],
  // Locking rows in argument order would not break this law, because a failed batch is retried one order at a time and
  // then succeeds. The test that counts deadlocks checks the order instead.
  [
    "races/guests-cross",
    "finds no guests by ID",
    breakPort(CustomerStore, () => ({ find: () => Effect.succeed([]) }))
  ],
  [
    "races/same-key",
    "finds no bookings by idempotency key",
    breakPort(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "races/same-creation",
    "finds no requests by key",
    breakPort(RequestKeys, () => ({ find: () => Effect.succeed(Option.none()) }))
  ],
  [
    "races/export-link",
    "does not store keys",
    breakPort(RequestKeys, () => ({ bind: () => Effect.void }))
  ],
  [
    "races/same-creation",
    "does not store keys",
    breakPort(RequestKeys, () => ({ bind: () => Effect.void }))
  ],
  [
    "races/same-keys-cross",
    "finds no bookings by idempotency key",
    breakPort(BookingStore, () => ({ findByIdempotencyKey: () => Effect.succeed([]) }))
  ],
  [
    "races/same-guest",
    "finds no customers by address",
    breakPort(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],
  [
    "races/new-guests-cross",
    "finds no customers by address",
    breakPort(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],
  [
    "races/upserts",
    "finds no customers by address",
    breakPort(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],

  [
    "updates/erased",
    "keeps an address of erased guests",
    breakPort(CustomerStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => row.erasedAt === null ? row : { ...row, email: `${row.id}@a.co` }))
    }))
  ],
  [
    "races/walk-in-email",
    "finds no customers by address",
    breakPort(CustomerStore, () => ({ lockByEmail: () => Effect.succeed([]) }))
  ],

  ...["confirm", "pay", "move", "late-confirm", "back"].flatMap((law) => [
    [`clocks/${law}`, "loses the recorded hold expiry of offerings", forgetfulOfferings] as const,
    [`clocks/${law}`, "loses the recorded hold expiry of sessions", forgetfulSessions] as const
  ]),
  ["clocks/elsewhere", "shares the recorded hold expiry between all offerings", judgedTogether],
  [
    "clocks/sweep",
    "does not store cancellations",
    storingBookings((bookings) => bookings.filter(({ status }) => status !== "cancelled"))
  ],
  ...["parts/offering", "parts/session", "parts/customer", "parts/question"].map((law) =>
    [
      law,
      "does not store unfinished work",
      breakPort(ResumableJobStore, () => ({ put: () => Effect.void }))
    ] as const
  ),
  [
    "parts/twice",
    "finds unfinished work that another process has finished",
    breakPort(ResumableJobStore, (store) => ({
      lock: (key) =>
        Effect.map(store.lock(key), (job) =>
          Option.orElseSome(job, () => ({
            ...key,
            begunAt: Instant.min,
            touchedAt: Instant.min,
            cancelled: 0,
            refunded: 0
          })))
    }))
  ],

  [
    "model/same-answers",
    "counts expired holds",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],
  [
    "model/batches",
    "returns only one of several locked bookings",
    breakPort(BookingStore, (store) => ({
      lock: (keys) => Effect.map(store.lock(keys), (records) => records.slice(0, 1))
    }))
  ],
  [
    "model/batches",
    "returns overlapping bookings only for the first query",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(
          store.overlapping(queries),
          (answers) => answers.map((answer, at) => at === 0 ? answer : { bookedSpans: [], lapsedAt: null })
        )
    }))
  ]
]
