/** The shop's guests pay with Mollie, some of them late or twice, and payments that are not owed are refunded. */
import * as fc from "effect/FastCheck"
import { join } from "node:path"
import { assert, describe, it, onTestFinished } from "vitest"
import { folder, startProgram } from "../../../test/examples/program.ts"
import { isLong } from "../../../test/runs.ts"
import { amountOf } from "../amount.ts"
import { openShop } from "../shop.ts"
import { fakeMollie } from "./FakeMollie.ts"

const openTestShop = async () => {
  const mollie = await fakeMollie()
  const clock = { at: Date.UTC(2027, 4, 1, 12) }
  const { outfitter, handleNotice } = await openShop({ database: ":memory:", clock: () => clock.at, log: () => {} }, {
    api: mollie.api,
    key: "test_fake",
    webhookUrl: "https://kayaks.example/mollie",
    returnTo: (handle) => `https://kayaks.example/b/${handle}`
  })
  onTestFinished(() => outfitter.close())
  const { id: offering_id } = await outfitter.offerings.create({
    name: "Kayak for a day",
    kind: "rental",
    capacity: 1,
    price_cents: 4500
  })
  const order = (email: string) => ({ offering_id, starts_at: "2027-05-03T07:00:00Z", customer: { email } })
  return {
    outfitter,
    mollie,
    order,
    book: (email = "ada@example.com") => outfitter.bookings.create(order(email)),
    get: (id: string) => outfitter.bookings.get({ id }),
    /** Posts a notification in Mollie's format. */
    tell: async (id: string | null) =>
      (await handleNotice(
        new Request("https://kayaks.example/mollie", { method: "POST", body: new URLSearchParams({ id: id ?? "" }) })
      ))
        .status,
    later: async (minutes: number) => {
      clock.at += minutes * 60_000
      for (const _ of [1, 2, 3]) await outfitter.worker.runOnce()
    }
  }
}

