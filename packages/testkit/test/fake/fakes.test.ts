import { it } from "@effect/vitest"
import type { BookingRecord } from "@trailbook/core/booking"
import { type Mail, Mailer } from "@trailbook/core/mail"
import * as Org from "@trailbook/core/org/Org"
import { type Checkout, type PaidPayment, Payments, type Refund } from "@trailbook/core/payment"
import { makePaymentRequest } from "@trailbook/core/payment/online/paymentChanges"
import { type SecretLocation, Secrets } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { type Delivery, type SendResult, WebhookSender } from "@trailbook/core/webhook"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { FakeMailer, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import { booking } from "@trailbook/testkit/generator/booking"
import { origin } from "@trailbook/testkit/generator/moment"
import { providerFaults } from "@trailbook/testkit/provider/FakeBank"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { assert, describe } from "vitest"

const org = Org.make({ id: "org", name: "Town", slug: "town", timezone: "UTC", createdAt: origin })

const records = FastCheck.sample(booking, { numRuns: 2, seed: 1 }).map((booking, at): BookingRecord => ({
  booking: { ...booking, id: `booking-${at}` },
  offering: { id: "offering", name: "Rafting", kind: "class" },
  customer: { id: "customer", name: "Ann", email: "ann@a.co", phone: "" }
}))
const [one, two] = records as [BookingRecord, BookingRecord]

const askedFor = (record: BookingRecord) =>
  makePaymentRequest(record, {
    provider: "till",
    connection: null,
    id: record.booking.id,
    attempt: 1,
    now: origin
  })

const refund: Refund = {
  id: "refund",
  cents: 9500,
  reason: "cancellation",
  createdAt: origin,
  status: "due",
  at: origin,
  providerId: null,
  error: null,
  refusals: 0
}

const paymentOf = (record: BookingRecord): PaidPayment => ({
  ...askedFor(record),
  status: "paid",
  session: null,
  intent: "intent",
  paidAt: origin,
  refunds: [refund],
  dispute: null,
  mismatch: null
})

describe("FakePayments", () => {
  it.effect("keeps an org connected until it is disconnected", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { connect } = yield* FakePayments
      assert.isNull(yield* payments.connected("org"))
      yield* connect("org", true)
      assert.isNotNull(yield* payments.connected("org"))
      assert.isNull(yield* payments.connected("other"))
      yield* connect("org", false)
      assert.isNull(yield* payments.connected("org"))
    }).pipe(Effect.provide(FakePayments.layer)))

  it.effect("creates one checkout and one refund per payment", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { checkouts, refunds } = yield* FakePayments
      const urls = yield* Effect.forEach(
        [one, one, two],
        (record) => payments.checkout(askedFor(record), record, org),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(urls[0], urls[1])
      assert.notDeepEqual(urls[0], urls[2])
      assert.strictEqual((yield* checkouts).size, 2)
      yield* Effect.forEach([one, one], (record) => payments.refund(paymentOf(record), refund, record, org), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...yield* refunds], [["booking-0", 9500]])
    }).pipe(Effect.provide(FakePayments.layer)))

  it.effect("allows each checkout to be paid or closed only once", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { pay } = yield* FakePayments
      const openCheckout = (record: BookingRecord) =>
        Effect.map(payments.checkout(askedFor(record), record, org), (created): Checkout => ({
          orgId: "org",
          provider: "till",
          connection: null,
          session: created?.session ?? ""
        }))
      const first = yield* openCheckout(one)
      const second = yield* openCheckout(two)
      assert.strictEqual((yield* payments.getCheckout(first)).status, "open")
      const intent = yield* pay(one.booking.id)
      assert.deepInclude(yield* payments.close(first), { status: "paid", intent: intent ?? "" })
      assert.strictEqual((yield* payments.close(second)).status, "expired")
      assert.isNull(yield* pay(one.booking.id))
      assert.isNull(yield* pay(two.booking.id))
    }).pipe(Effect.provide(FakePayments.layer)))

  it.effect("stores nothing for a refused request, and accepts its retry", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { refunds, refuse } = yield* FakePayments
      yield* refuse(true)
      const { _tag } = yield* Effect.flip(payments.refund(paymentOf(one), refund, one, org))
      assert.strictEqual(_tag, "PaymentsFailed")
      yield* Effect.flip(payments.checkout(askedFor(one), one, org))
      assert.strictEqual((yield* refunds).size, 0)
      yield* refuse(false)
      yield* payments.refund(paymentOf(one), refund, one, org)
      assert.strictEqual((yield* refunds).size, 1)
    }).pipe(Effect.provide(FakePayments.layer)))

  const checkoutOf = (session: string): Checkout => ({ orgId: "org", provider: "till", connection: null, session })

  it.effect.each(providerFaults.filter((fault) => fault !== "hangs"))(
    "completes a retried call exactly once after the fault: %s",
    (fault) =>
      Effect.gen(function*() {
        const payments = yield* Payments
        const { checkouts, fail, refunds } = yield* FakePayments
        yield* fail(fault)
        const failure = yield* Effect.flip(payments.checkout(askedFor(one), one, org))
        const isDone = fault === "broken after" || fault === "answer lost"
        assert.strictEqual((yield* checkouts).size, isDone ? 1 : 0)
        // If the key is stale, a new payment succeeds.
        const next = failure.reason === "stale" ? { ...askedFor(one), id: "second", attempt: 2 } : askedFor(one)
        if (failure.reason === "stale") yield* Effect.flip(payments.checkout(askedFor(one), one, org))
        assert.isNotNull(yield* payments.checkout(next, one, org))
        yield* fail(fault)
        yield* Effect.flip(payments.refund(paymentOf(one), refund, one, org))
        assert.strictEqual((yield* refunds).size, isDone ? 1 : 0)
        yield* payments.refund(paymentOf(one), refund, one, org)
        assert.deepStrictEqual([...yield* refunds], [["booking-0", 9500]])
      }).pipe(Effect.provide(FakePayments.layer))
  )

  it.effect("creates no checkout for a hanging call, and never completes the call", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { checkouts, fail } = yield* FakePayments
      yield* fail("hangs")
      const checkoutFiber = yield* Effect.fork(
        Effect.timeoutOption(payments.checkout(askedFor(one), one, org), "1 minute")
      )
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* Fiber.join(checkoutFiber)))
      assert.strictEqual((yield* checkouts).size, 0)
      assert.isNotNull(yield* payments.checkout(askedFor(one), one, org))
    }).pipe(Effect.provide(FakePayments.layer)))

  it.effect("reports payments in the same order in polls and notifications", () =>
    Effect.gen(function*() {
      const payments = yield* Payments
      const { dispute, news, pay } = yield* FakePayments
      const account = { orgId: "org", provider: "till", connection: null }
      const sessions = yield* Effect.forEach(
        [one, two],
        (record) => Effect.map(payments.checkout(askedFor(record), record, org), (created) => created?.session ?? "")
      )
      const [first = "", second = ""] = sessions
      const intent = (yield* pay(one.booking.id)) ?? ""
      yield* TestClock.adjust("1 hour")
      yield* payments.close(checkoutOf(second))
      yield* dispute(intent)
      const notifications = yield* news
      assert.deepStrictEqual(
        notifications.map((each) => each._tag === "Checkout" ? each.session : each.intent),
        [first, second, intent]
      )
      assert.deepStrictEqual(yield* payments.since(account, Instant.make(0)), notifications)
      assert.deepStrictEqual(yield* payments.since(account, Instant.make(1)), notifications.slice(1))
      const states = yield* Effect.forEach(
        [second, first, first],
        (session) => Effect.map(payments.getCheckout(checkoutOf(session)), ({ status }) => status)
      )
      assert.deepStrictEqual(states, ["expired", "paid", "paid"])
    }).pipe(Effect.provide(FakePayments.layer)))
})

