/** The contract for payment providers, both adapters and fakes. Each law runs against a new provider and its bank. */
import {
  type CheckoutRequest,
  PaymentProvider,
  type PaymentsFailed,
  type ProviderCredentials,
  WebhookRejected
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type LawSteps, makeLaw } from "../law/Law.ts"
import { FakeBank, fakeProviderCredentials, providerFaults, type SentNotification } from "./FakeBank.ts"

export interface ProviderLaw {
  readonly key: `provider/${string}`
  readonly title: string
  /** Dies with a `LawFailed` if the provider breaks the rule. */
  readonly check: Effect.Effect<void, never, PaymentProvider | FakeBank>
}

const law = (
  key: ProviderLaw["key"],
  title: string,
  check: () => LawSteps<PaymentsFailed | WebhookRejected, PaymentProvider | FakeBank>
): ProviderLaw => ({ key, title, check: makeLaw(key, title, check).check() })

const expect = (condition: boolean, message: string): Effect.Effect<void> =>
  condition ? Effect.void : Effect.die(new Error(message))

const expectSame = (actual: unknown, expected: unknown, label: string): Effect.Effect<void> =>
  expect(
    JSON.stringify(actual) === JSON.stringify(expected),
    `${label}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`
  )

const provider = Effect.serviceFunctions(PaymentProvider)
const bank = Effect.serviceFunctions(FakeBank)
const { notices: noticesSent, now: bankNow, resent } = Effect.serviceConstants(FakeBank)

const makeRequest = (now: Instant.Instant, fields: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
  id: "payment-1",
  orgId: "org-1",
  bookingId: "booking-1",
  attempt: 1,
  provider: "till",
  connection: "connection-1",
  cents: 17_000,
  currency: "usd",
  description: "Half-day raft",
  items: [{ name: "Half-day raft", quantity: 1, cents: fields.cents ?? 17_000, details: "" }],
  madeAt: now,
  expiresAt: Instant.addMinutes(now, 31),
  email: "ann@example.com",
  returnUrl: "https://river.example/b/handle",
  paidUrl: "https://river.example/b/handle/paid",
  ...fields
})

const openCheckout = (fields: Partial<CheckoutRequest> = {}) =>
  Effect.gen(function*() {
    return yield* provider.checkout(fakeProviderCredentials, makeRequest(yield* bankNow, fields))
  })

const getCheckout = (session: string) => provider.getCheckout(fakeProviderCredentials, session)
const close = (session: string) => provider.close(fakeProviderCredentials, session)

const expectStatus = <E, R>(
  read: Effect.Effect<{ readonly status: string }, E, R>,
  status: string,
  label: string
) => Effect.flatMap(read, (state) => expectSame(state.status, status, `the status of ${label}`))

/** Requests a refund. Default: the payment's remaining amount. The currency matters only for a partial refund. */
const refund = (
  { id: paymentId, intent }: { readonly id: string; readonly intent: string },
  key: string,
  { cents = null, credentials = fakeProviderCredentials, currency = "usd" }: {
    readonly cents?: number | null
    readonly credentials?: ProviderCredentials
    readonly currency?: string
  } = {}
) => provider.refund(credentials, { paymentId, intent, refundId: null, key, cents, currency })

/** Returns whether a call fails for this reason. */
const failsAs = <A, R>(reason: PaymentsFailed["reason"], call: Effect.Effect<A, PaymentsFailed, R>) =>
  Effect.map(Effect.either(call), (result) => Either.isLeft(result) && result.left.reason === reason)

const expectFailure = <A, R>(
  reason: PaymentsFailed["reason"],
  call: Effect.Effect<A, PaymentsFailed, R>,
  label: string
) => Effect.flatMap(failsAs(reason, call), (isFailure) => expect(isFailure, `${label} was not reported as ${reason}`))

/** Expects that no fault is reported as a definitive refusal, because the call may have taken effect. */
const expectFaultsNotDeclined = <A, R>(
  label: string,
  call: (key: string) => Effect.Effect<A, PaymentsFailed, R>
) =>
  Effect.forEach(providerFaults, (fault) =>
    Effect.gen(function*() {
      yield* bank.fail(fault)
      const isDeclined = yield* failsAs("declined", call(`fault ${fault}`))
      yield* expect(!isDeclined, `${label} with the fault "${fault}" was reported as declined`)
    }), { discard: true })

