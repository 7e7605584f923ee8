/** Storage adapters that each break one law about bookings, tasks, or constraints in a plausible way. */
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { ResumableJobStore } from "@trailbook/core/job"
import { ClosureStore, OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { RequestKeys } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import { PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { type Task, taskQueues } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { max } from "@trailbook/core/time/Instant"
import { WebhookStore } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, storingBookings, swallowFailures } from "./brokenStorage.ts"
import { dropTie, dropTieDown, minus, plus, plusOrAll, takeFirst } from "./offByOne.ts"

export const bookingControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "bookings/find",
    "omits the guest's phone number",
    breakPort(BookingStore, (store) => ({
      find: (keys) =>
        Effect.map(
          store.find(keys),
          (records) => records.map((record) => ({ ...record, customer: { ...record.customer, phone: "" } }))
        )
    }))
  ],
  [
    "bookings/put",
    "does not store the previous place of a booking",
    breakPort(BookingStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, previous: null })))
    }))
  ],
  [
    "bookings/update",
    "does not store the staff notes of a changed booking",
    breakPort(BookingStore, (store) => ({
      update: (rows) => store.update(rows.map((row) => ({ ...row, staffNotes: "" })))
    }))
  ],
  [
    "bookings/record",
    "returns outdated offering names",
    breakPort(BookingStore, (store) => ({
      lock: (keys) =>
        Effect.map(
          store.lock(keys),
          (records) => records.map((record) => ({ ...record, offering: { ...record.offering, name: "" } }))
        )
    }))
  ],
  [
    "bookings/idempotency",
    "does not find a canceled booking by its key",
    breakPort(BookingStore, (store) => ({
      findByIdempotencyKey: (keys) =>
        Effect.map(
          store.findByIdempotencyKey(keys),
          (records) => records.filter(({ booking }) => booking.status !== "cancelled")
        )
    }))
  ],
  [
    "bookings/handle",
    "does not find a canceled booking by its handle",
    breakPort(BookingStore, (store) => ({
      findByHandle: (handle) =>
        Effect.map(store.findByHandle(handle), Option.filter(({ booking }) => booking.status !== "cancelled"))
    }))
  ],
  [
    "bookings/check-in-token",
    "does not find a canceled booking by its check-in token",
    breakPort(BookingStore, (store) => ({
      findByCheckInToken: (token) =>
        Effect.map(store.findByCheckInToken(token), Option.filter(({ booking }) => booking.status !== "cancelled"))
    }))
  ],
  [
    "prices/places",
    "forgets the price of a booking",
    storingBookings((rows) => rows.map((row) => ({ ...row, price: null })))
  ],
  [
    "races/probable-duplicate",
    "finds no bookings of a guest",
    breakPort(BookingStore, ({ list }) => ({
      list: (query) => query.q === undefined && query.customerId === undefined ? list(query) : Effect.succeed([])
    }))
  ],
  [
    "races/probable-duplicate",
    "finds bookings of other guests",
    breakPort(BookingStore, ({ list }) => ({ list: ({ q: _q, customerId: _customer, ...query }) => list(query) }))
  ],
  [
    "races/restore",
    "counts no other seats for a stored booking",
    breakPort(SessionStore, ({ countBookedSeats }) => ({
      countBookedSeats: (queries) =>
        queries.some(({ except }) => except !== undefined)
          ? Effect.succeed(queries.map(() => ({ booked: 0, lapsedAt: null })))
          : countBookedSeats(queries)
    }))
  ],
  [
    "races/restore-limits",
    "forgets the closed dates",
    breakPort(ClosureStore, () => ({ since: () => Effect.succeed([]) }))
  ],
  [
    "races/restore-limits",
    "forgets the refund of a confirmed booking",
    storingBookings((rows) => rows.map((row) => row.status === "confirmed" ? { ...row, refund: null } : row))
  ],
  [
    "updates/money",
    "forgets the amount of the online payment",
    storingBookings((rows) => rows.map((row) => ({ ...row, onlineCents: null })))
  ],
  [
    "prices/change",
    "forgets the pricing of an offering",
    breakPort(OfferingStore, (store) => ({ put: (rows) => store.put(rows.map((row) => ({ ...row, pricing: null }))) }))
  ],
  [
    "races/photos",
    "forgets the photos of an offering",
    breakPort(OfferingStore, (store) => ({ put: (rows) => store.put(rows.map((row) => ({ ...row, photos: [] }))) }))
  ],
  [
    "attendance/order",
    "does not store who arrived",
    storingBookings((rows) => rows.map((row) => ({ ...row, attendance: null })))
  ],
  [
    "attendance/order",
    "does not store the time of the last tap",
    storingBookings((rows) => rows.map((row) => ({ ...row, tapsFrom: row.createdAt })))
  ],
  [
    "attendance/changes",
    "does not store the time of a move or a cancellation",
    storingBookings((rows) => rows.map((row) => ({ ...row, tapsFrom: row.attendance?.at ?? row.createdAt })))
  ],
  [
    "bookings/list",
    "includes the end of the range",
    breakPort(BookingStore, (store) => ({
      list: (query) => store.list({ ...query, to: plusOrAll(query.to) })
    }))
  ],
  [
    "bookings/newest",
    "repeats the last row of the previous page",
    breakPort(BookingStore, (store) => ({
      newest: (query) =>
        query.after === undefined
          ? store.newest(query)
          : Effect.zipWith(store.find([{ orgId: query.orgId, id: query.after }]), store.newest(query), (a, b) =>
            [...a, ...b].slice(0, query.limit))
    }))
  ],
  [
    "bookings/pages",
    "skips rows that tie with the last row of the previous page",
    breakPort(BookingStore, (store) => ({
      list: (query) =>
        store.list({ ...query, after: query.order === "asc" ? dropTie(query.after) : dropTieDown(query.after) })
    }))
  ],
  [
    "bookings/lock-in-session",
    "omits holds",
    breakPort(BookingStore, (store) => ({
      lockInSession: (key) =>
        Effect.map(
          store.lockInSession(key),
          (records) => records.filter(({ booking }) => booking.status === "confirmed")
        )
    }))
  ],
  [
    "bookings/lock-upcoming",
    "treats a booking that starts now as upcoming",
    breakPort(BookingStore, (store) => ({
      lockUpcoming: (key, now) => store.lockUpcoming(key, minus(now))
    }))
  ],
  [
    "bookings/departing",
    "includes expired holds",
    breakPort(
      BookingStore,
      (store) => ({ listDepartures: (query) => store.listDepartures({ ...query, now: Instant.min }) })
    )
  ],
  [
    "bookings/count-upcoming",
    "does not count expired holds as expired",
    breakPort(BookingStore, (store) => ({
      countUpcoming: (key, query) => Effect.map(store.countUpcoming(key, query), (page) => ({ ...page, expired: 0 }))
    }))
  ],
  [
    "bookings/lock-of-customer",
    "returns the first page repeatedly",
    breakPort(BookingStore, (store) => ({
      lockOfCustomer: (key, _, limit) => store.lockOfCustomer(key, "", limit)
    }))
  ],
  [
    "bookings/lock-of-customer",
    "omits canceled bookings",
    breakPort(BookingStore, (store) => ({
      lockOfCustomer: (key, after, limit) =>
        Effect.map(
          store.lockOfCustomer(key, after, limit),
          (records) => records.filter(({ booking }) => booking.status !== "cancelled")
        )
    }))
  ],
  [
    "bookings/holds-expired",
    "omits a hold that expires now",
    breakPort(BookingStore, (store) => ({
      holdsExpiredBy: (moment, limit) => store.holdsExpiredBy(minus(moment), limit)
    }))
  ],
  [
    "bookings/departing",
    "includes the end of the range",
    breakPort(BookingStore, (store) => ({
      listDepartures: (query) => store.listDepartures({ ...query, to: plus(query.to) })
    }))
  ],
  [
    "bookings/held-seats",
    "counts the seats of expired holds",
    breakPort(BookingStore, (store) => ({
      heldSeats: (query) => store.heldSeats({ ...query, now: Instant.min })
    }))
  ],
  [
    "bookings/unproven",
    "counts expired holds",
    breakPort(BookingStore, (store) => ({
      findUnproven: (queries) => store.findUnproven(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],
  [
    "bookings/unproven",
    "counts a booking against its network forever",
    breakPort(BookingStore, (store) => ({
      findUnproven: (queries) =>
        store.findUnproven(queries.map((query) => "network" in query ? { ...query, madeAfter: Instant.min } : query))
    }))
  ],
  [
    "bookings/forget-networks",
    "keeps the network of a booking created exactly at the given time",
    breakPort(BookingStore, (store) => ({
      forgetNetworks: (madeBefore, limit) => store.forgetNetworks(minus(madeBefore), limit)
    }))
  ],
  [
    "bookings/count-confirmed",
    "includes the end of the range",
    breakPort(BookingStore, (store) => ({
      countConfirmed: (orgId, spans) =>
        store.countConfirmed(orgId, spans.map(({ from, to }) => ({ from, to: plus(to) })))
    }))
  ],
  [
    "bookings/coming",
    "returns guests whose bookings are not confirmed",
    breakPort(BookingStore, (store) => ({
      listFirstGuests: (queries, limit) =>
        Effect.forEach(queries, ({ sessionId, startsAt, ...query }) =>
          Effect.map(
            store.list({
              ...query,
              offeringId: sessionId === null ? query.offeringId : undefined,
              sessionId: sessionId ?? undefined,
              from: sessionId === null ? startsAt : undefined,
              to: sessionId === null ? plus(startsAt) : undefined,
              status: undefined,
              customerId: undefined,
              order: "asc",
              after: undefined,
              limit
            }),
            (records) =>
              records.map(({ booking: { quantity }, customer: { email, name } }) => ({ name, email, quantity }))
          ))
    }))
  ],
  [
    "bookings/coming",
    "returns more bookings than the limit",
    breakPort(
      BookingStore,
      (store) => ({ listFirstGuests: (queries, limit) => store.listFirstGuests(queries, limit + 1) })
    )
  ],
  [
    "bookings/count-days",
    "never lowers a count",
    breakPort(BookingStore, (store) => {
      const most = new Map<string, number>()
      return {
        countConfirmed: (orgId, spans) =>
          Effect.map(store.countConfirmed(orgId, spans), (counts) =>
            counts.map((count, at) => {
              const span = `${orgId} ${spans[at]?.from} ${spans[at]?.to}`
              most.set(span, Math.max(count, most.get(span) ?? 0))
              return most.get(span) ?? 0
            }))
      }
    })
  ],
  [
    "bookings/search",
    "does not find a reference that contains a hyphen",
    breakPort(BookingStore, (store) => ({
      list: ({ q, ...query }) => store.list({ ...query, q: q?.replace("-", " nobody ") })
    }))
  ],
  [
    "bookings/search-crowd",
    "returns many matches in the wrong order",
    breakPort(BookingStore, (store) => ({
      list: (query) =>
        query.q === undefined
          ? store.list(query)
          : Effect.map(store.list(query), (rows) => rows.length < 20 ? rows : rows.toReversed())
    }))
  ],
  [
    "bookings/search-pages",
    "ignores the status filter in a search",
    breakPort(BookingStore, (store) => ({
      list: (query) => store.list(query.q === undefined ? query : { ...query, status: undefined })
    }))
  ],

  [
    "overlapping/counted",
    "returns each result for the wrong query",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(store.overlapping(queries), (answers) => [...answers.slice(1), ...takeFirst(answers)])
    }))
  ],
  [
    "overlapping/live",
    "counts expired holds",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],
  [
    "overlapping/bounds",
    "counts a booking that starts at the end of the interval",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) =>
        store.overlapping(queries.map((query) => ({ ...query, startsBefore: plus(query.startsBefore) })))
    }))
  ],
  [
    "overlapping/except",
    "counts the excluded booking",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map((query) => ({ ...query, except: "nobody" })))
    }))
  ],
  [
    "overlapping/equal-spans",
    "counts several bookings over the same span as one",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(
          store.overlapping(queries),
          (answers) =>
            answers.map(({ lapsedAt, bookedSpans }) => ({
              lapsedAt,
              bookedSpans: bookedSpans.map((row) => ({ ...row, bookings: 1 }))
            }))
        )
    }))
  ],

  [
    "tasks/due",
    "does not claim a task that is due at the current instant",
    breakPort(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, now: minus(options.now) }) }))
  ],
  [
    "tasks/due",
    "claims tasks of all queues",
    breakPort(TaskStore, ({ claim }) => ({
      claim: (options) =>
        Effect.map(Effect.forEach(taskQueues, (queue) => claim({ ...options, queue })), (claims) => claims.flat())
    }))
  ],
  [
    "tasks/except",
    "claims tasks of excluded orgs",
    breakPort(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, exceptOrgs: [] }) }))
  ],
  [
    "tasks/except",
    "counts tasks of excluded orgs toward the limit",
    breakPort(TaskStore, ({ claim, release }) => ({
      claim: (options) =>
        Effect.flatMap(claim({ ...options, exceptOrgs: [] }), (claims) => {
          const isPassedOver = ({ orgId }: Task) => options.exceptOrgs.includes(orgId)
          return Effect.as(release(claims.filter(isPassedOver)), claims.filter((task) => !isPassedOver(task)))
        })
    }))
  ],
  [
    "tasks/given-up",
    "keeps a permanently failed task in the queue",
    breakPort(TaskStore, ({ postpone }) => ({ giveUp: (task) => Effect.as(postpone(task), true) }))
  ],
  [
    "tasks/given-up",
    "deletes a permanently failed task",
    breakPort(TaskStore, ({ done }) => ({ giveUp: (task) => Effect.as(done([task]), true) }))
  ],
  [
    "tasks/failing",
    "returns pages that exceed the limit",
    breakPort(
      TaskStore,
      ({ failing }) => ({ failing: (failingQuery) => failing({ ...failingQuery, limit: failingQuery.limit + 1 }) })
    )
  ],
  [
    "tasks/failing",
    "lists tasks of other orgs",
    breakPort(
      TaskStore,
      ({ failing }) => ({ failing: (failingQuery) => failing({ ...failingQuery, orgId: undefined }) })
    )
  ],
  [
    "tasks/failing",
    "lists tasks after their first failure",
    breakPort(TaskStore, ({ failing }) => ({ failing: (failingQuery) => failing({ ...failingQuery, failures: 1 }) }))
  ],
  [
    "tasks/retry",
    "restarts a task with a due time other than the given one",
    breakPort(TaskStore, ({ retry }) => ({ retry: (keys, now) => retry(keys, minus(now)) }))
  ],
  [
    "tasks/retry",
    "restarts only the first task",
    breakPort(TaskStore, ({ retry }) => ({ retry: (keys, now) => retry(keys.slice(0, 1), now) }))
  ],
  ["tasks/retried-once", "runs transactions without isolation", Memory.layerUnguarded],
  [
    "tasks/forget",
    "ignores the limit",
    breakPort(TaskStore, ({ forget }) => ({ forget: (before) => forget(before, 1000) }))
  ],
  [
    "tasks/forget",
    "removes tasks that failed recently",
    breakPort(TaskStore, ({ forget }) => ({ forget: (_, n) => forget(max, n) }))
  ],
  ["tasks/claimed-once", "runs transactions without isolation", Memory.layerUnguarded],
  [
    "tasks/lease",
    "grants leases that expire immediately",
    breakPort(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, leaseMs: -1 }) }))
  ],
  [
    "tasks/lease",
    "grants leases that do not expire in time",
    breakPort(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, leaseMs: 1e9 }) }))
  ],
  [
    "request-keys/find",
    "ignores case when it compares keys",
    breakPort(RequestKeys, ({ find }) => ({ find: (key) => find({ ...key, key: key.key.toLowerCase() }) }))
  ],
  [
    "request-keys/answer-lost",
    "finds no requests by key",
    breakPort(RequestKeys, () => ({ find: () => Effect.succeed(Option.none()) }))
  ],
  [
    "request-keys/answer-lost",
    "does not store keys",
    breakPort(RequestKeys, () => ({ bind: () => Effect.void }))
  ],
  [
    "request-keys/once",
    "accepts a key that is already in use",
    breakPort(RequestKeys, ({ bind }) => ({ bind: swallowFailures(bind) }))
  ],
  [
    "unfinished/put",
    "does not replace stored work",
    breakPort(ResumableJobStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find(row), (existing) => Option.isSome(existing) ? Effect.void : put(row))
    }))
  ],
  [
    "unfinished/put",
    "does not remove finished work",
    breakPort(ResumableJobStore, () => ({ remove: () => Effect.void }))
  ],
  [
    "unfinished/untouched",
    "omits work touched exactly at the given time",
    breakPort(ResumableJobStore, ({ untouchedSince }) => ({
      untouchedSince: (moment, limit) => untouchedSince(minus(moment), limit)
    }))
  ],

  [
    "tasks/done-together",
    "removes only the first completed task",
    breakPort(TaskStore, ({ done }) => ({ done: (tasks) => done(tasks.slice(0, 1)) }))
  ],
  [
    "tasks/done-together",
    "removes no task if several are completed together",
    breakPort(TaskStore, ({ done }) => ({ done: (tasks) => tasks.length > 1 ? Effect.void : done(tasks) }))
  ],
  ["tasks/done", "does not remove completed tasks", breakPort(TaskStore, ({ release }) => ({ done: release }))],
  [
    "tasks/postpone",
    "does not store the error",
    breakPort(TaskStore, (taskStore) => ({
      postpone: (task) => taskStore.postpone({ ...task, lastError: null })
    }))
  ],
  [
    "tasks/release",
    "counts a release as an attempt",
    breakPort(TaskStore, ({ postpone }) => ({
      release: (tasks) =>
        Effect.forEach(tasks, (task) => postpone({ ...task, attempts: task.attempts + 1 }), { discard: true })
    }))
  ],
  [
    "tasks/gone",
    "adds a completed task again when it is postponed",
    breakPort(TaskStore, (taskStore) => ({
      postpone: (task) => Effect.zipRight(taskStore.done([task]), taskStore.add([task]))
    }))
  ],

  [
    "customers/rows",
    "runs an invalid query for an empty list of keys",
    breakPort(CustomerStore, (store) => ({
      find: (keys) => keys.length === 0 ? Effect.dieMessage("in ()") : store.find(keys)
    }))
  ],
  [
    "nothing/asked",
    "runs an invalid query for an empty list of keys",
    breakPort(BookingStore, (store) => ({
      lock: (keys) => keys.length === 0 ? Effect.dieMessage("in ()") : store.lock(keys)
    }))
  ],
  [
    "nothing/written",
    "runs an invalid statement for an empty list of rows",
    breakPort(BookingStore, (store) => ({
      put: (rows) => rows.length === 0 ? Effect.dieMessage("values ()") : store.put(rows)
    }))
  ],

  ["constraints/orgs", "has no unique key", breakPort(OrgStore, ({ put }) => ({ put: swallowFailures(put) }))],
  [
    "constraints/customers",
    "has no unique key",
    breakPort(CustomerStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  ["constraints/staff", "has no unique key", breakPort(StaffStore, ({ put }) => ({ put: swallowFailures(put) }))],
  [
    "constraints/logins",
    "has no unique key",
    breakPort(StaffSessionStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  ["constraints/passkeys", "has no unique key", breakPort(PasskeyStore, ({ put }) => ({ put: swallowFailures(put) }))],
  ["constraints/reference", "has no unique key", breakPort(BookingStore, ({ put }) => ({ put: swallowFailures(put) }))],
  ["constraints/handle", "has no unique key", breakPort(BookingStore, ({ put }) => ({ put: swallowFailures(put) }))],
  [
    "constraints/check-in-token",
    "has no unique key",
    breakPort(BookingStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/idempotency",
    "has no unique key",
    breakPort(BookingStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/booking-refers",
    "has no foreign key",
    breakPort(BookingStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/org",
    "has no foreign key",
    breakPort(TaskStore, ({ add }) => ({ add: swallowFailures(add) }))
  ],
  ["constraints/webhooks", "has no unique key", breakPort(WebhookStore, ({ add }) => ({ add: swallowFailures(add) }))]
]
