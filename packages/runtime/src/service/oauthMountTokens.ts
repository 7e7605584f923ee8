import { Grants, isAccessToken } from "@trailbook/core/oauth"
import type { MountTokens } from "@trailbook/http/Mount"
import * as Effect from "effect/Effect"

/** Verifies the access tokens of OAuth clients. */
export const oauthMountTokens: Effect.Effect<MountTokens, never, Grants> = Effect.map(Grants, ({ verify }) => ({
  isToken: isAccessToken,
  verify: (text) => Effect.map(verify(text), (actor) => ({ id: `grant.${actor.grantId}`, actor }))
}))
