/**
 * What commands print: the answer on stdout, everything else on stderr, so that
 * an answer can be piped on whatever else is said.
 */
import process from "node:process"

/**
 * Prints a text on stdout as it is.
 *
 * @category printing
 */
export const text = (text: string): void => {
  process.stdout.write(text)
}

/**
 * @category printing
 */
export const line = (line: string): void => text(`${line}\n`)

/**
 * One JSON value on one line.
 *
 * @category printing
 */
export const json = (value: unknown): void => line(JSON.stringify(value))

/**
 * Something to know that is not the answer, on stderr.
 *
 * @category printing
 */
export const note = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const painted = (open: number, close: number) => (text: string): string => {
  // no-color.org: set and not empty, whatever its value.
  const plain = !process.stdout.isTTY || (process.env.NO_COLOR ?? "") !== "" || process.env.TERM === "dumb"
  return plain ? text : `\u001b[${open}m${text}\u001b[${close}m`
}

/**
 * Bold on a terminal that may have colors.
 *
 * @category painting
 */
export const strong = painted(1, 22)

/**
 * @category painting
 */
export const faint = painted(2, 22)
