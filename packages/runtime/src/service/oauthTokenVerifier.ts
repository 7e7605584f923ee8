import { Grants, isAccessToken } from "@trailbook/core/oauth"
import type { MountTokenVerifier } from "@trailbook/http/Mount"
import * as Effect from "effect/Effect"

/** Verifies the access tokens of OAuth clients. */
export const oauthTokenVerifier: Effect.Effect<MountTokenVerifier, never, Grants> = Effect.map(
  Grants,
  ({ verify }) => ({
    isToken: isAccessToken,
    verify: (text) => Effect.map(verify(text), (actor) => ({ id: `grant.${actor.grantId}`, actor }))
  })
)
