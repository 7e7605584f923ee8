/** Tests refunds by staff: through the payment provider and at the desk. */
import {
  computeRefundableCents,
  type LedgerEntry,
  type LedgerEntryView,
  ledgerEntryView,
  type Payment,
  toOnlineEntries
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import { payment } from "@trailbook/testkit/generator/payment"
import * as FastCheck from "effect/FastCheck"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { listRefundSources } from "../../src/dashboard/bookings/payments.tsx"
import { open, type TestSite, trip } from "../guest/TestSite.ts"

describe("refundSources", () => {
  const money = FastCheck.nat({ max: 10_000 })
  const attempt = FastCheck.tuple(payment, money, FastCheck.array(money, { minLength: 4, maxLength: 4 })).map(
    ([one, cents, parts]) => ({
      ...one,
      cents,
      ...(one.status === "paid"
        ? {
          refunds: one.refunds.map((refund, nth) => ({ ...refund, cents: (parts[nth] ?? 0) % (cents + 1) })),
          dispute: one.dispute === null ? null : { ...one.dispute, cents: 1 + (parts[3] ?? 0) % (cents + 1) }
        }
        : {})
    })
  )

  it("offers each online payment and the amount received at the desk", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(attempt, { maxLength: 3 }), money, (attempts, desk) => {
        const payments = attempts.map((one, at): Payment => ({
          ...one,
          id: `00000000-0000-4000-8000-00000000000${at}`,
          orgId: "org",
          bookingId: "booking",
          attempt: at + 1
        }))
        const deskEntries: ReadonlyArray<LedgerEntry> = desk === 0 ? [] : [{
          id: "desk",
          orgId: "org",
          bookingId: "booking",
          kind: "payment",
          method: "transfer",
          cents: desk,
          currency: "usd",
          refundOf: null,
          reason: null,
          status: "done",
          note: "",
          connection: null,
          recordedBy: { kind: "staff", id: null, name: "Ray" },
          createdAt: Instant.min,
          doneAt: null
        }]
        const sources = listRefundSources([...payments.flatMap(toOnlineEntries), ...deskEntries].map(ledgerEntryView))
        const refundable = payments.map((one) => [one.id, computeRefundableCents(one)] as const).filter(([, cents]) =>
          cents > 0
        )
        const total = refundable.reduce((sum, [, cents]) => sum + cents, 0)
        assert.deepStrictEqual(sources.map(({ cents, value }) => [value, cents]), [
          ...refundable.length > 0 ? [["online", total]] : [],
          ...refundable.length > 1 ? refundable : [],
          ...desk > 0 ? ["cash", "card", "transfer", "voucher", "other"].map((method) => [method, desk]) : []
        ])
      }),
      { numRuns: runs(1000, 200) }
    )
  })
})