const mail = (id: string): Mail => ({
  id,
  from: { name: "Town" },
  to: { name: "Ann", email: "ann@a.co" },
  replyTo: null,
  subject: "",
  text: "",
  html: "",
  calendar: { method: "PUBLISH", ics: "" },
  thread: null,
  automatic: "generated",
  attachments: [],
  bounceToken: null
})

describe("FakeMailer", () => {
  it.effect("stores sent emails in order, and stores none while it refuses emails", () =>
    Effect.gen(function*() {
      const { send } = yield* Mailer
      const { refuse, sent } = yield* FakeMailer
      yield* send(mail("1"))
      yield* refuse(true)
      const { _tag } = yield* Effect.flip(send(mail("2")))
      assert.strictEqual(_tag, "MailFailed")
      yield* refuse(false)
      yield* Effect.forEach(["2", "2"], (id) => send(mail(id)))
      assert.deepStrictEqual((yield* sent).map(({ id }) => id), ["1", "2", "2"])
    }).pipe(Effect.provide(FakeMailer.layer)))

  it.effect("can refuse one address temporarily or permanently", () =>
    Effect.gen(function*() {
      const { send } = yield* Mailer
      const { promiseReports, refuseAddress } = yield* FakeMailer
      yield* refuseAddress("ann@a.co", "permanently")
      assert.deepInclude(yield* Effect.flip(send(mail("1"))), { permanent: true, reason: "address" })
      yield* refuseAddress("ann@a.co", "for now")
      assert.deepInclude(yield* Effect.flip(send(mail("1"))), { permanent: false, reason: "address" })
      yield* refuseAddress("ann@a.co", "no")
      assert.deepStrictEqual(yield* send(mail("1")), { reportRequested: false })
      yield* promiseReports(true)
      assert.deepStrictEqual(yield* send(mail("1")), { reportRequested: true })
    }).pipe(Effect.provide(FakeMailer.layer)))
})

