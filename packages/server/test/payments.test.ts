/** Tests payments on a server with a Stripe account: checkouts and webhooks. */
import { PaymentConnections } from "@trailbook/core/payment"
import { startServer } from "@trailbook/server"
import type { SentNotification } from "@trailbook/testkit/provider/FakeBank"
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { request } from "../../cli/test/program.ts"
import { riverShop } from "./payments/riverShop.ts"

const serve = async () => {
  const shop = await riverShop()
  const { bank } = shop.stripe
  const run = <A>(work: Effect.Effect<A>) => Effect.runPromise(work)
  await run(bank.advance((Date.now() - await run(bank.now)) / 60_000))
  let calls = 0
  shop.stripe.watch = async (moment) => void (calls += moment === "come" ? 1 : 0)
  const { baseUrl, origin, stop } = await startServer({
    database: shop.database,
    port: 0,
    worker: "off",
    secretsKeys: shop.keys,
    stripe: shop.where
  })
  onTestFinished(stop)
  const post = async (path: string, body: object) => {
    const { body: answer } = await request(`${baseUrl}${path}`, shop.token, {
      method: "POST",
      body: JSON.stringify(body)
    })
    return answer
  }
  /** Holds a seat in a class at this price. */
  const booked = async (price_cents: number) => {
    const offering = await post("/offerings", { name: "Raft", kind: "class", capacity: 4, price_cents })
    const starts_at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 30 * 86_400_000).toISOString()
    const { data } = await post("/sessions", { offering_id: offering.id, starts_at })
    const customer = { email: "guest@example.com", name: "Ann Bell" }
    return post("/bookings", { offering_id: offering.id, session_id: data?.[0]?.id, customer })
  }
  const statusOf = async ({ id }: { readonly [field: string]: unknown }) =>
    (await request(`${baseUrl}/bookings/${String(id)}`, shop.token)).body.status
  const notified = async (
    { body, signature }: { readonly body: Uint8Array; readonly signature: string | null },
    path = `/pay/stripe/${shop.connected.id}`
  ) => {
    const answer = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: signature === null ? {} : { "stripe-signature": signature },
      body: new Uint8Array(body)
    })
    const { error, ...rest } = await answer.json()
    return { status: answer.status, payload: error?.code ?? rest }
  }
  /** Pays for a booking and returns the provider's webhook request. */
  const paid = async (booking: { readonly [field: string]: unknown }): Promise<SentNotification> => {
    await run(bank.pay(String(booking.checkout_url).split("/").at(-1) ?? ""))
    const notice = (await run(bank.resent)).at(-1)
    if (notice === undefined) throw new Error("The bank sent no notice.")
    return notice
  }
  return { ...shop, booked, calls: () => calls, notified, paid, statusOf, bank, runBank: run }
}

const acceptance = { status: 200, payload: { received: true } }

describe("a server with a Stripe account", () => {
  it("confirms a held booking after a payment webhook", async () => {
    const { booked, notified, paid, statusOf } = await serve()
    const booking = await booked(9500)
    expect(booking).toMatchObject({ status: "held", checkout_url: expect.stringContaining("checkout.stripe.example") })
    const notice = await paid(booking)
    expect(await statusOf(booking)).toBe("held")
    // A webhook request can arrive twice.
    expect([await notified(notice), await notified(notice)]).toEqual([acceptance, acceptance])
    expect(await statusOf(booking)).toBe("confirmed")
  })

  it("creates no checkout for a free order", async () => {
    const { booked, calls } = await serve()
    expect(await booked(0)).toMatchObject({ status: "confirmed" })
    expect(calls()).toBe(0)
  })

  it("rejects unsigned or tampered webhooks", async () => {
    const { booked, connected, notified, orgId, paid, run, statusOf } = await serve()
    const booking = await booked(9500)
    const notice = await paid(booking)
    const rejection = { status: 400, payload: "invalid_request" }
    const unknown = { status: 404, payload: "not_found" }
    expect(await notified({ ...notice, signature: null })).toEqual(rejection)
    expect(await notified({ ...notice, signature: notice.signature.replace(/.$/, (last) => last === "0" ? "1" : "0") }))
      .toEqual(rejection)
    expect(await notified({ ...notice, body: new TextEncoder().encode("{}") })).toEqual(rejection)
    // Invalid UTF-8.
    expect(await notified({ ...notice, body: new Uint8Array([...notice.body, 0xff]) })).toEqual(rejection)
    expect(await notified({ ...notice, body: new Uint8Array(1024 * 1024 + 1) })).toMatchObject({ status: 413 })
    expect(await notified(notice, "/pay/stripe/0197a1b2-0000-7000-8000-000000000000")).toEqual(unknown)
    expect(await notified(notice, `/pay/mollie/${connected.id}`)).toEqual(unknown)
    expect(await notified(notice, `/pay/stripe/${"x".repeat(5000)}`)).toMatchObject({ status: 404 })
    expect(await statusOf(booking)).toBe("held")

    expect(await notified(notice, `/pay/stripe/${connected.id.toUpperCase()}`)).toEqual(acceptance)
    await run(Effect.flatMap(PaymentConnections, ({ disconnect }) => disconnect(orgId)))
    expect(await notified(notice)).toEqual(unknown)
  })

  it("rejects a webhook temporarily if it cannot query Stripe", async () => {
    const { bank, booked, notified, paid, runBank, statusOf } = await serve()
    const booking = await booked(9500)
    const notice = await paid(booking)
    await runBank(bank.fail("broken"))
    expect(await notified(notice)).toEqual({ status: 503, payload: "unavailable" })
    expect(await statusOf(booking)).toBe("held")
    expect(await notified(notice)).toEqual(acceptance)
    expect(await statusOf(booking)).toBe("confirmed")
  })
})
