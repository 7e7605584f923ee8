import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

describe("the dashboard's payments page", () => {
  let site: TestSite
  let cookie: string
  let bookingId: string
  beforeAll(async () => {
    site = await open({ now: "2027-05-01T14:00:00Z" })
    cookie = await site.signIn("staff")
  })
  afterAll(() => site.close())

  const ask = (path: string, form?: Readonly<Record<string, string>>) =>
    site.ask(path, { headers: { cookie }, ...(form === undefined ? {} : { form }) })
  const record = (method: string, cents: number, note = "", operation = "payments.record") =>
    site.call(operation, { id: bookingId, method, amount_cents: cents, note })
  /** Returns the cells in each row of a table. */
  const rows = (html: string, label: string) => {
    const table = html.split(`aria-label="${label}, as a table"`)[1]?.split("</section>")[0] ?? ""
    return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1).map(([, row = ""]) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, "").trim())
    )
  }

  it("names the next step if the ledger is empty", async () => {
    const { html } = await ask("/dashboard/ledger")
    assert.include(html, "No payments yet. Record a payment on a booking's page.")
    assert.notInclude(html, "Totals by method")
    assert.include(html, `href="/dashboard/ledger?from=2027-05-01&amp;to=2027-05-01">Close out today</a>`)
  })

  it("totals payments and refunds by method and person", async () => {
    const { id } = await site.call("offerings.create", { ...trip, price_cents: 100_000 })
    const booking = await site.book(id, { customer: { name: "Grace Hopper", email: "grace@example.com" } }, 12)
    bookingId = booking.id
    // Record payments at the last instant of April 30 in Denver and at the first instant of May 1.
    site.set("2027-05-01T05:59:59.999Z")
    await record("transfer", 20_000, "yesterday")
    site.set("2027-05-01T06:00:00Z")
    await record("cash", 1010, "=1+1")
    site.set("2027-05-01T14:00:00Z")
    await record("cash", 2029)
    await record("card", 3050)
    const mistake = await record("cash", 7700)
    await site.call("payments.void", { id: mistake.id })
    await record("cash", 505, "", "payments.refund")
    await ask(`/dashboard/bookings/${bookingId}/payments/new`, { amount_cents: "0.01", method: "cash", note: "" })

    const { html } = await ask("/dashboard/ledger?from=2027-05-01&to=2027-05-01")
    assert.deepStrictEqual(rows(html, "Totals by method"), [
      ["Card", "$30.50", "$0", "$30.50"],
      ["Cash", "$30.40", "$5.05", "$25.35"],
      ["Total", "$60.90", "$5.05", "$55.85"]
    ])
    const people = rows(html, "Totals by person")
    assert.lengthOf(people, 3)
    assert.deepInclude(people.map((row) => row.slice(1)), ["$0.01", "$0", "$0.01"])
    assert.deepInclude(people, ["API", "$60.89", "$5.05", "$55.84"])
    assert.deepStrictEqual(people.at(-1), ["Total", "$60.90", "$5.05", "$55.85"])
    const entries = rows(html, "Payments and refunds")
    assert.lengthOf(entries, 6)
    assert.deepInclude(entries.map((row) => row[3]), "Payment, cash VoidAPI")
    assert.include(html, `href="/dashboard/bookings/${bookingId}"`)
    assert.deepInclude(entries.map((row) => row[2]), `Grace Hopper${booking.reference}`)
  })

  it("filters by local date and by method", async () => {
    const all = (await ask("/dashboard/ledger")).html
    assert.lengthOf(rows(all, "Payments and refunds"), 7)
    assert.notInclude(all, "Totals by person")
    const { html } = await ask("/dashboard/ledger?to=2027-04-30")
    assert.deepStrictEqual(rows(html, "Payments and refunds").map((row) => row[3]), [
      "Payment, bank transfer API · yesterday"
    ])
    const card = (await ask("/dashboard/ledger?method=card")).html
    assert.deepStrictEqual(rows(card, "Totals by method").map(([label]) => label), ["Card", "Total"])
    assert.include((await ask("/dashboard/ledger?method=voucher")).html, "No payments match.")
    // Invalid values are ignored. The search is also ignored, because the operation does not support it.
    const odd = (await ask("/dashboard/ledger?method=gold&from=yesterday&q=grace")).html
    assert.lengthOf(rows(odd, "Payments and refunds"), 7)
  })

  it("downloads all matching entries as CSV without formulas", async () => {
    for (let nth = 0; nth < 50; nth++) await record("voucher", 100)
    const { headers, html } = await ask("/dashboard/ledger.csv?from=2027-05-01&to=2027-05-01")
    assert.include(headers.get("content-disposition") ?? "", "ledger.csv")
    const [head = "", ...lines] = html.trimEnd().split("\r\n")
    assert.include(head, "Date,Booking ID,Kind,Method,Amount,Currency,Status,Recorded by,Note")
    assert.lengthOf(lines, 56)
    assert.include(lines.at(-1), `2027-05-01 00:00,${bookingId},Payment,Cash,10.10,USD,Done,`)
    assert.match(lines.at(-1) ?? "", /,'=1\+1$/)
    assert.lengthOf(lines.filter((line) => line.includes(",Refund,Cash,5.05,USD,Done,")), 1)
    assert.lengthOf(lines.filter((line) => line.includes(",77,USD,Void,")), 1)
    const page = (await ask("/dashboard/ledger?from=2027-05-01&to=2027-05-01")).html
    assert.lengthOf(rows(page, "Payments and refunds"), 50)
    assert.deepInclude(rows(page, "Totals by method"), ["Voucher", "$50", "$0", "$50"])
  })

  it("shows no totals for more than 2,000 entries", async () => {
    const { length } = (await ask("/dashboard/ledger.csv")).html.trimEnd().split("\r\n").slice(1)
    for (let nth = length; nth < 2000; nth++) await record("other", 1)
    assert.include((await ask("/dashboard/ledger")).html, "Totals by method")
    await record("other", 1)
    const { html } = await ask("/dashboard/ledger")
    assert.notInclude(html, "Totals by method")
    assert.include(html, "Totals are not available because more than 2,000 entries match. Choose a shorter date range.")
  })
})
