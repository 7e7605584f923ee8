/**
 * For each law of the stores a storage that breaks it in the way somebody would:
 * a bound off by one, a tie forgotten, a field lost, a pattern not escaped.
 */
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { Outbox } from "@trailbook/core/port/Outbox"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken, swallowed } from "./broken.ts"

const minus = (moment: Instant.Instant) => Instant.make(moment - 1)
const plus = (moment: Instant.Instant) => Instant.make(moment + 1)
const plusOrAll = (moment: Instant.Instant | undefined) => moment === undefined ? undefined : plus(moment)

/** A page that goes on by time alone: rows of one moment are cut in two. */
const tieless = (after: Position | undefined): Position | undefined =>
  after === undefined ? undefined : { at: after.at, id: "~" }
const tielessDown = (after: Position | undefined): Position | undefined =>
  after === undefined ? undefined : { at: after.at, id: "" }

/** Everything of an org, filtered afterwards by a search of another kind. */
const searching = (finds: (text: string, q: string) => boolean) =>
  broken(CustomerStore, (store) => ({
    list: (query) =>
      query.q === undefined
        ? store.list(query)
        : Effect.map(
          store.list({ ...query, q: undefined }),
          (rows) =>
            rows.filter(({ email, name, phone }) => [email, name, phone].some((text) => finds(text, query.q ?? "")))
        )
  }))

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const like = (text: string, q: string): boolean => {
  const pattern = q.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%", ".*").replaceAll("_", ".")
  return new RegExp(pattern, "isu").test(text)
}

const first = <Row>(rows: ReadonlyArray<Row>) => rows.slice(0, 1)

