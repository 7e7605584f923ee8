/**
 * Copies an outfitter's rows in SQL, as additional outfitters or as additional bookings for the same outfitter. All
 * columns and indexes are real. Copying 100,000 outfitters takes minutes. The data in copied events contains the
 * original's IDs.
 */
import { createHash } from "node:crypto"
import type { Client } from "pg"

interface Column {
  readonly name: string
  readonly type: string
  /** Whether a unique index on this column, such as a token, spans the rows of all outfitters. */
  readonly isToken: boolean
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/**
 * An odd number, so that the last 48 bits differ between all copies of an ID. 48-bit hashes would collide among 5
 * million copies.
 */
const stride = 5_851_425_337n
const bits48 = 2n ** 48n

const parseSuffix = (id: string): bigint => BigInt(`0x${id.slice(24)}`)

/** Returns the ID or token for copy `n`. SQL computes the same text. */
export const copyOf = (value: string, n: number): string =>
  uuid.test(value)
    ? value.slice(0, 24) + ((parseSuffix(value) + BigInt(n) * stride) % bits48).toString(16).padStart(12, "0")
    : createHash("md5").update(`${value}${n}`).digest("hex").slice(0, value.length)

const copyInSql = (value: string): string =>
  uuid.test(value)
    ? `left('${value}', 24) || lpad(to_hex((${parseSuffix(value)} + n * ${stride}) % ${bits48}), 12, '0')`
    : `left(md5('${value}' || n), ${value.length})`

const readColumns = async (client: Client, table: string): Promise<ReadonlyArray<Column>> => {
  const { rows } = await client.query<Column>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, exists (
        select from pg_index i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any(i.indkey)
          and coalesce(array_position(i.indkey::smallint[], a.attnum) < array_position(i.indkey::smallint[], o.attnum), true)
      ) as "isToken"
      from pg_attribute a join pg_attribute o on o.attrelid = a.attrelid and o.attname = case
        when a.attrelid = 'trailbook.orgs'::regclass then 'id' else 'org_id' end
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
    [table]
  )
  return rows
}

/** Returns an SQL expression for a column's value in copy `n`, or undefined to repeat the original's value. */
type Change = (column: string, value: string) => string | undefined

const copyRow = async (
  client: Client,
  table: string,
  columns: ReadonlyArray<Column>,
  row: Readonly<Record<string, string | null>>,
  [from, to]: readonly [number, number],
  change: Change
) => {
  const values = columns.map(({ isToken, name, type }) => {
    const value = row[name] ?? null
    if (value === null) return "null"
    const changedSql = change(name, value) ?? (isToken && type === "text" ? copyInSql(value) : undefined)
    return changedSql ?? `${client.escapeLiteral(value)}::${type}`
  })
  await client.query(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(", ")})
      select ${values.join(", ")} from generate_series(${from}::bigint, ${to}::bigint) n`
  )
}

const readRows = async (client: Client, table: string, columns: ReadonlyArray<Column>, where: string) => {
  const texts = columns.map(({ name }) => `"${name}"::text as "${name}"`).join(", ")
  const { rows } = await client.query<Record<string, string | null>>(`select ${texts} from ${table} where ${where}`)
  return rows
}

/** Copies an outfitter with all its rows. The client must be a superuser. */
export const copyOutfitter = async (client: Client, orgId: string, from: number, to: number): Promise<void> => {
  // Skip the foreign key checks, because all rows are copied and the keys therefore stay valid.
  await client.query("set session_replication_role = replica")
  const { rows: tables } = await client.query<{ readonly name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'trailbook'::regnamespace and c.relkind = 'r' and a.attname = 'org_id'`
  )
  for (const table of ["trailbook.orgs", ...tables.map(({ name }) => name)]) {
    const columns = await readColumns(client, table)
    const key = table === "trailbook.orgs" ? "id" : "org_id"
    for (const row of await readRows(client, table, columns, `${key} = '${orgId}'`)) {
      await copyRow(
        client,
        table,
        columns,
        row,
        [from, to],
        (_, value) => uuid.test(value) ? copyInSql(value) : undefined
      )
    }
  }
}

/**
 * Copies a booking within its outfitter. Each copy is an hour earlier than the previous one, starting over after 26,000
 * copies.
 */
export const copyBooking = async (client: Client, bookingId: string, from: number, to: number): Promise<void> => {
  await client.query("set session_replication_role = replica")
  const table = "trailbook.bookings"
  const columns = await readColumns(client, table)
  const tokens = new Set(columns.filter(({ isToken }) => isToken).map(({ name }) => name))
  const [row] = await readRows(client, table, columns, `id = '${bookingId}'`)
  if (row === undefined) throw new Error(`The booking ${bookingId} does not exist.`)
  const uniqueColumns = new Set(["id", "handle", "check_in_token", "idempotency_key"])
  const times = new Set(["starts_at", "ends_at", "created_at", "confirmed_at", "updated_at"])
  const hour = 3_600_000
  await copyRow(client, table, columns, row, [from, to], (column, value) =>
    times.has(column)
      ? `${value}::bigint - ${hour} * (n % 26000)`
      : column === "org_id"
      ? `'${value}'`
      : column === "reference"
      ? "lpad(upper(to_hex(n)), 8, '0')"
      : uniqueColumns.has(column) || (tokens.has(column) && !uuid.test(value))
      ? copyInSql(value)
      : undefined)
}
