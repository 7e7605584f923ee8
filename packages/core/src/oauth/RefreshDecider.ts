/**
 * The transitions of a refresh token. It is used once and returns a new one. But assistants run on many machines, which
 * can refresh concurrently. So it can be used up to ten times within 2 minutes of its first use. A later use means that
 * the token was leaked, and the grant is revoked.
 *
 * | state                        | Rotate by its client      |
 * |------------------------------|---------------------------|
 * | unused                       | new token                 |
 * | used less than 2 minutes ago | new token, up to 10 times |
 * | used before                  | the grant is revoked      |
 * | expired                      | refused                   |
 */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import { type GrantError, invalidGrant } from "./AuthorizationCodeDecider.ts"
import type { Token } from "./Grant.ts"

export interface RefreshCommand {
  readonly _tag: "Rotate"
  readonly now: Instant
  /** Whether the token was issued to this client. */
  readonly isOwn: boolean
}

export interface RefreshEvent {
  readonly _tag: "token.used"
  readonly at: Instant
}

export const refreshDecider: Decider<Token, RefreshCommand, RefreshEvent, { Rotate: GrantError }> = {
  decide: {
    Rotate: ({ expiresAt, rotatedAt, uses }, { isOwn, now }) => {
      if (!isOwn) return invalidGrant("refresh_token: belongs to another client")
      if (now >= expiresAt) return invalidGrant("refresh_token: has expired")
      if (rotatedAt !== null && now - rotatedAt >= graceMs) return invalidGrant("refresh_token: was already used", true)
      if (uses >= maxUses) return invalidGrant(`refresh_token: was already used ${maxUses} times`)
      return Either.right([{ _tag: "token.used", at: now }])
    }
  },
  evolve: (token, { at }) => ({ ...token, rotatedAt: token.rotatedAt ?? at, uses: token.uses + 1 })
}

const graceMs = 2 * 60_000

const maxUses = 10
