import type { SecretPlace } from "../port/Secrets.ts"
import type { Instant } from "../time/Instant.ts"
import type { ProviderAccount } from "./PaymentProvider.ts"

/**
 * An account of a provider that an org takes money with. One that was disconnected
 * makes no more checkouts, and is kept for what has to go back through it.
 */
export interface PaymentConnection {
  readonly id: string
  readonly orgId: string
  readonly provider: string
  readonly mode: ProviderAccount["mode"]
  /** What the provider calls the account. */
  readonly accountId: string
  /** What people see it by. */
  readonly name: string
  /** Its secret key as `Secrets` sealed it. */
  readonly sealedKey: string
  /** What notices are signed with, sealed; null where none are sent. */
  readonly sealedNoticeSecret: string | null
  /** The account that the key's own account acts for; null where they are the same. */
  readonly account: string | null
  /** What the provider calls the place it sends notices to; null where it was not asked to. */
  readonly watchId: string | null
  readonly connectedAt: Instant
  readonly disconnectedAt: Instant | null
  /** When somebody last began to look at what happened there. */
  readonly lookedAt: Instant
  /** Up to when everything that happened there is known. */
  readonly seenTo: Instant
}

/** Where its two secrets are kept: one does not open in the other's place. */
export const connectionPlace = (
  { id, orgId }: Pick<PaymentConnection, "id" | "orgId">,
  secret: "key" | "notices"
): SecretPlace => ({ table: "payment_connections", orgId, id: `${id}/${secret}` })
