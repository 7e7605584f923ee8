/**
 * A payment provider that needs no bank or network, and the fake bank that controls it. It passes `providerLaws`, as
 * does an adapter that calls a fake of a real provider.
 */
import {
  type CheckoutRequest,
  type OpenedCheckout,
  type PaymentNotification,
  PaymentProvider,
  PaymentsFailed,
  type ProviderCheckout,
  type RefundOutcome,
  WebhookRejected
} from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeBank, fakeProviderCredentials, type ProviderFault } from "@trailbook/testkit/provider/FakeBank"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BookedEvent, type BookedRefund, type BookedSession, ProviderState } from "./ProviderState.ts"

export { fakeProviderCredentials as access }

/**
 * Creates a provider. Its IDs start with `series`, so that IDs from different providers differ. If `keys` is false, a
 * repeated request takes effect again, which shows what idempotency keys prevent.
 */
export const make = (
  { keys = true, series = "" }: { readonly keys?: boolean; readonly series?: string } = {}
): { readonly provider: PaymentProvider["Type"]; readonly bank: FakeBank["Type"] } => {
  const book = new ProviderState(series)
  const requests = new Map<
    string,
    { readonly parameters: string; readonly answer: OpenedCheckout | PaymentsFailed | "broken" }
  >()
  /** The stored responses to refund requests, by key. */
  const refunded = new Map<string, RefundOutcome | PaymentsFailed>()
  let fault: ProviderFault | null = null

  /**
   * Makes a call that can fail before or after it takes effect. `onBroken` runs if the call fails after it took effect.
   */
  const call = <A>(
    act: () => A | PaymentsFailed,
    onBroken: () => PaymentsFailed = makeNoResponseError
  ): Effect.Effect<A, PaymentsFailed> =>
    Effect.suspend((): Effect.Effect<A, PaymentsFailed> => {
      const now = fault
      fault = null
      if (now === "broken" || now === "busy" || now === "cut off" || now === "hangs") return makeNoResponseError()
      const answer = act()
      if (now === "broken after") return onBroken()
      if (now === "answer lost") return makeNoResponseError()
      return answer instanceof PaymentsFailed ? answer : Effect.succeed(answer)
    })
  const findSession = (id: string): BookedSession | PaymentsFailed =>
    book.sessions.find((one) => one.id === id) ?? makeRefusedError(`The checkout ${id} does not exist.`)
  const findCheckout = (id: string, act: (session: BookedSession) => void = () => {}) =>
    call(() => {
      const session = findSession(id)
      if (session instanceof PaymentsFailed) return session
      act(session)
      return toFoundCheckout(session)
    })

  const startCheckout = (request: CheckoutRequest): OpenedCheckout | PaymentsFailed => {
    const parameters = JSON.stringify([
      request.cents,
      request.currency,
      request.expiresAt,
      request.description,
      request.items,
      request.email
    ])
    const knownRequest = requests.get(request.id)
    if (knownRequest !== undefined && keys) {
      return knownRequest.parameters === parameters && knownRequest.answer !== "broken"
        ? knownRequest.answer
        : makeStaleError()
    }
    if (request.expiresAt < Instant.addMinutes(book.now, 30)) return makeStaleError()
    const sum = request.items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
    if (sum !== request.cents) return makeRefusedError("The items do not sum to the charge.")
    const answer = book.refusesCheckouts
      ? makeDeclinedError("The account cannot take payments.")
      : openCheckout(request)
    requests.set(request.id, { parameters, answer })
    return answer
  }
  const openCheckout = ({ cents: amount, currency, expiresAt, id: paymentId }: CheckoutRequest): OpenedCheckout => {
    const { id } = book.open({ paymentId, amount, currency, expiresAt })
    return { session: id, url: `https://till.example/${id}` }
  }

  const provider = PaymentProvider.of({
    name: "till",
    account: ({ key }) =>
      call(() =>
        key === fakeProviderCredentials.key
          ? { id: "acct_till", name: "Test Till", mode: "test" as const }
          : makeRefusedError("Unknown API key.")
      ),
    watch: () => call(() => ({ id: "we_till", noticeSecret: secret })),
    // This call never fails, because faults apply only to the calls that move money.
    rewatch: () => Effect.void,
    unwatch: () => call(() => {}),
    checkout: (_, request) =>
      call(() => startCheckout(request), () => {
        const knownRequest = requests.get(request.id)
        if (knownRequest !== undefined) requests.set(request.id, { ...knownRequest, answer: "broken" })
        return makeStaleError()
      }),
    getCheckout: (_, session) => findCheckout(session),
    close: (_, session) => findCheckout(session, (one) => one.status === "open" && book.end(one)),
    refund: (account, { cents, intent, key, refundId }) =>
      call(() => {
        if (account.key !== fakeProviderCredentials.key) return makeRefusedError("Unknown API key.")
        const answer = refunded.get(key) ?? answerOf(intent, book.refund(intent, cents, { once: keys, refundId }))
        if (keys) refunded.set(key, answer)
        return answer
      }),
    refunds: (_, intent) =>
      call(() =>
        book.refunds.filter((one) => one.intent === intent).map(({ cents, id, refundId, status }) => ({
          id,
          refundId,
          status,
          cents,
          reason: status === "failed" ? "The account is closed." : ""
        }))
      ),
    since: (_, moment) => call(() => book.events.filter(({ at }) => at >= moment).map(toNotification)),
    notice: (account, { body, now, signature }) =>
      Effect.suspend(() => {
        const text = new TextDecoder().decode(body)
        const [at = "", sum] = (signature ?? "").split(".")
        const isSigned = sum === computeSignature(account.noticeSecret ?? "", at, text)
        if (!isSigned || Math.abs(now - Number(at)) > 300_000) {
          return new WebhookRejected({ message: "The signature is invalid or older than 5 minutes." })
        }
        return Effect.succeed(JSON.parse(text) as PaymentNotification)
      })
  })

  const makeNotices = (signedAt: (event: BookedEvent) => Instant.Instant) =>
    Effect.sync(() =>
      book.events.map((event) => {
        const text = JSON.stringify(toNotification(event))
        const at = signedAt(event)
        return {
          body: new TextEncoder().encode(text),
          signature: `${at}.${computeSignature(secret, String(at), text)}`
        }
      })
    )

  const bank = FakeBank.of({
    now: Effect.sync(() => book.now),
    advance: (minutes) => Effect.sync(() => book.advance(minutes)),
    pay: (session) => Effect.sync(() => book.pay(session)),
    forge: ({ cents: amount, ...session }) =>
      Effect.sync(() =>
        book.open({ ...session, amount, expiresAt: Instant.addMinutes(book.now, 60), isForged: true }).id
      ),
    dispute: (intent) => Effect.sync(() => book.dispute(intent)),
    decide: (intent, outcome) => Effect.sync(() => book.dispute(intent, outcome)),
    setRefundMode: (how) =>
      Effect.sync(() => {
        book.refunding = how
      }),
    refuseCheckouts: (refuses) =>
      Effect.sync(() => {
        book.refusesCheckouts = refuses
      }),
    endRefund: (intent, how) => Effect.sync(() => book.endRefund(intent, how)),
    pendingRefunds: Effect.sync(() => book.pendingRefunds),
    forgedRefundCount: Effect.sync(() => book.forgedReturned),
    refundManually: (intent, cents) => Effect.sync(() => book.refundManually(intent, cents)),
    fail: (next) =>
      Effect.sync(() => {
        fault = next
      }),
    countCheckouts: (id) => Effect.sync(() => book.made(id)),
    balance: (id) => Effect.sync(() => book.balance(id)),
    sessions: Effect.sync(() => book.sessions.map(({ id }) => id)),
    countRefunds: (id) => Effect.sync(() => book.returned(id)),
    notices: makeNotices(({ at }) => at),
    resent: makeNotices(() => book.now)
  })
  return { provider, bank }
}

