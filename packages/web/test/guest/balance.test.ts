/** Tests a booking's balance: requested by the staff, and paid by the guest on the booking page. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "./TestSite.ts"

const pricing = {
  rates: [{ id: "seat", name: "Seat", price_cents: 10_000, places: 1 }],
  deposit: { percent_bps: 2500, balance_due_hours: 1 }
}

describe("a booking's balance", () => {
  let site: TestSite
  beforeEach(async () => {
    site = await open()
  })
  afterEach(() => site.close())

  /** Books with a deposit and pays it. */
  const bookWithDeposit = async (fields: object = {}) => {
    await site.connect()
    const { id } = await site.call("offerings.create", { ...trip, pricing })
    const hold = await site.book(id, { quantity: 2, ...fields })
    assert.strictEqual(hold.status, "held")
    await site.pay(hold)
    return site.booking(hold.id)
  }
  const visit = async (path: string) => (await site.ask(path)).html
  const checkoutOf = (html: string) => /href="(https:\/\/till\.example\/[^"]+)"/.exec(html)?.[1]

  it("is paid only once, even if the guest opens the checkout twice", async () => {
    const booking = await bookWithDeposit()
    assert.deepStrictEqual([booking.status, booking.paid_cents, booking.due_cents], ["confirmed", 5000, 15_000])
    const page = `/b/${booking.handle}`
    assert.include(await visit(page), "Pay the balance: $150")
    assert.strictEqual((await site.ask(`${page}/pay`)).status, 303)

    const { html, status } = await site.ask(`${page}/pay`, { form: {} })
    assert.strictEqual(status, 200)
    const checkout = checkoutOf(html)
    assert.isString(checkout)
    assert.include(html, "$150")
    // A second submission and the page itself link to the same checkout.
    assert.strictEqual(checkoutOf((await site.ask(`${page}/pay`, { form: {} })).html), checkout)
    assert.strictEqual(checkoutOf(await visit(`${page}/pay`)), checkout)
    assert.include(await visit(`${page}/paid?balance=1`), "Waiting for your payment")

    await site.call("bookings.update", { id: booking.id, adjustments: [{ name: "Paddle", cents: 500 }] })
    const replaced = checkoutOf((await site.ask(`${page}/pay`, { form: {} })).html)
    assert.isString(replaced)
    assert.notStrictEqual(replaced, checkout)

    for (const intent of ["balance", "balance", "second balance"]) await site.pay(booking, intent)
    const { due_cents, owed_cents, paid_cents } = await site.booking(booking.id)
    assert.deepStrictEqual([paid_cents, due_cents, owed_cents], [20_500, 0, 0])
    const { headers } = await site.ask(`${page}/paid?balance=1`)
    assert.strictEqual(headers.get("location"), `${page}?done=paidNow`)
    assert.notInclude(await visit(page), "Pay the balance")
    assert.strictEqual((await site.ask(`${page}/pay`, { form: {} })).status, 303)
    const { data } = await site.call("payments.list", { booking_id: booking.id }) as unknown as {
      readonly data: ReadonlyArray<
        { readonly kind: string; readonly reason: string | null; readonly amount_cents: number }
      >
    }
    const keptCents = data.reduce(
      (sum, { amount_cents, kind }) => sum + (kind === "payment" ? amount_cents : -amount_cents),
      0
    )
    assert.strictEqual(keptCents, 20_500)
    assert.isTrue(data.some(({ kind, reason }) => kind === "refund" && reason === "overpayment"))
  })

  it.each([
    ["the staff record a partial payment", "payments.record", { method: "cash", amount_cents: 5000 }, "$100"],
    ["the staff lower the price", "bookings.update", { adjustments: [{ name: "Sorry", cents: -3000 }] }, "$120"],
    ["a guest joins the party", "bookings.update", { party: [{ rate_id: "seat", quantity: 3 }] }, "$250"]
  ])("cannot be paid at its open checkout once %s", async (_, operation, change, due) => {
    const booking = await bookWithDeposit()
    const page = `/b/${booking.handle}`
    assert.isString(checkoutOf((await site.ask(`${page}/pay`, { form: {} })).html))
    assert.deepStrictEqual(await site.paymentStatuses(booking), ["paid", "open"])
    await site.call(operation, { id: booking.id, ...change })
    assert.deepStrictEqual(await site.paymentStatuses(booking), ["paid", "expired"])
    assert.strictEqual((await site.ask(`${page}/pay`)).status, 303)
    assert.include(await visit(page), `Pay the balance: ${due}`)
  })

  it("cannot be paid online without a payment account", async () => {
    const { id } = await site.call("offerings.create", { ...trip, pricing })
    const booking = await site.book(id)
    assert.isAbove(booking.due_cents, 0)
    assert.notInclude(await visit(`/b/${booking.handle}`), "Pay the balance")
    assert.strictEqual((await site.ask(`/b/${booking.handle}/pay`, { form: {} })).status, 303)
  })

  it("is separate from the deposit only if a payment account is connected", async () => {
    const { id } = await site.call("offerings.create", { ...trip, pricing })
    const { data: [slot] } = await site.call("availability.get", { id }) as unknown as {
      readonly data: ReadonlyArray<{ readonly starts_at: string }>
    }
    const details = `/book/salida-river-co/${id}/details?party=seat:2&slot=${slot?.starts_at}`
    const without = await visit(details)
    assert.include(without, "$200")
    assert.notInclude(without, "Deposit, due now")
    await site.connect()
    assert.match(await visit(details), /Deposit, due now<\/dt><dd>\$50<\/dd>/)
  })

  it("is excluded from a hold's payment page, which charges only the deposit", async () => {
    await site.connect()
    const { id } = await site.call("offerings.create", { ...trip, pricing })
    const { handle } = await site.book(id, { quantity: 2 })
    assert.match(
      await visit(`/b/${handle}/pay`),
      /Total<\/dt><dd[^>]*>\$200<[\s\S]*Deposit, due now<\/dt><dd[^>]*>\$50</
    )
  })

  it("is recomputed when a reminder is sent", async () => {
    const booking = await bookWithDeposit({ starts_at: "2027-05-12T15:00:00Z" })
    await site.call("automations.update", { automation: "reminders", dial: "ask", settings: { balance_due_days: 7 } })
    site.set("2027-05-05T20:00:00Z")
    await site.turn()
    const { data: [proposal] } = await site.call("proposals.list", {}) as unknown as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    await site.call("payments.record", { id: booking.id, method: "cash", amount_cents: 3000 })
    await site.call("proposals.approve", { id: proposal?.id })
    assert.include(await visit(`/b/${booking.handle}`), "The balance of $120.00 for")
  })

  it("can be requested at most 3 times a day", async () => {
    const booking = await bookWithDeposit()
    const cookie = await site.signIn("staff")
    const page = `/dashboard/bookings/${booking.id}`
    const send = () => site.ask(`${page}/payment-requests`, { headers: { cookie }, form: {} })
    assert.include((await site.ask(page, { headers: { cookie } })).html, "Request payment")
    for (const notice of ["requested", "requested", "requested", "requestedToday"]) {
      assert.strictEqual((await send()).headers.get("location"), `${page}?done=${notice}`)
    }
    await site.pay(booking, "balance")
    // The payment above was made without a checkout, so it paid the deposit amount again and left $100 due.
    await site.call("payments.record", { id: booking.id, method: "cash", amount_cents: 10_000 })
    assert.notInclude((await site.ask(page, { headers: { cookie } })).html, "Request payment")
  })
})
