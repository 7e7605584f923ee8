/** For each law of grants, a storage that breaks it. */
import { GrantStore } from "@trailbook/core/oauth/GrantStore"
import { OAuthClientStore } from "@trailbook/core/oauth/OAuthClientStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { broken, swallowed } from "./broken.ts"

export const applicationControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "applications/put",
    "an application that is known stays as it was",
    broken(OAuthClientStore, ({ find, put }) => ({
      put: (row) => Effect.flatMap(find(row.clientId), (known) => Option.isSome(known) ? Effect.void : put(row))
    }))
  ],
  [
    "applications/unused",
    "all of them are removed at once",
    broken(OAuthClientStore, ({ removeUnused }) => ({ removeUnused: (before) => removeUnused(before, 100) }))
  ],
  [
    "grants/found",
    "one that was withdrawn is approved",
    broken(GrantStore, ({ isApproved, put }) => ({
      put: (grant) => put({ ...grant, withdrawnAt: null }),
      isApproved
    }))
  ],
  [
    "grants/put",
    "that a code is spent is not stored",
    broken(GrantStore, ({ putCode }) => ({ putCode: (code) => putCode({ ...code, spentAt: null }) }))
  ],
  [
    "grants/touch",
    "a grant that is used is no longer withdrawn",
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
  ["grants/remove-over", "nothing is removed", broken(GrantStore, () => ({ removeOver: () => Effect.void }))],
  [
    "constraints/grant",
    "tokens refer to nothing",
    broken(GrantStore, ({ putToken }) => ({ putToken: swallowed(putToken) }))
  ],
  [
    "constraints/grant",
    "codes refer to nothing",
    broken(GrantStore, ({ putCode }) => ({ putCode: swallowed(putCode) }))
  ]
]
