/**
 * Storage adapters that each break one law about orgs, keys, staff, offerings, sessions, or customers. Each bug is
 * plausible, such as an off-by-one limit, a missing tiebreaker, a lost field, or an unescaped pattern.
 */
import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { CustomerStore, matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import { ClosureStore, DiscountStore, OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { make } from "@trailbook/core/org/Org"
import { PaymentStore } from "@trailbook/core/payment"
import { RequestKeys } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, storingBookings } from "./brokenStorage.ts"
import { dropTie, dropTieDown, minus, plusOrAll, takeFirst } from "./offByOne.ts"

/** Searches an org's customers with a predicate instead of the storage's search. */
const searching = (matches: (customer: Customer, q: string) => boolean) =>
  breakPort(CustomerStore, (store) => ({
    list: ({ q, ...query }) =>
      q === undefined
        ? store.list({ ...query, q })
        : Effect.map(store.list({ ...query, q: undefined }), (rows) => rows.filter((row) => matches(row, q)))
  }))

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export const storeControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "orgs/rows",
    "does not store one of the settings",
    breakPort(OrgStore, (store) => ({ put: (org) => store.put({ ...org, awayNotice: null }) }))
  ],
  [
    "orgs/put",
    "does not replace a stored org",
    breakPort(OrgStore, (store) => ({
      put: (org) => Effect.flatMap(store.find(org.id), (stored) => Option.isSome(stored) ? Effect.void : store.put(org))
    }))
  ],
  [
    "orgs/rows",
    "returns an empty org for an unknown slug",
    breakPort(OrgStore, () => ({
      findBySlug: () =>
        Effect.succeed(Option.some(make({ id: "", name: "", slug: "", timezone: "UTC", createdAt: Instant.min })))
    }))
  ],
  [
    "orgs/all",
    "lists the newest org first",
    breakPort(OrgStore, (store) => ({ all: Effect.map(store.all, (all) => all.toReversed()) }))
  ],

  [
    "api-keys/rows",
    "ignores case in the first letter of an ID",
    breakPort(ApiKeyStore, (store) => ({ find: (id) => store.find(`K${id.slice(1)}`) }))
  ],
  [
    "api-keys/put",
    "does not store a revocation",
    breakPort(ApiKeyStore, (store) => ({ put: (key) => store.put({ ...key, revokedAt: null }) }))
  ],
  [
    "api-keys/rows",
    "omits revoked keys",
    breakPort(ApiKeyStore, (store) => ({
      list: (orgId) => Effect.map(store.list(orgId), (keys) => keys.filter(({ revokedAt }) => revokedAt === null))
    }))
  ],
  ["api-keys/touch", "does not record the use of a key", breakPort(ApiKeyStore, () => ({ touch: () => Effect.void }))],

  [
    "staff/rows",
    "lists the newest staff member first",
    breakPort(StaffStore, ({ list }) => ({ list: (orgId) => Effect.map(list(orgId), (rows) => rows.toReversed()) }))
  ],
  [
    "staff/put",
    "keeps the previous notification setting of a staff member",
    breakPort(StaffStore, ({ list, put }) => ({
      put: (row) =>
        Effect.flatMap(
          list(row.orgId),
          (rows) => put({ ...row, notify: rows.find(({ id }) => id === row.id)?.notify ?? row.notify })
        )
    }))
  ],
  ["staff/remove", "removes no staff member", breakPort(StaffStore, () => ({ remove: () => Effect.void }))],
  [
    "staff/with-email",
    "finds only one of several staff members",
    breakPort(StaffStore, ({ withEmail }) => ({
      withEmail: (email) => Effect.map(withEmail(email), (rows) => rows.slice(0, 1))
    }))
  ],

  [
    "logins/rows",
    "omits ended logins from the list",
    breakPort(StaffSessionStore, ({ list }) => ({
      list: (orgId) => Effect.map(list(orgId), (rows) => rows.filter(({ endedAt }) => endedAt === null))
    }))
  ],
  [
    "sign-in-links/put",
    "does not store that a link was used",
    breakPort(StaffSessionStore, ({ putLink }) => ({ putLink: (link) => putLink({ ...link, spentAt: null }) }))
  ],
  [
    "logins/touch",
    "reopens an ended login when it is used",
    breakPort(StaffSessionStore, ({ lock, put }) => ({
      touch: (usage) =>
        Effect.flatMap(
          lock(usage),
          Option.match({ onNone: () => Effect.void, onSome: (login) => put({ ...login, ...usage, endedAt: null }) })
        )
    }))
  ],
  ...["sign-in-links", "logins"].flatMap((rows) => [
    [
      `${rows}/remove-over`,
      "removes all links and logins of the staff member",
      breakPort(
        StaffSessionStore,
        ({ removeOf }) => ({ removeOver: ({ orgId, staffId }) => removeOf({ orgId, id: staffId }) })
      )
    ] as const,
    [
      `${rows}/remove-of`,
      "removes no links or logins",
      breakPort(StaffSessionStore, () => ({ removeOf: () => Effect.void }))
    ] as const
  ]),
  [
    "sign-in-links/rows",
    "lists the links of all staff members",
    breakPort(StaffSessionStore, ({ links }) => ({
      links: ({ orgId }) =>
        Effect.map(
          Effect.forEach(["ann", "bob"], (staffId) => links({ orgId, staffId })),
          (lists) => lists.flat()
        )
    }))
  ],
  [
    "logins/put",
    "does not store that a login has ended",
    breakPort(StaffSessionStore, ({ put }) => ({ put: (login) => put({ ...login, endedAt: null }) }))
  ],
  [
    "passkeys/rows",
    "returns every passkey with a counter of 0",
    breakPort(
      PasskeyStore,
      ({ find }) => ({ find: (id) => Effect.map(find(id), Option.map((row) => ({ ...row, counter: 0 }))) })
    )
  ],
  [
    "passkeys/put",
    "does not store when a passkey was used",
    breakPort(PasskeyStore, ({ put }) => ({ put: (row) => put({ ...row, lastUsedAt: null }) }))
  ],
  [
    "passkeys/remove",
    "removes all passkeys of the staff member instead of one",
    breakPort(PasskeyStore, ({ removeOf }) => ({ remove: ({ orgId }) => removeOf({ orgId, id: "ann" }) }))
  ],
  ["passkeys/remove-of", "removes no passkeys", breakPort(PasskeyStore, () => ({ removeOf: () => Effect.void }))],
  [
    "passkeys/challenges",
    "keeps a challenge that was used",
    breakPort(PasskeyStore, () => ({ removeChallenge: () => Effect.void }))
  ],
  [
    "passkeys/challenges",
    "removes challenges that have not expired",
    breakPort(PasskeyStore, ({ removeOver }) => ({ removeOver: (_, limit) => removeOver(Instant.max, limit) }))
  ],
  [
    "audit/rows",
    "returns the oldest entry first",
    breakPort(AuditStore, ({ page }) => ({ page: (query) => Effect.map(page(query), (rows) => rows.toReversed()) }))
  ],
  [
    "calls/rows",
    "returns the calls of other applications",
    breakPort(AssistantCallStore, ({ list }) => ({ list: (query) => list({ ...query, callerId: undefined }) }))
  ],
  ["calls/forget", "keeps old calls", breakPort(AssistantCallStore, () => ({ forget: () => Effect.succeed(0) }))],
  [
    "calls/forget",
    "deletes calls that are not too old",
    breakPort(
      AssistantCallStore,
      ({ forget }) => ({ forget: (before, limit) => forget(Instant.addMinutes(before, 1), limit) })
    )
  ],
  [
    "audit/since",
    "finds entries from before the given time",
    breakPort(AuditStore, ({ hasSince }) => ({ hasSince: (query) => hasSince({ ...query, since: Instant.min }) }))
  ],

  [
    "offerings/rows",
    "does not find deleted offerings",
    breakPort(OfferingStore, (store) => ({
      find: (keys) => Effect.map(store.find(keys), (rows) => rows.filter(({ deletedAt }) => deletedAt === null))
    }))
  ],
  [
    "offerings/put",
    "does not replace the hours",
    breakPort(OfferingStore, (store) => ({
      put: (rows) =>
        Effect.flatMap(store.find(rows), (stored) =>
          store.put(rows.map((row) => ({
            ...row,
            hours: stored.find(({ id, orgId }) => id === row.id && orgId === row.orgId)?.hours ?? row.hours
          }))))
    }))
  ],
  [
    "offerings/rows",
    "ignores the kind",
    breakPort(OfferingStore, (store) => ({
      list: (query) => store.list({ ...query, kind: undefined })
    }))
  ],
  [
    "offerings/rows",
    "skips rows that tie with the last row of the previous page",
    breakPort(OfferingStore, (store) => ({
      list: (query) => store.list({ ...query, after: dropTie(query.after) })
    }))
  ],

  ["closures/rows", "does not remove closures", breakPort(ClosureStore, () => ({ remove: () => Effect.void }))],
  [
    "closures/rows",
    "returns closures that have ended",
    breakPort(ClosureStore, (store) => ({ since: (orgIds) => store.since(orgIds, LocalDate.make(0)) }))
  ],
  [
    "closures/rows",
    "loses closures with the same first date between two pages",
    breakPort(ClosureStore, (store) => ({ list: (query) => store.list({ ...query, after: dropTie(query.after) }) }))
  ],
  [
    "closures/rows",
    "reads the closures of only one org",
    breakPort(ClosureStore, (store) => ({ since: (orgIds, date) => store.since(orgIds.slice(0, 1), date) }))
  ],
  [
    "discounts/put",
    "does not replace a stored discount code",
    breakPort(DiscountStore, ({ lock, put }) => ({
      put: (row) => Effect.flatMap(lock(row), (stored) => Option.isSome(stored) ? Effect.void : put(row))
    }))
  ],
  [
    "discounts/remove",
    "does not remove discount codes",
    breakPort(DiscountStore, () => ({ remove: () => Effect.void }))
  ],
  [
    "discounts/rows",
    "loses discount codes with the same creation time between two pages",
    breakPort(DiscountStore, (store) => ({ list: (query) => store.list({ ...query, after: dropTie(query.after) }) }))
  ],
  [
    "discounts/uses",
    "counts expired holds",
    breakPort(DiscountStore, (store) => ({ uses: (keys) => store.uses(keys, Instant.min) }))
  ],
  [
    "races/discount-returns",
    "counts expired holds",
    breakPort(DiscountStore, (store) => ({ uses: (keys) => store.uses(keys, Instant.min) }))
  ],
  [
    "races/deposit",
    "does not store the amount of a deposit",
    storingBookings((bookings) => bookings.map((booking) => ({ ...booking, onlineCents: null })))
  ],
  [
    "races/balance",
    "does not store the refund of a duplicate payment",
    breakPort(PaymentStore, ({ put }) => ({
      put: (rows) => put(rows.map((row) => row.status === "paid" ? { ...row, refunds: [] } : row))
    }))
  ],
  [
    "races/balance",
    "does not store the keys of payment requests",
    breakPort(RequestKeys, () => ({ bind: () => Effect.void }))
  ],
  [
    "sessions/rows",
    "locks only the first session",
    breakPort(SessionStore, (store) => ({ lock: (keys) => store.lock(takeFirst(keys)) }))
  ],
  [
    "sessions/put",
    "does not store the session's own capacity",
    breakPort(SessionStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, capacity: null })))
    }))
  ],
  [
    "sessions/list",
    "includes the end of the range",
    breakPort(SessionStore, (store) => ({
      list: (query) => store.list({ ...query, to: plusOrAll(query.to) })
    }))
  ],
  [
    "sessions/pages",
    "skips rows that tie with the last row of the previous page",
    breakPort(SessionStore, (store) => ({
      list: (query) => store.list({ ...query, after: dropTie(query.after) })
    }))
  ],
  [
    "sessions/lock-coming",
    "treats a session that starts now as upcoming",
    breakPort(SessionStore, (store) => ({
      lockUpcoming: (key, now) => store.lockUpcoming(key, minus(now))
    }))
  ],
  [
    "sessions/booked",
    "counts the seats of expired holds",
    breakPort(SessionStore, (store) => ({
      countBookedSeats: (queries) => store.countBookedSeats(queries.map((query) => ({ ...query, now: Instant.min })))
    }))
  ],

  [
    "customers/rows",
    "truncates notes",
    breakPort(CustomerStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, notes: row.notes.slice(0, 5) })))
    }))
  ],
  [
    "customers/put",
    "does not store an erasure",
    breakPort(CustomerStore, (store) => ({
      put: (rows) => store.put(rows.map((row) => ({ ...row, erasedAt: null, email: row.email || row.id })))
    }))
  ],
  [
    "customers/rows",
    "matches part of an email address",
    breakPort(CustomerStore, (store) => ({
      lockByEmail: (keys) =>
        Effect.map(
          Effect.forEach(keys, ({ email: q, orgId }) => store.list({ orgId, q, after: undefined, limit: 1 })),
          (pages) => pages.flat()
        )
    }))
  ],
  [
    "customers/rows",
    "omits erased customers",
    breakPort(CustomerStore, (store) => ({
      list: (query) => Effect.map(store.list(query), (rows) => rows.filter(({ erasedAt }) => erasedAt === null))
    }))
  ],
  [
    "customers/rows",
    "skips rows that tie with the last row of the previous page",
    breakPort(CustomerStore, (store) => ({
      list: (query) => store.list({ ...query, after: dropTieDown(query.after) })
    }))
  ],
  [
    "customers/search",
    "does not find a guest by booking reference",
    breakPort(CustomerStore, (store) => ({
      list: ({ q, ...query }) =>
        store.list({ ...query, q: q?.replace(/[0-9A-F]{8}|[0-9A-F]{4}-[0-9A-F]{4}/g, "nobody") })
    }))
  ],
  [
    "customers/search-pages",
    "searches one page instead of the complete list",
    searching(({ email, name, phone }, q) =>
      matchesSearch(parseSearchQuery(q), toSearchTerms({ email, name, phone }), [])
    )
  ],
  [
    "customers/search-letters",
    "ignores case only for the letters A to Z",
    searching(({ name }, q) => lower(name).includes(lower(q)))
  ],
  [
    "customers/search-crowd",
    "searches only the newest five hundred guests",
    breakPort(CustomerStore, (store) => ({
      list: ({ limit, q, ...query }) =>
        q === undefined
          ? store.list({ ...query, q, limit })
          : Effect.map(
            store.list({ ...query, q: undefined, limit: 500 }),
            (rows) => rows.filter((row) => matchesSearch(parseSearchQuery(q), toSearchTerms(row), [])).slice(0, limit)
          )
    }))
  ],
  [
    "customers/search-changed",
    "finds a guest by their first stored data",
    breakPort(CustomerStore, (store) => {
      const first = new Map<string, Customer>()
      return {
        put: (rows) => {
          for (const row of rows) first.set(row.id, first.get(row.id) ?? row)
          return store.put(rows)
        },
        list: ({ q = "", ...query }) =>
          Effect.map(
            store.list({ ...query, q: undefined }),
            (rows) =>
              rows.filter((row) => matchesSearch(parseSearchQuery(q), toSearchTerms(first.get(row.id) ?? row), []))
          )
      }
    })
  ]
]
