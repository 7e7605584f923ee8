/**
 * In Chromium, a guest books with rates, extras, a discount code, and a deposit, and pays the deposit and the balance
 * at Stripe. The page, the quote, the booking, Stripe, the ledger, and the reports must agree to the cent.
 */
import type { BookingView } from "@trailbook/core/booking"
import type { LedgerEntryView } from "@trailbook/core/payment"
import type { QuoteView } from "@trailbook/core/pricing"
import { startServer } from "@trailbook/server"
import * as Effect from "effect/Effect"
import { afterAll, assert, describe, it, onTestFinished } from "vitest"
import { freePort } from "../../../../test/freePort.ts"
import { closeContexts, getBrowser } from "../../../web/test/browser/Chromium.ts"
import { withPage } from "../../../web/test/browser/withPage.ts"
import { riverShop } from "../payments/riverShop.ts"

const pricing = {
  rates: [
    { id: "adult", name: "Adult", price_cents: 9500, places: 1 },
    { id: "child", name: "Child", price_cents: 7500, places: 1, needs_any_of: ["adult"] }
  ],
  extras: [{ id: "wetsuit", name: "Wetsuit", price_cents: 1499, per: "place" }],
  deposit: { percent_bps: 3333, balance_due_hours: 168 }
}
const fees = [
  { id: "park", name: "Park fee", cents: 350, per: "place" },
  { id: "tax", name: "Sales tax", percent_bps: 825, per: "order_value", tax: true, compound: true }
]

/**
 * 2 × 9,500 + 7,500 + 2 × 1,499 = 29,498. The code takes off 12.5%, rounded half up. The tax is 8.25% of the remainder
 * plus the park fee.
 */
const discountCents = 3687
const parkCents = 3 * 350
const taxCents = 2216
const totalCents = 29_498 - discountCents + parkCents + taxCents
/** 33.33% of the total. */
const depositCents = 9691

interface Rows {
  readonly data: ReadonlyArray<Record<string, unknown>>
  readonly deferred?: ReadonlyArray<object>
}

const serve = async () => {
  // Reports omit payments in test mode.
  const { connected, database, keys, stripe, token, where } = await riverShop({ mode: "live" })
  // Stripe returns guests to the public URL.
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const server = await startServer({ database, port, publicUrl, worker: "off", secretsKeys: keys, stripe: where })
  onTestFinished(server.stop)
  const call = async <A>(path: string, body?: object, method = "POST"): Promise<A> => {
    const response = await fetch(`${server.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method, body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${await response.text()}`)
    return await response.json() as A
  }
  const { slug } = await call<{ readonly slug: string }>("/org", { fees }, "PATCH")
  const { created_at, id } = await call<{ readonly created_at: string; readonly id: string }>("/offerings", {
    name: "Browns Canyon",
    kind: "class",
    // Visitors can hold at most a quarter of a departure's seats before they pay.
    capacity: 12,
    duration_minutes: 240,
    pricing
  })
  const now = Date.parse(created_at)
  const dateIn = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
  const { data: [session] } = await call<Rows>("/sessions", { offering_id: id, starts_at: `${dateIn(30)}T18:00:00Z` })
  await call("/discounts", { code: "SPRING", percent_bps: 1250 })
  // Set the bank's clock, because the bank checks when its checkouts expire.
  await Effect.runPromise(stripe.bank.advance((now - await Effect.runPromise(stripe.bank.now)) / 60_000))

  /** Pays a checkout, and sends the webhook to the server. */
  const pay = async (checkout: string): Promise<void> => {
    await Effect.runPromise(stripe.bank.pay(checkout))
    const notice = (await Effect.runPromise(stripe.bank.resent)).at(-1)
    if (notice === undefined) throw new Error("The bank sent no notice.")
    const answer = await fetch(`${server.origin}/pay/stripe/${connected.id}`, {
      method: "POST",
      headers: { "stripe-signature": notice.signature },
      body: new Uint8Array(notice.body)
    })
    assert.strictEqual(answer.status, 200)
  }
  return { call, dateIn, id, origin: server.origin, pay, session_id: session?.["id"], slug, stripe }
}

