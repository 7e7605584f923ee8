/**
 * Joins parts with `glue` into lines of at most `width` characters. All lines except the last end with the trimmed
 * `glue`. A part that is longer than `width` is not broken.
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
