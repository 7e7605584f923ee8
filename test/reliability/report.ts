/**
 * The figures of campaigns as a table, which is Markdown as well.
 */
import type { Result } from "./campaign.ts"

const columns: ReadonlyArray<readonly [title: string, of: (result: Result) => number | string]> = [
  ["", ({ name }) => name],
  ["rounds", ({ rounds }) => rounds],
  ["acknowledged", ({ counts }) => counts.acknowledged],
  ["refused", ({ counts }) => counts.refused],
  ["asked again", ({ counts }) => counts.retried],
  ["of these booked before", ({ counts }) => counts.recovered],
  ["bookings", ({ bookings }) => bookings],
  ["events", ({ events }) => events],
  ["lost", ({ findings }) => findings.lost.length],
  ["double", ({ findings }) => findings.double.length],
  ["holes", ({ findings }) => findings.holes.length],
  ["other findings", ({ findings }) => findings.others.length],
  ["back after, ms p50 / max", ({ backMillis }) => halfAndMost(backMillis)],
  ["server ready after, ms p50 / max", ({ readyMillis }) => halfAndMost(readyMillis)]
]

export const titles = columns.map(([title]) => title)

const halfAndMost = (values: ReadonlyArray<number>): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((value) => Math.round(value ?? 0)).join(" / ")
}

export const table = (results: ReadonlyArray<Result>): string => {
  const rows = [
    titles,
    columns.map((_, at) => at === 0 ? "---" : "---:"),
    ...results.map((result) => columns.map(([, of]) => String(of(result))))
  ]
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}