const expectCheckouts = (counts: { readonly [paymentId: string]: number }) =>
  Effect.forEach(
    Object.entries(counts),
    ([id, count]) =>
      Effect.flatMap(bank.countCheckouts(id), (actual) => expectSame(actual, count, `the checkouts for ${id}`))
  )

const expectDispute = (notice: SentNotification, intent: string, status: "open" | "lost") =>
  Effect.gen(function*() {
    const content = yield* provider.notice(fakeProviderCredentials, { ...notice, now: yield* bankNow })
    yield* expect(
      content?._tag === "Dispute" && content.intent === intent && content.status === status,
      `the webhook does not report the status of a dispute that is ${status}`
    )
  })

const wrongCredentials = { ...fakeProviderCredentials, key: "sk_test_wrong" }

/** Retries a call up to 3 times, because no fault is permanent. */
const withRetries = <A, R>(call: Effect.Effect<A, PaymentsFailed, R>) => Effect.retry(call, { times: 3 })

/** Makes the same call for each of several concurrent callers. */
const callConcurrently = <A, R>(callers: number, call: Effect.Effect<A, PaymentsFailed, R>) =>
  Effect.all(Array.from({ length: callers }, () => withRetries(call)), { concurrency: 16 })

const paidCheckout = (currency: string, cents: number) =>
  Effect.gen(function*() {
    const id = `payment-${currency}`
    const { session } = yield* openCheckout({ id, currency, cents })
    yield* expectStatus(getCheckout(session), "open", "an unpaid checkout")
    const intent = yield* bank.pay(session)
    const paidState = { session, paymentId: id, status: "paid", intent, cents, currency }
    const checkout = yield* getCheckout(session)
    yield* expectSame({ ...paidState, ...checkout }, paidState, "the state of a paid checkout")
    yield* expectSame(yield* bank.balance(id), cents, "the bank's balance")
    return { id, intent: intent ?? "", paid: paidState, session }
  })

