import type { Ids } from "./Ids.ts"

/** Derives an idempotency key, a version 8 UUID, from a string. The same string always produces the same key. */
export const deriveKey = ({ digest }: Pick<Ids["Type"], "digest">, text: string): string => {
  const hex = digest(text)
  const slice = (from: number, to: number) => hex.slice(from, to)
  return `${slice(0, 8)}-${slice(8, 12)}-8${slice(12, 15)}-a${slice(15, 18)}-${slice(18, 30)}`
}

/**
 * Returns the key for the next request with the same text, once the result of this request has been canceled or
 * deleted. The text alone cannot distinguish the two requests.
 */
export const nextDerivedKey = (ids: Pick<Ids["Type"], "digest">, orgId: string, key: string): string =>
  deriveKey(ids, `${orgId} ${key}`)
