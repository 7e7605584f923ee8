/**
 * What may happen to a refresh token. It is good once, and gives another. But assistants
 * are hosted on many machines, and several of them refresh at once: so for two minutes
 * after its first use it is good again, ten times in all. Whoever comes with it later has
 * it from somewhere else, and the grant is withdrawn.
 *
 * | state                        | Rotate by its client |
 * |------------------------------|----------------------|
 * | unused                       | another              |
 * | used less than 2 minutes ago | another, up to ten   |
 * | used before                  | the grant ends       |
 * | run out                      | refused              |
 */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import { type GrantError, invalidGrant } from "./AuthorizationCodeDecider.ts"
import type { Token } from "./Grant.ts"

export interface RefreshCommand {
  readonly _tag: "Rotate"
  readonly now: Instant
  /** Whether it is the application that the token was made for. */
  readonly isOwn: boolean
}

export interface RefreshEvent {
  readonly _tag: "token.used"
  readonly at: Instant
}

/**
 * @category deciding
 */
export const refreshDecider: Decider<Token, RefreshCommand, RefreshEvent, { Rotate: GrantError }> = {
  decide: {
    Rotate: ({ expiresAt, rotatedAt, uses }, { isOwn, now }) => {
      if (!isOwn) return invalidGrant("refresh_token: is not this client's")
      if (now >= expiresAt) return invalidGrant("refresh_token: has run out")
      if (rotatedAt !== null && now - rotatedAt >= graceMs) return invalidGrant("refresh_token: was used already", true)
      if (uses >= maxUses) return invalidGrant(`refresh_token: was used ${maxUses} times already`)
      return Either.right([{ _tag: "token.used", at: now }])
    }
  },
  evolve: (token, { at }) => ({ ...token, rotatedAt: token.rotatedAt ?? at, uses: token.uses + 1 })
}

const graceMs = 2 * 60_000

const maxUses = 10
