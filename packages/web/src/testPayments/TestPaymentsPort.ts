import type { ChargeItem } from "@trailbook/core/pricing"
import type * as Effect from "effect/Effect"

/**
 * The actions in the test checkout. `again` pays a second time, `late` pays after the checkout has expired, and
 * `dispute` simulates a chargeback.
 */
export const testPaymentActions = ["pay", "decline", "end", "again", "late", "dispute"] as const

export type TestPaymentAction = (typeof testPaymentActions)[number]

/** A payment as reported by the test provider. */
export interface TestPaymentState {
  readonly intent: string
  readonly isReturned: boolean
  readonly isDisputed: boolean
}

/** A checkout as shown on its page. */
export interface TestCheckoutView {
  readonly session: string
  readonly status: "open" | "paid" | "ended"
  readonly outfitter: string
  readonly timezone: string
  readonly items: ReadonlyArray<ChargeItem>
  readonly reference: string
  /** The amount in the smallest currency unit. */
  readonly cents: number
  readonly currency: string
  /** The time when the checkout expires automatically. */
  readonly expiresAt: string
  readonly money: ReadonlyArray<TestPaymentState>
  /** The URL of the guest's booking page. */
  readonly back: string
}

/** Test payments. Anyone with the checkout URL can pay, and no one is charged. */
export interface TestPaymentsPort {
  /** Returns a checkout, or null if it does not exist. */
  readonly find: (session: string) => Effect.Effect<TestCheckoutView | null>
  /** Performs the action if possible and returns whether it was performed. */
  readonly act: (session: string, act: Exclude<TestPaymentAction, "decline">) => Effect.Effect<boolean>
}
