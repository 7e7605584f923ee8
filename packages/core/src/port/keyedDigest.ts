import type { Ids } from "./Ids.ts"

/**
 * Signs a text with a secret: SHA-256 keyed from both sides, so that a digest cannot be extended. Lowercase hex.
 *
 * @category constructors
 */
export const keyedDigest = ({ digest }: Pick<Ids["Type"], "digest">, secret: string, text: string): string =>
  digest(`${secret} ${digest(`${secret} ${text}`)}`)
