import type { PaymentRequest } from "@trailbook/core/payment"
import type { ChargeItem } from "@trailbook/core/pricing"

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
