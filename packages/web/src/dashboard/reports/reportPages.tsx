/**
 * The pages for the sales, payments, occupancy, and guests reports. Each report has a chart, a table with the same
 * numbers, and a CSV file.
 */
import type { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import {
  type ReportPeriod,
  reportsGuests,
  reportsOccupancy,
  reportsPayments,
  reportsSales
} from "@trailbook/core/report"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import type { Format } from "../../text/Format.ts"
import { getRecorderName } from "../bookings/ledger.tsx"
import { formatPaymentMethodTitle } from "../bookings/payments.tsx"
import { type CsvColumns, streamCsv } from "../kit/csv.ts"
import { Amount, Amounts, Button, Card, EmptyNote, Link, StatTile, Table } from "../kit/elements.tsx"
import { type Page, page, type PageContext } from "../kit/page.tsx"
import { listWeekdaysFrom } from "../offerings/hours.tsx"
import { StackedBars } from "./chart.tsx"
import { formatRange, parseReportRange, type ReportRange, ReportRangePicker, toRangeQuery } from "./reportRange.tsx"
import {
  computePercentSold,
  formatBarLabel,
  groupRows,
  makeBarGroups,
  maxSeries,
  selectMainCurrencyRows,
  sumByCurrency,
  sumRows,
  toCsvAmount
} from "./rows.ts"

const tabs = [
  ["/reports/sales", "Sales"],
  ["/reports/payments", "Payments"],
  ["/reports/occupancy", "Occupancy"],
  ["/reports/guests", "Guests"]
] as const

interface ReportContext<Out> extends Pick<PageContext, "format" | "org"> {
  readonly range: ReportRange
  readonly report: Out
}

interface Rows<Row> {
  readonly data: ReadonlyArray<Row>
}

/**
 * Defines a report page. `read` must come before `csv` and `body` in the argument, because TypeScript infers their
 * types from its result.
 */
const reportPage = <Row, More>(
  path: (typeof tabs)[number][0],
  { body, csv, lead, read }: {
    readonly lead: string
    readonly read: (
      context: PageContext,
      range: { readonly from: string; readonly to: string; readonly by: ReportPeriod }
    ) => Effect.Effect<Rows<Row> & More, Refusal, Actor>
    readonly csv: CsvColumns<Row>
    readonly body: (shown: ReportContext<Rows<Row> & More>) => ComponentChildren
  }
): Page => {
  const loadReport = (context: PageContext) => {
    const range = parseReportRange(context)
    const { by, from, to } = range
    return Effect.map(
      read(context, { from: LocalDate.format(from), to: LocalDate.format(to), by }),
      (report) => ({ range, report })
    )
  }
  return page(path, {
    *view(context) {
      const { range, report } = yield* loadReport(context)
      const { format, org } = context
      return {
        title: "Reports",
        lead: `${formatRange(format, range)}. ${lead}`,
        actions: report.data.length > 0 && (
          <Button icon="download" to={`${path}.csv${toRangeQuery(range)}`}>Download CSV</Button>
        ),
        body: (
          <div class="stack">
            <nav class="tabs" aria-label="Reports">
              {tabs.map(([to, name]) => (
                <Link key={to} to={`${to}${toRangeQuery(range)}`} aria-current={to === path ? "page" : undefined}>
                  {name}
                </Link>
              ))}
            </nav>
            <ReportRangePicker range={range} />
            {report.data.length === 0
              ? (
                <section class="card" aria-label="Report">
                  <EmptyNote>No data for this period. Choose another period.</EmptyNote>
                </section>
              )
              : body({ format, org, range, report })}
          </div>
        )
      }
    },
    file: (context) => streamCsv(csv, () => Effect.map(loadReport(context), ({ report }) => report))
  })
}

export const salesReportPage = reportPage("/reports/sales", {
  lead: "Grouped by the date when the trip starts. Holds and test payments are excluded.",
  read: ({ run }, range) => run(reportsSales, range),
  csv: {
    Date: ({ date }) => date,
    Activity: ({ offering }) => offering.name,
    Currency: ({ currency }) => currency.toUpperCase(),
    Bookings: ({ bookings }) => bookings,
    Guests: ({ places }) => places,
    "No-shows": ({ no_shows }) => no_shows,
    Subtotal: ({ currency, subtotal_cents }) => toCsvAmount(subtotal_cents, currency),
    Discounts: ({ currency, discount_cents }) => toCsvAmount(discount_cents, currency),
    Total: ({ currency, total_cents }) => toCsvAmount(total_cents, currency),
    "Canceled bookings": ({ canceled_bookings }) => canceled_bookings,
    "Kept from canceled bookings": ({ currency, kept_cents }) => toCsvAmount(kept_cents, currency)
  },
  body: ({ format, org, range, report: { data } }) => {
    const main = selectMainCurrencyRows(data, org.currency)
    const currency = main[0]?.currency ?? org.currency
    const rankedGroups = groupRows(main, ({ offering }) => offering.id)
      .toSorted(([, a], [, b]) =>
        sumRows(b, ({ total_cents }) => total_cents) - sumRows(a, ({ total_cents }) => total_cents)
      )
    const topGroups = rankedGroups.length > maxSeries ? rankedGroups.slice(0, maxSeries - 1) : rankedGroups
    const otherIds = new Set(rankedGroups.slice(topGroups.length).map(([{ offering }]) => offering.id))
    const names = [...topGroups.map(([{ offering }]) => offering.name), ...otherIds.size > 0 ? ["Others"] : []]
    const bars = makeBarGroups({ format, range }, main, [
      ...topGroups.map(([{ offering: { id } }]) => (row: (typeof main)[number]) =>
        row.offering.id === id ? row.total_cents : 0
      ),
      ...otherIds.size > 0 ? [(row: (typeof main)[number]) => otherIds.has(row.offering.id) ? row.total_cents : 0] : []
    ])
    const formatSum = (rows: typeof data, getValue: (row: (typeof data)[number]) => number) =>
      format.number(sumRows(rows, getValue))
    return (
      <>
        <dl class="tiles">
          <SumTile name="Sales" of={sumByCurrency(data, ({ total_cents }) => total_cents)} />
          <SumTile name="Discounts" of={sumByCurrency(data, ({ discount_cents }) => discount_cents)} />
          <SumTile name="Kept from canceled bookings" of={sumByCurrency(data, ({ kept_cents }) => kept_cents)} />
          <StatTile name="Guests">{formatSum(data, ({ places }) => places)}</StatTile>
        </dl>
        <Card id="chart" title={`Sales by ${range.by}`}>
          <StackedBars
            label={`Sales by ${range.by} and activity`}
            names={names}
            groups={bars}
            text={makeAxisFormat(format, org.currency, currency)}
          />
        </Card>
        <Card id="table" title="By activity">
          <Table
            label="Sales by activity, as a table"
            kind="report"
            heads={[
              "Activity",
              ...["Bookings", "Guests", "No-shows", "Subtotal", "Discounts", "Total", "Canceled", "Kept"].map(
                toNumericHead
              )
            ]}
          >
            {groupRows(data, ({ currency, offering }) => `${offering.id} ${currency}`).map((
              [{ currency, offering }, rows]
            ) => (
              <tr key={`${offering.id} ${currency}`}>
                <td class="named" dir="auto">{offering.name}</td>
                <td class="num">{formatSum(rows, (row) => row.bookings)}</td>
                <td class="num">{formatSum(rows, (row) => row.places)}</td>
                <td class="num">{formatSum(rows, (row) => row.no_shows)}</td>
                <CentsCell of={sumRows(rows, (row) => row.subtotal_cents)} currency={currency} />
                <CentsCell of={-sumRows(rows, (row) => row.discount_cents)} currency={currency} />
                <CentsCell of={sumRows(rows, (row) => row.total_cents)} currency={currency} />
                <td class="num">{formatSum(rows, (row) => row.canceled_bookings)}</td>
                <CentsCell of={sumRows(rows, (row) => row.kept_cents)} currency={currency} />
              </tr>
            ))}
          </Table>
        </Card>
      </>
    )
  }
})

export const paymentsReportPage = reportPage("/reports/payments", {
  lead: "Grouped by the date when money was received or refunded. Pending, failed, and void entries are excluded.",
  read: ({ run }, range) => run(reportsPayments, range),
  csv: {
    Date: ({ date }) => date,
    Method: ({ method }) => formatPaymentMethodTitle(method),
    "Recorded by": ({ recorded_by }) => getRecorderName(recorded_by),
    Currency: ({ currency }) => currency.toUpperCase(),
    Payments: ({ currency, payments_cents }) => toCsvAmount(payments_cents, currency),
    Refunds: ({ currency, refunds_cents }) => toCsvAmount(refunds_cents, currency),
    Net: ({ currency, net_cents }) => toCsvAmount(net_cents, currency)
  },
  body: ({ format, org, range, report: { data, deferred } }) => {
    const main = selectMainCurrencyRows(data, org.currency)
    const methods = groupRows(main, ({ method }) => method).map(([{ method }]) => method)
    const bars = makeBarGroups(
      { format, range },
      main,
      methods.map((method) => (row: (typeof main)[number]) => row.method === method ? row.payments_cents : 0)
    )
    return (
      <>
        <dl class="tiles">
          <SumTile name="Net" of={sumByCurrency(data, ({ net_cents }) => net_cents)} />
          <SumTile name="Payments" of={sumByCurrency(data, ({ payments_cents }) => payments_cents)} />
          <SumTile name="Refunds" of={sumByCurrency(data, ({ refunds_cents }) => refunds_cents)} />
          <StatTile name="For later trips">
            {deferred.length === 0 ? format.money(0) : <Amounts of={deferred} />}
            <small class="soft">Received by the end of the period</small>
          </StatTile>
        </dl>
        <Card id="chart" title={`Payments by ${range.by}`}>
          <StackedBars
            label={`Payments by ${range.by} and method`}
            names={methods.map(formatPaymentMethodTitle)}
            groups={bars}
            text={makeAxisFormat(format, org.currency, main[0]?.currency ?? org.currency)}
          />
        </Card>
        <Card id="table" title="By method and person">
          <Table
            label="Payments by method and person, as a table"
            heads={["Method", "Recorded by", ...["Payments", "Refunds", "Net"].map(toNumericHead)]}
          >
            {groupRows(data, ({ currency, method, recorded_by: { id, kind, name } }) =>
              [currency, method, kind, id, name].join(" "))
              .map(([{ currency, method, recorded_by }, rows], nth) => (
                <tr key={nth}>
                  <td>{formatPaymentMethodTitle(method)}</td>
                  <td class="named" dir="auto">{getRecorderName(recorded_by)}</td>
                  <CentsCell of={sumRows(rows, (row) => row.payments_cents)} currency={currency} />
                  <CentsCell
                    of={-sumRows(rows, (row) =>
                      row.refunds_cents)}
                    currency={currency}
                  />
                  <CentsCell
                    of={sumRows(rows, (row) =>
                      row.net_cents)}
                    currency={currency}
                  />
                </tr>
              ))}
          </Table>
        </Card>
      </>
    )
  }
})

export const guestsReportPage = reportPage("/reports/guests", {
  lead: "Grouped by the date when the trip starts. Guests count as new on their first confirmed booking.",
  read: ({ run }, range) => run(reportsGuests, range),
  csv: {
    Date: ({ date }) => date,
    New: (row) => row.new,
    Returning: ({ returning }) => returning
  },
  body: ({ format, range, report: { data } }) => (
    <>
      <dl class="tiles">
        <StatTile name="New guests">{format.number(sumRows(data, (row) => row.new))}</StatTile>
        <StatTile name={`Returning guests, per ${range.by}`}>
          {format.number(sumRows(data, ({ returning }) => returning))}
        </StatTile>
      </dl>
      <Card id="chart" title={`Guests by ${range.by}`}>
        <StackedBars
          label={`New and returning guests by ${range.by}`}
          names={["New", "Returning"]}
          groups={makeBarGroups({ format, range }, data, [(row) => row.new, ({ returning }) => returning])}
          text={format.number}
        />
      </Card>
      <Card id="table" title={`By ${range.by}`}>
        <Table label="Guests, as a table" heads={["Period", ...["New", "Returning"].map(toNumericHead)]}>
          {data.map((row) => (
            <tr key={row.date}>
              <td>{formatBarLabel(format, range, row.date)}</td>
              <td class="num">{format.number(row.new)}</td>
              <td class="num">{format.number(row.returning)}</td>
            </tr>
          ))}
        </Table>
      </Card>
    </>
  )
})

export const occupancyReportPage = reportPage("/reports/occupancy", {
  lead: "Sold capacity divided by offered capacity. Canceled departures are excluded.",
  read: ({ run }, { from, to }) => run(reportsOccupancy, { from, to }),
  csv: {
    Activity: ({ offering }) => offering.name,
    Weekday: ({ weekday }) => weekdayNames[weekday] ?? "",
    Start: ({ start_time }) => start_time.slice(0, 5),
    Starts: ({ starts }) => starts,
    Unit: ({ unit }) => unit,
    Sold: ({ sold }) => sold,
    Offered: ({ offered }) => offered
  },
  body: ({ format, report: { data } }) => {
    const days = listWeekdaysFrom(format.weekBegins)
    const names = format.weekdays("short")
    return (
      <>
        <Card id="chart" title="By departure time and weekday">
          <Table
            label="Occupancy by departure time and weekday, as a table"
            kind="heat"
            heads={["Departure", ...days.map((day) => names[day] ?? "")]}
          >
            {groupRows(data, ({ offering, start_time }) => `${offering.id} ${start_time}`)
              .toSorted(([a], [b]) => a.start_time < b.start_time ? -1 : a.start_time > b.start_time ? 1 : 0)
              .map(([{ offering, start_time }, rows]) => (
                <tr key={`${offering.id} ${start_time}`}>
                  <td class="named" dir="auto">{`${format.wall(start_time)} ${offering.name}`}</td>
                  {days.map((day) => {
                    const row = rows.find(({ weekday }) => weekday === day)
                    const percent = row === undefined ? undefined : computePercentSold([row])
                    return percent === undefined
                      ? <td key={day} class="num">–</td>
                      : <td key={day} class={`num h${Math.min(4, Math.floor(percent / 20))}`}>{`${percent}%`}</td>
                  })}
                </tr>
              ))}
          </Table>
        </Card>
        <Card id="table" title="By activity">
          <Table
            label="Occupancy by activity, as a table"
            heads={["Activity", ...["Starts", "Offered", "Sold", "Occupancy"].map(toNumericHead)]}
          >
            {groupRows(data, ({ offering, unit }) => `${offering.id} ${unit}`).map(([{ offering, unit }, rows]) => (
              <tr key={`${offering.id} ${unit}`}>
                <td class="named" dir="auto">{offering.name}</td>
                <td class="num">
                  {format.number(sumRows(rows, ({ starts }) =>
                    starts))}
                </td>
                <td class="num">{`${format.number(sumRows(rows, ({ offered }) => offered))} ${unitNames[unit]}`}</td>
                <td class="num">{`${format.number(sumRows(rows, ({ sold }) => sold))} ${unitNames[unit]}`}</td>
                <td class="num">{`${computePercentSold(rows) ?? 0}%`}</td>
              </tr>
            ))}
          </Table>
        </Card>
      </>
    )
  }
})

const unitNames = { places: "seats", minutes: "minutes" } as const

const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

const toNumericHead = (head: string) => ["num", head] as const

/** Sums in several currencies, as a tile. */
const SumTile = ({ name, of }: { readonly name: string; readonly of: ReturnType<typeof sumByCurrency> }) => (
  <StatTile name={name}>
    <Amounts of={of} />
  </StatTile>
)

const CentsCell = ({ currency, of }: { readonly of: number; readonly currency: string }) => (
  <td class="num">
    <Amount cents={of} currency={currency} />
  </td>
)

/**
 * Returns the formatter for the amounts on the axis. Amounts in a currency other than the org's are shown without a
 * symbol.
 */
const makeAxisFormat = (format: Format, orgCurrency: string, currency: string) => (cents: number): string =>
  currency === orgCurrency ? format.money(cents) : format.number(toCsvAmount(cents, currency))