/** Creates a layer for an existing provider. */
export const layerFrom = (provider: PaymentProvider["Type"]): Layer.Layer<PaymentProvider> =>
  Layer.succeed(PaymentProvider, provider)

export const layer: Layer.Layer<PaymentProvider | FakeBank> = Layer.effectContext(
  Effect.sync(() => {
    const { bank, provider } = make()
    return Context.make(FakeBank, bank).pipe(Context.add(PaymentProvider, provider))
  })
)

const secret = "whsec_till"

const { digest } = TestIds.make(0)

const computeSignature = (secret: string, at: string, text: string): string => digest(`${secret}.${at}.${text}`)

const answerOf = (intent: string, refund: BookedRefund | "refused" | null): RefundOutcome | PaymentsFailed =>
  refund === "refused"
    ? makeDeclinedError("The account balance is too low.")
    : { id: refund?.id ?? `already:${intent}`, status: refund?.status ?? "done", reason: "" }

const toNotification = (event: BookedEvent): PaymentNotification => {
  switch (event.type) {
    case "completed":
    case "expired":
      return { _tag: "Checkout", session: event.session.id, paymentId: event.session.paymentId }
    case "disputed":
      return { _tag: "Dispute", intent: event.intent, at: event.at, status: "open" }
    case "won":
    case "lost":
      return { _tag: "Dispute", intent: event.intent, at: event.at, status: event.type }
    case "refunded":
    case "refund updated":
    case "refund failed":
      return { _tag: "Refund", intent: event.intent }
  }
}

const toFoundCheckout = (
  { amount, currency, id: session, intent, paymentId, status }: BookedSession
): ProviderCheckout =>
  intent === null
    ? { session, paymentId, status: status === "expired" ? "expired" : "open" }
    : { session, paymentId, status: "paid", intent, cents: amount, currency }

const makeNoResponseError = () => new PaymentsFailed({ message: "The payment service did not respond." })
const makeStaleError = () =>
  new PaymentsFailed({ message: "This checkout no longer accepts payments.", reason: "stale" })
const makeRefusedError = (message: string) => new PaymentsFailed({ message, reason: "refused" })
const makeDeclinedError = (message: string) => new PaymentsFailed({ message, reason: "declined" })
