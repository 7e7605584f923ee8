/** Selects the dates for a report. The presets are links and the range is a GET form, so both work without scripts. */
import { getPeriodStart, maxReportDays, type ReportPeriod } from "@trailbook/core/report"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Format } from "../../text/Format.ts"
import { Button, Field } from "../kit/elements.tsx"
import { type PageContext, usePage } from "../Page.ts"

/** Local dates, inclusive. */
export interface DateRange {
  readonly from: LocalDate.LocalDate
  readonly to: LocalDate.LocalDate
}

/** The presets. A week starts on Monday, and a season is a calendar year. */
export const reportRangePresets = {
  today: ["Today", (today) => ({ from: today, to: today })],
  yesterday: ["Yesterday", (today) => ({ from: LocalDate.addDays(today, -1), to: LocalDate.addDays(today, -1) })],
  this_week: ["This week", (today) => {
    const from = getPeriodStart("week", today)
    return { from, to: LocalDate.addDays(from, 6) }
  }],
  this_month: ["This month", (today) => toMonth(today)],
  last_month: ["Last month", (today) => toMonth(LocalDate.addDays(LocalDate.firstOfMonth(today), -1))],
  this_season: ["This season", (today) => {
    const year = LocalDate.format(today).slice(0, 4)
    return { from: LocalDate.parse(`${year}-01-01`) ?? today, to: LocalDate.parse(`${year}-12-31`) ?? today }
  }]
} as const satisfies Readonly<Record<string, readonly [label: string, of: (today: LocalDate.LocalDate) => DateRange]>>

const toMonth = (date: LocalDate.LocalDate): DateRange => {
  const from = LocalDate.firstOfMonth(date)
  return { from, to: LocalDate.addDays(LocalDate.firstOfMonth(LocalDate.addDays(from, 31)), -1) }
}

type Preset = keyof typeof reportRangePresets

export interface ReportRange extends DateRange {
  /** The preset, or undefined if the reader chose the dates. */
  readonly preset: Preset | undefined
  /** The period that each bar covers: a day, a week for ranges over 31 days, or a month for ranges over 180 days. */
  readonly by: ReportPeriod
  /** Whether the dates in the URL are invalid. */
  readonly isWrong: boolean
}

const isPreset = (name: string): name is Preset => Object.hasOwn(reportRangePresets, name)

/** Reads the range from the URL. Default: this month. */
export const parseReportRange = ({ clock: { today }, query }: Pick<PageContext, "clock" | "query">): ReportRange => {
  const [from, to] = ["from", "to"].map((name) => LocalDate.parse(query(name) ?? ""))
  const isChosen = query("from") !== undefined || query("to") !== undefined
  if (from !== undefined && to !== undefined && from <= to && to - from < maxReportDays) {
    return { from, to, preset: undefined, by: choosePeriod({ from, to }), isWrong: false }
  }
  const name = query("period") ?? ""
  const preset = isPreset(name) ? name : "this_month"
  const dates = reportRangePresets[preset][1](today)
  return { ...dates, preset, by: choosePeriod(dates), isWrong: isChosen }
}

const choosePeriod = ({ from, to }: DateRange): ReportPeriod =>
  to - from < 31 ? "day" : to - from < 180 ? "week" : "month"

/** Returns the first date of every bar, including bars without rows. */
export const listBarDates = ({ by, from, to }: ReportRange): ReadonlyArray<string> => {
  const dates = new Set<string>()
  for (let date = from; date <= to; date = LocalDate.addDays(date, 1)) {
    dates.add(LocalDate.format(getPeriodStart(by, date)))
  }
  return [...dates]
}

/** Returns the query for a link to another report over the same range. */
export const toRangeQuery = ({ from, preset, to }: ReportRange): string =>
  preset === undefined
    ? `?from=${LocalDate.format(from)}&to=${LocalDate.format(to)}`
    : `?period=${preset}`

/** Formats a range, such as `Sat, Jun 12, 2027` or `Sat, Jun 5 – Fri, Jun 11, 2027`. */
export const formatRange = ({ shortDate }: Pick<Format, "shortDate">, { from, to }: DateRange): string => {
  const [first, last] = [LocalDate.format(from), LocalDate.format(to)]
  const end = `${shortDate(last)}, ${last.slice(0, 4)}`
  if (first === last) return end
  return `${shortDate(first)}${first.slice(0, 4) === last.slice(0, 4) ? "" : `, ${first.slice(0, 4)}`} – ${end}`
}

export const ReportRangePicker = ({ range }: { readonly range: ReportRange }) => {
  const { path, site } = usePage()
  return (
    <div class="stack tight periods">
      <nav class="acts" aria-label="Period">
        {Object.entries(reportRangePresets).map(([name, [label]]) => (
          <Button
            key={name}
            to={`${path || "/"}?period=${name}`}
            aria-current={name === range.preset ? "page" : undefined}
          >
            {label}
          </Button>
        ))}
      </nav>
      <form class="acts own-range" action={site.link(`/dashboard${path}`)}>
        <Field name="from" label="From" value={LocalDate.format(range.from)} input={{ type: "date" }} />
        <Field name="to" label="To" value={LocalDate.format(range.to)} input={{ type: "date" }} />
        <button class="btn">Show</button>
      </form>
      {range.isWrong && (
        <p class="note wrong" role="alert">
          {`Enter a start date, and an end date on or after it. The range can be at most ${maxReportDays} days.`}
        </p>
      )}
    </div>
  )
}
