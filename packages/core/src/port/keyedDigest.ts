import type { Ids } from "./Ids.ts"

/**
 * Signs a string with a secret and returns lowercase hex. The secret goes into an inner and an outer SHA-256 hash,
 * which prevents length extension.
 */
export const keyedDigest = ({ digest }: Pick<Ids["Type"], "digest">, secret: string, text: string): string =>
  digest(`${secret} ${digest(`${secret} ${text}`)}`)
