/**
 * What may happen to a code: it is redeemed once, within its minute, by the application
 * it was made for, from where it was sent to, and with the proof that was announced.
 *
 * A code that comes a second time has been seen by two, and nobody knows which of them
 * was meant: the grant is withdrawn, and with it every token that was made of it.
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
  /** What the verifier that came with it was announced as. */
  readonly challenge: string
}

export interface CodeEvent {
  readonly _tag: "code.spent"
  readonly at: Instant
}

/**
 * Why not, and whether the grant ends with it.
 *
 * @category models
 */
export interface GrantError {
  readonly refusal: OAuthRefusal
  readonly withdraws: boolean
}

/**
 * @category deciding
 */
export const authorizationCodeDecider: Decider<Code, CodeCommand, CodeEvent, { Redeem: GrantError }> = {
  decide: {
    Redeem: (code, { challenge, clientId, now, redirectUri }) => {
      if (code.spentAt !== null) return invalidGrant("code: was redeemed already", true)
      if (now >= code.expiresAt) return invalidGrant("code: is older than a minute")
      if (clientId !== code.clientId) return invalidGrant("code: is not this client's")
      if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
        return invalidGrant("redirect_uri: is not the one that the code was sent to")
      }
      if (challenge !== code.challenge) return invalidGrant("code_verifier: does not match the code_challenge")
      return Either.right([{ _tag: "code.spent", at: now }])
    }
  },
  evolve: (code, { at }) => ({ ...code, spentAt: at })
}

/**
 * What is shown is good for nothing.
 *
 * @category constructors
 */
export const invalidGrant = (message: string, withdraws = false): Either.Either<never, GrantError> =>
  Either.left({ refusal: refuseOAuth("invalid_grant", message), withdraws })
