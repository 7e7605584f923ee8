/**
 * The operations of the API as plain types. Written by `npm run generate` in this package; a test holds it to the
 * declarations that the server answers by.
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
export interface AvailabilitySlot {
  readonly starts_at: string
  readonly ends_at: string
  readonly capacity: number
  readonly remaining: number
  readonly session_id?: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface NothingFree {
  readonly because: "paused" | "full" | "notice" | "horizon" | "past" | "nothing_scheduled" | "too_long" | "closed"
  readonly next?: AvailabilitySlot
}

/**
 * @since 0.1.0
 * @category models
 */
export interface BookedSession {
  readonly id: string
  readonly org_id: string
  readonly offering_id: string
  readonly starts_at: string
  readonly ends_at: string
  readonly capacity: number | null
  readonly status: "scheduled" | "cancelled"
  readonly created_at: string
  readonly booked: number
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
export interface OrgExport {
  readonly version: 1
  readonly exported_at: string
  readonly org: Org
  readonly offerings: ReadonlyArray<Offering>
  readonly hours: ReadonlyArray<{
    readonly offering_id: string
    readonly weekday: number
    readonly start_time: string
    readonly end_time: string
  }>
  readonly sessions: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer>
  readonly bookings: ReadonlyArray<Booking>
  readonly conversations: ReadonlyArray<unknown>
  readonly messages: ReadonlyArray<unknown>
  readonly saved_replies: ReadonlyArray<unknown>
  readonly automations: ReadonlyArray<unknown>
  readonly proposals: ReadonlyArray<unknown>
  readonly webhooks: ReadonlyArray<Webhook>
  readonly events: ReadonlyArray<Event>
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
export interface Billing {
  readonly plan: "free" | "pro"
  readonly usage: {
    readonly used: number
    readonly cap: number
    readonly pct: number
  }
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
export interface EventData {
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
}

/**
 * The types of events that are known today. More may come within a version of the API: let others pass.
 *
 * @since 0.1.0
 * @category models
 */
export type EventType = keyof EventData

/**
 * An event of a type; of any of them when nothing is said, or `*`.
 *
 * @since 0.1.0
 * @category models
 */
export type Event<Type extends EventType | "*" = "*"> = {
  readonly [T in EventType]: {
    readonly id: number
    readonly created_at: string
    readonly type: T
    readonly data: EventData[T]
  }
}[Type extends EventType ? Type : EventType]

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsListInput {
  readonly kind?: "class" | "appointment" | "rental" | undefined
  /** A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsCreateInput {
  /** 1 to 120 characters. */
  readonly name: string
  readonly kind: "class" | "appointment" | "rental"
  /** At most 2000 characters. */
  readonly description?: string | undefined
  /** At most 200 characters. */
  readonly location?: string | undefined
  /** A whole number from 5 to 43200. */
  readonly duration_minutes?: number | undefined
  /** A whole number from 1 to 10000. */
  readonly capacity?: number | undefined
  /** A whole number from 1 to 10000. */
  readonly max_per_booking?: number | undefined
  /** A whole number from 0 to 10000000000. */
  readonly price_cents?: number | undefined
  /** A whole number from 5 to 1440. */
  readonly slot_interval_minutes?: number | null | undefined
  /** A whole number from 0 to 1440. */
  readonly buffer_minutes?: number | undefined
  /** A whole number from 0 to 43200. */
  readonly min_notice_minutes?: number | undefined
  /** A whole number from 1 to 730. */
  readonly max_advance_days?: number | undefined
  /** A whole number from 1 to 60. */
  readonly max_periods?: number | undefined
  readonly active?: boolean | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** A number from -90 to 90. */
  readonly lat?: number | null | undefined
  /** A number from -180 to 180. */
  readonly lon?: number | null | undefined
  /** 1 to 40 characters. */
  readonly gauge_site?: string | null | undefined
  readonly idempotency_key?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsGetInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsUpdateInput {
  readonly id: string
  /** 1 to 120 characters. */
  readonly name?: string | undefined
  /** At most 2000 characters. */
  readonly description?: string | undefined
  /** At most 200 characters. */
  readonly location?: string | undefined
  /** A whole number from 5 to 43200. */
  readonly duration_minutes?: number | undefined
  /** A whole number from 1 to 10000. */
  readonly capacity?: number | undefined
  /** A whole number from 1 to 10000. */
  readonly max_per_booking?: number | undefined
  /** A whole number from 0 to 10000000000. */
  readonly price_cents?: number | undefined
  /** A whole number from 5 to 1440. */
  readonly slot_interval_minutes?: number | null | undefined
  /** A whole number from 0 to 1440. */
  readonly buffer_minutes?: number | undefined
  /** A whole number from 0 to 43200. */
  readonly min_notice_minutes?: number | undefined
  /** A whole number from 1 to 730. */
  readonly max_advance_days?: number | undefined
  /** A whole number from 1 to 60. */
  readonly max_periods?: number | undefined
  readonly active?: boolean | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** A number from -90 to 90. */
  readonly lat?: number | null | undefined
  /** A number from -180 to 180. */
  readonly lon?: number | null | undefined
  /** 1 to 40 characters. */
  readonly gauge_site?: string | null | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsDeleteInput {
  readonly id: string
  readonly cancel_bookings?: boolean | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsGetHoursInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OfferingsSetHoursInput {
  readonly id: string
  /** At most 50. */
  readonly hours: ReadonlyArray<{
    /** A whole number from 0 to 6. */
    readonly weekday: number
    readonly start_time: string
    readonly end_time: string
  }>
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface AvailabilityGetInput {
  readonly id: string
  /** A local date, YYYY-MM-DD. */
  readonly from?: string | undefined
  /** A local date, YYYY-MM-DD. */
  readonly to?: string | undefined
  /** A whole number from 1 to 60. */
  readonly periods?: number | undefined
  /** A whole number from 1 to 10000. */
  readonly quantity?: number | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface SessionsListInput {
  readonly offering_id?: string | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly from?: string | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly to?: string | undefined
  readonly status?: "scheduled" | "cancelled" | undefined
  /** A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface SessionsCreateInput {
  readonly offering_id: string
  /** An ISO 8601 instant with Z or an offset. */
  readonly starts_at: string
  /** A whole number from 1 to 52. */
  readonly repeat_weeks?: number | undefined
  /** A whole number from 1 to 10000. */
  readonly capacity?: number | null | undefined
  readonly idempotency_key?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface SessionsCancelInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsListInput {
  /** An ISO 8601 instant with Z or an offset. */
  readonly from?: string | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly to?: string | undefined
  readonly status?: "held" | "confirmed" | "cancelled" | undefined
  readonly offering_id?: string | undefined
  readonly customer_id?: string | undefined
  readonly session_id?: string | undefined
  /** At most 100 characters. */
  readonly q?: string | undefined
  readonly order?: "asc" | "desc" | undefined
  /** A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsGetInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsCreateInput {
  readonly offering_id: string
  readonly session_id?: string | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly starts_at?: string | undefined
  /** A whole number from 1 to 10000. */
  readonly quantity?: number | undefined
  /** A whole number from 1 to 60. */
  readonly periods?: number | undefined
  readonly customer_id?: string | undefined
  readonly customer?: {
    /** One e-mail address. */
    readonly email: string
    /** At most 120 characters. */
    readonly name?: string | undefined
    /** At most 40 characters. */
    readonly phone?: string | undefined
  } | undefined
  /** At most 2000 characters. */
  readonly notes?: string | undefined
  /** A whole number from 5 to 1440. */
  readonly hold_minutes?: number | undefined
  readonly idempotency_key?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsCancelInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsConfirmInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsMoveInput {
  readonly id: string
  readonly session_id?: string | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly starts_at?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface BookingsResendInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface CustomersListInput {
  /** At most 100 characters. */
  readonly q?: string | undefined
  /** A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface CustomersUpsertInput {
  /** One e-mail address. */
  readonly email: string
  /** At most 120 characters. */
  readonly name?: string | undefined
  /** At most 40 characters. */
  readonly phone?: string | undefined
  /** At most 5000 characters. */
  readonly notes?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface CustomersGetInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface CustomersUpdateInput {
  readonly id: string
  /** At most 120 characters. */
  readonly name?: string | undefined
  /** At most 40 characters. */
  readonly phone?: string | undefined
  /** At most 5000 characters. */
  readonly notes?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface CustomersDeleteInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface OrgUpdateInput {
  /** 1 to 80 characters. */
  readonly name?: string | undefined
  /** 1 to 64 characters. */
  readonly timezone?: string | undefined
  readonly currency?: string | undefined
  /** At most 200 characters. */
  readonly reply_window?: string | null | undefined
  readonly auto_ack?: boolean | undefined
  /** At most 2000 characters. */
  readonly away_notice?: string | null | undefined
  /** At most 2000 characters. */
  readonly review_url?: string | null | undefined
  /** A whole number from 0 to 23. */
  readonly brief_hour?: number | undefined
  /** A whole number from 1 to 500. */
  readonly ops_daily_cap?: number | undefined
  /** A whole number from 0 to 23. */
  readonly quiet_from?: number | null | undefined
  /** A whole number from 0 to 23. */
  readonly quiet_to?: number | null | undefined
  /** A whole number, 0 or more. */
  readonly refund_ceiling_cents?: number | null | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface EventsListInput {
  /** A whole number, 0 or more. */
  readonly after?: number | undefined
  /** 1 to 60 characters. */
  readonly type?: string | undefined
  /** An ISO 8601 instant with Z or an offset. */
  readonly since?: string | undefined
  /** A whole number, 1 or more. */
  readonly before?: number | undefined
  readonly order?: "asc" | "desc" | undefined
  /** A whole number from 1 to 500. */
  readonly limit?: number | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface WebhooksCreateInput {
  /** An https address. */
  readonly url: string
  /** At most 30. */
  readonly events?: ReadonlyArray<string> | undefined
  readonly idempotency_key?: string | undefined
}

/**
 * @since 0.1.0
 * @category inputs
 */
export interface WebhooksDeleteInput {
  readonly id: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface OfferingsListOutput {
  readonly data: ReadonlyArray<Offering>
  readonly next_cursor?: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface OfferingsDeleteOutput {
  readonly cancelled: number
  readonly refunded: number
  readonly pending: number
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface OfferingsGetHoursOutput {
  readonly data: ReadonlyArray<HoursEntry>
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface OfferingsSetHoursOutput {
  readonly data: ReadonlyArray<HoursEntry>
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface AvailabilityGetOutput {
  readonly timezone: string
  readonly data: ReadonlyArray<AvailabilitySlot>
  readonly nothing_free?: NothingFree
  readonly next_from?: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface SessionsListOutput {
  readonly data: ReadonlyArray<BookedSession>
  readonly next_cursor?: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface SessionsCreateOutput {
  readonly data: ReadonlyArray<Session>
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface BookingsListOutput {
  readonly data: ReadonlyArray<Booking>
  readonly next_cursor?: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface BookingsResendOutput {
  readonly ok: true
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface CustomersListOutput {
  readonly data: ReadonlyArray<Customer>
  readonly next_cursor?: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface CustomersGetOutput {
  readonly id: string
  readonly org_id: string
  readonly email: string
  readonly name: string
  readonly phone: string
  readonly notes: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly bookings: ReadonlyArray<Booking>
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface CustomersDeleteOutput {
  readonly ok: true
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface EventsListOutput {
  readonly data: ReadonlyArray<Event>
  readonly next_after: number
  readonly next_before?: number
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface WebhooksListOutput {
  readonly data: ReadonlyArray<Webhook>
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface WebhooksCreateOutput {
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly active: boolean
  readonly last_status: number | null
  readonly last_error: "dns" | "blocked_address" | "connection" | "tls" | "timeout" | "status" | null
  readonly last_attempt_at: string | null
  readonly created_at: string
  readonly secret: string
}

/**
 * @since 0.1.0
 * @category outputs
 */
export interface WebhooksDeleteOutput {
  readonly ok: true
}

/**
 * Of an operation that needs nothing said.
 *
 * @since 0.1.0
 * @category inputs
 */
export type NoInput = Readonly<Record<string, never>>

/**
 * What one operation asks and answers.
 *
 * @since 0.1.0
 * @category operations
 */
export interface Operation<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/**
 * The codes that refusals carry. There may be more of them one day.
 *
 * @since 0.1.0
 * @category models
 */
export type ErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "internal"
  | "unavailable"
  | "slot_unavailable"
  | "slot_full"
  | "offering_paused"
  | "session_cancelled"
  | "idempotency_conflict"
  | "customer_erased"
  | "booking_cancelled"
  | "booking_held"
  | "hold_expired"
  | "resend_limited"
  | "export_limited"
  | "has_bookings"
  | "wrong_kind"
  | "webhook_limit"

/**
 * Every operation, by the two halves of its name.
 *
 * @since 0.1.0
 * @category operations
 */
export interface Operations {
  readonly offerings: {
    /** List what guests can book, paused offerings included. */
    readonly list: Operation<OfferingsListInput, OfferingsListOutput>
    /**
     * Add an offering; name and kind alone make one that can be booked.
     *
     * Appointments and rentals are open daily 9:00 to 17:00 until hours are set. A class needs sessions. The
     * same request with the same idempotency_key answers the same offering and adds one.
     */
    readonly create: Operation<OfferingsCreateInput, Offering>
    /** Get an offering. */
    readonly get: Operation<OfferingsGetInput, Offering>
    /**
     * Change an offering; active=false pauses it.
     *
     * Bookings that exist keep their time, length and price.
     */
    readonly update: Operation<OfferingsUpdateInput, Offering>
    /**
     * Delete an offering, with cancel_bookings=true also its upcoming bookings and holds.
     *
     * Guests are mailed, paid bookings refunded in full, past bookings stay on record. Cannot be undone. Of very
     * many bookings some may be pending when this is answered: nothing can be booked there any more, and their
     * cancelling goes on by itself. Until it is finished, the same request again goes on with it.
     */
    readonly delete: Operation<OfferingsDeleteInput, OfferingsDeleteOutput>
    /** Get the weekly hours of an appointment or rental, in org time. */
    readonly get_hours: Operation<OfferingsGetHoursInput, OfferingsGetHoursOutput>
    /**
     * Replace all weekly hours of an appointment or rental.
     *
     * weekday 0 is Sunday. Hours over midnight are two entries, the first until 24:00.
     */
    readonly set_hours: Operation<OfferingsSetHoursInput, OfferingsSetHoursOutput>
  }
  readonly availability: {
    /**
     * List the times of an offering that can be booked and what is left of each.
     *
     * from and to are local dates of the org, both included; 14 days from today when left out, at most 366.
     * Rentals take periods and list the starts and what remains for that span. quantity says how many are wanted
     * and hides nothing. Where no start has room for them, nothing_free says why and when there is room next, up
     * to half a year on. An answer holds whole dates and at most 10000 slots; with next_from in it there is
     * more: ask again with from=next_from and the same to. Of a date that alone has more, the first 10000 are
     * listed; sessions.list has them all.
     */
    readonly get: Operation<AvailabilityGetInput, AvailabilityGetOutput>
  }
  readonly sessions: {
    /**
     * List class sessions with their seats booked, earliest first.
     *
     * from <= starts_at < to.
     */
    readonly list: Operation<SessionsListInput, SessionsListOutput>
    /**
     * Schedule a class session, or one a week.
     *
     * repeat_weeks makes so many sessions in all, each a week later at the same local time. The same request
     * with the same idempotency_key answers the same sessions and schedules them once.
     */
    readonly create: Operation<SessionsCreateInput, SessionsCreateOutput>
    /**
     * Cancel a class session and every booking in it; safe to repeat.
     *
     * Guests are mailed and paid bookings refunded in full. Cannot be undone.
     */
    readonly cancel: Operation<SessionsCancelInput, Session>
  }
  readonly bookings: {
    /**
     * List bookings by their start.
     *
     * from <= starts_at < to; order=desc shows the latest start first. What q finds holds all of its words, in
     * any order and without regard to case, accents or how a number is written: each begins a word, or stands
     * anywhere in the phone, or is a whole reference.
     */
    readonly list: Operation<BookingsListInput, BookingsListOutput>
    /** Get a booking with its offering and customer. */
    readonly get: Operation<BookingsGetInput, Booking>
    /**
     * Book a slot from availability for a guest; with hold_minutes keep it for so long instead.
     *
     * A class is booked by session_id, an appointment or a rental by starts_at. Give exactly one of customer_id
     * and customer. Make a new idempotency_key for each wish and reuse it when you retry: the same request then
     * answers the same booking and books once.
     */
    readonly create: Operation<BookingsCreateInput, Booking>
    /**
     * Cancel a booking and free its place; safe to repeat.
     *
     * The guest is mailed. A booking paid online is refunded in full while it has not started. Cannot be undone.
     */
    readonly cancel: Operation<BookingsCancelInput, Booking>
    /**
     * Confirm a held booking; safe to repeat.
     *
     * Past expires_at it succeeds only while the place is still free.
     */
    readonly confirm: Operation<BookingsConfirmInput, Booking>
    /**
     * Move a booking to another time of the same offering.
     *
     * A class moves to a session_id, anything else to a starts_at. Reference, price, payment and length stay.
     * Moving to where it is changes nothing.
     */
    readonly move: Operation<BookingsMoveInput, Booking>
    /** Mail the confirmation again, at most once a day. */
    readonly resend: Operation<BookingsResendInput, BookingsResendOutput>
  }
  readonly customers: {
    /**
     * List guests, newest first; q searches name, e-mail, phone and the references of their bookings.
     *
     * Whom q finds has all of its words, in any order and without regard to case, accents or how a number is
     * written: each begins a word, or stands anywhere in the phone, or is the whole reference of a booking.
     */
    readonly list: Operation<CustomersListInput, CustomersListOutput>
    /** Add a guest, or change the given fields of the one with this e-mail. */
    readonly upsert: Operation<CustomersUpsertInput, Customer>
    /** Get a guest with their bookings. */
    readonly get: Operation<CustomersGetInput, CustomersGetOutput>
    /** Change a guest's name, phone, notes or metadata. */
    readonly update: Operation<CustomersUpdateInput, Customer>
    /**
     * Erase a guest's personal data on request; their bookings stay, anonymized. Safe to repeat.
     *
     * E-mail, name, phone, notes and metadata go, also from their bookings and from past events. Cannot be
     * undone.
     */
    readonly delete: Operation<CustomersDeleteInput, CustomersDeleteOutput>
  }
  readonly org: {
    /** Get the outfitter's settings. */
    readonly get: Operation<NoInput, Org>
    /**
     * Change the outfitter's settings.
     *
     * null or empty text clears reply_window, away_notice and review_url.
     */
    readonly update: Operation<OrgUpdateInput, Org>
    /**
     * Export everything the outfitter owns as one JSON object, with the last 1000 events.
     *
     * Everything is of one moment. An outfitter has one export under way at a time. It is sent while it is read
     * from the database, so it has to be taken within 2 minutes and without pauses of 4 seconds; one that is not
     * is broken off, as is one that the server cannot finish: only an answer that is whole JSON is a whole
     * export.
     */
    readonly export: Operation<NoInput, OrgExport>
  }
  readonly events: {
    /**
     * Read what happened: after a cursor, oldest first, or newest first.
     *
     * Pass next_after as after to get what happened next. An event is served once it is 2 seconds old. With
     * order=desc, since or before the newest come first: pass next_before as before to get what came earlier;
     * while it is there, there may be more, also where nothing was found yet.
     */
    readonly list: Operation<EventsListInput, EventsListOutput>
  }
  readonly billing: {
    /** Get the plan and this UTC month's usage. */
    readonly get: Operation<NoInput, Billing>
  }
  readonly webhooks: {
    /**
     * List the addresses that events are pushed to, with what came of the last delivery to each.
     *
     * last_status is the HTTP status of the last delivery, 0 when there was no answer; last_error says of what
     * kind a failure was. A failed delivery stops an endpoint: it goes on from the event it missed, with its
     * next event and every 5 minutes.
     */
    readonly list: Operation<NoInput, WebhooksListOutput>
    /**
     * Have events pushed to an https address; the signing secret is in this answer alone.
     *
     * events lists the types it gets, also ones that do not exist yet; ["*"], the default, is all. It begins
     * with the next event: read history by polling. An outfitter has at most 20. The same request with the same
     * idempotency_key answers the same webhook and adds one; for 24 hours with its secret, then it is refused.
     */
    readonly create: Operation<WebhooksCreateInput, WebhooksCreateOutput>
    /** Stop pushing events to an address and forget it. */
    readonly delete: Operation<WebhooksDeleteInput, WebhooksDeleteOutput>
  }
}
