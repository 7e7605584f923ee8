/**
 * The transitions of an authorization code: it is redeemed once, within a minute, by the client it was issued to, with
 * the same redirect URI and a matching code verifier.
 *
 * If a code is used twice, it was leaked, and the legitimate client is unknown. The grant is revoked with all of its
 * tokens.
 */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import type { Instant } from "../time/Instant.ts"
import type { Code } from "./Grant.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"

export interface CodeCommand {
  readonly _tag: "Redeem"
  readonly now: Instant
  readonly clientId: string
  readonly redirectUri: string | undefined
  /** The challenge that is derived from the received verifier. */
  readonly challenge: string
}

export interface CodeEvent {
  readonly _tag: "code.spent"
  readonly at: Instant
}

/** The error, and whether the grant is revoked. */
export interface GrantError {
  readonly refusal: OAuthRefusal
  readonly withdraws: boolean
}

export const authorizationCodeDecider: Decider<Code, CodeCommand, CodeEvent, { Redeem: GrantError }> = {
  decide: {
    Redeem: (code, { challenge, clientId, now, redirectUri }) => {
      if (code.spentAt !== null) return invalidGrant("code: was already redeemed", true)
      if (now >= code.expiresAt) return invalidGrant("code: expired after 1 minute")
      if (clientId !== code.clientId) return invalidGrant("code: belongs to another client")
      if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
        return invalidGrant("redirect_uri: must match the authorization request")
      }
      if (challenge !== code.challenge) return invalidGrant("code_verifier: does not match the code_challenge")
      return Either.right([{ _tag: "code.spent", at: now }])
    }
  },
  evolve: (code, { at }) => ({ ...code, spentAt: at })
}

/** The code or token is not valid. */
export const invalidGrant = (message: string, withdraws = false): Either.Either<never, GrantError> =>
  Either.left({ refusal: refuseOAuth("invalid_grant", message), withdraws })
