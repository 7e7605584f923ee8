import type { SecretPlace } from "../port/Secrets.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * Why a delivery did not succeed, as a class that tells a tenant nothing about
 * the network that the service stands in. `connection` is one
 * that was refused or broke off.
 *
 * @category models
 */
export const deliveryFaults = ["dns", "blocked_address", "connection", "tls", "timeout", "status"] as const

/**
 * @category models
 */
export type DeliveryFault = (typeof deliveryFaults)[number]

/**
 * An address that an org has its events pushed to.
 *
 * @category models
 */
export interface Webhook {
  readonly id: string
  readonly orgId: string
  readonly url: string
  /** The event types it wants, also ones that do not exist yet; `*` among them is all. */
  readonly events: ReadonlyArray<string>
  readonly active: boolean
  /** The signing secret as `Secrets` sealed it. */
  readonly sealedSecret: string
  readonly createdAt: Instant
  /** The HTTP status of the last delivery; 0 when there was no answer, null before the first. */
  readonly lastStatus: number | null
  /** Null after a delivery that succeeded. */
  readonly lastError: DeliveryFault | null
  readonly lastAttemptAt: Instant | null
}

/**
 * Where its signing secret is kept.
 *
 * @category getters
 */
export const secretPlace = ({ id, orgId }: Pick<Webhook, "id" | "orgId">): SecretPlace => ({
  table: "webhooks",
  orgId,
  id
})
