/**
 * For each law of orgs, keys, staff, offerings, sessions, and customers, a storage that breaks it in a plausible way:
 * an off-by-one limit, a missing tiebreaker, a lost field, an unescaped pattern.
 */
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import type { Customer } from "@trailbook/core/customer/Customer"
import { matches, parseSearch, toSearchTerms } from "@trailbook/core/customer/customerSearch"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { make } from "@trailbook/core/org/Org"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import { AuditStore } from "@trailbook/core/staff/AuditStore"
import { PasskeyStore } from "@trailbook/core/staff/PasskeyStore"
import { StaffSessionStore } from "@trailbook/core/staff/StaffSessionStore"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken } from "./broken.ts"
import { first, minus, plusOrAll, tieless, tielessDown } from "./offByOne.ts"

/** Filters all customers of an org with a different search. */
const searching = (found: (customer: Customer, q: string) => boolean) =>
  broken(CustomerStore, (store) => ({
    list: ({ q, ...query }) =>
      q === undefined
        ? store.list({ ...query, q })
        : Effect.map(store.list({ ...query, q: undefined }), (rows) => rows.filter((row) => found(row, q)))
  }))

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

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
      findBySlug: () =>
        Effect.succeed(Option.some(make({ id: "", name: "", slug: "", timezone: "UTC", createdAt: Instant.min })))
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
    "staff/list",
    "the latest come first",
    broken(StaffStore, ({ list }) => ({ list: (orgId) => Effect.map(list(orgId), (rows) => rows.toReversed()) }))
  ],
  [
    "staff/put",
    "whether they are notified is kept as it was",
    broken(StaffStore, ({ list, put }) => ({
      put: (row) =>
        Effect.flatMap(
          list(row.orgId),
          (rows) => put({ ...row, notify: rows.find(({ id }) => id === row.id)?.notify ?? row.notify })
        )
    }))
  ],
  ["staff/remove", "nobody is removed", broken(StaffStore, () => ({ remove: () => Effect.void }))],
  [
    "staff/with-email",
    "one of them is found",
    broken(StaffStore, ({ withEmail }) => ({
      withEmail: (email) => Effect.map(withEmail(email), (rows) => rows.slice(0, 1))
    }))
  ],

  [
    "logins/found",
    "the list has those alone that are not ended",
    broken(StaffSessionStore, ({ list }) => ({
      list: (orgId) => Effect.map(list(orgId), (rows) => rows.filter(({ endedAt }) => endedAt === null))
    }))
  ],
  [
    "logins/put",
    "that a link is spent is not stored",
    broken(StaffSessionStore, ({ putLink }) => ({ putLink: (link) => putLink({ ...link, spentAt: null }) }))
  ],
  [
    "logins/touch",
    "a login that is used is open again",
    broken(StaffSessionStore, ({ lock, put }) => ({
      touch: (used) =>
        Effect.flatMap(
          lock(used),
          Option.match({ onNone: () => Effect.void, onSome: (login) => put({ ...login, ...used, endedAt: null }) })
        )
    }))
  ],
  [
    "logins/remove-over",
    "everything of the person is removed",
    broken(
      StaffSessionStore,
      ({ removeOf }) => ({ removeOver: ({ orgId, staffId }) => removeOf({ orgId, id: staffId }) })
    )
  ],
  ["logins/remove-of", "nothing is removed", broken(StaffSessionStore, () => ({ removeOf: () => Effect.void }))],
  [
    "passkeys/found",
    "of two with one counter one is found",
    broken(
      PasskeyStore,
      ({ find }) => ({ find: (id) => Effect.map(find(id), Option.map((row) => ({ ...row, counter: 0 }))) })
    )
  ],
  [
    "passkeys/put",
    "when it was used is not stored",
    broken(PasskeyStore, ({ put }) => ({ put: (row) => put({ ...row, lastUsedAt: null }) }))
  ],
  [
    "passkeys/removed",
    "all of the person are removed",
    broken(PasskeyStore, ({ removeOf }) => ({ remove: ({ orgId }) => removeOf({ orgId, id: "ann" }) }))
  ],
  ["passkeys/removed", "nothing is removed", broken(PasskeyStore, () => ({ removeOf: () => Effect.void }))],
  [
    "passkeys/challenges",
    "one that was taken is there again",
    broken(PasskeyStore, () => ({ removeChallenge: () => Effect.void }))
  ],
  [
    "passkeys/challenges",
    "those that are good are removed too",
    broken(PasskeyStore, ({ removeOver }) => ({ removeOver: (_, limit) => removeOver(Instant.max, limit) }))
  ],
  [
    "audit/page",
    "the oldest come first",
    broken(AuditStore, ({ page }) => ({ page: (query) => Effect.map(page(query), (rows) => rows.toReversed()) }))
  ],
  [
    "audit/since",
    "entries before the given time count",
    broken(AuditStore, ({ hasSince }) => ({ hasSince: (query) => hasSince({ ...query, since: Instant.min }) }))
  ],

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
      booked: (queries) => store.booked(queries.map((query) => ({ ...query, now: Instant.min })))
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
  [
    "customers/search",
    "references find nobody",
    broken(CustomerStore, (store) => ({
      list: ({ q, ...query }) =>
        store.list({ ...query, q: q?.replace(/[0-9A-F]{8}|[0-9A-F]{4}-[0-9A-F]{4}/g, "nobody") })
    }))
  ],
  [
    "customers/search-pages",
    "the page is searched instead of the list",
    searching(({ email, name, phone }, q) => matches(parseSearch(q), toSearchTerms({ email, name, phone }), []))
  ],
  [
    "customers/search-letters",
    "only A to Z have a case",
    searching(({ name }, q) => lower(name).includes(lower(q)))
  ],
  [
    "customers/search-crowd",
    "no more than the newest five hundred are searched",
    broken(CustomerStore, (store) => ({
      list: ({ limit, q, ...query }) =>
        q === undefined
          ? store.list({ ...query, q, limit })
          : Effect.map(
            store.list({ ...query, q: undefined, limit: 500 }),
            (rows) => rows.filter((row) => matches(parseSearch(q), toSearchTerms(row), [])).slice(0, limit)
          )
    }))
  ],
  [
    "customers/search-changed",
    "a guest is found by what they were",
    broken(CustomerStore, (store) => {
      const first = new Map<string, Customer>()
      return {
        put: (rows) => {
          for (const row of rows) first.set(row.id, first.get(row.id) ?? row)
          return store.put(rows)
        },
        list: ({ q = "", ...query }) =>
          Effect.map(
            store.list({ ...query, q: undefined }),
            (rows) => rows.filter((row) => matches(parseSearch(q), toSearchTerms(first.get(row.id) ?? row), []))
          )
      }
    })
  ]
]
