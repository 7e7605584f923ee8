import type { Actor } from "../actor/Actor.ts"
import { isAssistant } from "../actor/attribution.ts"
import { deriveKey } from "../port/deriveIdempotencyKey.ts"
import type { KeyedRequest } from "../port/idempotent.ts"
import type { Ids } from "../port/Ids.ts"
import { fingerprint } from "./fingerprint.ts"

/**
 * A request with its key. Without a key of its caller an assistant's has the key
 * of its words: assistants lose answers and ask again, often without the key they
 * were told to reuse. A program that gives none wants it made each time.
 */
export const toIdempotentRequest = (
  ids: Pick<Ids["Type"], "digest">,
  actor: Actor["Type"],
  operation: string,
  key: string | undefined,
  request: object
): KeyedRequest | undefined => {
  const { orgId } = actor
  const print = fingerprint(ids, request)
  const keyed = { orgId, operation, fingerprint: print }
  if (key !== undefined) return { ...keyed, key, derived: false }
  return isAssistant(actor) ? { ...keyed, key: deriveKey(ids, `${orgId} ${print}`), derived: true } : undefined
}