const delivery = (url: string, eventId: number): Delivery => ({
  webhookId: "webhook",
  url,
  secret: "whsec_",
  eventId,
  eventType: "org.updated",
  body: "{}",
  at: origin
})

describe("Receivers", () => {
  it.effect("respond with the configured status and record requests in order", () =>
    Effect.gen(function*() {
      const { send } = yield* WebhookSender
      const { answer, got } = yield* FakeWebhookSender
      const unreachable: SendResult = { _tag: "Unreachable", fault: "dns" }
      yield* answer("a", () => Effect.succeed({ _tag: "Answered", status: 500 }))
      yield* answer("a", () => Effect.succeed(unreachable))
      const answers = yield* Effect.forEach([delivery("a", 1), delivery("b", 2), delivery("a", 3)], send)
      assert.deepStrictEqual(answers, [unreachable, { _tag: "Answered", status: 200 }, unreachable])
      assert.deepStrictEqual((yield* got).map(({ eventId }) => eventId), [1, 2, 3])
    }).pipe(Effect.provide(FakeWebhookSender.layer)))

  it.effect("do not count interrupted requests toward an address's maximum concurrency", () =>
    Effect.gen(function*() {
      const { send } = yield* WebhookSender
      const { answer, got, most } = yield* FakeWebhookSender
      yield* answer("a", () => Effect.never)
      for (const id of [1, 2]) {
        const fiber = yield* Effect.fork(send(delivery("a", id)))
        yield* Effect.yieldNow()
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(fiber)
      }
      assert.strictEqual(yield* most, 1)
      assert.lengthOf(yield* got, 2)
      yield* answer("b", () => Effect.sleep("1 second").pipe(Effect.as({ _tag: "Answered", status: 200 })))
      const both = yield* Effect.fork(Effect.all([send(delivery("b", 3)), send(delivery("b", 4))], { concurrency: 2 }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(both)
      assert.strictEqual(yield* most, 2)
    }).pipe(Effect.provide(FakeWebhookSender.layer)))
})

describe("FakeSecrets", () => {
  const place: SecretLocation = { table: "webhooks", orgId: "org", id: "webhook" }

  it.effect("decrypts a value only with its key and for its row", () =>
    Effect.gen(function*() {
      const { isCurrent, open, seal } = yield* Secrets
      const ciphertext = yield* seal("secret", place)
      assert.strictEqual(yield* open(ciphertext, place), "secret")
      assert.isTrue(isCurrent(ciphertext))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(open(ciphertext, { ...place, id: "other" }))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(open(ciphertext, { ...place, orgId: "other" }))))
      const other = yield* Effect.provide(Secrets, FakeSecrets.makeFakeSecretsLayer("k2"))
      assert.isFalse(other.isCurrent(ciphertext))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(other.open(ciphertext, place))))
    }).pipe(Effect.provide(FakeSecrets.makeFakeSecretsLayer())))
})
