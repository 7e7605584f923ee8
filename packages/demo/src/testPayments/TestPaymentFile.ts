import type { PaymentRequest } from "@trailbook/core/payment"
import type { ChargeItem } from "@trailbook/core/pricing"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs"

/** A checkout request with the data that the checkout page shows. */
export interface TestCheckoutRequest extends PaymentRequest {
  readonly reference: string
  readonly handle: string
  readonly outfitter: string
  readonly timezone: string
  /** Omitted by earlier versions. */
  readonly items?: ReadonlyArray<ChargeItem>
}

/**
 * A test checkout event. `told` means that the service has stored a payment, an expiry, or a dispute. An expiry that
 * the service itself requested is not reported back to it.
 */
export type TestPaymentEvent =
  & { readonly at: number }
  & (
    | { readonly type: "opened"; readonly session: string; readonly asked: TestCheckoutRequest }
    | { readonly type: "paid"; readonly session: string; readonly intent: string }
    | { readonly type: "ended"; readonly session: string; readonly isNews: boolean }
    | { readonly type: "disputed"; readonly session: string; readonly intent: string }
    | {
      readonly type: "returned"
      readonly session: string
      readonly intent: string
      /** Omitted by earlier versions, which always refunded the full amount. */
      readonly refund?: TestRefund
    }
    | { readonly type: "told"; readonly session: string; readonly intent: string | null }
  )

export interface TestRefund {
  readonly refundId: string
  readonly cents: number
}

export interface TestPayment {
  readonly intent: string
  readonly refunds: ReadonlyArray<TestRefund>
  /** Whether the full amount was refunded. */
  readonly isReturned: boolean
  readonly isDisputed: boolean
  /** Whether a change to the payment must still be reported to the service. */
  readonly isNews: boolean
}

export interface TestCheckoutSession {
  readonly session: string
  readonly asked: TestCheckoutRequest
  readonly hasEnded: boolean
  /** Whether the checkout's end must still be reported to the service. */
  readonly isNews: boolean
  readonly payments: ReadonlyArray<TestPayment>
}

/** Applies an event to a checkout. Returns undefined if the checkout has not been opened. */
export const evolve = (
  state: TestCheckoutSession | undefined,
  event: TestPaymentEvent
): TestCheckoutSession | undefined => {
  if (event.type === "opened") {
    return state ?? { session: event.session, asked: event.asked, hasEnded: false, isNews: false, payments: [] }
  }
  if (state === undefined) return undefined
  if (event.type === "ended") return { ...state, hasEnded: true, isNews: event.isNews }
  if (event.type === "paid") {
    return { ...state, payments: [...state.payments, { ...newPayment, intent: event.intent }] }
  }
  if (event.intent === null) return { ...state, isNews: false }
  const computeChange = (payment: TestPayment): Partial<TestPayment> => {
    if (event.type === "disputed") return { isDisputed: true, isNews: true }
    if (event.type === "told") return { isNews: false }
    const { cents } = state.asked
    const refunds = [...payment.refunds, event.refund ?? { refundId: event.intent ?? "", cents }]
    return { refunds, isReturned: refunds.reduce((sum, refund) => sum + refund.cents, 0) >= cents }
  }
  return {
    ...state,
    payments: state.payments.map((payment) =>
      payment.intent === event.intent ? { ...payment, ...computeChange(payment) } : payment
    )
  }
}

const newPayment = { refunds: [], isReturned: false, isDisputed: false, isNews: true }

/**
 * The test payment provider's event log. Each line is one event. A line is flushed to disk before the event takes
 * effect, so a crash loses nothing.
 */
export interface TestPaymentFile {
  readonly find: (session: string) => TestCheckoutSession | undefined
  /** Finds the checkout that belongs to a payment intent. */
  readonly withIntent: (intent: string) => TestCheckoutSession | undefined
  readonly all: () => ReadonlyArray<TestCheckoutSession>
  /** Returns the events at or after the given instant, oldest first. */
  readonly since: (at: number) => ReadonlyArray<TestPaymentEvent>
  readonly add: (event: TestPaymentEvent) => void
}

/** The file name in the demo's directory. */
export const testPaymentFileName = "till.jsonl"

/**
 * Opens the file, which need not exist yet. If a write was interrupted, the incomplete last line is removed.
 *
 * @throws OperatorError if the file is invalid
 */
export const openTestPaymentFile = (path: string): TestPaymentFile => {
  const events: Array<TestPaymentEvent> = []
  const sessions = new Map<string, TestCheckoutSession>()
  const byIntent = new Map<string, string>()
  const learn = (event: TestPaymentEvent): void => {
    events.push(event)
    const state = evolve(sessions.get(event.session), event)
    if (state !== undefined) sessions.set(event.session, state)
    if (event.type === "paid") byIntent.set(event.intent, event.session)
  }

  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole))
  for (const line of whole.split("\n")) if (line !== "") learn(parseLine(path, line))

  return {
    find: (session) => sessions.get(session),
    withIntent: (intent) => sessions.get(byIntent.get(intent) ?? ""),
    all: () => [...sessions.values()],
    since: (at) => events.filter((event) => event.at >= at),
    add: (event) => {
      // The file is readable only by its owner, because it contains the handles of guests' booking pages.
      appendFileSync(path, `${JSON.stringify(event)}\n`, { mode: 0o600, flush: true })
      learn(event)
    }
  }
}

const parseLine = (path: string, line: string): TestPaymentEvent => {
  try {
    const event: unknown = JSON.parse(line)
    if (typeof event === "object" && event !== null && "type" in event && "session" in event) {
      return event as TestPaymentEvent
    }
  } catch {
    // Fall through to the error below.
  }
  throw new OperatorError(`${path} is not compatible with this version of the demo.`, "Start over with --fresh.")
}
