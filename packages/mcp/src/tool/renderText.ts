/**
 * Renders a result as text for clients that show only text: a single resource completely, and a list with one line per
 * row that ends with the ID. It is not a second copy of the data: a client that reads both pays for a list one and a
 * half times.
 *
 * Text from other people is quoted, so that a line break in it cannot start a line.
 */
import { type Data, isData } from "./compactResult.ts"

export const renderText = ({ data, note, now_local: now, timezone, ...rest }: Data): string => {
  const others = Object.entries(now === undefined ? { ...rest, timezone } : rest)
  const whole = words(Object.fromEntries(others.filter(([, value]) => !isRows(value))))
  const lists = [...(isRows(data) ? [["", data] as const] : []), ...others.filter(isList)]
  return [
    ...(whole === "" ? [] : [whole]),
    ...lists.flatMap(([name, rows]) => [
      ...(name === "" ? [] : [`${name}:`]),
      ...(rows.length === 0 ? ["none"] : rows.map((row) => `- ${isData(row) ? brief(row) : plain(row)}`))
    ]),
    ...(now === undefined ? [] : [`It is now ${text(now)} in ${text(timezone)}.`]),
    ...(note === undefined ? [] : [text(note)])
  ].join("\n")
}

const text = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

const isRows = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.some(isData)

const isList = (entry: readonly [string, unknown]): entry is [string, ReadonlyArray<unknown>] => isRows(entry[1])

/** Renders a row of a list: its time, its identifying fields, and its ID at the end. */
const brief = (row: Data): string => {
  const { id, offering, offering_id, session_id, starts_at } = row
  // A rendered text repeats its template.
  const isSaid = (name: string) => said.has(name) && !(name === "body" && "text" in row)
  const kept = Object.fromEntries(Object.entries(row).filter(([name]) => isSaid(name)))
  return [
    ...when(row),
    words({
      ...kept,
      ...(isData(offering) ? { offering: offering.name } : { offering_id }),
      ...guestOf(row),
      // A start time without an ID is booked by its session or its instant.
      ...(id !== undefined ? { id } : session_id !== undefined ? { session_id } : { starts_at })
    }),
    ...about(row).map(brief)
  ].filter((part) => part !== "").join(": ")
}

/** Returns the resource of an event, the content of a thread row, or the last message of a conversation. */
const about = ({ booking, data, event, last_message: last, message }: Data): ReadonlyArray<Data> =>
  [data, message, event === undefined ? undefined : booking, isData(last) ? { ...last, id: undefined } : undefined]
    .filter((one) => isData(one))

const when = (row: Data): ReadonlyArray<string> => {
  const { at_local: at, created_local: created, ends_local: ends, starts_local: starts, type } = row
  if (starts !== undefined) return [`${plain(starts)}${ends === undefined ? "" : ` to ${plain(ends)}`}`]
  const happened = type === undefined ? undefined : at ?? created
  return happened === undefined ? [] : [plain(happened)]
}

const said: ReadonlySet<string> = new Set([
  "type",
  "event",
  "automation",
  "dial",
  "status",
  "unread",
  "needs_reply",
  "direction",
  "title",
  "expires_local",
  "name",
  "kind",
  "active",
  "quantity",
  "remaining",
  "booked",
  "capacity",
  "duration_minutes",
  "price_cents",
  "total_cents",
  "reference",
  "weekday",
  "start_time",
  "end_time",
  "url",
  "last_status",
  "settings",
  "body",
  "text"
])

/** Merges what the guest wrote about themselves and about the booking. */
const guestOf = ({ customer, guest_wrote: wrote }: Data): Data => {
  const own = isData(customer) && isData(customer.guest_wrote) ? customer.guest_wrote : {}
  const all = { ...own, ...(isData(wrote) ? wrote : {}) }
  return Object.keys(all).length === 0 ? {} : { guest_wrote: all }
}

/** Formats the fields of an object as text. Text from guests is always quoted. */
export const words = (value: Data, say = plain): string =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) =>
      isData(inner)
        ? `${name} (${words(inner, name === "guest_wrote" ? JSON.stringify : say)})`
        : `${name} ${say(inner)}`
    )
    .join(", ")

/** Values that cannot be taken for other text are not quoted: numbers, IDs, times, codes, and most names. */
const plain = (value: unknown): string =>
  typeof value === "string" && /^[\w:.+-]+( [\w:.+-]+)*$/.test(value) ? value : JSON.stringify(value)
