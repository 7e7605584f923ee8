/** Tests the report pages: presets, charts, tables, and CSV files. */
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { computeAxisStep } from "../../src/dashboard/reports/chart.tsx"
import { listBarDates, parseReportRange, reportRangePresets } from "../../src/dashboard/reports/reportRange.tsx"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

const text = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")

describe("the dashboard's report pages", () => {
  let site: TestSite
  let cookie: string
  beforeAll(async () => {
    site = await open({ now: "2027-05-15T14:00:00Z" })
    cookie = await site.signIn("staff")
  })
  afterAll(() => site.close())

  const get = async (path: string) => {
    const { html, status } = await site.ask(`/dashboard/reports/${path}`, { headers: { cookie } })
    assert.strictEqual(status, 200)
    return html
  }
  const reports = ["sales", "payments", "occupancy", "guests"]

  it("show a message if a period has no rows", async () => {
    for (const report of reports) {
      const html = await get(`${report}?period=last_month`)
      assert.include(html, "No data for this period.")
      assert.include(html, "Thu, Apr 1 – Fri, Apr 30, 2027")
      assert.notInclude(html, ".csv")
    }
  })

  it("show the same rows as their CSV files", async () => {
    const { id: offering_id } = await site.call("offerings.create", {
      ...trip,
      name: "=Raft",
      kind: "class",
      capacity: 10,
      price_cents: 9500
    })
    const created = await site.call("sessions.create", { offering_id, starts_at: "2027-05-15T16:00:00Z" })
    const session_id = /"id":"([^"]+)"/.exec(JSON.stringify(created))?.[1] ?? ""
    const book = (name: string, quantity: number) =>
      site.call("bookings.create", { offering_id, session_id, quantity, customer: { name, email: `${name}@a.co` } })
    const ada = await book("ada", 4)
    await book("ben", 2)
    await site.call("payments.record", { id: ada.id, method: "cash", amount_cents: 38_000 })
    await site.call("payments.refund", { id: ada.id, method: "cash", amount_cents: 1050 })
    const sales = await get("sales?period=today")
    for (const words of ["Sat, May 15, 2027", "$570", "Sales by day", "=Raft 2 6 0 $570 $0 $570 0 $0"]) {
      assert.include(text(sales), words)
    }
    assert.include(text(await get("payments?period=this_week")), "Cash API $380 -$10.50 $369.50")
    const occupancy = text(await get("occupancy?from=2027-05-01&to=2027-05-31"))
    assert.include(occupancy, "10:00 AM =Raft – – – – – – 60%")
    assert.include(occupancy, "=Raft 1 10 seats 6 seats 60%")
    assert.include(text(await get("guests?period=this_season")), "May 2027 2 0")
    const files = Object.fromEntries(
      await Promise.all(
        reports.map(async (report) => [report, (await get(`${report}.csv?period=today`)).split("\r\n")] as const)
      )
    )
    assert.deepStrictEqual(files["sales"]?.slice(1), ["2027-05-15,'=Raft,USD,2,6,0,570,0,570,0,0", ""])
    assert.deepStrictEqual(files["payments"]?.slice(1), ["2027-05-15,Cash,API,USD,380,10.5,369.5", ""])
    assert.deepStrictEqual(files["occupancy"]?.slice(1), ["'=Raft,Saturday,10:00,1,places,6,10", ""])
    assert.deepStrictEqual(files["guests"]?.slice(1), ["2027-05-15,2,0", ""])
  })

  it("explain an invalid range and show the current month", async () => {
    for (const range of ["from=2027-05-10&to=2027-05-09", "from=2027-05-10", "from=2020-01-01&to=2027-01-01"]) {
      const html = await get(`sales?${range}`)
      assert.include(html, "Enter a start date, and an end date on or after it.")
      assert.include(html, "Sat, May 1 – Mon, May 31, 2027")
    }
  })
})

const day = FastCheck.integer({ min: 10_000, max: 40_000 }).map(LocalDate.make)
const zone = Zone.get("America/Denver")

const rangeOn = (today: LocalDate.LocalDate, query: Readonly<Record<string, string>>) => {
  const now = zone.startOf(today)
  return parseReportRange({ clock: { now, zone, today }, query: (name) => query[name] })
}

describe("a report period", () => {
  it("includes the day that its preset names", () =>
    FastCheck.assert(FastCheck.property(day, (today) => {
      for (const name of Object.keys(reportRangePresets)) {
        const { from, to } = rangeOn(today, { period: name })
        const namedDate = name === "yesterday"
          ? LocalDate.addDays(today, -1)
          : name === "last_month"
          ? LocalDate.addDays(LocalDate.firstOfMonth(today), -1)
          : today
        assert.isTrue(from <= namedDate && namedDate <= to, name)
        const [first, last, after] = [from, to, LocalDate.addDays(to, 1)].map(LocalDate.format)
        if (name.endsWith("month")) assert.deepStrictEqual([first?.slice(8), after?.slice(8)], ["01", "01"])
        if (name === "this_week") assert.deepStrictEqual([LocalDate.weekday(from), to - from], [1, 6])
        if (name === "this_season") assert.deepStrictEqual([first?.slice(5), last?.slice(5)], ["01-01", "12-31"])
      }
    })))

  it("is divided into at most 31 bars", () =>
    FastCheck.assert(FastCheck.property(day, FastCheck.integer({ min: 0, max: 365 }), (from, length) => {
      const to = LocalDate.addDays(from, length)
      const range = rangeOn(from, { from: LocalDate.format(from), to: LocalDate.format(to) })
      assert.deepInclude(range, { from, to, isWrong: false, preset: undefined })
      const dates = listBarDates(range)
      assert.isAtMost(dates.length, { day: 31, week: 27, month: 13 }[range.by])
      assert.deepStrictEqual(dates, [...new Set(dates)].toSorted())
      assert.isTrue((dates[0] ?? "") <= LocalDate.format(from))
    })))
})

it("a chart axis has four round steps that reach the largest value", () => {
  FastCheck.assert(FastCheck.property(FastCheck.integer({ min: 1, max: 99_999_999_999 }), (most) => {
    const step = computeAxisStep(most)
    assert.isAtLeast(4 * step, most)
    assert.match(String(step), /^[125]0*$/)
    const smaller = String(step).startsWith("5") ? step / 2.5 : step / 2
    assert.isTrue(step === 1 || 4 * smaller < most)
  }))
})
