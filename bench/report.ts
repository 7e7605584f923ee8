/** The results of a benchmark: measured figures and promised ratios. */
export interface Line {
  readonly what: string
  readonly figure: string
  /** The promise, and whether it was kept. Omitted if nothing is promised. */
  readonly promise?: { readonly text: string; readonly kept: boolean }
  /** A goal that is not promised yet. */
  readonly target?: string
}

/**
 * The maximum cost as a multiple of the floor, if a target is out of reach. The floor is the minimum cost of the same
 * work.
 */
const mostOverFloor = 1.3

/** Reports a floor, and Trailbook's cost as a multiple of that floor. */
export const floorLines = (what: string, floor: string, figure: string, times: number): ReadonlyArray<Line> => [
  { what: `floor: ${floor}`, figure },
  {
    what: `${what} : floor`,
    figure: `${times.toFixed(2)} times`,
    target: `at most ${mostOverFloor} times, if the absolute target cannot be met`
  }
]

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] ?? 0 : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export const allKept = (lines: ReadonlyArray<Line>): boolean => lines.every(({ promise }) => promise?.kept ?? true)

const verdict = ({ promise, target }: Line): string =>
  [
    ...(promise === undefined ? [] : [`${promise.kept ? "kept" : "MISSED"}: ${promise.text}`]),
    ...(target === undefined ? [] : [`target: ${target}`])
  ].join("; ")

/** Formats the results for a terminal. */
export const plainText = (title: string, lines: ReadonlyArray<Line>): string =>
  `\n${title}\n` +
  lines.map((line) => `  ${line.what.padEnd(62)} ${line.figure.padStart(20)}   ${verdict(line)}`.trimEnd() + "\n").join(
    ""
  )

/** Prefixes for lines that differ only in their prefix. A table shows them in columns. */
const columns: ReadonlyArray<readonly [string, string]> = [["SQLite", "Postgres"], ["hot", "spread"]]

interface Row {
  readonly name: string
  readonly lines: Map<string, Line>
}

const rowsOf = (prefixes: ReadonlyArray<string>, lines: ReadonlyArray<Line>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const line of lines) {
    const prefix = prefixes.find((prefix) => new RegExp(`^${prefix}[:,] `).test(line.what))
    const column = prefix ?? prefixes[0] ?? ""
    const name = prefix === undefined ? line.what.trim() : line.what.slice(prefix.length + 1).trim()
    // A name such as "latency (p50, p99)" can occur several times for each prefix.
    const row = rows.find((row) => row.name === name && !row.lines.has(column))
    if (row === undefined || prefix === undefined) rows.push({ name, lines: new Map([[column, line]]) })
    else row.lines.set(column, line)
  }
  return rows
}

const promiseOf = ({ lines }: Row): string => {
  const promised = Array.from(lines).filter(([, { promise }]) => promise !== undefined)
  const texts = new Set(promised.map(([, { promise }]) => promise?.text))
  const targets = new Set(Array.from(lines.values(), ({ target }) => target).filter((target) => target !== undefined))
  const missed = promised.filter(([, { promise }]) => promise?.kept === false).map(([column]) => column)
  const where = missed.includes("result") ? "" : ` on ${missed.join(" and ")}`
  return [
    ...texts,
    ...(missed.length === 0 ? [] : [`MISSED${where}`]),
    ...Array.from(targets, (target) => `target: ${target}`)
  ].join(", ")
}

/** Formats the results as Markdown. Lines that differ only in their prefix share a row. */
export const markdown = (title: string, lines: ReadonlyArray<Line>): string => {
  const prefixes = columns.find((pair) => pair.every((prefix) => lines.some(({ what }) => what.startsWith(prefix)))) ??
    ["result"]
  const row = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |\n`
  return `\n${row([title, ...prefixes, "promise"])}|---|${prefixes.map(() => "---:|").join("")}---|\n` +
    rowsOf(prefixes, lines).map((one) =>
      row([one.name, ...prefixes.map((prefix) => one.lines.get(prefix)?.figure ?? ""), promiseOf(one)])
    ).join("")
}