describe("a shop booking", () => {
  it("is held until the guest pays, and confirmed only once", async () => {
    const { book, get, mollie, tell } = await openTestShop()
    const hold = await book()
    assert.deepInclude(hold, { status: "held", checkout_url: "https://www.mollie.com/checkout/select-method/1Fake" })
    const [payment] = mollie.payments
    assert.deepInclude(payment, {
      amount: { currency: "EUR", value: "45.00" },
      redirectUrl: `https://kayaks.example/b/${hold.handle}`,
      webhookUrl: "https://kayaks.example/mollie"
    })
    // A notification for an unpaid payment changes nothing.
    assert.strictEqual(await tell("tr_1Fake"), 200)
    assert.strictEqual((await get(hold.id)).status, "held")
    const id = mollie.pay(hold.checkout_url)
    for (const _ of [1, 2]) assert.strictEqual(await tell(id), 200)
    assert.deepInclude(await get(hold.id), { status: "confirmed", payment_intent_id: "tr_1Fake", refund: null })
  })

  it("creates only one Mollie payment, even if responses are lost", async () => {
    const { mollie, order, outfitter } = await openTestShop()
    const input = { ...order("ada@example.com"), idempotency_key: "3d4c1d0e-9b51-4a53-8a04-1d4bbd3f9f0e" }
    for (const fault of ["answer lost", "broken", "busy"] as const) {
      mollie.fail(fault)
      const result = await outfitter.try.bookings.create(input)
      assert.deepInclude(result.ok ? {} : result.error, { code: "unavailable", retryable: true })
    }
    assert.strictEqual(
      (await outfitter.bookings.create(input)).checkout_url,
      "https://www.mollie.com/checkout/select-method/1Fake"
    )
    assert.lengthOf(mollie.payments, 1)
  })

  it("is confirmed even if Mollie's notification is lost", async () => {
    const { book, get, later, mollie } = await openTestShop()
    const hold = await book()
    mollie.pay(hold.checkout_url)
    await later(30)
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("releases its place if the guest does not pay", async () => {
    const { book, later, mollie } = await openTestShop()
    const hold = await book()
    for (const payment of mollie.payments) payment.isCancelable = true
    await later(30)
    assert.deepStrictEqual(mollie.payments.map(({ status }) => status), ["canceled"])
    assert.isNull(mollie.pay(hold.checkout_url))
    assert.strictEqual((await book("bob@example.com")).status, "held")
  })

  it("is refunded if the place is resold before the guest pays", async () => {
    const { book, get, later, mollie, tell } = await openTestShop()
    const hold = await book()
    await later(30)
    const other = await book("bob@example.com")
    await tell(mollie.pay(other.checkout_url))
    await tell(mollie.pay(hold.checkout_url))
    await later(1)
    assert.strictEqual((await get(other.id)).status, "confirmed")
    const { refund, status } = await get(hold.id)
    assert.deepInclude({ ...refund, booking: status }, { booking: "cancelled", status: "done", cents: 4500 })
    assert.deepStrictEqual(mollie.refunds.map(({ amount, paymentId }) => [paymentId, amount.value]), [[
      "tr_1Fake",
      "45.00"
    ]])
  })

  it("keeps the first of two payments and refunds the second", async () => {
    const { book, get, later, mollie, outfitter, tell } = await openTestShop()
    const hold = await book()
    await tell(mollie.pay(hold.checkout_url))
    // The guest has paid through a manually sent payment link.
    mollie.payments.push({ ...mollie.payments[0]!, id: "tr_byHand" })
    await outfitter.paid({ id: hold.id, payment_intent_id: "tr_byHand" })
    await later(1)
    assert.deepInclude(await get(hold.id), { status: "confirmed", payment_intent_id: "tr_1Fake" })
    assert.deepStrictEqual(mollie.refunds.map(({ paymentId }) => paymentId), ["tr_byHand"])
  })

  it("stays held if Mollie reports a different amount or payment", async () => {
    const { book, get, later, mollie, tell } = await openTestShop()
    const hold = await book()
    const [payment] = mollie.payments
    const wrong = [
      { amount: { currency: "EUR", value: "0.01" } },
      { amount: { currency: "USD", value: "45.00" } },
      { metadata: { booking: hold.id, payment: "another" } }
    ]
    wrong.forEach((one, at) => mollie.payments.push({ ...payment!, status: "paid", id: `tr_wrong${at}`, ...one }))
    for (const [at] of wrong.entries()) assert.strictEqual(await tell(`tr_wrong${at}`), 200)
    await later(1)
    assert.deepInclude(await get(hold.id), { status: "held", paid_at: null, payment_intent_id: null })
    assert.lengthOf(mollie.refunds, 0)
    await tell(mollie.pay(hold.checkout_url))
    assert.deepInclude(await get(hold.id), { status: "confirmed", payment_intent_id: payment!.id })
  })

  it("retries a refund that Mollie refuses", async () => {
    const { book, get, later, mollie, outfitter, tell } = await openTestShop()
    const hold = await book()
    await tell(mollie.pay(hold.checkout_url))
    mollie.refundsEnd("refused")
    await outfitter.bookings.cancel({ id: hold.id })
    await later(1)
    assert.strictEqual((await get(hold.id)).refund?.status, "refused")
    mollie.refundsEnd("pending")
    await later(10)
    assert.strictEqual((await get(hold.id)).refund?.status, "due")
    mollie.refunds[0]!.status = "refunded"
    await later(61)
    assert.strictEqual((await get(hold.id)).refund?.status, "done")
    assert.lengthOf(mollie.refunds, 1)
  })

  it("is refunded only once, even if Mollie forgets the idempotency key", async () => {
    const { book, get, later, mollie, outfitter, tell } = await openTestShop()
    const hold = await book()
    await tell(mollie.pay(hold.checkout_url))
    await outfitter.bookings.cancel({ id: hold.id })
    mollie.fail("broken")
    await outfitter.worker.runOnce()
    // The refund succeeds, but its response is lost.
    const { fetch } = globalThis
    onTestFinished(() => void (globalThis.fetch = fetch))
    globalThis.fetch = (input, init) => {
      if (init?.method === "POST") mollie.fail("answer lost")
      return fetch(input, init)
    }
    await later(5)
    globalThis.fetch = fetch
    assert.lengthOf(mollie.refunds, 1)
    mollie.forgetKeys()
    await later(60)
    assert.lengthOf(mollie.refunds, 1)
    assert.deepInclude((await get(hold.id)).refund ?? {}, { status: "done", cents: 4500 })
  })
})

describe("the webhook route for Mollie", () => {
  it("returns 503 only if Mollie does not respond", async () => {
    const { book, mollie, tell } = await openTestShop()
    const hold = await book()
    assert.strictEqual(await tell("../../../v2/profiles"), 200)
    assert.strictEqual(await tell(null), 200)
    mollie.fail("broken")
    assert.strictEqual(await tell(mollie.pay(hold.checkout_url)), 503)
  })

  it("ignores payments that another program created", async () => {
    const { book, mollie, tell } = await openTestShop()
    const hold = await book()
    mollie.pay(hold.checkout_url)
    mollie.payments.push(
      { ...mollie.payments[0]!, id: "tr_other", metadata: { order: 7 } },
      { ...mollie.payments[0]!, id: "tr_none", metadata: null }
    )
    assert.deepStrictEqual([await tell("tr_other"), await tell("tr_none")], [200, 200])
  })
})

it.runIf(isLong)("the server routes API requests to Trailbook, and Mollie's notifications to the shop", async () => {
  const { api } = await fakeMollie()
  const program = join(import.meta.dirname, "../serve.ts")
  const next = startProgram(program, {
    args: [join(folder(), "shop.sqlite")],
    env: { MOLLIE_API: api, MOLLIE_KEY: "test_fake" }
  })
  const url = await next()
  const response = await fetch(`${url}/mollie`, { method: "POST", body: new URLSearchParams({ id: "no payment" }) })
  assert.strictEqual(response.status, 200)
  assert.strictEqual((await fetch(`${url}/v1/bookings`)).status, 401)
})

it("amountOf formats an amount with its currency's number of decimals, without losing digits", () => {
  assert.deepStrictEqual(amountOf(4500, "eur"), { currency: "EUR", value: "45.00" })
  assert.deepStrictEqual(amountOf(5, "eur"), { currency: "EUR", value: "0.05" })
  assert.deepStrictEqual(amountOf(4500, "jpy"), { currency: "JPY", value: "4500" })
  fc.assert(fc.property(fc.nat(), fc.constantFrom("eur", "usd", "jpy", "chf", "sek"), (cents, currency) => {
    assert.strictEqual(Number(amountOf(cents, currency).value.replace(".", "")), cents)
  }))
})