describe("a booking with complex pricing", () => {
  afterAll(closeContexts)

  it("shows the same amounts everywhere, including Stripe", async () => {
    const { call, dateIn, id, origin, pay, session_id, slug, stripe } = await serve()
    const order = {
      offering_id: id,
      session_id,
      party: [{ rate_id: "adult", quantity: 2 }, { rate_id: "child", quantity: 1 }],
      extras: [{ extra_id: "wetsuit", quantity: 2 }]
    }
    await withPage(await getBrowser(), { scripts: true, isRefused: true }, async (page) => {
      await page.route("https://checkout.stripe.example/**", (route) => {
        const checkout = stripe.checkouts.get(new URL(route.request().url()).pathname.slice(1))
        const html = `<!doctype html><html lang="en"><title>Stripe</title><a href="${
          checkout?.get("success_url")
        }">Pay</a>`
        return route.fulfill({ contentType: "text/html", body: html })
      })
      /** Pays on the checkout page, which has one item. */
      const paysAtStripe = async (cents: number) => {
        await page.waitForURL("https://checkout.stripe.example/**")
        const checkout = new URL(page.url()).pathname.slice(1)
        const items = [...stripe.checkouts.get(checkout) ?? []].flatMap(([key, value]) =>
          key.startsWith("line_items") ? [[key.replace("line_items", ""), value]] : []
        )
        const item = "[0][price_data][product_data]"
        assert.deepStrictEqual(Object.fromEntries(items), {
          "[0][quantity]": "1",
          "[0][price_data][currency]": "usd",
          "[0][price_data][unit_amount]": String(cents),
          [`${item}[name]`]: "Browns Canyon",
          [`${item}[description]`]: "2 × Adult, 1 × Child, 2 × Wetsuit, 3 × Park fee, 1 × Sales tax: $290.77"
        })
        await pay(checkout)
        await page.getByRole("link", { name: "Pay" }).click()
        await page.waitForURL(`${origin}/b/**`)
      }

      await page.goto(`${origin}/book/${slug}/${id}?date=${dateIn(30)}`)
      for (const name of ["Adult", "Child", "Wetsuit", "Wetsuit"]) {
        const count = page.locator("output", { hasText: /./ }).and(page.getByLabel(name, { exact: true }))
        const next = String(Number(await count.textContent()) + 1)
        await page.getByRole("link", { name: `Add one: ${name}` }).click()
        await count.getByText(next, { exact: true }).waitFor()
      }
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByLabel("Your name").fill("Ada Lovelace")
      await page.getByLabel("Email").fill("ada@example.com")
      await page.getByText("Do you have a discount code?").click()
      await page.getByLabel("Discount code").fill("spring")
      const submit = page.getByRole("button", { name: "Book and continue" })
      await submit.click()
      await page.getByText("The discount code was applied.").waitFor()
      const summary = await page.locator("aside dl").innerText()
      for (const row of ["SPRING", "-$36.87", "Park fee", "$10.50", "Sales tax", "$22.16"]) assert.include(summary, row)
      assert.match(summary, /Total\s+\$290\.77\s+Deposit, due now\s+\$96\.91\s+Balance, due later\s+\$193\.86/)

      const quote = await call<QuoteView>("/quotes", { ...order, discount_code: "SPRING" })
      assert.deepInclude(quote, {
        subtotal_cents: 29_498,
        discount_cents: discountCents,
        fees_cents: parkCents + taxCents,
        tax_cents: taxCents,
        total_cents: totalCents,
        due_now_cents: depositCents
      })

      /** Compares the booking, the bank, the ledger, and the reports. */
      const reconcile = async (charges: ReadonlyArray<number>) => {
        const { data: [booking] } = await call<{ readonly data: ReadonlyArray<BookingView> }>("/bookings")
        assert(booking !== undefined)
        const paidCents = charges.reduce((sum, cents) => sum + cents, 0)
        assert.deepInclude(booking, {
          status: "confirmed",
          quantity: 3,
          party: order.party,
          extras: order.extras,
          discount_code: "SPRING",
          lines: quote.lines,
          total_cents: totalCents,
          paid_cents: paidCents,
          due_cents: totalCents - paidCents,
          owed_cents: 0
        })
        const { data: entries } = await call<{ readonly data: ReadonlyArray<LedgerEntryView> }>(
          `/payments?booking_id=${booking.id}`
        )
        assert.sameDeepMembers(
          entries.map(({ amount_cents, currency, kind, method, status }) => [
            kind,
            method,
            status,
            currency,
            amount_cents
          ]),
          charges.map((cents) => ["payment", "online", "done", "usd", cents])
        )
        const balances = await Promise.all(entries.map((entry) => Effect.runPromise(stripe.bank.balance(entry.id))))
        assert.sameMembers(balances, [...charges])

        const sales = await call<Rows>(`/reports/sales?from=${dateIn(30)}&to=${dateIn(30)}`)
        assert.lengthOf(sales.data, 1)
        assert.deepInclude(sales.data[0], {
          bookings: 1,
          places: 3,
          subtotal_cents: 29_498,
          discount_cents: discountCents,
          total_cents: totalCents,
          lines: quote.lines.map(({ discount_cents: _share, unit_cents: _unit, ...line }) => line)
        })
        // The local date can differ from the UTC date.
        const payments = await call<Rows>(`/reports/payments?from=${dateIn(-1)}&to=${dateIn(1)}`)
        const rows = payments.data.map(({ method, net_cents, refunds_cents }) => [method, refunds_cents, net_cents])
        assert.deepStrictEqual(rows, [["online", 0, paidCents]])
        assert.deepStrictEqual(payments.deferred, [{ currency: "usd", cents: paidCents }])
        const { data: [code] } = await call<Rows>("/discounts")
        assert.deepInclude(code, { code: "SPRING", uses: 1 })
        return booking
      }

      await submit.click()
      await paysAtStripe(depositCents)
      const { handle } = await reconcile([depositCents])

      await page.goto(`${origin}/b/${handle}`)
      await page.getByRole("button", { name: "Pay the balance: $193.86" }).click()
      await page.getByRole("link", { name: "Continue to payment" }).click()
      await paysAtStripe(totalCents - depositCents)
      await reconcile([depositCents, totalCents - depositCents])
      await page.goto(`${origin}/b/${handle}`)
      assert.strictEqual(await page.getByRole("button", { name: "Pay the balance" }).count(), 0)
      assert.match(await page.locator("dl.sum").innerText(), /Total\s+\$290\.77/)
    })
  })
})
