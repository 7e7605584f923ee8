/**
 * What webhooks carry, as plain types. Written by `npm run generate` in the client's package; a test holds it to the
 * declarations that the server sends by.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export interface Offering {
  readonly id: string
  readonly org_id: string
  readonly kind: "class" | "appointment" | "rental"
  readonly name: string
  readonly description: string
  readonly location: string
  readonly duration_minutes: number
  readonly capacity: number
  readonly max_per_booking: number
  readonly price_cents: number
  readonly slot_interval_minutes: number | null
  readonly buffer_minutes: number
  readonly min_notice_minutes: number
  readonly max_advance_days: number
  readonly max_periods: number
  readonly active: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  readonly lat: number | null
  readonly lon: number | null
  readonly gauge_site: string | null
  readonly created_at: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface HoursEntry {
  readonly weekday: number
  readonly start_time: string
  readonly end_time: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Session {
  readonly id: string
  readonly org_id: string
  readonly offering_id: string
  readonly starts_at: string
  readonly ends_at: string
  readonly capacity: number | null
  readonly status: "scheduled" | "cancelled"
  readonly created_at: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Booking {
  readonly id: string
  readonly org_id: string
  readonly offering_id: string
  readonly customer_id: string
  readonly session_id: string | null
  readonly starts_at: string
  readonly ends_at: string
  readonly quantity: number
  readonly total_cents: number
  readonly reference: string
  readonly status: "held" | "confirmed" | "cancelled"
  readonly source: "dashboard" | "api" | "mcp" | "widget"
  readonly notes: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly cancelled_at: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly handle: string
  readonly checkout_url: string | null
  readonly paid_at: string | null
  readonly payment_intent_id: string | null
  readonly previous?: {
    readonly starts_at: string
    readonly ends_at: string
    readonly session_id: string | null
  }
  readonly offering: {
    readonly id: string
    readonly name: string
    readonly kind: "class" | "appointment" | "rental"
  }
  readonly customer: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly phone: string
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Customer {
  readonly id: string
  readonly org_id: string
  readonly email: string
  readonly name: string
  readonly phone: string
  readonly notes: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Org {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly timezone: string
  readonly currency: string
  readonly reply_window: string | null
  readonly auto_ack: boolean
  readonly away_notice: string | null
  readonly review_url: string | null
  readonly brief_hour: number
  readonly ops_daily_cap: number
  readonly quiet_from: number | null
  readonly quiet_to: number | null
  readonly refund_ceiling_cents: number | null
  readonly created_at: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly active: boolean
  readonly last_status: number | null
  readonly last_error: "dns" | "blocked_address" | "connection" | "tls" | "timeout" | "status" | null
  readonly last_attempt_at: string | null
  readonly created_at: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface OfferingWithHours {
  readonly id: string
  readonly org_id: string
  readonly kind: "class" | "appointment" | "rental"
  readonly name: string
  readonly description: string
  readonly location: string
  readonly duration_minutes: number
  readonly capacity: number
  readonly max_per_booking: number
  readonly price_cents: number
  readonly slot_interval_minutes: number | null
  readonly buffer_minutes: number
  readonly min_notice_minutes: number
  readonly max_advance_days: number
  readonly max_periods: number
  readonly active: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  readonly lat: number | null
  readonly lon: number | null
  readonly gauge_site: string | null
  readonly created_at: string
  readonly hours: ReadonlyArray<HoursEntry>
}

/**
 * The events, and what `data` is in each: the resource after the change.
 *
 * @since 0.1.0
 * @category models
 */
export interface WebhookEventData {
  /** A place is held while the guest decides or pays, until `expires_at`. */
  readonly "booking.held": Booking
  /** A booking is confirmed, from any surface and in any way: at once, from a hold, or when its payment lands. */
  readonly "booking.confirmed": Booking
  /** A booking moves to another time of its offering. */
  readonly "booking.moved": Booking
  /** A booking is cancelled: by itself, with its session or offering, or by the service 24 hours after a hold has run out. */
  readonly "booking.cancelled": Booking
  /** A session of a class is scheduled; one event for each of a weekly repeat. */
  readonly "session.created": Session
  /** A session is cancelled. One `booking.cancelled` for each of its bookings follows. */
  readonly "session.cancelled": Session
  /** An offering is added. */
  readonly "offering.created": Offering
  /** An offering changes, is paused or is resumed. */
  readonly "offering.updated": Offering
  /** An offering is deleted, after its upcoming bookings were cancelled. */
  readonly "offering.deleted": Offering
  /** The weekly hours of an offering are replaced. */
  readonly "offering.hours_updated": OfferingWithHours
  /** A customer is added or changed. */
  readonly "customer.updated": Customer
  /** A customer's personal data is erased on request. Remove what you know of them, too. */
  readonly "customer.deleted": Customer
  /** The outfitter's settings change. */
  readonly "org.updated": Org
  /** `trailbook webhooks test` is asked to send one. It has the id 0 and stands in no log. */
  readonly "webhook.test": Webhook
}

/**
 * The types of events that are known today. More may come within a version of the API: let others pass.
 *
 * @since 0.1.0
 * @category models
 */
export type WebhookEventType = keyof WebhookEventData

/**
 * An event of a type; of any of them when nothing is said, or `*`.
 *
 * @since 0.1.0
 * @category models
 */
export type WebhookEvent<Type extends WebhookEventType | "*" = "*"> = {
  readonly [T in WebhookEventType]: {
    readonly id: number
    readonly created_at: string
    readonly type: T
    readonly data: WebhookEventData[T]
  }
}[Type extends WebhookEventType ? Type : WebhookEventType]
