/** The results of a benchmark: measured figures and promised ratios. */
export interface Line {
  readonly what: string
  readonly figure: string
  /** The promise and whether it was kept. Omitted if nothing is promised. */
  readonly promise?: { readonly text: string; readonly kept: boolean }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] ?? 0 : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export const allKept = (lines: ReadonlyArray<Line>): boolean => lines.every(({ promise }) => promise?.kept ?? true)

const verdict = ({ promise }: Line): string =>
  promise === undefined ? "" : `${promise.kept ? "kept" : "MISSED"}: ${promise.text}`

/** Formats the results for a terminal. */
export const plainText = (title: string, lines: ReadonlyArray<Line>): string =>
  `\n${title}\n` +
  lines.map((line) => `  ${line.what.padEnd(62)} ${line.figure.padStart(20)}   ${verdict(line)}`.trimEnd() + "\n").join(
    ""
  )

/** Formats the results as Markdown. */
export const markdown = (title: string, lines: ReadonlyArray<Line>): string =>
  `\n| ${title} | | promise |\n|---|---:|---|\n` +
  lines.map((line) => `| ${line.what.trim()} | ${line.figure} | ${verdict(line)} |\n`).join("")
