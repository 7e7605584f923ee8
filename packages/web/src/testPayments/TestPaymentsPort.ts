import type * as Effect from "effect/Effect"

/**
 * What may be done at a till that takes no money. `again` pays a second time, `late` pays after the checkout has ended,
 * and `dispute` is the guest's bank that wants the money back.
 */
export const testPaymentActions = ["pay", "decline", "end", "again", "late", "dispute"] as const

export type TestPaymentAction = (typeof testPaymentActions)[number]

/** Money that the till says it has taken. */
export interface TestPaymentAmounts {
  readonly intent: string
  readonly isReturned: boolean
  readonly isDisputed: boolean
}

/** A checkout as its page shows it. */
export interface TestCheckoutView {
  readonly session: string
  readonly status: "open" | "paid" | "ended"
  readonly outfitter: string
  readonly timezone: string
  readonly description: string
  readonly reference: string
  /** In the smallest unit of the currency. */
  readonly cents: number
  readonly currency: string
  /** When it ends by itself. */
  readonly expiresAt: string
  readonly money: ReadonlyArray<TestPaymentAmounts>
  /** The guest's page of the booking. */
  readonly back: string
}

/** A till to try paying with: whoever has its page can pay, and nobody is charged. */
export interface TestPaymentsPort {
  /** Null where there is no such checkout. */
  readonly find: (session: string) => Effect.Effect<TestCheckoutView | null>
  /** Does it where that can be done now, and says so. */
  readonly act: (session: string, act: Exclude<TestPaymentAction, "decline">) => Effect.Effect<boolean>
}
