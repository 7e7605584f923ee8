/**
 * How rows are read. Every value travels as text; what it becomes depends on its
 * type alone, and not on what a host has told `pg` to make of it.
 */

/** What Postgres says of a column. */
export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

export type Columns = ReadonlyArray<{ readonly name: string; readonly read: (text: string) => unknown }>

/** What becomes of values of a type. */
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

/** Instants, ids of events and sums: all of them fit, and one that did not would otherwise be another one. */
const integer = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a number.`)
  return number
}

const ours: ParserFor = (type) => readers.get(type) ?? asText

/** By the numbers that Postgres gives its own types, which never change. JSON is among what stays text. */
const readers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [20, integer],
  [21, integer],
  [23, integer],
  // Sums of integers are numeric.
  [1700, integer],
  [700, Number],
  [701, Number]
])
