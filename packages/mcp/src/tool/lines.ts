/**
 * An answer in words, for clients that show nothing but text: of one thing all
 * that is told of it, of a list a line for each row with what it is chosen by
 * and the id to go on with. It is no second copy of the data: who reads both
 * pays for a list once and a half, not twice.
 *
 * Texts of others stand in quotes, so that a line break in one begins no line.
 *
 * @since 0.1.0
 */
import { type Data, isData } from "./compact.ts"

/**
 * @since 0.1.0
 * @category formatting
 */
export const lines = ({ data, note, now_local: now, timezone, ...rest }: Data): string => {
  const others = Object.entries(rest)
  const whole = words(Object.fromEntries(others.filter(([, value]) => !isRows(value))))
  const lists = [...(isRows(data) ? [["", data] as const] : []), ...others.filter(isList)]
  return [
    ...(whole === "" ? [] : [whole]),
    ...lists.flatMap(([name, rows]) => [
      ...(name === "" ? [] : [`${name}:`]),
      ...(rows.length === 0 ? ["none"] : rows.map((row) => `- ${isData(row) ? brief(row) : plain(row)}`))
    ]),
    ...(now === undefined ? (timezone === undefined ? [] : [`In ${plain(timezone)}.`]) : [
      `It is now ${plain(now)} in ${plain(timezone)}.`
    ]),
    ...(note === undefined ? [] : [String(note)])
  ].join("\n")
}

const isRows = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.some(isData)

const isList = (entry: readonly [string, unknown]): entry is [string, ReadonlyArray<unknown>] => isRows(entry[1])

/** A thing that is a row of a list: what it is chosen by. */
const brief = (row: Data): string => {
  const kept = Object.fromEntries(Object.entries(row).filter(([name]) => said.has(name)))
  // A start without an id is booked by its instant.
  const start = row.id === undefined && row.session_id === undefined ? { starts_at: row.starts_at } : {}
  const session = row.id === undefined && row.session_id !== undefined ? { session_id: row.session_id } : {}
  const { id, ...others } = kept
  const names = { ...nameOf(row, "offering"), ...guestOf(row) }
  // Of an event the thing that it happened to.
  const data = isData(row.data) ? { data: brief(row.data) } : {}
  return words({ ...others, ...names, ...start, ...session, ...(id === undefined ? {} : { id }) }) +
    (data.data === undefined ? "" : `: ${data.data}`)
}

const said: ReadonlySet<string> = new Set([
  "id",
  "type",
  "created_local",
  "starts_local",
  "ends_local",
  "status",
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
  "guest_wrote"
])

const nameOf = (row: Data, name: string): Data => {
  const inner = row[name]
  return isData(inner) ? { [name]: inner.name } : {}
}

/** What the guest of a booking wrote, about themselves and about the booking, in one. */
const guestOf = ({ customer, guest_wrote: wrote }: Data): Data => {
  const own = isData(customer) && isData(customer.guest_wrote) ? customer.guest_wrote : {}
  const all = { ...own, ...(isData(wrote) ? wrote : {}) }
  return Object.keys(all).length === 0 ? {} : { guest_wrote: all }
}

const words = (value: Data): string =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => isData(inner) ? `${name} (${words(inner)})` : `${name} ${plain(inner)}`)
    .join(", ")

/** Words that need no quotes: numbers, ids, times, codes. */
const plain = (value: unknown): string =>
  typeof value === "string" && /^[\w:.,+/ -]*$/.test(value) && !value.includes("  ") ? value : JSON.stringify(value)
