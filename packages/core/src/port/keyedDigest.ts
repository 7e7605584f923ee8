import type { Ids } from "./Ids.ts"

/**
 * Signs a text with a secret: SHA-256 with the secret in an inner and an outer hash, to prevent length extension.
 * Lowercase hex.
 */
export const keyedDigest = ({ digest }: Pick<Ids["Type"], "digest">, secret: string, text: string): string =>
  digest(`${secret} ${digest(`${secret} ${text}`)}`)
