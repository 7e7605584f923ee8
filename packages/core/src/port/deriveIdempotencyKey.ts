import type { Ids } from "./Ids.ts"

/** Derives an idempotency key from a text. The same text returns the same key, a version 8 UUID. */
export const deriveKey = ({ digest }: Pick<Ids["Type"], "digest">, text: string): string => {
  const hex = digest(text)
  const part = (from: number, to: number) => hex.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-8${part(12, 15)}-a${part(15, 18)}-${part(18, 30)}`
}

/**
 * Returns the key for the next request with the same text, after this request's result has ended. The text alone
 * cannot distinguish the two requests.
 */
export const nextDerivedKey = (ids: Pick<Ids["Type"], "digest">, orgId: string, key: string): string =>
  deriveKey(ids, `${orgId} ${key}`)
