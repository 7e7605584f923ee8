/** Formats campaign figures as a Markdown table. */
import type { Result } from "./campaign.ts"

const columns: ReadonlyArray<readonly [title: string, of: (result: Result) => number | string]> = [
  ["run", ({ name }) => name],
  ["rounds", ({ rounds }) => rounds],
  ["acknowledged requests", ({ counts }) => counts.acknowledged],
  ["refused requests", ({ counts }) => counts.refused],
  ["retries", ({ counts }) => counts.retried],
  ["bookings retried after a commit", ({ counts }) => counts.recovered],
  ["bookings", ({ bookings }) => bookings],
  ["events", ({ events }) => events],
  ["lost", ({ findings }) => findings.lost.length],
  ["double", ({ findings }) => findings.double.length],
  ["holes", ({ findings }) => findings.holes.length],
  ["other findings", ({ findings }) => findings.others.length],
  ["recovery time in ms, p50 / max", ({ backMillis }) => halfAndMost(backMillis)],
  ["server startup time in ms, p50 / max", ({ readyMillis }) => halfAndMost(readyMillis)]
]

export const titles = columns.map(([title]) => title)

const halfAndMost = (values: ReadonlyArray<number>): string => {
  const series = values.toSorted((a, b) => a - b)
  return [series[Math.floor(series.length / 2)], series.at(-1)].map((value) => Math.round(value ?? 0)).join(" / ")
}

/** The figures and findings from one part of the run. */
export interface Report {
  readonly titles: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Findings as sentences. The list is empty if the part succeeded. */
  readonly findings: ReadonlyArray<string>
}

export const reportOf = (result: Result): Report => ({
  titles,
  rows: [columns.map(([, of]) => String(of(result)))],
  findings: Object.entries(result.findings).flatMap(([kind, sentences]) =>
    sentences.map((sentence: string) => `${result.name}: ${kind}: ${sentence}`)
  )
})

/** Merges reports with the same columns into one table. */
export const table = (reports: ReadonlyArray<Report>): string =>
  [...new Set(reports.map(({ titles }) => titles.join()))].map((kind) => {
    const alike = reports.filter(({ titles }) => titles.join() === kind)
    const titles = alike[0]?.titles ?? []
    const rows = [titles, titles.map((_, at) => at === 0 ? "---" : "---:"), ...alike.flatMap(({ rows }) => rows)]
    return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
  }).join("\n\n")
