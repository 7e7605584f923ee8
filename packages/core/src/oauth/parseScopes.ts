import * as Either from "effect/Either"
import { type KeyScope, scopes } from "../actor/Actor.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"

/**
 * What an application asks to be allowed. Nothing said is reading and writing. Words that
 * are not known here are passed over, for clients add some of their own; when none is
 * known, it is refused.
 *
 * @category parsing
 */
export const parseRequestedScopes = (
  text: string | undefined
): Either.Either<ReadonlyArray<KeyScope>, OAuthRefusal> => {
  const words = (text ?? "").split(" ").filter((word) => word !== "")
  if (words.length === 0) return Either.right(["read", "write"])
  const known = scopes.filter((scope) => words.includes(scope))
  return known.length > 0 || words.every((word) => word === "offline_access")
    ? Either.right(known.length > 0 ? known : ["read", "write"])
    : Either.left(refuseOAuth("invalid_scope", `scope: must be some of ${scopes.join(", ")}`))
}
