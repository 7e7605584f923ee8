/**
 * Sets parts on lines of at most `width` characters, with `glue` between two on
 * one line and at the end of a line that another follows. A part is never
 * broken, so one that is too long makes a long line.
 *
 * @category rendering
 */
export const wrap = (parts: ReadonlyArray<string>, glue: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of parts) {
    const last = lines.at(-1)
    const longer = last === undefined ? undefined : last + glue + part
    if (longer !== undefined && longer.length <= width) lines[lines.length - 1] = longer
    else {
      if (last !== undefined) lines[lines.length - 1] = (last + glue).trimEnd()
      lines.push(part)
    }
  }
  return lines
}
