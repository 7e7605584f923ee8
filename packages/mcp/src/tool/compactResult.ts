/**
 * Removes fields that an assistant does not need, because every token that a model reads costs money. The removed
 * fields are the org ID, nulls and empty strings, repeated IDs, and the handle and QR code link of a guest's booking.
 * Rows in a list also omit their creation time and source, which a single resource includes.
 *
 * Text from guests appears only in `guest_wrote`, so that a model does not mistake it for instructions.
 */

export type UnknownRecord = { readonly [name: string]: unknown }

export const compactResult = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((row: unknown) => compactResult(isUnknownRecord(row) ? withoutOrigin(row) : row))
  }
  if (!isUnknownRecord(value)) return value
  const fields: Record<string, unknown> = {}
  const guestFields: Record<string, unknown> = {}
  const byGuest = writtenByThisGuest(value)
  for (const name of Object.keys(value)) {
    const inner = value[name]
    if (omittedFields.has(name) || isEmpty(inner) || isSaidWithin(value, name)) continue
    const compact = opaqueJsonFields.has(name) ? inner : compactResult(inner)
    // If the caller has no access to guest data, the guest object is empty and is omitted.
    if (isUnknownRecord(compact) && isEmpty(compact)) continue
    if (byGuest.includes(name)) guestFields[name] = compact
    else fields[name] = compact
  }
  return isEmpty(guestFields) ? fields : { ...fields, guest_wrote: guestFields }
}

/** Fields that are always omitted. The key implies the org ID, and the handle and QR code belong to the guest. */
export const omittedFields: ReadonlySet<string> = new Set(["org_id", "handle", "check_in_url"])

/** Fields that contain the outfitter's own JSON or tool schemas and are returned unchanged. */
export const opaqueJsonFields: ReadonlySet<string> = new Set(["metadata", "input_schema"])

/** Fields that are omitted from list rows. */
export const fieldsOmittedInLists: ReadonlySet<string> = new Set(["created_at", "source"])

/**
 * Returns the fields of a resource that its guest may have written. Notes about a guest are excluded, because the
 * outfitter writes them. For a question asked before booking, the conversation and its messages contain the name and
 * email that the guest gave.
 */
export const listGuestFields = (fields: object): ReadonlyArray<string> => {
  if ("email" in fields) return ["name", "email", "phone"]
  if ("direction" in fields || "from_email" in fields) return ["from_name", "from_email"]
  return "reference" in fields ? ["notes"] : []
}

/** Returns the fields of a message that its author wrote, whether that is the guest or the outfitter. */
export const listAuthorFields = (fields: object): ReadonlyArray<string> =>
  "direction" in fields ? ["body", "attachments"] : []

const writtenByThisGuest = (value: UnknownRecord): ReadonlyArray<string> =>
  value.direction === "to_outfitter" ? [...listGuestFields(value), ...listAuthorFields(value)] : listGuestFields(value)

export const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (isUnknownRecord(value) && Object.keys(value).length === 0)

/** Whether a nested object merely repeats the ID, such as `offering_id` next to an `offering` with the same ID. */
const isSaidWithin = (of: UnknownRecord, name: string): boolean => {
  const inner = name.endsWith("_id") ? of[name.slice(0, -"_id".length)] : undefined
  return isUnknownRecord(inner) && inner.id === of[name]
}

/** Omits a row's creation time and source. Events and messages keep both. */
const withoutOrigin = (row: UnknownRecord): UnknownRecord =>
  "type" in row || "direction" in row
    ? row
    : Object.fromEntries(Object.entries(row).filter(([name]) => !fieldsOmittedInLists.has(name)))
