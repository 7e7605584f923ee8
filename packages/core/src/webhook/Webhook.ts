import type { SecretPlace } from "../port/Secrets.ts"
import type { Instant } from "../time/Instant.ts"

/**
 * The reasons for a failed delivery. A reason reveals nothing about the service's network to a tenant. `connection`
 * means that the connection was refused or interrupted.
 */
export const deliveryFaults = ["dns", "blocked_address", "connection", "tls", "timeout", "status"] as const

export type DeliveryFault = (typeof deliveryFaults)[number]

/** An org's webhook endpoint. */
export interface Webhook {
  readonly id: string
  readonly orgId: string
  readonly url: string
  /** The subscribed event types, including unknown types. `*` means all event types. */
  readonly events: ReadonlyArray<string>
  readonly active: boolean
  /** The signing secret, encrypted by `Secrets`. */
  readonly sealedSecret: string
  readonly createdAt: Instant
  /** The HTTP status of the last delivery: 0 if there was no response, and null before the first delivery. */
  readonly lastStatus: number | null
  /** The error from the last delivery. Null if the delivery succeeded. */
  readonly lastError: DeliveryFault | null
  readonly lastAttemptAt: Instant | null
}

/** Returns the signing secret's location. */
export const secretPlace = ({ id, orgId }: Pick<Webhook, "id" | "orgId">): SecretPlace => ({
  table: "webhooks",
  orgId,
  id
})
