/** Output of commands: results on stdout and notes on stderr, so that a result can be piped. */
import process from "node:process"

/** Prints a text on stdout without a line break. */
export const text = (text: string): void => {
  process.stdout.write(text)
}

export const line = (line: string): void => text(`${line}\n`)

/** Prints a JSON value on one line of stdout. */
export const json = (value: unknown): void => line(JSON.stringify(value))

/** Prints a line on stderr. */
export const note = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const painted = (open: number, close: number) => (text: string): string => {
  // no-color.org: any nonempty value turns colors off.
  const plain = !process.stdout.isTTY || (process.env.NO_COLOR ?? "") !== "" || process.env.TERM === "dumb"
  return plain ? text : `\u001b[${open}m${text}\u001b[${close}m`
}

/** Bold on a terminal with colors. */
export const strong = painted(1, 22)

export const faint = painted(2, 22)
