import type { Actor } from "../actor/Actor.ts"
import { isAssistant } from "../actor/attribution.ts"
import { deriveKey } from "../port/deriveIdempotencyKey.ts"
import type { KeyedRequest } from "../port/idempotent.ts"
import type { Ids } from "../port/Ids.ts"
import { fingerprint } from "./fingerprint.ts"

/**
 * Returns a request with its idempotency key. If an assistant sends no key, the key is derived from the request.
 * Assistants lose responses and retry, often without the key that they should reuse. For any other client without a
 * key, returns `undefined`, so each request is executed.
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
  const base = { orgId, operation, fingerprint: print }
  if (key !== undefined) return { ...base, key, derived: false }
  return isAssistant(actor) ? { ...base, key: deriveKey(ids, `${orgId} ${print}`), derived: true } : undefined
}