describe("the dashboard's refund form", () => {
  let site: TestSite
  let owner: string
  beforeEach(async () => {
    site = await open()
    await site.connect()
    owner = await site.signIn()
  })
  afterEach(() => site.close())

  const ask = (path: string, form?: Readonly<Record<string, string>>, cookie = owner) =>
    site.ask(path, { headers: { cookie }, ...(form === undefined ? {} : { form }) })
  const hiddenFields = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map((
        [, name = "", value = ""]
      ) => [name, value])
    )
  const text = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")
  const entries = async (booking_id: string) =>
    (await site.call("payments.list", { booking_id }) as unknown as { readonly data: ReadonlyArray<LedgerEntryView> })
      .data
  const refundsOf = async (id: string) =>
    (await entries(id)).filter(({ kind }) => kind === "refund").map(({ amount_cents, method, note, refund_of }) =>
      [amount_cents, method, note, refund_of] as const
    )

  /** Creates a $200 booking. A $50 deposit and another $120 were paid online, and $30 was paid in cash. */
  const bookPaid = async () => {
    const { id } = await site.call("offerings.create", {
      ...trip,
      pricing: {
        rates: [{ id: "seat", name: "Seat", price_cents: 10_000, places: 1 }],
        deposit: { percent_bps: 2500, balance_due_hours: 1 }
      }
    })
    const booking = await site.book(id, { quantity: 2 })
    await site.pay(booking)
    await site.call("payments.record", { id: booking.id, method: "cash", amount_cents: 3000 })
    site.set("2027-05-02T14:00:00Z")
    await site.ask(`/b/${booking.handle}/pay`, { form: {} })
    await site.pay(booking, "balance")
    site.set("2027-05-03T14:00:00Z")
    const online = (await entries(booking.id)).filter(({ method }) => method === "online")
    const [balance = "", deposit = ""] = online.map((one) => one.id)
    return { id: booking.id, path: `/dashboard/bookings/${booking.id}/refunds/new`, balance, deposit }
  }

  it("refunds the newest online payment first, and only once", async () => {
    const { balance, deposit, id, path } = await bookPaid()
    const { html } = await ask(path)
    const words = text(html)
    assert.include(words, "All online payments, newest first , up to $170")
    const order = [
      "Sun, May 2, 8:00 AM MDT , up to $120",
      "Sat, May 1, 8:00 AM MDT , up to $50",
      "Cash at the desk , up to $30"
    ]
    assert.deepStrictEqual(order.toSorted((a, b) => words.indexOf(a) - words.indexOf(b)), order)
    for (const one of order) assert.include(words, one)
    assert.match(html, /name="method" value="online" checked/)
    assert.match(html, /name="amount_cents"[^>]* value="170"/)

    const form = { ...hiddenFields(html), amount_cents: "150", method: "online", note: "The bus was late." }
    const review = await ask(path, form)
    assert.strictEqual(review.status, 200)
    for (
      const sentence of [
        "$120 is refunded through the payment provider: Online payment from Sun, May 2, 8:00 AM MDT.",
        "$30 is refunded through the payment provider: Online payment from Sat, May 1, 8:00 AM MDT.",
        "The guest owes $150.",
        "The guest gets no email.",
        "Refund $150 online"
      ]
    ) assert.include(text(review.html), sentence)
    assert.lengthOf(await refundsOf(id), 0)

    for (const _ of [1, 2]) assert.strictEqual((await ask(path, hiddenFields(review.html))).status, 303)
    assert.sameDeepMembers(await refundsOf(id), [
      [12_000, "online", "The bus was late.", balance],
      [3000, "online", "The bus was late.", deposit]
    ])
    const { due_cents, paid_cents } = await site.booking(id)
    assert.deepStrictEqual([paid_cents, due_cents], [5000, 15_000])
  })

  it("refunds a chosen payment and reduces the price", async () => {
    const { deposit, id, path } = await bookPaid()
    const { html } = await ask(path)
    assert.match(html, /name="reduce_price" value="on" checked/)
    const form = { ...hiddenFields(html), amount_cents: "20", method: deposit, reduce_price: "on", note: "" }
    const review = await ask(path, form)
    const words = text(review.html)
    assert.include(words, "The price is reduced from $200 to $180.")
    assert.include(words, "Nothing is due.")
    assert.include(words, "Ada Lovelace gets an email at ada@example.com about the new price.")
    assert.strictEqual((await ask(path, hiddenFields(review.html))).status, 303)
    assert.deepStrictEqual(await refundsOf(id), [[2000, "online", "", deposit]])
    const { due_cents, total_cents } = await site.booking(id)
    assert.deepStrictEqual([total_cents, due_cents], [18_000, 0])
  })

  it("keeps the input if the amount is too large", async () => {
    const { deposit, id, path } = await bookPaid()
    const { html } = await ask(path)
    const form = { ...hiddenFields(html), amount_cents: "50.01", method: deposit, note: "Late" }
    const rejection = await ask(path, form)
    assert.strictEqual(rejection.status, 422)
    assert.include(rejection.html, "Amount: must be at most 50.")
    assert.match(rejection.html, new RegExp(`name="method" value="${deposit}" checked`))
    assert.notMatch(rejection.html, /name="reduce_price" value="on" checked/)

    const review = await ask(path, { ...form, amount_cents: "50" })
    await site.call("payments.refund", { id, payment_id: deposit, amount_cents: 1 })
    const late = await ask(path, hiddenFields(review.html))
    assert.strictEqual(late.status, 409)
    assert.include(late.html, "Amount: must be at most $49.99, the amount that can be refunded online.")
    assert.include(late.html, "Late")
    const none = await ask(path, { ...form, method: "" })
    assert.include(none.html, "Refund to: choose an online payment or a payment method.")
  })

  it("shows the same review for desk and online refunds", async () => {
    const { id, path } = await bookPaid()
    const { html } = await ask(path)
    const form = { ...hiddenFields(html), amount_cents: "30", method: "transfer", reduce_price: "on", note: "" }
    const review = await ask(path, form)
    assert.include(text(review.html), "A refund of $30 is recorded: Bank transfer at the desk.")
    assert.include(text(review.html), "Record refund of $30")
    const end = await ask(path, hiddenFields(review.html))
    assert.include(end.headers.get("location") ?? "", "done=refundRecorded")
    assert.deepStrictEqual(await refundsOf(id), [[3000, "transfer", "", null]])
    assert.notInclude(text((await ask(path)).html), "at the desk")
  })

  it("records a desk refund only once", async () => {
    const booking = await site.book((await site.call("offerings.create", trip)).id, { hold_minutes: 30 })
    await site.call("payments.record", { id: booking.id, method: "cash", amount_cents: 9500 })
    await site.call("bookings.cancel", { id: booking.id })
    const path = `/dashboard/bookings/${booking.id}/refunds/new`
    const { html } = await ask(path)
    assert.match(html, /name="amount_cents"[^>]* value="95"/)
    assert.match(html, /name="method" value="cash" checked/)
    assert.notInclude(html, "reduce_price")
    const form = { ...hiddenFields(html), amount_cents: "95", method: "cash", note: "" }
    for (const _ of [1, 2]) assert.strictEqual((await ask(path, form)).status, 303)
    assert.deepStrictEqual(await refundsOf(booking.id), [[9500, "cash", "", null]])
  })

  it("refuses staff members who are not owners", async () => {
    const { id, path } = await bookPaid()
    const guide = await site.signIn("staff")
    for (const form of [undefined, { amount_cents: "1", method: "cash", do: "refund" }]) {
      const { html, status } = await ask(path, form, guide)
      assert.strictEqual(status, 403)
      assert.include(html, "Only owners can open this page")
    }
    assert.notInclude((await ask(`/dashboard/bookings/${id}`, undefined, guide)).html, path)
    assert.include((await ask(`/dashboard/bookings/${id}`)).html, path)
  })

  it("lets staff refund only while the org allows it", async () => {
    const { id, path } = await bookPaid()
    const page = `/dashboard/bookings/${id}`
    const guide = await site.signIn("staff")
    const cash = await site.call("payments.record", { id, method: "cash", amount_cents: 100, allow_overpayment: true })
    const voiding = `${page}/payments/${cash.id}/void`
    const noRefund = `name="refund" value="none"`
    const review = { amount_cents: "1", method: "cash", note: "", key: crypto.randomUUID() }

    await site.call("org.update", { staff_may_refund: true })
    const allowedHtml = (await ask(page, undefined, guide)).html
    for (const link of [path, voiding]) assert.include(allowedHtml, `href="${link}"`)
    assert.include((await ask(`${page}/cancel`, undefined, guide)).html, noRefund)
    const { html } = await ask(path, review, guide)
    assert.include(text(html), "Record refund of $1")

    // The owner turns the setting off while the staff member is reviewing the refund.
    await site.call("org.update", { staff_may_refund: false })
    const tables = await site.tables()
    assert.strictEqual((await ask(path, { ...review, ...hiddenFields(html) }, guide)).status, 403)
    assert.strictEqual((await ask(voiding, {}, guide)).status, 403)
    assert.strictEqual((await ask(`${page}/cancel`, { refund: "none" }, guide)).status, 403)
    assert.strictEqual(await site.tables(), tables)
    const deniedHtml = (await ask(page, undefined, guide)).html
    for (const link of [path, voiding]) assert.notInclude(deniedHtml, `href="${link}"`)
    assert.notInclude((await ask(`${page}/cancel`, undefined, guide)).html, noRefund)

    await site.call("org.update", { staff_may_refund: true })
    assert.strictEqual((await ask(voiding, {}, guide)).status, 303)
    assert.strictEqual((await ask(path, { ...review, ...hiddenFields(html) }, guide)).status, 303)
    assert.deepStrictEqual(await refundsOf(id), [[100, "cash", "", null]])
    assert.strictEqual((await ask(`${page}/cancel`, { refund: "none" }, guide)).status, 303)
    assert.lengthOf(await refundsOf(id), 1)
  })

  it("offers no refund if nothing was paid", async () => {
    const { id } = await site.call("offerings.create", trip)
    const booking = await site.book(id, { hold_minutes: 30 })
    const { html } = await ask(`/dashboard/bookings/${booking.id}/refunds/new`)
    assert.include(html, "This booking has no refundable payments.")
    assert.notInclude(html, "<button class=\"btn main")
  })
})
