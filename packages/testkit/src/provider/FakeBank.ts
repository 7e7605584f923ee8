import type { ProviderCredentials } from "@trailbook/core/payment"
import type { Instant } from "@trailbook/core/time/Instant"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The credentials that the laws use to call the provider. */
export const fakeProviderCredentials: ProviderCredentials = {
  key: "sk_test_till",
  noticeSecret: "whsec_till",
  account: null
}

/**
 * The possible faults in a call to a provider: an error before the effect, an error after the effect (which the
 * provider stores under the key), rate limiting, a lost connection before or after the effect, and no response.
 */
export const providerFaults = ["broken", "broken after", "busy", "cut off", "answer lost", "hangs"] as const

export type ProviderFault = (typeof providerFaults)[number]

/** How a provider processes refunds. */
export type RefundMode = "done" | "pending" | "refused"

/** A notification as the provider sent it. */
export interface SentNotification {
  readonly body: Uint8Array
  readonly signature: string
}

/**
 * The other side of a fake provider: guests, their banks, and the network. It has its own clock, which moves only when
 * it is set.
 */
export class FakeBank extends Context.Tag("@trailbook/testkit/FakeBank")<
  FakeBank,
  {
    readonly now: Effect.Effect<Instant>
    readonly advance: (minutes: number) => Effect.Effect<void>
    /** Pays a checkout as the guest. Returns null if the checkout cannot be paid. */
    readonly pay: (session: string) => Effect.Effect<string | null>
    /** Creates a checkout that the service did not request. It refers to a payment but can have a different amount. */
    readonly forge: (
      session: { readonly paymentId: string; readonly cents: number; readonly currency: string }
    ) => Effect.Effect<string>
    /** Opens a dispute as the guest's bank. */
    readonly dispute: (intent: string) => Effect.Effect<void>
    /** Decides a dispute as the guest's bank. */
    readonly decide: (intent: string, outcome: "won" | "lost") => Effect.Effect<void>
    /** Sets the outcome of refunds: sent, pending, or refused with a response that is stored under the key. */
    readonly setRefundMode: (how: RefundMode) => Effect.Effect<void>
    /** Refuses new checkouts, with a response that is stored under the key, or accepts them again. */
    readonly refuseCheckouts: (refuses: boolean) => Effect.Effect<void>
    /** Completes a pending refund, or fails a refund, even one that was already sent. */
    readonly endRefund: (intent: string, how: "done" | "failed") => Effect.Effect<void>
    /** The payments that have a pending refund. */
    readonly pendingRefunds: Effect.Effect<ReadonlyArray<string>>
    /** The number of forged checkouts that were refunded. */
    readonly forgedRefundCount: Effect.Effect<number>
    /** Refunds part of a payment in the provider's dashboard. Default: the remaining amount. */
    readonly refundManually: (intent: string, cents?: number) => Effect.Effect<void>
    /** Injects a fault into the next call. */
    readonly fail: (fault: ProviderFault) => Effect.Effect<void>
    /** Returns the number of checkouts for a payment. */
    readonly countCheckouts: (paymentId: string) => Effect.Effect<number>
    /** Returns a payment's captured amount minus its refunds, in the smallest unit of its currency. */
    readonly balance: (paymentId: string) => Effect.Effect<number>
    /** Returns the number of refunds for a payment. */
    readonly countRefunds: (paymentId: string) => Effect.Effect<number>
    /** All checkouts, oldest first, including those whose response was lost. */
    readonly sessions: Effect.Effect<ReadonlyArray<string>>
    /** All notifications so far, oldest first, as originally sent. */
    readonly notices: Effect.Effect<ReadonlyArray<SentNotification>>
    /** The same notifications, sent again by the provider, each with a new signature. */
    readonly resent: Effect.Effect<ReadonlyArray<SentNotification>>
  }
>() {}