export const providerLaws: ReadonlyArray<ProviderLaw> = [
  law("provider/one", "creates one checkout per payment for 64 concurrent callers", function*() {
    const checkouts = yield* callConcurrently(64, openCheckout())
    yield* expectSame(
      new Set(checkouts.map(({ session, url }) => `${session} ${url}`)).size,
      1,
      "the number of checkouts for 64 callers"
    )
    yield* expectCheckouts({ "payment-1": 1 })
    const other = yield* openCheckout({ id: "payment-2" })
    yield* expect(other.session !== checkouts[0]?.session, "two payments share a checkout")
  }),

  law(
    "provider/stale",
    "reports a request as stale if its key was used for another request or its checkout expires in under 30 minutes",
    function*() {
      const first = makeRequest(yield* bankNow)
      yield* openCheckout()
      yield* expectFailure(
        "stale",
        provider.checkout(fakeProviderCredentials, { ...first, email: "bob@example.com" }),
        "a request that reused another request's key"
      )
      yield* bank.advance(20)
      yield* openCheckout({ madeAt: first.madeAt, expiresAt: first.expiresAt })
      yield* expectFailure(
        "stale",
        provider.checkout(fakeProviderCredentials, { ...first, id: "payment-2" }),
        "a request that expires in less than 30 minutes"
      )
      yield* expectCheckouts({ "payment-1": 1, "payment-2": 0 })
    }
  ),

  law(
    "provider/amounts",
    "converts amounts using the currency's number of decimals: zero, two, or three",
    () =>
      Effect.asVoid(Effect.forEach(
        [["usd", 17_000], ["jpy", 5000], ["kwd", 12_340], ["isk", 900], ["ugx", 40_000], ["mga", 500_000], [
          "huf",
          9_900
        ]] as const,
        ([currency, cents]) => paidCheckout(currency, cents)
      ))
  ),

  law("provider/items", "charges the sum of a checkout's items", function*() {
    const { session } = yield* openCheckout({
      cents: 17_549,
      items: [
        { name: "Adult", quantity: 2, cents: 8025, details: "" },
        { name: "3 × Wetsuit", quantity: 1, cents: 1499, details: "" }
      ]
    })
    yield* bank.pay(session)
    const checkout = yield* getCheckout(session)
    yield* expectSame(checkout.status === "paid" && checkout.cents, 17_549, "the paid amount of two items")
  }),

  law("provider/close", "accepts no payment for a closed checkout, and does not close a paid checkout", function*() {
    const { session } = yield* openCheckout()
    for (const _ of [1, 2]) yield* expectStatus(close(session), "expired", "a closed checkout")
    yield* expectSame(yield* bank.pay(session), null, "the result of paying a closed checkout")
    const { paid, session: other } = yield* paidCheckout("usd", 100)
    yield* expectSame(
      { ...paid, ...yield* close(other) },
      paid,
      "the state of a paid checkout after a request to close it"
    )
    const { session: expiredSession } = yield* openCheckout({ id: "payment-3" })
    yield* bank.advance(32)
    yield* expectStatus(close(expiredSession), "expired", "an expired checkout after a request to close it")
  }),

  law(
    "provider/refund",
    "refunds a payment once for 64 concurrent callers, even if it was also refunded manually",
    function*() {
      const payment = yield* paidCheckout("usd", 17_000)
      const { id, intent } = payment
      const results = yield* callConcurrently(64, refund(payment, id))
      yield* expect(
        results.every((refund) => refund.id !== "" && refund.status === "done"),
        "a refund has no ID or is not done"
      )
      // The payment was already refunded under another key, which is the intended result.
      yield* refund({ id: "by hand", intent }, "by hand")
      yield* expectSame(yield* bank.countRefunds(id), 1, "refunds")
      yield* expectSame(yield* bank.balance(id), 0, "the bank's balance")
    }
  ),

  law(
    "provider/part",
    "refunds part of a payment once per key, never more than the remaining amount, and reports the refunded amount",
    function*() {
      for (const [currency, cents, part] of [["usd", 17_000, 7125], ["kwd", 12_340, 1230], ["isk", 900, 1]] as const) {
        const payment = yield* paidCheckout(currency, cents)
        const { id, intent } = payment
        const refundAmount = (key: string, amount: number | null) =>
          withRetries(refund(payment, `${id} ${key}`, { cents: amount, currency }))
        const results = yield* callConcurrently(16, refundAmount("one", part))
        yield* expectSame(new Set(results.map((refund) => refund.id)).size, 1, "the number of refunds with one key")
        yield* expectSame(yield* bank.balance(id), cents - part, "the bank's balance after a partial refund")
        const refunds = yield* provider.refunds(fakeProviderCredentials, intent)
        yield* expectSame(refunds.map((refund) => refund.cents), [part], "the amounts of the listed refunds")
        yield* expectFailure("declined", refundAmount("more", cents), "a refund for more than the remaining amount")
        yield* refundAmount("rest", null)
        yield* expectSame(yield* bank.balance(id), 0, "the bank's balance after the full refund")
      }
    }
  ),

  law(
    "provider/refused",
    "repeats a definite refusal for the same key, retries a refund with a new key, and never treats a fault as a refusal",
    function*() {
      const payment = yield* paidCheckout("usd", 17_000)
      yield* expectFaultsNotDeclined("a refund", (key) => refund(payment, key))
      const other = yield* paidCheckout("eur", 9000)
      yield* bank.setRefundMode("refused")
      yield* expectFailure("declined", refund(other, "one"), "a definite refusal")
      yield* bank.setRefundMode("done")
      yield* expectFailure("declined", refund(other, "one"), "a second refund with the key of a definite refusal")
      yield* expect(Either.isRight(yield* Effect.either(refund(other, "two"))), "a refund with a new key was refused")
      yield* expectSame(yield* bank.countRefunds(other.id), 1, "refunds")
      const unauthorizedRefund = refund(other, "three", { credentials: wrongCredentials })
      yield* expectFailure("refused", unauthorizedRefund, "a refund with an invalid API key")
    }
  ),

  law(
    "provider/refused-checkout",
    "repeats a definite checkout refusal for the same payment but not for another payment",
    function*() {
      yield* expectFaultsNotDeclined("a checkout", (id) => openCheckout({ id }))
      yield* bank.refuseCheckouts(true)
      yield* expectFailure("declined", openCheckout({ id: "one" }), "a definite refusal")
      yield* bank.refuseCheckouts(false)
      yield* expectFailure("declined", openCheckout({ id: "one" }), "a second checkout after a definite refusal")
      yield* openCheckout({ id: "two" })
      yield* expectCheckouts({ one: 0, two: 1 })
    }
  ),

  law(
    "provider/pending",
    "keeps an accepted refund pending until the money is sent or the refund fails, and reports each change",
    function*() {
      const payment = yield* paidCheckout("isk", 900)
      const { id, intent } = payment
      const refundStates = Effect.map(
        provider.refunds(fakeProviderCredentials, intent),
        (all) => all.map(({ cents, status }) => [status, cents])
      )
      yield* bank.setRefundMode("pending")
      yield* expectStatus(refund(payment, "one"), "pending", "an accepted refund")
      yield* expectSame(yield* refundStates, [["pending", 900]], "the status and amount of each refund")
      yield* bank.endRefund(intent, "failed")
      yield* expectSame(yield* refundStates, [["failed", 900]], "the status and amount of each refund")
      yield* refund(payment, "two")
      yield* bank.endRefund(intent, "done")
      yield* expectSame(yield* refundStates, [["failed", 900], ["done", 900]], "the status and amount of each refund")
      yield* expectSame(yield* bank.countRefunds(id), 1, "refunds")
      const changes = yield* provider.since(fakeProviderCredentials, yield* bankNow)
      const notifications = changes.filter((notification) =>
        notification._tag === "Refund" && notification.intent === intent
      )
      yield* expect(
        notifications.length >= 4,
        "changes are missing for two refunds: one was accepted and failed, the other was accepted and sent"
      )
    }
  ),

  law(
    "provider/mismatch",
    "reports the actual amount, currency, and payment, even if they differ from the request",
    function*() {
      const forgedPayments = [
        { paymentId: "payment-1", cents: 1, currency: "usd" },
        { paymentId: "payment-1", cents: 17_000, currency: "jpy" },
        { paymentId: "payment-2", cents: 17_000, currency: "usd" }
      ]
      for (const money of forgedPayments) {
        const session = yield* bank.forge(money)
        yield* bank.pay(session)
        const checkout = yield* getCheckout(session)
        yield* expectSame(
          checkout.status === "paid" &&
            { paymentId: checkout.paymentId, cents: checkout.cents, currency: checkout.currency },
          money,
          "the payment, amount, and currency of a paid checkout"
        )
      }
    }
  ),

  law(
    "provider/faults",
    "completes a failed call when it is retried, without a second checkout or refund",
    () =>
      Effect.asVoid(Effect.forEach(providerFaults, (fault) =>
        Effect.gen(function*() {
          const id = `payment ${fault}`
          yield* bank.fail(fault)
          const result = yield* Effect.either(openCheckout({ id }))
          // If the payment's key no longer works, use a new payment.
          const retriedCheckout = yield* withRetries(
            Effect.orElse(openCheckout({ id }), () => openCheckout({ id: `${id}, again` }))
          )
          if (Either.isRight(result)) yield* expectSame(retriedCheckout, result.right, "the retried checkout")
          yield* expect(
            (yield* bank.countCheckouts(id)) <= 1,
            `two checkouts were made for one payment after the fault "${fault}"`
          )
          const intent = yield* bank.pay(retriedCheckout.session)
          if (intent === null) return yield* expect(false, `the checkout could not be paid after the fault "${fault}"`)
          const { paymentId } = yield* getCheckout(retriedCheckout.session)
          const fullRefund = refund({ id: paymentId ?? "", intent }, paymentId ?? "")
          yield* bank.fail(fault)
          yield* Effect.either(fullRefund)
          // A provider may repeat an error under its key for as long as it stores the response, even if the refund was
          // made.
          yield* Effect.either(withRetries(fullRefund))
          yield* expect(
            (yield* bank.countRefunds(paymentId ?? "")) <= 1,
            `one payment was refunded twice after the fault "${fault}"`
          )
          if (fault !== "broken after") {
            yield* expectSame(yield* bank.balance(paymentId ?? ""), 0, `the bank's balance after the fault "${fault}"`)
          }
        })))
  ),

  law(
    "provider/notices",
    "accepts a webhook only if its signature is valid and its timestamp is within 5 minutes of the current time",
    function*() {
      const { id, intent, session } = yield* paidCheckout("usd", 17_000)
      yield* bank.dispute(intent)
      const [paidNotice, disputedNotice] = yield* noticesSent
      const now = yield* bankNow
      if (paidNotice === undefined || disputedNotice === undefined) return yield* expect(false, "no notices")
      yield* expectSame(
        yield* provider.notice(fakeProviderCredentials, { ...paidNotice, now }),
        { _tag: "Checkout", session, paymentId: id },
        "the content of the webhook for a payment"
      )
      yield* expectDispute(disputedNotice, intent, "open")
      yield* bank.decide(intent, "lost")
      yield* expectDispute((yield* noticesSent).at(-1) ?? disputedNotice, intent, "lost")

      const changedBody = Uint8Array.from(
        paidNotice.body,
        (byte, at) => at === paidNotice.body.length - 2 ? byte ^ 1 : byte
      )
      const otherSignature = disputedNotice.signature === paidNotice.signature ? "x" : disputedNotice.signature
      const invalidNotices = [
        [fakeProviderCredentials, { ...paidNotice, body: changedBody, now }],
        [fakeProviderCredentials, { ...paidNotice, signature: otherSignature, now }],
        [fakeProviderCredentials, { ...paidNotice, signature: null, now }],
        [fakeProviderCredentials, { ...paidNotice, now: Instant.addMinutes(now, 6) }],
        [fakeProviderCredentials, { ...paidNotice, now: Instant.addMinutes(now, -6) }],
        [{ ...fakeProviderCredentials, noticeSecret: "whsec_other" }, { ...paidNotice, now }],
        [{ ...fakeProviderCredentials, noticeSecret: null }, { ...paidNotice, now }]
      ] as const
      for (const [credentials, notice] of invalidNotices) {
        const answer = yield* Effect.either(provider.notice(credentials, notice))
        yield* expect(
          Either.isLeft(answer) && answer.left instanceof WebhookRejected,
          "a webhook with an invalid signature or timestamp was accepted"
        )
      }
    }
  ),

  law(
    "provider/again",
    "reads the current status of a checkout even if its webhook is repeated, late, or out of order",
    function*() {
      const { intent, paid, session } = yield* paidCheckout("usd", 17_000)
      const { session: other } = yield* openCheckout({ id: "payment-2" })
      yield* bank.advance(32)
      yield* bank.dispute(intent)
      const noticeAt = (at: Instant.Instant) => (notice: SentNotification) =>
        provider.notice(fakeProviderCredentials, { ...notice, now: at })
      const now = yield* bankNow
      const firstContents = yield* Effect.forEach(yield* resent, noticeAt(now))
      yield* expectSame(firstContents.length, 3, "notices")
      // A client that was offline for hours receives all events again, in any order and with duplicates.
      yield* bank.advance(5 * 60)
      const laterTime = yield* bankNow
      const lateNotices = yield* resent
      const redelivered = yield* Effect.forEach([...lateNotices, ...lateNotices].toReversed(), noticeAt(laterTime))
      yield* expectSame(
        redelivered,
        [...firstContents, ...firstContents].toReversed(),
        "the content of duplicate, late, and reordered webhooks"
      )
      for (const content of redelivered) {
        if (content?._tag !== "Checkout") continue
        const state = yield* getCheckout(content.session)
        if (content.session === session) {
          yield* expectSame({ ...paid, ...state }, paid, "a paid checkout after late webhooks")
        } else {yield* expectSame(
            [state.session, state.status],
            [other, "expired"],
            "an expired checkout after late webhooks"
          )}
      }
    }
  ),

  law("provider/since", "lists changes for which no webhook arrived, oldest first", function*() {
    const before = yield* bankNow
    const first = yield* paidCheckout("usd", 17_000)
    const { session } = yield* openCheckout({ id: "payment-2" })
    yield* bank.advance(32)
    const between = yield* bankNow
    const last = yield* paidCheckout("eur", 9000)
    yield* bank.dispute(first.intent)
    const notificationsSince = (moment: Instant.Instant) =>
      Effect.map(
        provider.since(fakeProviderCredentials, moment),
        (all) => all.map((change) => change._tag === "Checkout" ? change.session : change.intent)
      )
    yield* expectSame(
      yield* notificationsSince(before),
      [first.session, session, last.session, first.intent],
      "all reported changes"
    )
    const laterChanges = yield* notificationsSince(between)
    yield* expect(
      !laterChanges.includes(first.session) && laterChanges.includes(last.session) &&
        laterChanges.includes(first.intent),
      "the changes since a given time are incomplete or include older changes"
    )
  }),

  law(
    "provider/account",
    "accepts a valid API key, rejects any other key, and never includes a key in an error",
    function*() {
      yield* expectSame((yield* provider.account(fakeProviderCredentials)).mode, "test", "the account's mode")
      const other = yield* Effect.either(provider.account(wrongCredentials))
      yield* expect(Either.isLeft(other) && other.left.reason === "refused", "an invalid API key was accepted")
      yield* expect(!JSON.stringify(other).includes("sk_test_wrong"), "an error contains the API key")
      const { id, noticeSecret } = yield* provider.watch(fakeProviderCredentials, "https://river.example/pay/till/1")
      yield* expect(noticeSecret !== "", "notices are not signed")
      yield* provider.unwatch(fakeProviderCredentials, id)
      yield* provider.unwatch(fakeProviderCredentials, id)
    }
  )
]
