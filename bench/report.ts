/** The results of a benchmark: measured figures and promised ratios. */
export interface Line {
  /** The measured quantity and its conditions, as a noun phrase that makes sense without the other lines. */
  readonly what: string
  readonly figure: string
  /** The promise, and whether it was kept. Omitted if nothing is promised. */
  readonly promise?: { readonly text: string; readonly kept: boolean }
  /** A goal that is not promised yet. */
  readonly target?: string
}

/**
 * The maximum cost as a multiple of the floor. It applies only if the absolute target cannot be met. The floor is the
 * minimum cost of the same work.
 */
const mostOverFloor = 1.3

/**
 * Reports a floor, and Trailbook's cost as a multiple of that floor. `what` and `floor` are the labels of the two
 * costs.
 */
export const floorLines = (what: string, floor: string, figure: string, times: number): ReadonlyArray<Line> => [
  { what: `floor: ${floor}`, figure },
  {
    what: `${what} compared with its floor`,
    figure: `${times.toFixed(2)} times`,
    target: `at most ${mostOverFloor} times, if the absolute target cannot be met`
  }
]

/** Formats a count for a label, with commas as thousands separators. */
export const formatCount = (count: number): string => count.toLocaleString("en-US")

export const median = (values: ReadonlyArray<number>): number => {
  const ascending = values.toSorted((a, b) => a - b)
  const middle = Math.floor(ascending.length / 2)
  return ascending.length % 2 === 1
    ? ascending[middle] ?? 0
    : ((ascending[middle - 1] ?? 0) + (ascending[middle] ?? 0)) / 2
}

export const allKept = (lines: ReadonlyArray<Line>): boolean => lines.every(({ promise }) => promise?.kept ?? true)

const formatVerdict = ({ promise, target }: Line): string =>
  [
    ...(promise === undefined ? [] : [`${promise.kept ? "kept" : "MISSED"}: ${promise.text}`]),
    ...(target === undefined ? [] : [`target: ${target}`])
  ].join("; ")

/** Formats the results for a terminal. */
export const plainText = (title: string, lines: ReadonlyArray<Line>): string => {
  const width = Math.max(...lines.map(({ what }) => what.length))
  const rows = lines.map((line) => `  ${line.what.padEnd(width)} ${line.figure.padStart(20)}   ${formatVerdict(line)}`)
  return `\n${title}\n${rows.map((row) => `${row.trimEnd()}\n`).join("")}`
}

interface Columns {
  /** Prefixes of lines that are otherwise identical. A table shows them in columns. */
  readonly prefixes: ReadonlyArray<string>
  /** The preposition before a prefix in a sentence. */
  readonly preposition: string
}

const columns: ReadonlyArray<Columns> = [
  { prefixes: ["SQLite", "Postgres"], preposition: "on" },
  { prefixes: ["one offering", "1,000 offerings"], preposition: "with" }
]

interface Row {
  readonly name: string
  readonly lines: Map<string, Line>
}

const groupRows = (prefixes: ReadonlyArray<string>, lines: ReadonlyArray<Line>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const line of lines) {
    const prefix = prefixes.find((prefix) => new RegExp(`^${prefix}[:,] `).test(line.what))
    const column = prefix ?? prefixes[0] ?? ""
    const name = prefix === undefined ? line.what.trim() : line.what.slice(prefix.length + 1).trim()
    // A name that occurs twice with the same prefix gets two rows.
    const row = rows.find((row) => row.name === name && !row.lines.has(column))
    if (row === undefined || prefix === undefined) rows.push({ name, lines: new Map([[column, line]]) })
    else row.lines.set(column, line)
  }
  return rows
}

const formatPromise = ({ lines }: Row, preposition: string): string => {
  const promised = Array.from(lines).filter(([, { promise }]) => promise !== undefined)
  const texts = new Set(promised.map(([, { promise }]) => promise?.text))
  const targets = new Set(Array.from(lines.values(), ({ target }) => target).filter((target) => target !== undefined))
  const missed = promised.filter(([, { promise }]) => promise?.kept === false).map(([column]) => column)
  const where = missed.includes("result") ? "" : ` ${preposition} ${missed.join(" and ")}`
  return [
    ...texts,
    ...(missed.length === 0 ? [] : [`MISSED${where}`]),
    ...Array.from(targets, (target) => `target: ${target}`)
  ].join("; ")
}

/** Formats the results as Markdown. Lines that differ only in their prefix share a row. */
export const markdown = (title: string, lines: ReadonlyArray<Line>): string => {
  const isUsed = ({ prefixes }: Columns) =>
    prefixes.every((prefix) => lines.some(({ what }) => what.startsWith(prefix)))
  const { prefixes, preposition } = columns.find(isUsed) ?? { prefixes: ["result"], preposition: "" }
  const formatRow = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |\n`
  return `\n${formatRow([title, ...prefixes, "promise"])}|---|${prefixes.map(() => "---:|").join("")}---|\n` +
    groupRows(prefixes, lines).map((one) =>
      formatRow([
        one.name,
        ...prefixes.map((prefix) => one.lines.get(prefix)?.figure ?? ""),
        formatPromise(one, preposition)
      ])
    ).join("")
}
