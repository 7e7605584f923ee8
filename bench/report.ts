/**
 * What a benchmark says: figures that were read, and ratios that were promised.
 */
export interface Line {
  readonly what: string
  readonly figure: string
  /** The promise and whether it was kept; left out where nothing is promised. */
  readonly promise?: { readonly text: string; readonly kept: boolean }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] ?? 0 : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export const print = (title: string, lines: ReadonlyArray<Line>): boolean => {
  process.stdout.write(`\n${title}\n`)
  for (const { figure, promise, what } of lines) {
    const verdict = promise === undefined ? "" : `   ${promise.kept ? "kept" : "MISSED"}: ${promise.text}`
    process.stdout.write(`  ${what.padEnd(58)} ${figure.padStart(22)}${verdict}\n`)
  }
  return lines.every(({ promise }) => promise?.kept ?? true)
}
