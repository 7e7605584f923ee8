import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { ChargeItem } from "../pricing/toChargeItems.ts"
import type { Instant } from "../time/Instant.ts"
import type { Dispute, PaymentRequest } from "./Payment.ts"

/** The credentials for one account at a provider. */
export interface ProviderCredentials {
  /** The secret key for the account, or for its platform. */
  readonly key: string
  /** The signing secret for the provider's webhooks. Null if Trailbook receives no webhooks. */
  readonly noticeSecret: string | null
  /** The account that a platform acts for. Null if the key belongs to the account itself. */
  readonly account: string | null
}

/** A request for a checkout. Every attempt must send the same values. */
export interface CheckoutRequest extends PaymentRequest {
  /** The items that the guest pays for. Their amounts add up to `cents`. */
  readonly items: ReadonlyArray<ChargeItem>
  /** The guest's email address, prefilled in the form. Null if the guest has no email address. */
  readonly email: string | null
  /** The URL that the provider redirects guests to if they do not pay. */
  readonly returnUrl: string
  /**
   * The URL that the provider redirects guests to after they pay. While this page waits for the webhook, it does not
   * ask for payment again.
   */
  readonly paidUrl: string
}

export interface OpenedCheckout {
  readonly session: string
  /** The URL where the guest pays. */
  readonly url: string
}

/** The state of a checkout at the provider. A checkout is also `open` while its payment is processing. */
export type ProviderCheckout =
  & {
    readonly session: string
    /** The ID of the payment that the checkout was created for. Null if Trailbook did not create it. */
    readonly paymentId: string | null
  }
  & (
    | { readonly status: "open" | "expired" }
    | {
      readonly status: "paid"
      readonly intent: string
      /**
       * The paid amount and its currency. If the amount or currency does not match the request, the payment settles
       * nothing. The fields are null only if the host application does not report them.
       */
      readonly cents: number | null
      readonly currency: string | null
    }
  )

/**
 * A refund at the provider. If the refund is `pending`, the provider has accepted it but has not sent the money yet.
 */
export interface ProviderRefund {
  readonly id: string
  readonly status: "pending" | "done" | "failed"
  /** The refunded amount, in the smallest unit of the payment's currency. */
  readonly cents: number
  /** The provider's reason for a failure, or an empty string. */
  readonly reason: string
  /**
   * The ID of the refund that Trailbook requested. Null if the refund was made at the provider or by an earlier
   * version.
   */
  readonly refundId: string | null
}

/** The outcome of a refund request. */
export type RefundOutcome = Pick<ProviderRefund, "id" | "status" | "reason">

/** A notification that names the object to query. The only other trusted field of a webhook is a dispute's status. */
export type PaymentNotification =
  | { readonly _tag: "Checkout"; readonly session: string; readonly paymentId: string | null }
  /** A payment's refunds changed. */
  | { readonly _tag: "Refund"; readonly intent: string }
  | { readonly _tag: "Dispute"; readonly intent: string; readonly at: Instant; readonly status: Dispute["status"] }

/** An account at the provider, with its display name. */
export interface ProviderAccount {
  readonly id: string
  readonly name: string
  /** `test` accounts take no real money. */
  readonly mode: "live" | "test"
}

/** The error for a webhook without a valid and recent signature. */
export class WebhookRejected extends Data.TaggedError("WebhookRejected")<{ readonly message: string }> {}

/**
 * A payment provider. Each call uses the credentials for one account. Each call is idempotent, because the payment's ID
 * is part of the idempotency key. Amounts are in their currency's smallest unit as defined by ISO 4217, even if the
 * provider uses another unit. Never call a provider inside a transaction.
 */
export class PaymentProvider extends Context.Tag("@trailbook/core/PaymentProvider")<
  PaymentProvider,
  {
    /** The name stored with payments and used in webhook URLs, such as `stripe`. */
    readonly name: string
    /** Returns the account that the key belongs to. Fails if the key is invalid. */
    readonly account: (access: ProviderCredentials) => Effect.Effect<ProviderAccount, PaymentsFailed>
    /** Registers a webhook endpoint and returns its signing secret. */
    readonly watch: (
      access: ProviderCredentials,
      url: string
    ) => Effect.Effect<{ readonly id: string; readonly noticeSecret: string }, PaymentsFailed>
    /**
     * Subscribes a webhook endpoint to all of this version's events. An earlier version may have registered fewer
     * events.
     */
    readonly rewatch: (access: ProviderCredentials, id: string) => Effect.Effect<void, PaymentsFailed>
    /** Removes a webhook endpoint. A missing endpoint is not an error. */
    readonly unwatch: (access: ProviderCredentials, id: string) => Effect.Effect<void, PaymentsFailed>
    /**
     * Opens a checkout. Fails with `declined` if the provider definitively refused the request and stored the refusal
     * under the key.
     */
    readonly checkout: (
      access: ProviderCredentials,
      request: CheckoutRequest
    ) => Effect.Effect<OpenedCheckout, PaymentsFailed>
    readonly getCheckout: (
      access: ProviderCredentials,
      session: string
    ) => Effect.Effect<ProviderCheckout, PaymentsFailed>
    /** Expires a checkout unless it was paid, and returns its state. */
    readonly close: (access: ProviderCredentials, session: string) => Effect.Effect<ProviderCheckout, PaymentsFailed>
    /**
     * Refunds an amount. `cents` is null only if the call repeats a request from an earlier version. Null means the
     * rest of the payment. `key` identifies the refund and is the idempotency key. Fails with `declined` if the
     * provider definitively refused the request and stored the refusal under the key. After any other failure, the key
     * stays the same.
     */
    readonly refund: (
      access: ProviderCredentials,
      paid: {
        readonly paymentId: string
        readonly intent: string
        /**
         * The refund ID that {@link ProviderRefund} reports. Null if an earlier version requested the refund without an
         * ID.
         */
        readonly refundId: string | null
        readonly key: string
        readonly cents: number | null
        /** The payment's currency. */
        readonly currency: string
      }
    ) => Effect.Effect<RefundOutcome, PaymentsFailed>
    /** Returns every refund for a payment, including refunds made at the provider. */
    readonly refunds: (
      access: ProviderCredentials,
      intent: string
    ) => Effect.Effect<ReadonlyArray<ProviderRefund>, PaymentsFailed>
    /** Returns the changes since the given time, oldest first. A change can be returned twice, but none is skipped. */
    readonly since: (
      access: ProviderCredentials,
      moment: Instant
    ) => Effect.Effect<ReadonlyArray<PaymentNotification>, PaymentsFailed>
    /** Verifies a webhook against its raw bytes. Returns null for irrelevant events. */
    readonly notice: (
      access: ProviderCredentials,
      input: { readonly body: Uint8Array; readonly signature: string | null; readonly now: Instant }
    ) => Effect.Effect<PaymentNotification | null, WebhookRejected | PaymentsFailed>
  }
>() {}

/**
 * A payment provider refused a request or did not respond.
 *
 * If there is no `reason`, the same request is retried later. The reasons are:
 *
 * - `stale`: The provider will never accept these parameters again, so a new payment must be requested under a new key.
 * - `refused`: The provider refuses until the outfitter or the operator changes something. The request is retried
 *   anyway, and the message is shown.
 * - `declined`: The provider processed the request, refused it, and stored this response under the idempotency key. No
 *   money moved, and the next attempt needs a new key.
 */
export class PaymentsFailed extends Data.TaggedError("PaymentsFailed")<{
  readonly message: string
  readonly reason?: "stale" | "refused" | "declined"
}> {}
