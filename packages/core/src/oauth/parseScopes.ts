import * as Either from "effect/Either"
import { type KeyScope, scopes } from "../actor/Actor.ts"
import { type OAuthRefusal, refuseOAuth } from "./OAuthRefusal.ts"

/**
 * Parses the requested scopes. The default is to read and write. Unknown scopes are ignored, because clients add their
 * own. A request with only unknown scopes is rejected.
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
