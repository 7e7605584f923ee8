/** Paying at the demo's till, by its page alone. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { folder } from "../../cli/program.ts"
import { open } from "./World.ts"

const held = async () => {
  const world = await open(folder())
  const hold = await world.book()
  return { ...world, hold, url: hold.checkout_url ?? "" }
}

describe("a checkout of the test till", () => {
  it("is a page that says what it is, what is paid for and by when, and needs no script", async () => {
    const { ask, hold, url } = await held()
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
    assert.match((await ask(`${url}?lang=es`)).html, /Este es un pago de prueba[\s\S]*Pagar 45/)
  })

  it("pays once, however often the button is pressed at once, and the booking is confirmed", async () => {
    const { ask, get, hold, mails, payments, press, url, work } = await held()
    const all = await Promise.all(Array.from({ length: 16 }, () => ask(url, { act: "pay" })))
    assert.deepStrictEqual(new Set(all.map(({ status }) => status)), new Set([303]))
    assert.include(await get(hold.id), {
      status: "confirmed",
      payment_intent_id: `test_no_money_${(await payments(hold.id))[0]?.id}_1`
    })
    assert.lengthOf(await payments(hold.id), 1)
    const { html } = await press(url, "pay")
    assert.include(html, "You have paid $45")
    assert.include(html, "This action is no longer available")
    assert.include(html, `/b/${hold.handle}/paid"`)
    await work()
    assert.match(mails.join("\n"), /Booking confirmed/)
  })

  it("takes nothing from a card that is declined, and can be paid then", async () => {
    const { get, hold, press, url } = await held()
    const { html } = await press(url, "decline")
    assert.include(html, "The card was declined. You were not charged")
    assert.include(await get(hold.id), { status: "held", checkout_url: url })
    await press(url, "pay")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("that nobody pays ends with the hold, and the place is free", async () => {
    const { ask, book, later, payments, hold, url, work } = await held()
    await later(30)
    await work()
    assert.include((await ask(url)).html, "This checkout has expired")
    assert.deepInclude((await payments(hold.id))[0], { status: "expired" })
    assert.strictEqual((await book("bob@example.com")).status, "held")
  })

  it("that ends by itself before the hold does has another one after it", async () => {
    const { get, hold, later, press, url, work } = await held()
    assert.include((await press(url, "end")).html, "This checkout has expired")
    assert.isNull((await get(hold.id)).checkout_url)
    await later(1)
    await work()
    const { checkout_url } = await get(hold.id)
    assert.notInclude([url, null], checkout_url)
    await press(checkout_url ?? "", "pay")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("that is paid late confirms the booking while its place is free", async () => {
    const { get, hold, later, press, url, work } = await held()
    await later(30)
    await work()
    await press(url, "late")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("that is paid late goes back where somebody else has the place, and the guest is told", async () => {
    const { ask, book, get, hold, later, mails, press, url, work } = await held()
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

  it("that is paid twice gives the second payment back", async () => {
    const { ask, get, hold, payments, press, url, work } = await held()
    await press(url, "pay")
    const { payment_intent_id: first } = await get(hold.id)
    await press(url, "again")
    await work()
    const { html } = await ask(url)
    assert.deepStrictEqual([html.match(/<dt>Received/g)?.length, html.match(/<dt>Refunded/g)?.length], [1, 1])
    assert.include(await get(hold.id), { status: "confirmed", payment_intent_id: first, refund: null })
    assert.lengthOf(await payments(hold.id), 2)
  })

  it("gives back what was paid when the booking is cancelled, once", async () => {
    const { ask, call, get, hold, path, press, url, work } = await held()
    await press(url, "pay")
    await call("bookings.cancel", { id: hold.id })
    await work()
    assert.include((await get(hold.id)).refund, { status: "done", cents: 4500 })
    assert.include((await ask(url)).html, "Refunded")
    assert.lengthOf(readFileSync(path, "utf8").match(/"type":"returned"/g) ?? [], 1)
  })

  it("can be disputed, which the outfitter's people are told", async () => {
    const { hold, mails, payments, press, staff, url, work } = await held()
    await staff()
    await press(url, "pay")
    assert.include((await press(url, "dispute")).html, "Disputed")
    await work()
    assert.isNotNull((await payments(hold.id)).map((one) => one.status === "paid" ? one.dispute : null)[0])
    assert.match(mails.join("\n"), /boss@example\.com: Payment disputed/)
  })
})

describe("the page", () => {
  it("is not there for a checkout that is not, and takes no button that it has not", async () => {
    const { ask, url } = await held()
    assert.strictEqual((await ask("http://demo.test/till/till_none")).status, 404)
    assert.strictEqual((await ask("http://demo.test/till/till_none", { act: "pay" })).status, 404)
    assert.strictEqual((await ask(url, { act: "steal" })).status, 400)
    assert.strictEqual((await ask(url, {})).status, 400)
  })

  it("is pressed by nobody else's page", async () => {
    const { ask, get, hold, url } = await held()
    const { status } = await ask(url, { act: "pay" }, {
      "sec-fetch-site": "cross-site",
      origin: "https://evil.example"
    })
    assert.strictEqual(status, 403)
    assert.strictEqual((await get(hold.id)).status, "held")
  })
})

describe("after a restart", () => {
  it("the till knows its checkouts, and what was paid", async () => {
    const { ask, get, hold, press, restart, url } = await held()
    await restart()
    assert.include((await ask(url)).html, "Pay $45")
    await press(url, "pay")
    await restart()
    assert.include((await ask(url)).html, "You have paid $45")
    assert.strictEqual((await get(hold.id)).status, "confirmed")
  })

  it("it tells of money that it had taken when it was ended, before anybody was told", async () => {
    const { get, hold, path, payments, restart } = await held()
    const [payment] = await payments(hold.id)
    const session = `till_${payment?.id}`
    appendFileSync(path, `${JSON.stringify({ type: "paid", at: 0, session, intent: "test_no_money_1" })}\n`)
    assert.strictEqual((await get(hold.id)).status, "held")
    await restart()
    assert.strictEqual((await get(hold.id)).status, "confirmed")
    const written = readFileSync(path, "utf8")
    await restart()
    assert.strictEqual(readFileSync(path, "utf8"), written)
  })

  it("half a line at the end of its file is taken away, and anything else is said to be wrong", async () => {
    const { ask, path, press, restart, url } = await held()
    const whole = readFileSync(path, "utf8")
    appendFileSync(path, `{"type":"paid","session":"ün`)
    await restart()
    assert.strictEqual(readFileSync(path, "utf8"), whole)
    assert.include((await press(url, "pay")).html, "You have paid")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    writeFileSync(path, "{}\n")
    let said = ""
    await restart().catch((error: unknown) => said = String(error))
    assert.include(said, "is not what this version of the demo wrote")
    assert.strictEqual((await ask(url)).status, 200)
  })
})
