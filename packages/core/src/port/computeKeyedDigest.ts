import type { Ids } from "./Ids.ts"

/**
 * Signs a string with a secret and returns lowercase hex. The secret is hashed in both an inner and an outer SHA-256,
 * which prevents length-extension attacks.
 */
export const computeKeyedDigest = ({ digest }: Pick<Ids["Type"], "digest">, secret: string, text: string): string =>
  digest(`${secret} ${digest(`${secret} ${text}`)}`)
