/** Tests payments, expiries, refunds, and disputes through the provider's own page. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { folder } from "../../../cli/test/program.ts"
import { open } from "./World.ts"

const openHold = async () => {
  const world = await open(folder())
  const hold = await world.book()
  return { ...world, hold, url: hold.checkout_url ?? "" }
}

describe("a test checkout", () => {
  it("shows the item, the deadline, and a test label", async () => {
    const { ask, hold, url } = await openHold()
    assert.strictEqual(hold.status, "held")
    assert.match(url, /^http:\/\/demo\.test\/till\/till_[0-9a-f-]{36}$/)
    const { html, status } = await ask(url)
    assert.strictEqual(status, 200)
    assert.include(html, "This is a test checkout. No money moves")
    assert.include(html, "Pay $45 to Salida River Co.")
    assert.include(html, "Kayak &lt;b>for a day&lt;/b>")
    assert.include(html, hold.reference)
    assert.include(html, "until 8:31")
    assert.notMatch(html, /<script|<input/)
    assert.match((await ask(`${url}?lang=es`)).html, /Este es un pago de prueba[\s\S]*Pagar \$45/)
  })

  it("lists what the guest is paying for", async () => {
    const { ask, book, call } = await open(folder())
    const rates = [
      { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
      { id: "child", name: "Child", price_cents: 7500, places: 1 }
    ]
    const page = async (pricing: object) => {
      const { id } = await call<{ readonly id: string }>("offerings.create", {
        name: "Raft trip",
        kind: "rental",
        capacity: 8,
        pricing
      })
      const party = [{ rate_id: "adult", quantity: 2 }, { rate_id: "child", quantity: 1 }]
      const { checkout_url } = await book("ada@example.com", { offering_id: id, party })
      return (await ask(checkout_url ?? "")).html
    }
    assert.match(await page({ rates }), /2 × Adult<\/dt><dd[^>]*>\$190<[\s\S]*Child<\/dt><dd[^>]*>\$75<[\s\S]*\$265</)
    const deposit = { percent_bps: 2000, balance_due_hours: 1 }
    const html = await page({ rates, deposit })
    assert.match(html, /Raft trip<\/dt><dd[^>]*>\$53<[\s\S]*2 × Adult, 1 × Child: \$265\.00/)
    assert.include(html, "Pay $53 to Salida River Co.")
  })

  it("accepts only one payment if the button is clicked repeatedly", async () => {
    const { ask, get, hold, mails, payments, press, url, work } = await openHold()
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(url, { act: "pay" })))
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
    assert.include(await get(hold.id), {
      status: "confirmed",
      payment_intent_id: `test_no_money_${(await payments(hold.id))[0]?.id}_1`
    })
    assert.lengthOf(await payments(hold.id), 1)
    const { html } = await press(url, "pay")
    assert.include(html, "You paid $45")
    assert.include(html, "This action is no longer available")
    assert.include(html, `/b/${hold.handle}/paid"`)
    await work()
    assert.match(mails.join("\n"), /Booking confirmed/)
  })

  it("can still be paid after a declined card", async () => {
    const { get, hold, press, url } = await openHold()
    const { html } = await press(url, "decline")
    assert.include(html, "The card was declined. You were not charged")
    assert.include(await get(hold.id), { status: "held", checkout_url: url })
    await press(url, "pay")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("expires with the hold if it is not paid", async () => {
    const { ask, book, later, payments, hold, url, work } = await openHold()
    await later(30)
    await work()
    assert.include((await ask(url)).html, "This checkout has expired")
    assert.deepInclude((await payments(hold.id))[0], { status: "expired" })
    assert.strictEqual((await book("bob@example.com")).status, "held")
  })

  it("is replaced if it expires before the hold", async () => {
    const { get, hold, later, press, url, work } = await openHold()
    assert.include((await press(url, "end")).html, "This checkout has expired")
    assert.isNull((await get(hold.id)).checkout_url)
    await later(1)
    await work()
    const { checkout_url } = await get(hold.id)
    assert.notInclude([url, null], checkout_url)
    await press(checkout_url ?? "", "pay")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("confirms the booking after a late payment if capacity remains", async () => {
    const { get, hold, later, press, url, work } = await openHold()
    await later(30)
    await work()
    await press(url, "late")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("refunds a late payment if no capacity remains", async () => {
    const { ask, book, get, hold, later, mails, press, url, work } = await openHold()
    await later(30)
    await work()
    const other = await book("bob@example.com")
    await press(other.checkout_url ?? "", "pay")
    await press(url, "late")
    await work()
    const { refund, status } = await get(hold.id)
    assert.deepInclude({ status, ...refund }, { status: "done", cents: 4500 })
    assert.strictEqual(status, "cancelled")
    assert.include((await ask(url)).html, "Refunded")
    assert.match(mails.join("\n"), /ada@example\.com: .*canceled/i)
    assert.strictEqual((await get(other.id)).status, "confirmed")
  })

  it("refunds a duplicate payment", async () => {
    const { ask, get, hold, payments, press, url, work } = await openHold()
    await press(url, "pay")
    const { payment_intent_id: first } = await get(hold.id)
    await press(url, "again")
    await work()
    const { html } = await ask(url)
    assert.deepStrictEqual([html.match(/<dt>Received/g)?.length, html.match(/<dt>Refunded/g)?.length], [1, 1])
    assert.include(await get(hold.id), { status: "confirmed", payment_intent_id: first, refund: null })
    assert.lengthOf(await payments(hold.id), 2)
  })

  it("is refunded only once if its booking is canceled", async () => {
    const { ask, call, get, hold, path, press, url, work } = await openHold()
    await press(url, "pay")
    await call("bookings.cancel", { id: hold.id })
    await work()
    assert.include((await get(hold.id)).refund, { status: "done", cents: 4500 })
    assert.include((await ask(url)).html, "Refunded")
    assert.lengthOf(readFileSync(path, "utf8").match(/"type":"returned"/g) ?? [], 1)
  })

  it("can be disputed, which notifies the outfitter's staff", async () => {
    const { hold, mails, payments, press, staff, url, work } = await openHold()
    await staff()
    await press(url, "pay")
    assert.include((await press(url, "dispute")).html, "Disputed")
    await work()
    assert.isNotNull((await payments(hold.id)).map((one) => one.status === "paid" ? one.dispute : null)[0])
    assert.match(mails.join("\n"), /boss@example\.com: Payment disputed/)
  })
})

describe("the checkout page", () => {
  it("rejects unknown checkouts and invalid actions", async () => {
    const { ask, url } = await openHold()
    assert.strictEqual((await ask("http://demo.test/till/till_none")).status, 404)
    assert.strictEqual((await ask("http://demo.test/till/till_none", { act: "pay" })).status, 404)
    assert.strictEqual((await ask(url, { act: "steal" })).status, 400)
    assert.strictEqual((await ask(url, {})).status, 400)
  })

  it("rejects form submissions from other sites", async () => {
    const { ask, get, hold, url } = await openHold()
    const { status } = await ask(url, { act: "pay" }, {
      "sec-fetch-site": "cross-site",
      origin: "https://evil.example"
    })
    assert.strictEqual(status, 403)
    assert.strictEqual((await get(hold.id)).status, "held")
  })
})

describe("the restarted test payment provider", () => {
  it("restores its checkouts and payments", async () => {
    const { ask, get, hold, press, restart, url } = await openHold()
    await restart()
    assert.include((await ask(url)).html, "Pay $45")
    await press(url, "pay")
    await restart()
    assert.include((await ask(url)).html, "You paid $45")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("reports payments that it stored but did not report", async () => {
    const { get, hold, path, payments, restart } = await openHold()
    const [payment] = await payments(hold.id)
    const session = `till_${payment?.id}`
    appendFileSync(path, `${JSON.stringify({ type: "paid", at: 0, session, intent: "test_no_money_1" })}\n`)
    assert.strictEqual((await get(hold.id)).status, "held")
    await restart()
    assert.strictEqual((await get(hold.id)).status, "confirmed")
    const contents = readFileSync(path, "utf8")
    await restart()
    assert.strictEqual(readFileSync(path, "utf8"), contents)
  })

  it("tolerates a partial last line, but no other invalid line", async () => {
    const { ask, path, press, restart, url } = await openHold()
    const whole = readFileSync(path, "utf8")
    appendFileSync(path, `{"type":"paid","session":"ün`)
    await restart()
    assert.strictEqual(readFileSync(path, "utf8"), whole)
    assert.include((await press(url, "pay")).html, "You paid")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    writeFileSync(path, "{}\n")
    let log = ""
    await restart().catch((error: unknown) => log = String(error))
    assert.include(log, "is not compatible with this version of the demo")
    assert.strictEqual((await ask(url)).status, 200)
  })
})
