/** For each law of bookings, tasks, and constraints, a storage that breaks it in a plausible way. */
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { ResumableJobStore } from "@trailbook/core/job/ResumableJobStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import { PasskeyStore } from "@trailbook/core/staff/PasskeyStore"
import { StaffSessionStore } from "@trailbook/core/staff/StaffSessionStore"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import { lanes, type Task } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import * as Instant from "@trailbook/core/time/Instant"
import { max } from "@trailbook/core/time/Instant"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken, swallowed } from "./broken.ts"
import { first, minus, plus, plusOrAll, tieless, tielessDown } from "./offByOne.ts"

export const bookingControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "bookings/find",
    "a guest's phone is left out",
    broken(BookingStore, (store) => ({
      find: (keys) =>
        Effect.map(
          store.find(keys),
          (records) => records.map((record) => ({ ...record, customer: { ...record.customer, phone: "" } }))
        )
    }))
  ],
  [
    "bookings/put",
    "the place that was left is not stored",
    broken(BookingStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, previous: null })))
    }))
  ],
  [
    "bookings/record",
    "names are those of the day of booking",
    broken(BookingStore, (store) => ({
      lock: (keys) =>
        Effect.map(
          store.lock(keys),
          (records) => records.map((record) => ({ ...record, offering: { ...record.offering, name: "" } }))
        )
    }))
  ],
  [
    "bookings/idempotency",
    "a key finds nothing once the booking is cancelled",
    broken(BookingStore, (store) => ({
      findByIdempotencyKey: (keys) =>
        Effect.map(
          store.findByIdempotencyKey(keys),
          (records) => records.filter(({ booking }) => booking.status !== "cancelled")
        )
    }))
  ],
  [
    "bookings/handle",
    "a page is gone once the booking is cancelled",
    broken(BookingStore, (store) => ({
      findByHandle: (handle) =>
        Effect.map(store.findByHandle(handle), Option.filter(({ booking }) => booking.status !== "cancelled"))
    }))
  ],
  [
    "bookings/list",
    "the end of the range is in it",
    broken(BookingStore, (store) => ({
      list: (query) => store.list({ ...query, to: plusOrAll(query.to) })
    }))
  ],
  [
    "bookings/pages",
    "ties are cut",
    broken(BookingStore, (store) => ({
      list: (query) =>
        store.list({ ...query, after: query.order === "asc" ? tieless(query.after) : tielessDown(query.after) })
    }))
  ],
  [
    "bookings/lock-in-session",
    "holds are left out",
    broken(BookingStore, (store) => ({
      lockInSession: (key) =>
        Effect.map(
          store.lockInSession(key),
          (records) => records.filter(({ booking }) => booking.status === "confirmed")
        )
    }))
  ],
  [
    "bookings/lock-upcoming",
    "what starts now is coming",
    broken(BookingStore, (store) => ({
      lockUpcoming: (key, now) => store.lockUpcoming(key, minus(now))
    }))
  ],
  [
    "bookings/departing",
    "holds that ran out depart",
    broken(BookingStore, (store) => ({ departing: (query) => store.departing({ ...query, now: Instant.min }) }))
  ],
  [
    "bookings/count-upcoming",
    "holds that ran out count as holds",
    broken(BookingStore, (store) => ({
      countUpcoming: (key, query) => Effect.map(store.countUpcoming(key, query), (page) => ({ ...page, expired: 0 }))
    }))
  ],
  [
    "bookings/lock-of-customer",
    "the first page comes again and again",
    broken(BookingStore, (store) => ({
      lockOfCustomer: (key, _, limit) => store.lockOfCustomer(key, "", limit)
    }))
  ],
  [
    "bookings/lock-of-customer",
    "cancelled ones are left out",
    broken(BookingStore, (store) => ({
      lockOfCustomer: (key, after, limit) =>
        Effect.map(
          store.lockOfCustomer(key, after, limit),
          (records) => records.filter(({ booking }) => booking.status !== "cancelled")
        )
    }))
  ],
  [
    "bookings/holds-expired",
    "one that expires now has not expired",
    broken(BookingStore, (store) => ({
      holdsExpiredBy: (moment, limit) => store.holdsExpiredBy(minus(moment), limit)
    }))
  ],
  [
    "bookings/departing",
    "the end of the range is in it",
    broken(BookingStore, (store) => ({
      departing: (query) => store.departing({ ...query, to: plus(query.to) })
    }))
  ],
  [
    "bookings/held-seats",
    "holds that have ended keep their seats",
    broken(BookingStore, (store) => ({
      heldSeats: (query) => store.heldSeats({ ...query, now: Instant.min })
    }))
  ],
  [
    "bookings/unproven",
    "holds that have ended count",
    broken(BookingStore, (store) => ({
      unproven: (queries) => store.unproven(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],
  [
    "bookings/unproven",
    "a booking counts against its network for good",
    broken(BookingStore, (store) => ({
      unproven: (queries) =>
        store.unproven(queries.map((query) => "network" in query ? { ...query, madeAfter: Instant.min } : query))
    }))
  ],
  [
    "bookings/forget-networks",
    "the newest network of the range stays",
    broken(BookingStore, (store) => ({
      forgetNetworks: (madeBefore, limit) => store.forgetNetworks(minus(madeBefore), limit)
    }))
  ],
  [
    "bookings/count-confirmed",
    "the end of the range is in it",
    broken(BookingStore, (store) => ({
      countConfirmed: (orgId, spans) =>
        store.countConfirmed(orgId, spans.map(({ from, to }) => ({ from, to: plus(to) })))
    }))
  ],
  [
    "bookings/coming",
    "who holds a place is named",
    broken(BookingStore, (store) => ({
      coming: (queries, limit) =>
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
    "more are named than were asked for",
    broken(BookingStore, (store) => ({ coming: (queries, limit) => store.coming(queries, limit + 1) }))
  ],
  [
    "bookings/count-days",
    "what was counted once goes on being counted",
    broken(BookingStore, (store) => {
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
    "a reference is looked for as it was typed",
    broken(BookingStore, (store) => ({
      list: ({ q, ...query }) => store.list({ ...query, q: q?.replace("-", " nobody ") })
    }))
  ],
  [
    "bookings/search-crowd",
    "what is found of a crowd is left in any order",
    broken(BookingStore, (store) => ({
      list: (query) =>
        query.q === undefined
          ? store.list(query)
          : Effect.map(store.list(query), (rows) => rows.length < 20 ? rows : rows.toReversed())
    }))
  ],
  [
    "bookings/search-pages",
    "the status is disregarded",
    broken(BookingStore, (store) => ({
      list: (query) => store.list(query.q === undefined ? query : { ...query, status: undefined })
    }))
  ],

  [
    "overlapping/counted",
    "each answer is that of the query before",
    broken(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(store.overlapping(queries), (answers) => [...answers.slice(1), ...first(answers)])
    }))
  ],
  [
    "overlapping/live",
    "expired holds count",
    broken(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],
  [
    "overlapping/bounds",
    "what starts where another ends counts",
    broken(BookingStore, (store) => ({
      overlapping: (queries) =>
        store.overlapping(queries.map((query) => ({ ...query, startsBefore: plus(query.startsBefore) })))
    }))
  ],
  [
    "overlapping/except",
    "a booking is in its own way",
    broken(BookingStore, (store) => ({
      overlapping: (queries) => store.overlapping(queries.map((query) => ({ ...query, except: "nobody" })))
    }))
  ],
  [
    "overlapping/equal-spans",
    "bookings over one span count as one",
    broken(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(
          store.overlapping(queries),
          (answers) =>
            answers.map(({ lapsedAt, taken }) => ({ lapsedAt, taken: taken.map((one) => ({ ...one, bookings: 1 })) }))
        )
    }))
  ],

  [
    "tasks/due",
    "what is due now is not due",
    broken(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, now: minus(options.now) }) }))
  ],
  [
    "tasks/due",
    "lanes are disregarded",
    broken(TaskStore, ({ claim }) => ({
      claim: (options) =>
        Effect.map(Effect.forEach(lanes, (lane) => claim({ ...options, lane })), (claims) => claims.flat())
    }))
  ],
  [
    "tasks/except",
    "nobody is passed over",
    broken(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, exceptOrgs: [] }) }))
  ],
  [
    "tasks/except",
    "those who are passed over take room",
    broken(TaskStore, ({ claim, release }) => ({
      claim: (options) =>
        Effect.flatMap(claim({ ...options, exceptOrgs: [] }), (claims) => {
          const isPassedOver = ({ orgId }: Task) => options.exceptOrgs.includes(orgId)
          return Effect.as(release(claims.filter(isPassedOver)), claims.filter((task) => !isPassedOver(task)))
        })
    }))
  ],
  [
    "tasks/given-up",
    "what is given up goes on waiting",
    broken(TaskStore, ({ postpone }) => ({ giveUp: (task) => Effect.as(postpone(task), true) }))
  ],
  [
    "tasks/given-up",
    "what is given up is gone",
    broken(TaskStore, ({ done }) => ({ giveUp: (task) => Effect.as(done([task]), true) }))
  ],
  [
    "tasks/failing",
    "pages are too long",
    broken(TaskStore, ({ failing }) => ({ failing: (asked) => failing({ ...asked, limit: asked.limit + 1 }) }))
  ],
  [
    "tasks/failing",
    "those of other orgs are listed",
    broken(TaskStore, ({ failing }) => ({ failing: (asked) => failing({ ...asked, orgId: undefined }) }))
  ],
  [
    "tasks/failing",
    "one failure is enough",
    broken(TaskStore, ({ failing }) => ({ failing: (asked) => failing({ ...asked, failures: 1 }) }))
  ],
  [
    "tasks/retry",
    "it is due some day",
    broken(TaskStore, ({ retry }) => ({ retry: (keys, now) => retry(keys, minus(now)) }))
  ],
  [
    "tasks/retry",
    "only the first is started again",
    broken(TaskStore, ({ retry }) => ({ retry: (keys, now) => retry(keys.slice(0, 1), now) }))
  ],
  ["tasks/retried-once", "units run unguarded", Memory.layerUnguarded],
  [
    "tasks/forget",
    "as many as there are go",
    broken(TaskStore, ({ forget }) => ({ forget: (before) => forget(before, 1000) }))
  ],
  ["tasks/forget", "it goes too soon", broken(TaskStore, ({ forget }) => ({ forget: (_, n) => forget(max, n) }))],
  ["tasks/claimed-once", "units run unguarded", Memory.layerUnguarded],
  [
    "tasks/lease",
    "a lease keeps nobody away",
    broken(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, leaseMs: -1 }) }))
  ],
  [
    "tasks/lease",
    "a lease never ends",
    broken(TaskStore, ({ claim }) => ({ claim: (options) => claim({ ...options, leaseMs: 1e9 }) }))
  ],
  [
    "request-keys/find",
    "keys are compared without case",
    broken(RequestKeys, ({ find }) => ({ find: (key) => find({ ...key, key: key.key.toLowerCase() }) }))
  ],
  [
    "request-keys/answer-lost",
    "keys are not looked up",
    broken(RequestKeys, () => ({ find: () => Effect.succeed(Option.none()) }))
  ],
  [
    "request-keys/answer-lost",
    "keys are not bound",
    broken(RequestKeys, () => ({ bind: () => Effect.void }))
  ],
  [
    "request-keys/once",
    "the last one keeps the key",
    broken(RequestKeys, ({ bind }) => ({ bind: swallowed(bind) }))
  ],
  [
    "unfinished/put",
    "what was put first stays",
    broken(ResumableJobStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find(row), (known) => Option.isSome(known) ? Effect.void : put(row))
    }))
  ],
  [
    "unfinished/put",
    "what is finished stays",
    broken(ResumableJobStore, () => ({ remove: () => Effect.void }))
  ],
  [
    "unfinished/untouched",
    "one that is touched now is touched",
    broken(ResumableJobStore, ({ untouchedSince }) => ({
      untouchedSince: (moment, limit) => untouchedSince(minus(moment), limit)
    }))
  ],

  [
    "tasks/done-together",
    "only the first of those that are done goes",
    broken(TaskStore, ({ done }) => ({ done: (tasks) => done(tasks.slice(0, 1)) }))
  ],
  [
    "tasks/done-together",
    "of many that are done none goes",
    broken(TaskStore, ({ done }) => ({ done: (tasks) => tasks.length > 1 ? Effect.void : done(tasks) }))
  ],
  ["tasks/done", "what is done stays", broken(TaskStore, ({ release }) => ({ done: release }))],
  [
    "tasks/postpone",
    "what went wrong is forgotten",
    broken(TaskStore, (taskStore) => ({
      postpone: (task) => taskStore.postpone({ ...task, lastError: null })
    }))
  ],
  [
    "tasks/release",
    "releasing counts as an attempt",
    broken(TaskStore, ({ postpone }) => ({
      release: (tasks) =>
        Effect.forEach(tasks, (task) => postpone({ ...task, attempts: task.attempts + 1 }), { discard: true })
    }))
  ],
  [
    "tasks/gone",
    "postponing adds it again",
    broken(TaskStore, (taskStore) => ({
      postpone: (task) => Effect.zipRight(taskStore.done([task]), taskStore.add([task]))
    }))
  ],

  [
    "nothing/asked",
    "no keys make a broken query",
    broken(CustomerStore, (store) => ({
      find: (keys) => keys.length === 0 ? Effect.dieMessage("in ()") : store.find(keys)
    }))
  ],
  [
    "nothing/written",
    "no rows make a broken statement",
    broken(BookingStore, (store) => ({
      put: (rows) => rows.length === 0 ? Effect.dieMessage("values ()") : store.put(rows)
    }))
  ],

  ["constraints/slug", "no unique key", broken(OrgStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/email", "no unique key", broken(CustomerStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/staff", "no unique key", broken(StaffStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/login", "no unique key", broken(StaffSessionStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/passkey", "no unique key", broken(PasskeyStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/reference", "no unique key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/handle", "no unique key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/idempotency", "no unique key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/booking-refers", "no foreign key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/others-refer", "no foreign key", broken(TaskStore, ({ add }) => ({ add: swallowed(add) }))],
  ["constraints/webhook", "no unique key", broken(WebhookStore, ({ add }) => ({ add: swallowed(add) }))]
]
