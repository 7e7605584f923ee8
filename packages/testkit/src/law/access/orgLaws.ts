import { type ApiKey, scopes } from "@trailbook/core/actor"
import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "../../generator/moment.ts"
import { org } from "../../generator/org.ts"
import { text } from "../../generator/text.ts"
import { lawForAll } from "../Law.ts"
import { incrementCreatedAt, makeChange, makeLock, readByKey, readList } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import { assertAscending, assertSameRows, sortOldestFirst } from "../rowAssertions.ts"
import { newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const listOrgs = Effect.flatMap(OrgStore, ({ all }) => all)

export const orgLaws = [
  ...makeRowLaws<Org>({
    key: "orgs",
    name: "an org",
    row: org,
    identify: (row, _, id) => ({ ...row, id, slug: `town-${newId()}` }),
    idScope: "service",
    put: Effect.forEach(Store.orgs.put),
    reads: {
      find: readByKey(Store.orgs.find, ({ id }) => id),
      findBySlug: readByKey(Store.orgs.findBySlug, ({ slug }) => slug)
    },
    locks: { lock: makeLock("locks/org", readByKey(Store.orgs.lock, ({ id }) => id), incrementCreatedAt) },
    references: [],
    uniqueKeys: [{ name: "slug", rejectedIn: "service", toFields: ({ slug }) => ({ slug }) }]
  }),

  lawForAll(
    "orgs/all",
    "lists each org once, oldest first",
    FastCheck.array(FastCheck.tuple(org, moment), { maxLength: 8 }),
    function*(orgs) {
      const before = yield* listOrgs
      const addedOrgs = orgs.map(([org, createdAt]) => ({ ...org, createdAt, id: newId(), slug: newId() }))
      yield* Effect.forEach(addedOrgs, Store.orgs.put)
      const all = yield* listOrgs
      assertSameRows(all, [...before, ...addedOrgs])
      assertAscending(all.map(({ createdAt }) => createdAt))
    },
    () => 3
  )
]

export const apiKey: FastCheck.Arbitrary<ApiKey> = FastCheck.record({
  id: FastCheck.constant(""),
  orgId: FastCheck.constant(""),
  name: text(80),
  mode: FastCheck.constantFrom("live" as const, "test" as const),
  digest: FastCheck.hexaString({ minLength: 64, maxLength: 64 }),
  last4: FastCheck.constantFrom("aAzZ", "0123", "AZ09"),
  scopes: FastCheck.uniqueArray(FastCheck.constantFrom(...scopes)),
  createdAt: moment,
  expiresAt: momentOrNull,
  revokedAt: momentOrNull,
  lastUsedAt: momentOrNull
})

export const apiKeyLaws = makeRowLaws<ApiKey>({
  key: "api-keys",
  name: "an API key",
  row: apiKey,
  // API key IDs have 12 characters and are case-sensitive.
  identify: (row, orgId, id) => ({ ...row, orgId, id: `K${id.slice(-11)}` }),
  idScope: "service",
  put: Effect.forEach(Store.apiKeys.put),
  reads: {
    find: readByKey(Store.apiKeys.find, ({ id }) => id),
    list: readList(Store.apiKeys.list, sortOldestFirst)
  },
  changes: {
    touch: makeChange({
      title: "updates only a key's last-used time, and ignores an unknown key",
      input: moment,
      apply: ({ id }, at) => Store.apiKeys.touch(id, at),
      update: (row, { id }, at) => row.id === id ? { lastUsedAt: at } : {}
    })
  }
})
