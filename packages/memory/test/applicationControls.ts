/** Storage adapters that each break one law about grants. */
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, swallowFailures } from "./brokenStorage.ts"

export const applicationControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "applications/put",
    "does not replace an existing application",
    breakPort(OAuthClientStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find(row.clientId), (existing) => Option.isSome(existing) ? Effect.void : put(row))
    }))
  ],
  [
    "applications/unused",
    "ignores the limit when it removes applications",
    breakPort(OAuthClientStore, ({ removeUnused }) => ({ removeUnused: (before) => removeUnused(before, 100) }))
  ],
  [
    "grants/rows",
    "stores a withdrawn grant as approved",
    breakPort(GrantStore, ({ isApproved, put }) => ({
      put: (grant) => put({ ...grant, withdrawnAt: null }),
      isApproved
    }))
  ],
  [
    "codes/put",
    "does not store that a code was used",
    breakPort(GrantStore, ({ putCode }) => ({ putCode: (code) => putCode({ ...code, spentAt: null }) }))
  ],
  [
    "grants/touch",
    "restores a withdrawn grant when it is used",
    breakPort(GrantStore, ({ lock, put }) => ({
      touch: (key, lastUsedAt) =>
        Effect.flatMap(
          lock(key),
          Option.match({
            onNone: () => Effect.void,
            onSome: (grant) => put({ ...grant, lastUsedAt, withdrawnAt: null })
          })
        )
    }))
  ],
  ...["codes", "tokens"].map((rows) =>
    [
      `${rows}/remove-over`,
      "removes no codes or tokens",
      breakPort(GrantStore, () => ({ removeExpired: () => Effect.void }))
    ] as const
  ),
  ...["grants/put", "grants/approved"].map((law) =>
    [
      law,
      "does not store that a grant was withdrawn",
      breakPort(GrantStore, ({ put }) => ({ put: (grant) => put({ ...grant, withdrawnAt: null }) }))
    ] as const
  ),
  [
    "grants/approved",
    "returns a token with the grant of another org",
    breakPort(GrantStore, ({ findToken, list, put }) => {
      const orgIds = new Set<string>()
      return {
        put: (grant) => Effect.zipRight(Effect.sync(() => orgIds.add(grant.orgId)), put(grant)),
        findToken: (digest) =>
          Effect.gen(function*() {
            const found = yield* findToken(digest)
            const grants = (yield* Effect.forEach(orgIds, list)).flat()
            return Option.map(found, ({ grant, token }) => ({
              token,
              grant: grants.find(({ id }) => id === grant.id) ?? grant
            }))
          })
      }
    })
  ],
  [
    "codes/rows",
    "returns a code that was used",
    breakPort(GrantStore, ({ lockCode }) => ({
      lockCode: (digest) => Effect.map(lockCode(digest), Option.map((code) => ({ ...code, spentAt: null })))
    }))
  ],
  [
    "tokens/rows",
    "returns every token as unused",
    breakPort(GrantStore, ({ findToken }) => ({
      findToken: (digest) =>
        Effect.map(findToken(digest), Option.map(({ grant, token }) => ({ grant, token: { ...token, uses: 0 } })))
    }))
  ],
  [
    "tokens/put",
    "does not store that a token was rotated",
    breakPort(GrantStore, ({ putToken }) => ({ putToken: (token) => putToken({ ...token, rotatedAt: null }) }))
  ],
  [
    "applications/rows",
    "finds a default client for an unknown ID",
    breakPort(OAuthClientStore, ({ find }) => ({
      find: (clientId) =>
        Effect.map(find(clientId), (client) =>
          Option.orElseSome(client, () => ({
            clientId,
            name: "",
            redirectUris: [],
            createdAt: Instant.min,
            readAt: Instant.min
          })))
    }))
  ],
  [
    "constraints/grants",
    "accepts grants that have no org",
    breakPort(GrantStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/tokens",
    "accepts tokens that have no grant",
    breakPort(GrantStore, ({ putToken }) => ({ putToken: swallowFailures(putToken) }))
  ],
  [
    "constraints/codes",
    "accepts codes that have no grant",
    breakPort(GrantStore, ({ putCode }) => ({ putCode: swallowFailures(putCode) }))
  ]
]
