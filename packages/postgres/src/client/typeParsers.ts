/**
 * Parses rows. Every value arrives as text, and its parser depends only on the column type. `pg` type parsers that a
 * host has set have no effect.
 */

/** A column description from Postgres. */
export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

export type Columns = ReadonlyArray<{ readonly name: string; readonly read: (text: string) => unknown }>

/** Returns the parser for a type. */
export type ParserFor = (type: number) => (text: string) => unknown

export const makeColumns = (fields: ReadonlyArray<Field>, readerOf: ParserFor = ours): Columns =>
  fields.map(({ dataTypeID, name }) => ({ name, read: readerOf(dataTypeID) }))

export const parseRow = (columns: Columns, fields: ReadonlyArray<string | null>): Readonly<Record<string, unknown>> => {
  const row: Record<string, unknown> = {}
  columns.forEach(({ name, read }, at) => {
    const text = fields[at] ?? null
    row[name] = text === null ? null : read(text)
  })
  return row
}

const asText = (text: string): string => text

/**
 * Parses instants, event IDs, and sums. All of them fit into a safe integer. A larger value throws, because rounding
 * would change it.
 */
const integer = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a JavaScript number.`)
  return number
}

const ours: ParserFor = (type) => readers.get(type) ?? asText

/** The parsers by type OID. The OIDs of built-in types never change. JSON is not parsed. */
const readers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [20, integer],
  [21, integer],
  [23, integer],
  // `sum` of a bigint column returns numeric.
  [1700, integer],
  [700, Number],
  [701, Number]
])
