import type { Ids } from "../port/Ids.ts"

/**
 * Tells one request from another by what was read and not by its bytes: spaces, the
 * order of fields and the spelling of an instant do not matter. Whoever gives what
 * goes without saying gives the defaults too, so that it does not matter whether
 * somebody says them.
 */
export const fingerprint = ({ digest }: Pick<Ids["Type"], "digest">, request: object): string =>
  digest(JSON.stringify(inOrder(request)))

const inOrder = (record: object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1).map(([name, value]) => [name, sorted(value)])

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  return typeof value === "object" && value !== null ? Object.fromEntries(inOrder(value)) : value
}
