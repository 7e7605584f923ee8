import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Dispute, PaymentRequest } from "./Payment.ts"
import type { PaymentsFailed } from "./PaymentsFailed.ts"

/** What opens one account of a provider. */
export interface ProviderCredentials {
  /** The secret key of the account, or of the platform that it belongs to. */
  readonly key: string
  /** What the provider signs its notices with; null where it sends none. */
  readonly noticeSecret: string | null
  /** The account that a platform acts for; null where the key is the account's own. */
  readonly account: string | null
}

/** A checkout to be made. All of it has to be the same each time it is asked for. */
export interface CheckoutRequest extends PaymentRequest {
  /** The guest's address, filled in for them; null when there is none. */
  readonly email: string | null
  /** Where the guest comes back to without having paid. */
  readonly returnUrl: string
  /** Where the guest comes back to who has paid: it waits for the notice, and does not ask them to pay again meanwhile. */
  readonly paidUrl: string
}

export interface OpenedCheckout {
  readonly session: string
  /** Where the guest pays. */
  readonly url: string
}

/** A checkout as the provider has it. `open` is also one whose money is on its way. */
export type FoundCheckout =
  & {
    readonly session: string
    /** The payment it was made for, as it was asked; null when it is none of ours. */
    readonly paymentId: string | null
  }
  & (
    | { readonly status: "open" | "expired" }
    | {
      readonly status: "paid"
      readonly intent: string
      /**
       * The amount that was paid and its currency. They are compared with the request, and a mismatch settles nothing.
       * Null only if the program around the service does not report them.
       */
      readonly cents: number | null
      readonly currency: string | null
    }
  )

/**
 * A refund as the provider has it. `pending` is accepted, but the money has not
 * been sent.
 */
export interface FoundRefund {
  readonly id: string
  readonly status: "pending" | "done" | "failed"
  /** The refunded amount, in the smallest unit of the payment's currency. */
  readonly cents: number
  /** The reason of a failure, in the provider's words; empty if none. */
  readonly reason: string
}

/** The outcome of a refund request. */
export type RefundOutcome = Pick<FoundRefund, "id" | "status" | "reason">

/** Where to look, which is all that is believed of a notice. */
export type PaymentNotification =
  | { readonly _tag: "Checkout"; readonly session: string; readonly paymentId: string | null }
  /** Refunds of a payment changed. */
  | { readonly _tag: "Refund"; readonly intent: string }
  | { readonly _tag: "Dispute"; readonly intent: string; readonly at: Instant; readonly status: Dispute["status"] }

/** What the provider calls an account, for people to see. */
export interface ProviderAccount {
  readonly id: string
  readonly name: string
  /** `test` takes no real money. */
  readonly mode: "live" | "test"
}

/** A notice that the provider did not sign, or not lately. */
export class WebhookRejected extends Data.TaggedError("WebhookRejected")<{ readonly message: string }> {}

/**
 * One company that takes money: everything is asked of one of its accounts. Each
 * call may be repeated and does one thing for one payment, whose id is in the key
 * it is asked under. Amounts are in the smallest unit of their currency by ISO
 * 4217, whatever the provider counts in. Never called inside a unit of work.
 */
export class PaymentProvider extends Context.Tag("@trailbook/core/PaymentProvider")<
  PaymentProvider,
  {
    /** As it is stored with payments, and stands in the address of notices: `stripe`. */
    readonly name: string
    /** Whose key this is; refused when it is nobody's. */
    readonly account: (access: ProviderCredentials) => Effect.Effect<ProviderAccount, PaymentsFailed>
    /** Has notices sent to an address, and says what they will be signed with. */
    readonly watch: (
      access: ProviderCredentials,
      url: string
    ) => Effect.Effect<{ readonly id: string; readonly noticeSecret: string }, PaymentsFailed>
    /** Has no more notices sent there; that there are none is no failure. */
    readonly unwatch: (access: ProviderCredentials, id: string) => Effect.Effect<void, PaymentsFailed>
    readonly checkout: (
      access: ProviderCredentials,
      request: CheckoutRequest
    ) => Effect.Effect<OpenedCheckout, PaymentsFailed>
    readonly look: (access: ProviderCredentials, session: string) => Effect.Effect<FoundCheckout, PaymentsFailed>
    /** Ends a checkout unless it was paid, and says what it is then. */
    readonly close: (access: ProviderCredentials, session: string) => Effect.Effect<FoundCheckout, PaymentsFailed>
    /**
     * Refunds everything that is not refunded yet. `key` is the idempotency key. A definite refusal that the provider
     * stores under the key fails with `declined`; every other failure keeps the key.
     */
    readonly refund: (
      access: ProviderCredentials,
      paid: { readonly paymentId: string; readonly intent: string; readonly key: string }
    ) => Effect.Effect<RefundOutcome, PaymentsFailed>
    /** Every refund of a payment, including those that were made at the provider. */
    readonly refunds: (
      access: ProviderCredentials,
      intent: string
    ) => Effect.Effect<ReadonlyArray<FoundRefund>, PaymentsFailed>
    /** What happened since a moment, the oldest first. A moment may be told of twice, and none is left out. */
    readonly since: (
      access: ProviderCredentials,
      moment: Instant
    ) => Effect.Effect<ReadonlyArray<PaymentNotification>, PaymentsFailed>
    /** Verifies a notice by the bytes that arrived; null when it tells of nothing that matters here. */
    readonly notice: (
      access: ProviderCredentials,
      given: { readonly body: Uint8Array; readonly signature: string | null; readonly now: Instant }
    ) => Effect.Effect<PaymentNotification | null, WebhookRejected | PaymentsFailed>
  }
>() {}
