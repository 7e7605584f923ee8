/**
 * Renders a result as text, for clients that show only text. A single resource is rendered in full. A list has one line
 * per row, and each line ends with the row's ID. Each line contains every fact in the data, except the IDs of related
 * resources and instants that have local times.
 *
 * Text from other people is quoted, so that its line breaks cannot start new lines.
 */
import { isUnknownRecord, type UnknownRecord } from "./compactResult.ts"

export const renderText = (result: UnknownRecord): string => {
  const { data, note, now_local: now, timezone } = result
  const isPage = Array.isArray(data)
  const names = Object.keys(result).filter((name) => !namesAtEnd.has(name))
  if (now === undefined) names.push("timezone")
  if (!isPage) names.push("data")
  const summary = formatFields(result, formatValue, names.filter((name) => !isRows(result[name])))
  const lists = [
    ...(isPage && isRows(data) ? [["", data] as const] : []),
    ...names.map((name) => [name, result[name]] as const).filter(isList)
  ]
  return [
    ...(summary === "" ? [] : [summary]),
    ...lists.flatMap(([name, rows]) => [
      ...(name === "" ? [] : [`${name}:`]),
      ...(rows.length === 0
        ? ["none"]
        : rows.map((row) => `- ${isUnknownRecord(row) ? renderRow(row) : formatValue(row)}`))
    ]),
    ...(now === undefined ? [] : [`It is now ${toText(now)} in ${toText(timezone)}.`]),
    ...(note === undefined ? [] : [toText(note)])
  ].join("\n")
}

/** Fields that are rendered after the others. */
const namesAtEnd: ReadonlySet<string> = new Set(["data", "note", "now_local", "timezone"])

const toText = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

const isRows = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.some(isUnknownRecord)

const isList = (entry: readonly [string, unknown]): entry is [string, ReadonlyArray<unknown>] => isRows(entry[1])

/** Renders a row in a list. The line contains the time, the fields, and, at the end, the ID that selects the row. */
const renderRow = (row: UnknownRecord): string => {
  const { id, offering, session_id, starts_at, starts_local } = row
  const time = formatTime(row)
  // A start time has no ID, so it is booked by its session ID or instant.
  const idField = id !== undefined ? { id } : session_id !== undefined ? { session_id } : { starts_at }
  const nestedFields = findNested(row)
  const entries = Object.entries(row).filter(([name, value]) =>
    !Object.hasOwn(idField, name) && !(separateFields.has(name) && isUnknownRecord(value)) &&
    !time.fields.includes(name) &&
    !nestedFields.some(([at]) => at === name) &&
    !(id !== undefined && relatedIdFields.has(name)) && !(name === "starts_at" && starts_local !== undefined) &&
    // Omit the template, because the rendered text repeats it.
    !(name === "body" && "text" in row)
  )
  return [
    ...time.text,
    formatFields({
      ...Object.fromEntries(entries),
      ...(isUnknownRecord(offering) ? { offering: offering.name } : {}),
      ...mergeGuestText(row),
      ...idField
    }),
    ...nestedFields.map(([, inner]) => renderRow(inner))
  ].filter((part) => part !== "").join(": ")
}

/** Fields that are rendered separately. */
const separateFields: ReadonlySet<string> = new Set(["customer", "guest_wrote", "offering"])

/** Related IDs to omit, because every tool needs only the row's own ID. */
const relatedIdFields: ReadonlySet<string> = new Set([
  "conversation_id",
  "customer_id",
  "payment_intent_id",
  "session_id"
])

/** Returns an event's resource, a thread row's content, or a conversation's last message. */
const findNested = (
  { booking, data, event, last_message: last, message }: UnknownRecord
): ReadonlyArray<readonly [string, UnknownRecord]> =>
  Object.entries({
    data,
    message,
    booking: event === undefined ? undefined : booking,
    last_message: isUnknownRecord(last) ? { ...last, id: undefined } : undefined
  }).flatMap(([name, inner]) => isUnknownRecord(inner) ? [[name, inner] as const] : [])

/** Returns the time shown at the start of a row, and the fields that it replaces. */
const formatTime = (
  { at_local: at, created_local: createdAt, ends_local: ends, starts_local: starts, type }: UnknownRecord
): { readonly text: ReadonlyArray<string>; readonly fields: ReadonlyArray<string> } => {
  if (starts !== undefined) {
    return {
      text: [`${formatValue(starts)}${ends === undefined ? "" : ` to ${formatValue(ends)}`}`],
      fields: ["starts_local", "ends_local"]
    }
  }
  const time = type === undefined ? undefined : at ?? createdAt
  return time === undefined
    ? { text: [], fields: [] }
    : { text: [formatValue(time)], fields: [at === undefined ? "created_local" : "at_local"] }
}

/** Merges the text that guests wrote about themselves with the text that they wrote about the booking. */
const mergeGuestText = ({ customer, guest_wrote: guestText }: UnknownRecord): UnknownRecord => {
  const customerText = isUnknownRecord(customer) && isUnknownRecord(customer.guest_wrote) ? customer.guest_wrote : {}
  const texts = { ...customerText, ...(isUnknownRecord(guestText) ? guestText : {}) }
  return Object.keys(texts).length === 0 ? {} : { guest_wrote: texts }
}

/** Formats an object's fields, or only those with the given names, as text. Text from guests is always quoted. */
export const formatFields = (
  fields: UnknownRecord,
  format = formatValue,
  names: ReadonlyArray<string> = Object.keys(fields)
): string => {
  let text = ""
  for (const name of names) {
    const value = fields[name]
    if (value === undefined) continue
    const formatted = isUnknownRecord(value)
      ? `(${formatFields(value, name === "guest_wrote" ? JSON.stringify : format)})`
      : format(value)
    text += `${text === "" ? "" : ", "}${name} ${formatted}`
  }
  return text
}

/**
 * Formats a value. Numbers, IDs, times, codes, and most names are not quoted, because they cannot be mistaken for other
 * text.
 */
const formatValue = (value: unknown): string =>
  typeof value === "string" && /^[\w:.+-]+( [\w:.+-]+)*$/.test(value) ? value : JSON.stringify(value)
