/** Storage adapters that each break one law about grants. */
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import type { Storage } from "@trailbook/core/storage"
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
    "grants/found",
    "stores a withdrawn grant as approved",
    breakPort(GrantStore, ({ isApproved, put }) => ({
      put: (grant) => put({ ...grant, withdrawnAt: null }),
      isApproved
    }))
  ],
  [
    "grants/put",
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
  [
    "grants/remove-over",
    "removes no codes or tokens",
    breakPort(GrantStore, () => ({ removeExpired: () => Effect.void }))
  ],
  [
    "constraints/grant",
    "accepts tokens that have no grant",
    breakPort(GrantStore, ({ putToken }) => ({ putToken: swallowFailures(putToken) }))
  ],
  [
    "constraints/grant",
    "accepts codes that have no grant",
    breakPort(GrantStore, ({ putCode }) => ({ putCode: swallowFailures(putCode) }))
  ]
]
