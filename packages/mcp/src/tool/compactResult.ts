/**
 * An answer without what tells an assistant nothing, because all of it is read
 * by a model at a price: no outfitter's id, no nulls and empty texts, no id
 * twice, no address of a guest's own page. In the rows of a list also nothing
 * about when and where they were made; the one resource has that.
 *
 * What a guest may have written stands under `guest_wrote` and nowhere else, so
 * that it is not taken for anybody's order.
 */

export type Data = { readonly [name: string]: unknown }

export const compactResult = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((row: unknown) => compactResult(isData(row) ? withoutOrigin(row) : row))
  if (!isData(value)) return value
  const kept: Record<string, unknown> = {}
  const wrote: Record<string, unknown> = {}
  const byGuest = writtenByThisGuest(value)
  for (const [name, inner] of Object.entries(value)) {
    if (alwaysOmitted.has(name) || isEmpty(inner) || isSaidWithin(value, name)) continue
    const told = opaqueJsonFields.has(name) ? inner : compactResult(inner)
    // Without access to guest data nothing is left of a guest.
    if (isData(told) && isEmpty(told)) continue
    if (byGuest.includes(name)) wrote[name] = told
    else kept[name] = told
  }
  return isEmpty(wrote) ? kept : { ...kept, guest_wrote: wrote }
}

/**
 * Never told: whose it is, which the key says, and the address part of the
 * guest's own page, which is theirs.
 */
export const alwaysOmitted: ReadonlySet<string> = new Set(["org_id", "handle"])

/** JSON of the outfitter's own, which is told as it is. */
export const opaqueJsonFields: ReadonlySet<string> = new Set(["metadata"])

/** Left out of the rows of a list. */
export const omittedInLists: ReadonlySet<string> = new Set(["created_at", "source"])

/**
 * Which fields of a resource its guest may have written; the notes about a guest
 * are the outfitter's. What a question before booking gave stands in its conversation
 * and in its messages.
 */
export const writtenByGuests = (fields: object): ReadonlyArray<string> => {
  if ("email" in fields) return ["name", "email", "phone"]
  if ("direction" in fields || "from_email" in fields) return ["from_name", "from_email"]
  return "reference" in fields ? ["notes"] : []
}

/** Which fields of a message its writer wrote: the guest or the outfitter. */
export const writtenByEither = (fields: object): ReadonlyArray<string> =>
  "direction" in fields ? ["body", "attachments"] : []

const writtenByThisGuest = (value: Data): ReadonlyArray<string> =>
  value.direction === "to_outfitter" ? [...writtenByGuests(value), ...writtenByEither(value)] : writtenByGuests(value)

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (isData(value) && Object.keys(value).length === 0)

/** `offering_id` beside an `offering` with this id. */
const isSaidWithin = (of: Data, name: string): boolean => {
  const inner = name.endsWith("_id") ? of[name.slice(0, -"_id".length)] : undefined
  return isData(inner) && inner.id === of[name]
}

/** An event is little more than when it happened. */
const withoutOrigin = (row: Data): Data =>
  "type" in row ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !omittedInLists.has(name)))
