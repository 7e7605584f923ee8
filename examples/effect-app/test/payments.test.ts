/** A guest pays on the provider's page and gets a refund when the trip is canceled. */
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCancel, bookingsCreate } from "@trailbook/core/booking"
import { Mailer } from "@trailbook/core/mail"
import { offeringsCreate } from "@trailbook/core/offering"
import { Payments } from "@trailbook/core/payment"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { BookingWorker, call, OrgActor } from "trailbook/effect"
import { assert, it, onTestFinished } from "vitest"
import { engine, payBooking, payments } from "../payments.ts"

/** Returns a page for each checkout, and records all other requests. */
const provider = async () => {
  const requests: Array<
    {
      readonly path: string | undefined
      readonly body: { readonly id: string; readonly amount?: number; readonly currency?: string }
    }
  > = []
  const others: Array<(requests: unknown) => void> = []
  const refund = new Promise((resolve) => others.push(resolve))
  const server = createServer(async (request: IncomingMessage, response) => {
    const { authorization } = request.headers
    const body = await json(request) as { readonly id: string }
    requests.push({ path: request.url, body })
    if (request.url === "/refunds") others.forEach((tell) => tell(body))
    response.writeHead(authorization === "Bearer pay-key" ? 200 : 401)
    response.end(JSON.stringify({ page: "https://pay.example.com/1" }))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return { requests, refund, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const silent = Layer.succeed(Mailer, Mailer.of({ send: () => Effect.succeed({ reportRequested: false }) }))
const outfitter = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver", plan: "pro" })

it("the program holds a place until the guest pays, and refunds a canceled booking", async () => {
  const { requests, refund, url } = await provider()
  const settings = ConfigProvider.fromMap(new Map([["PAY_URL", url], ["PAY_KEY", "pay-key"], ["DATABASE", ":memory:"]]))
  const worker = BookingWorker.layer({ publicUrl: "https://trips.example.com" }).pipe(Layer.provide(silent))
  const program = Effect.gen(function*() {
    const raft = yield* call(offeringsCreate, { name: "Raft", kind: "rental", price_cents: 9500 })
    const { data } = yield* call(availabilityGet, { id: raft.id })
    const hold = yield* call(bookingsCreate, {
      offering_id: raft.id,
      starts_at: data.at(-1)?.starts_at ?? "",
      customer: { email: "ada@example.com" }
    })
    assert.deepInclude(hold, { status: "held", checkout_url: "https://pay.example.com/1" })
    const payment = requests[0]?.body.id ?? ""
    assert.deepEqual(requests, [{ path: "/checkouts", body: { id: payment, amount: 9500, currency: "usd" } }])
    const { booking } = yield* payBooking(hold.id, "pay_1")
    assert.strictEqual(booking.status, "confirmed")
    yield* call(bookingsCancel, { id: hold.id })
    assert.deepInclude(yield* Effect.promise(() => refund), { payment: "pay_1", cents: hold.total_cents })
  })
  const layers = worker.pipe(Layer.provideMerge(outfitter), Layer.provideMerge(engine))
  await Effect.runPromise(Effect.provide(program, Layer.provide(layers, Layer.setConfigProvider(settings))))
})

it("a refund fails with PaymentsFailed if the payment provider refuses the request", async () => {
  const { url } = await provider()
  const settings = ConfigProvider.fromMap(new Map([["PAY_URL", url], ["PAY_KEY", "wrong"]]))
  const configured = Layer.provide(payments, Layer.setConfigProvider(settings))
  const program = Effect.flatMap(Payments, ({ refund }) =>
    // The payment fields that the provider receives.
    refund(
      { id: "p", intent: "i" } as Parameters<typeof refund>[0],
      {} as Parameters<typeof refund>[1],
      {} as Parameters<typeof refund>[2],
      {} as Parameters<typeof refund>[3]
    ))
  const failure = await Effect.runPromise(Effect.flip(Effect.provide(program, configured)))
  assert.deepInclude(failure, { _tag: "PaymentsFailed", message: "The payment provider did not respond." })
})