export const storeControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "orgs/find",
    "a setting is not stored",
    broken(OrgStore, (store) => ({ put: (org) => store.put({ ...org, awayNotice: null }) }))
  ],
  [
    "orgs/put",
    "the second put is left out",
    broken(OrgStore, (store) => ({
      put: (org) => Effect.flatMap(store.find(org.id), (known) => Option.isSome(known) ? Effect.void : store.put(org))
    }))
  ],
  [
    "orgs/miss",
    "an unknown slug finds an org with no settings",
    broken(OrgStore, () => ({
      findBySlug: () => Effect.succeed(Option.some({} as never))
    }))
  ],
  [
    "orgs/all",
    "the newest come first",
    broken(OrgStore, (store) => ({ all: Effect.map(store.all, (all) => all.toReversed()) }))
  ],

  [
    "api-keys/find",
    "ids are compared without case",
    broken(ApiKeyStore, (store) => ({ find: (id) => store.find(`K${id.slice(1)}`) }))
  ],
  [
    "api-keys/put",
    "a revocation is not stored",
    broken(ApiKeyStore, (store) => ({ put: (key) => store.put({ ...key, revokedAt: null }) }))
  ],
  [
    "api-keys/list",
    "revoked keys are left out",
    broken(ApiKeyStore, (store) => ({
      list: (orgId) => Effect.map(store.list(orgId), (keys) => keys.filter(({ revokedAt }) => revokedAt === null))
    }))
  ],
  ["api-keys/touch", "the use of a key is not noted", broken(ApiKeyStore, () => ({ touch: () => Effect.void }))],

  [
    "offerings/find",
    "deleted ones are not found",
    broken(OfferingStore, (store) => ({
      find: (keys) => Effect.map(store.find(keys), (rows) => rows.filter(({ deletedAt }) => deletedAt === null))
    }))
  ],
  [
    "offerings/put",
    "hours stay as they were",
    broken(OfferingStore, (store) => ({
      put: (rows) =>
        Effect.flatMap(store.find(rows), (known) =>
          store.put(rows.map((row) => ({
            ...row,
            hours: known.find(({ id, orgId }) => id === row.id && orgId === row.orgId)?.hours ?? row.hours
          }))))
    }))
  ],
  [
    "offerings/list",
    "the kind is disregarded",
    broken(OfferingStore, (store) => ({
      list: (query) => store.list({ ...query, kind: undefined })
    }))
  ],
  [
    "offerings/pages",
    "ties are cut",
    broken(OfferingStore, (store) => ({
      list: (query) => store.list({ ...query, after: tieless(query.after) })
    }))
  ],

  [
    "sessions/lock",
    "only the first is locked",
    broken(SessionStore, (store) => ({ lock: (keys) => store.lock(first(keys)) }))
  ],
  [
    "sessions/put",
    "a capacity of its own is lost",
    broken(SessionStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, capacity: null })))
    }))
  ],
  [
    "sessions/list",
    "the end of the range is in it",
    broken(SessionStore, (store) => ({
      list: (query) => store.list({ ...query, to: plusOrAll(query.to) })
    }))
  ],
  [
    "sessions/pages",
    "ties are cut",
    broken(SessionStore, (store) => ({
      list: (query) => store.list({ ...query, after: tieless(query.after) })
    }))
  ],
  [
    "sessions/lock-coming",
    "one that starts now is to come",
    broken(SessionStore, (store) => ({
      lockComing: (key, now) => store.lockComing(key, minus(now))
    }))
  ],
  [
    "sessions/booked",
    "expired holds keep their seats",
    broken(SessionStore, (store) => ({
      booked: (keys) => store.booked(keys, Instant.min)
    }))
  ],

  [
    "customers/find",
    "notes are cut",
    broken(CustomerStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, notes: row.notes.slice(0, 5) })))
    }))
  ],
  [
    "customers/put",
    "an erasure is not stored",
    broken(CustomerStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, erasedAt: null, email: row.email || row.id })))
    }))
  ],
  [
    "customers/lock-by-email",
    "the address is compared in part",
    broken(CustomerStore, (store) => ({
      lockByEmail: (keys) =>
        Effect.map(
          Effect.forEach(keys, ({ email: q, orgId }) => store.list({ orgId, q, after: undefined, limit: 1 })),
          (found) => found.flat()
        )
    }))
  ],
  [
    "customers/list",
    "the erased are left out",
    broken(CustomerStore, (store) => ({
      list: (query) => Effect.map(store.list(query), (rows) => rows.filter(({ erasedAt }) => erasedAt === null))
    }))
  ],
  [
    "customers/pages",
    "ties are cut",
    broken(CustomerStore, (store) => ({
      list: (query) => store.list({ ...query, after: tielessDown(query.after) })
    }))
  ],
  ["customers/search", "% and _ are signs of a pattern", searching(like)],
  [
    "customers/search-pages",
    "the page is searched instead of the list",
    searching((text, q) => lower(text).includes(lower(q)))
  ],
  ["customers/search-letters", "only A to Z have a case", searching((text, q) => lower(text).includes(lower(q)))],

  [
    "bookings/find",
    "a guest's phone is left out",
    broken(BookingStore, (store) => ({
      find: (key) =>
        Effect.map(
          store.find(key),
          Option.map((record) => ({ ...record, customer: { ...record.customer, phone: "" } }))
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
    "bookings/lock-of-customer",
    "cancelled ones are left out",
    broken(BookingStore, (store) => ({
      lockOfCustomer: (key) =>
        Effect.map(
          store.lockOfCustomer(key),
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
    "bookings/count-confirmed",
    "the end of the range is in it",
    broken(BookingStore, (store) => ({
      countConfirmed: (orgId, from, to) => store.countConfirmed(orgId, from, plus(to))
    }))
  ],

  [
    "touching/counted",
    "each answer is that of the query before",
    broken(BookingStore, (store) => ({
      touching: (queries, now) =>
        Effect.map(store.touching(queries, now), (answers) => [...answers.slice(1), ...first(answers)])
    }))
  ],
  [
    "touching/live",
    "expired holds count",
    broken(BookingStore, (store) => ({
      touching: (queries) => store.touching(queries, Instant.min)
    }))
  ],
  [
    "touching/bounds",
    "what starts where another ends counts",
    broken(BookingStore, (store) => ({
      touching: (queries, now) =>
        store.touching(queries.map((query) => ({ ...query, startsBefore: plus(query.startsBefore) })), now)
    }))
  ],
  [
    "touching/except",
    "a booking is in its own way",
    broken(BookingStore, (store) => ({
      touching: (queries, now) => store.touching(queries.map(({ except: _, ...query }) => query), now)
    }))
  ],
  [
    "touching/equal-spans",
    "bookings over one span count as one",
    broken(BookingStore, (store) => ({
      touching: (queries, now) =>
        Effect.map(
          store.touching(queries, now),
          (answers) => answers.map((taken) => taken.map((one) => ({ ...one, bookings: 1 })))
        )
    }))
  ],

  [
    "outbox/due",
    "what is due now is not due",
    broken(Outbox, (outbox) => ({ due: (now, limit) => outbox.due(minus(now), limit) }))
  ],
  ["outbox/done", "what is done stays", broken(Outbox, () => ({ done: () => Effect.void }))],
  [
    "outbox/postpone",
    "what went wrong is forgotten",
    broken(Outbox, (outbox) => ({
      postpone: (errand) => outbox.postpone({ ...errand, lastError: null })
    }))
  ],
  [
    "outbox/gone",
    "postponing adds it anew",
    broken(Outbox, (outbox) => ({
      postpone: (errand) => Effect.zipRight(outbox.done(errand), outbox.add([errand]))
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
  ["constraints/reference", "no unique key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/handle", "no unique key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/idempotency", "no unique key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/booking-refers", "no foreign key", broken(BookingStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/others-refer", "no foreign key", broken(Outbox, ({ add }) => ({ add: swallowed(add) }))]
]
