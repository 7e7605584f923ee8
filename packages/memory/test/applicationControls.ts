/** Storage adapters that each break one law about grants. */
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken, swallowed } from "./brokenStorage.ts"

export const applicationControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "applications/put",
    "does not replace an existing application",
    broken(OAuthClientStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find(row.clientId), (existing) => Option.isSome(existing) ? Effect.void : put(row))
    }))
  ],
  [
    "applications/unused",
    "ignores the limit when it removes applications",
    broken(OAuthClientStore, ({ removeUnused }) => ({ removeUnused: (before) => removeUnused(before, 100) }))
  ],
  [
    "grants/found",
    "stores a withdrawn grant as approved",
    broken(GrantStore, ({ isApproved, put }) => ({
      put: (grant) => put({ ...grant, withdrawnAt: null }),
      isApproved
    }))
  ],
  [
    "grants/put",
    "does not store that a code was used",
    broken(GrantStore, ({ putCode }) => ({ putCode: (code) => putCode({ ...code, spentAt: null }) }))
  ],
  [
    "grants/touch",
    "restores a withdrawn grant when it is used",
    broken(GrantStore, ({ lock, put }) => ({
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
  ["grants/remove-over", "removes no codes or tokens", broken(GrantStore, () => ({ removeOver: () => Effect.void }))],
  [
    "constraints/grant",
    "accepts tokens that have no grant",
    broken(GrantStore, ({ putToken }) => ({ putToken: swallowed(putToken) }))
  ],
  [
    "constraints/grant",
    "accepts codes that have no grant",
    broken(GrantStore, ({ putCode }) => ({ putCode: swallowed(putCode) }))
  ]
]
