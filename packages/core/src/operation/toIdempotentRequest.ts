import { type Actor, isAssistant } from "../actor/Actor.ts"
import { deriveIdempotencyKey, type IdempotentRequest } from "../port/idempotency.ts"
import type { Ids } from "../port/Ids.ts"

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
): IdempotentRequest | undefined => {
  const { orgId } = actor
  const print = computeFingerprint(ids, request)
  const base = { orgId, operation, fingerprint: print }
  if (key !== undefined) return { ...base, key, derived: false }
  return isAssistant(actor)
    ? { ...base, key: deriveIdempotencyKey(ids, `${orgId} ${print}`), derived: true }
    : undefined
}

/**
 * Computes a digest of the decoded request, so whitespace, field order, and instant formats do not affect it. The
 * caller must fill in defaults first, so that an explicit default and an omitted field have the same digest.
 */
export const computeFingerprint = ({ digest }: Pick<Ids["Type"], "digest">, request: object): string =>
  digest(JSON.stringify(inOrder(request)))

const inOrder = (record: object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1).map(([name, value]) => [name, sortKeys(value)])

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  return typeof value === "object" && value !== null ? Object.fromEntries(inOrder(value)) : value
}
