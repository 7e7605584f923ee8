import type { SecretPlace } from "../port/Secrets.ts"
import type { Instant } from "../time/Instant.ts"
import type { ProviderAccount } from "./PaymentProvider.ts"

/**
 * The payment provider account that receives an org's payments. A disconnected account opens no more checkouts, but it
 * is kept for refunds.
 */
export interface PaymentConnection {
  readonly id: string
  readonly orgId: string
  readonly provider: string
  readonly mode: ProviderAccount["mode"]
  /** The provider's ID for the account. */
  readonly accountId: string
  /** The display name. */
  readonly name: string
  /** The secret key, sealed by `Secrets`. */
  readonly sealedKey: string
  /** The sealed signing secret for the provider's webhooks. Null without webhooks. */
  readonly sealedNoticeSecret: string | null
  /** The account that a platform's key acts for. Null if the key belongs to the account itself. */
  readonly account: string | null
  /** The provider's ID for the webhook endpoint. Null if Trailbook did not register an endpoint. */
  readonly watchId: string | null
  readonly connectedAt: Instant
  readonly disconnectedAt: Instant | null
  /** The time when the last reconciliation started. */
  readonly lookedAt: Instant
  /** The time up to which all changes at the provider have been processed. */
  readonly seenTo: Instant
}

/** Returns the IDs of the accounts in test mode. Reports skip the payments of these accounts. */
export const findTestAccounts = (accounts: ReadonlyArray<PaymentConnection>): ReadonlyArray<string> =>
  accounts.filter(({ mode }) => mode === "test").map(({ id }) => id)

/**
 * Returns the location that a secret is bound to when it is sealed. Without this binding, one secret could be opened in
 * place of another.
 */
export const connectionPlace = (
  { id, orgId }: Pick<PaymentConnection, "id" | "orgId">,
  secret: "key" | "notices"
): SecretPlace => ({ table: "payment_connections", orgId, id: `${id}/${secret}` })
