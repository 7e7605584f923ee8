import type { Ids } from "../port/Ids.ts"

/**
 * Computes a digest of the decoded request, so that whitespace, field order, and the format of instants do not matter.
 * The caller must fill in defaults first, so that an explicit default and an omitted field have the same digest.
 */
export const fingerprint = ({ digest }: Pick<Ids["Type"], "digest">, request: object): string =>
  digest(JSON.stringify(inOrder(request)))

const inOrder = (record: object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1).map(([name, value]) => [name, sortKeys(value)])

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  return typeof value === "object" && value !== null ? Object.fromEntries(inOrder(value)) : value
}
