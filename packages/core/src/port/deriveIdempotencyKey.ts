import type { Ids } from "./Ids.ts"

/**
 * A key that is made of a text: the same for the same text, whoever makes it. It is
 * a UUID of version 8.
 *
 * @category constructors
 */
export const deriveKey = ({ digest }: Pick<Ids["Type"], "digest">, text: string): string => {
  const hex = digest(text)
  const part = (from: number, to: number) => hex.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-8${part(12, 15)}-a${part(15, 18)}-${part(18, 30)}`
}

/**
 * The key for the next request in the same words, when what was made under this one
 * has ended. The words alone cannot tell the two requests apart; how often it has
 * ended can.
 *
 * @category constructors
 */
export const nextDerivedKey = (ids: Pick<Ids["Type"], "digest">, orgId: string, key: string): string =>
  deriveKey(ids, `${orgId} ${key}`)
