/** Prints command output. Results go to stdout and notes to stderr, so that users can pipe the results. */
import * as Instant from "@trailbook/core/time/Instant"
import process from "node:process"

/** Prints text to stdout without adding a line break. */
export const text = (text: string): void => {
  process.stdout.write(text)
}

export const line = (line: string): void => text(`${line}\n`)

/** Prints a JSON value to stdout on one line. */
export const json = (value: unknown): void => line(JSON.stringify(value))

/** Prints rows as a table. Each column is as wide as its longest cell. */
export const table = <Row>(
  rows: ReadonlyArray<Row>,
  columns: Readonly<Record<string, (row: Row) => string>>
): void => {
  const all = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((format) => format(row)))]
  const widths = Object.keys(columns).map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  for (const row of all) line(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ").trimEnd())
}

/** Formats the date of an instant in UTC. With `--json`, commands print the full timestamp instead. */
export const formatDay = (instant: Instant.Instant): string => Instant.format(instant).slice(0, 10)

/** Formats an instant in UTC to the minute. */
export const formatMinute = (instant: Instant.Instant): string => `${Instant.format(instant).slice(0, 16)}Z`

/** Prints a line to stderr. */
export const note = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const paint = (open: number, close: number) => (text: string): string => {
  // By the convention of no-color.org, any nonempty value of NO_COLOR turns colors off.
  const plain = !process.stdout.isTTY || (process.env.NO_COLOR ?? "") !== "" || process.env.TERM === "dumb"
  return plain ? text : `\u001b[${open}m${text}\u001b[${close}m`
}

/** Formats text in bold on a terminal with colors. */
export const formatBold = paint(1, 22)

export const formatDim = paint(2, 22)
