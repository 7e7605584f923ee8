/**
 * The events that webhooks carry, as plain types. Generated from the server's declarations by `npm run generate` in
 * the client package. A test checks that the file is up to date.
 */

export interface Offering {
  /** Its ID. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /**
   * Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items booked by
   * period.
   */
  readonly kind: "class" | "appointment" | "rental"
  /** Shown to guests. */
  readonly name: string
  /** Shown to guests. */
  readonly description: string
  /** The meeting point. */
  readonly location: string
  /** Length of a session, appointment, or rental period; 1440 is a day. */
  readonly duration_minutes: number
  /** Seats in a session, concurrent appointments, or rental items. */
  readonly capacity: number
  /** Maximum seats, people, or items per booking. */
  readonly max_per_booking: number
  /** Price per seat, appointment, or item and period; of the first rate. */
  readonly price_cents: number
  /** Minutes between starts; null: duration plus buffer. */
  readonly slot_interval_minutes: number | null
  /** The gap after a booking; not for classes. */
  readonly buffer_minutes: number
  /** The minimum number of minutes between booking and start. */
  readonly min_notice_minutes: number
  /** The maximum number of days between booking and start. */
  readonly max_advance_days: number
  /** Maximum periods per rental. */
  readonly max_periods: number
  /** False pauses booking. */
  readonly active: boolean
  /** Custom JSON data. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Latitude of the meeting point; requires lon. */
  readonly lat: number | null
  /** Longitude of the meeting point; requires lat. */
  readonly lon: number | null
  /** The site ID of a public river gauge. */
  readonly gauge_site: string | null
  /** Its rates and extras; null: one rate at price_cents. */
  readonly pricing: Pricing | null
  /** Its pictures, in order. */
  readonly photos: ReadonlyArray<Photo>
  /** Information for guests before the trip. */
  readonly info: {
    /** Clothes and equipment to bring. */
    readonly bring: string
    /** Abilities that guests need. */
    readonly requirements: string
    /** The minimum age in years. */
    readonly min_age: number | null
    /** The waiver to sign. */
    readonly waiver_url: string | null
  }
  /** The amounts to keep when bookings are canceled; null: the outfitter's policy. */
  readonly cancellation_policy: CancellationPolicy | null
  /** When it was created. */
  readonly created_at: string
}

export interface Pricing {
  /** The prices to choose from; the first is the default. */
  readonly rates: ReadonlyArray<{
    /** An ID that is unique in this list. */
    readonly id: string
    /** Shown to guests. */
    readonly name: string
    /** The unit price. */
    readonly price_cents: number
    /** The places that one unit takes. */
    readonly places: number
    /** The maximum number per booking. */
    readonly max?: number | null
    /** Rates, at least one of which the booking must include. */
    readonly needs_any_of?: ReadonlyArray<string>
  }>
  /** The extras that guests can add. */
  readonly extras?: ReadonlyArray<{
    /** An ID that is unique in this list. */
    readonly id: string
    /** Shown to guests. */
    readonly name: string
    /** The unit price. */
    readonly price_cents: number
    /** Place: at most one per place; booking: at most 100. */
    readonly per: "place" | "booking"
    /** Whether it is charged for each period of a rental. */
    readonly each_period?: boolean
    /** Whether every booking has it: one per place, or one. */
    readonly required?: boolean
    /** The maximum number per booking. */
    readonly max?: number | null
  }>
  /** The minimum number of places in a new booking. */
  readonly min_places?: number
  /** The deposit for bookings paid online. */
  readonly deposit?: {
    /** Hundredths of a percent of the total. */
    readonly percent_bps?: number
    /** A fixed amount. */
    readonly cents?: number
    /** For cents: a booking or a place. */
    readonly per?: "booking" | "place"
    /** From this many hours before the start, the total is due instead. */
    readonly balance_due_hours: number
  } | null
}

export interface Photo {
  /** Its ID. */
  readonly id: string
  /** Its description for people who cannot see it. */
  readonly alt: string
  /** Pixels of url_1600, at most 1600. */
  readonly width: number
  /** Pixels of url_1600. */
  readonly height: number
  /** The path of the WebP file, at most 800 pixels wide. */
  readonly url_800: string
  /** The path of the WebP file, at most 1600 pixels wide. */
  readonly url_1600: string
}

export interface CancellationPolicy {
  /** In descending order of until_hours; after the last, everything is kept. */
  readonly steps: ReadonlyArray<{
    /** Applies until this many hours before the start. */
    readonly until_hours: number
    /** The share of the total to keep. */
    readonly keep_bps?: number
    /** The amount to keep per place. */
    readonly keep_cents_per_place?: number
  }>
  /** Shown to guests. */
  readonly text?: string
}

export interface HoursEntry {
  /** 0 is Sunday, 6 is Saturday. */
  readonly weekday: number
  /** Opening time. */
  readonly start_time: string
  /** Closing time; after start_time. */
  readonly end_time: string
  /** The first date of its season; absent: no start. */
  readonly valid_from?: string
  /** The last date of its season, inclusive; absent: no end. */
  readonly valid_until?: string
  /** Its only date, which replaces the weekly hours for that date; absent: every week. */
  readonly date?: string
}

export interface Session {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** The class. */
  readonly offering_id: string
  /** Its start. */
  readonly starts_at: string
  /** Its end. */
  readonly ends_at: string
  /** Seats in this session, or null for the capacity of the class. */
  readonly capacity: number | null
  /** Its state. */
  readonly status: "scheduled" | "cancelled"
  /** Notes for the staff, such as guides and boats. */
  readonly notes: string
  /** When it was created. */
  readonly created_at: string
}

export interface Closure {
  /** Its ID. */
  readonly id: string
  /** The first closed local date. */
  readonly from_date: string
  /** The last closed local date, inclusive. */
  readonly to_date: string
  /** The wall time from which each date is closed; null: the complete date. */
  readonly start_time: string | null
  /** The wall time from which each date is open again; null: the complete date. */
  readonly end_time: string | null
  /** The closed offering, or null for all offerings. */
  readonly offering_id: string | null
  /** The reason, shown to guests. */
  readonly reason: string
  /** When it was created. */
  readonly created_at: string
}

export interface Booking {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** The offering. */
  readonly offering_id: string
  /** The guest; empty without access to guest data. */
  readonly customer_id: string
  /** Classes: the session. */
  readonly session_id: string | null
  /** Its start. */
  readonly starts_at: string
  /** Its end. */
  readonly ends_at: string
  /** Seats, people, or items. */
  readonly quantity: number
  /** The price, fixed when booked or last changed. */
  readonly total_cents: number
  /** The currency of its amounts, even if the outfitter's currency changes later. */
  readonly currency: string
  /** Payments minus refunds that are done or pending. */
  readonly paid_cents: number
  /** The amount that the guest still owes; 0 once canceled. */
  readonly due_cents: number
  /** The amount that the outfitter still owes the guest. */
  readonly owed_cents: number
  /** The amount that the outfitter keeps after a cancellation; null until canceled. */
  readonly kept_cents: number | null
  /** The 8-character code that the guest sees; not a credential. */
  readonly reference: string
  /** The status. */
  readonly status: "held" | "confirmed" | "cancelled"
  /** The channel through which it was created. */
  readonly source: "dashboard" | "api" | "mcp" | "widget"
  /** The guest's notes about this booking. */
  readonly notes: string
  /** Notes for the staff, never shown to the guest. */
  readonly staff_notes: string
  /** Custom JSON data. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** When it was canceled. */
  readonly cancelled_at: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it was confirmed; null if it never was. */
  readonly confirmed_at: string | null
  /** When it last changed; changes to its offering or guest do not count. */
  readonly updated_at: string
  /** Holds: when the hold expires. */
  readonly expires_at: string | null
  /** The guest page is `/b/{handle}`; empty without `write` or without access to guest data. */
  readonly handle: string
  /** The payment page of a hold, with a link to the guest page; empty if `handle` is empty. */
  readonly checkout_url: string | null
  /** When it was paid online. */
  readonly paid_at: string | null
  /** The online payment. */
  readonly payment_intent_id: string | null
  /** The refund of the online payment: `due` until the provider confirms it; `refused` is retried. */
  readonly refund: {
    /** The status of the refund. */
    readonly status: "due" | "done" | "refused"
    /** The refunded amount. */
    readonly cents: number
    /** When the status last changed. */
    readonly at: string
  } | null
  /** The dispute that the guest's bank opened: while it is `open` or `lost`, a cancellation refunds nothing. */
  readonly dispute: {
    /** `open` until the bank decides. */
    readonly status: "open" | "won" | "lost"
    /** When the status last changed. */
    readonly at: string
  } | null
  /** Whether the guests arrived; null until recorded, and after a move or cancellation. */
  readonly attendance: {
    /** Whether they were checked in or did not show up. */
    readonly status: "checked_in" | "no_show"
    /** The number of people who arrived; 0 for a no-show. */
    readonly arrived: number
    /** When it was recorded. */
    readonly at: string
    /** The actor that recorded it. */
    readonly by: {
      /** The kind of actor. */
      readonly kind: "staff" | "key" | "application" | "agent" | "provider"
      /** Its id; null for a host application or a payment provider. */
      readonly id: string | null
      /** Its name at that time. */
      readonly name: string
    }
  } | null
  /**
   * The address in the QR code, on the host of the guest page; staff who open it can check the booking in, and
   * others see only the outfitter's name.
   */
  readonly check_in_url: string
  /** The rates; absent without pricing, fees, and changes. */
  readonly party?: ReadonlyArray<{
    /** A rate of the offering. */
    readonly rate_id: string
    /** How many. */
    readonly quantity: number
  }>
  /** The extras; absent like party. */
  readonly extras?: ReadonlyArray<{
    /** An extra of the offering. */
    readonly extra_id: string
    /** How many. */
    readonly quantity: number
  }>
  /** Amounts that the staff added, in the order of the lines with the kind adjustment; absent like party. */
  readonly adjustments?: ReadonlyArray<{
    /** Shown to guests. */
    readonly name: string
    /** Added to the total; may be negative. */
    readonly cents: number
  }>
  /** The lines of the price; absent like party. */
  readonly lines?: ReadonlyArray<PriceLine>
  /** The cancellation policy at the time of booking; absent without one. */
  readonly cancellation_policy?: {
    /** In descending order of until_hours; after the last, everything is kept. */
    readonly steps: ReadonlyArray<{
      /** Applies until this many hours before the start. */
      readonly until_hours: number
      /** The share of the total to keep. */
      readonly keep_bps?: number
      /** The amount to keep per place. */
      readonly keep_cents_per_place?: number
    }>
    /** Shown to guests. */
    readonly text?: string
    /** The minimum to keep before the last step, raised when the guest moves the booking. */
    readonly min_keep_cents: number
  }
  /** The discount code, if one was used. */
  readonly discount_code?: string
  /** After a move: the previous time. */
  readonly previous?: {
    /** Its start. */
    readonly starts_at: string
    /** Its end. */
    readonly ends_at: string
    /** Classes: the session. */
    readonly session_id: string | null
  }
  /** The current offering. */
  readonly offering: {
    /** Its ID. */
    readonly id: string
    /** Shown to guests. */
    readonly name: string
    /**
     * Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items booked by
     * period.
     */
    readonly kind: "class" | "appointment" | "rental"
  }
  /** The current customer. */
  readonly customer: {
    /** Its ID. */
    readonly id: string
    /** Their name. */
    readonly name: string
    /** The email address, in lowercase; unique per guest; empty for a walk-in without one. */
    readonly email: string
    /** Their phone number. */
    readonly phone: string
  }
}

export interface PriceLine {
  /** The kind of amount. */
  readonly kind: "rate" | "extra" | "discount" | "fee" | "adjustment"
  /** The ID of the rate, extra, fee, or discount. */
  readonly id: string
  /** Shown to guests. */
  readonly name: string
  /** How many units. */
  readonly quantity: number
  /** The price of a unit, with all periods of a rental. */
  readonly unit_cents: number
  /** The amount; negative for a discount. */
  readonly total_cents: number
  /** Rates and extras: their share of the discount. */
  readonly discount_cents: number
  /** Whether it is owed to the state. */
  readonly tax: boolean
  /** Whether other lines include it, so that it is not added. */
  readonly included: boolean
}

export interface Payment {
  /** Its id. */
  readonly id: string
  /** The booking. */
  readonly booking_id: string
  /** `payment` from the guest, or `refund` to the guest. */
  readonly kind: "payment" | "refund"
  /** `online` through the payment provider, or at the desk. */
  readonly method: "online" | "cash" | "card" | "transfer" | "voucher" | "other"
  /** The amount, always positive. */
  readonly amount_cents: number
  /** Its currency. */
  readonly currency: string
  /** Refunds: the online payment that it returns. */
  readonly refund_of: string | null
  /** Refunds: the reason, if known. */
  readonly reason: "request" | "cancellation" | "overpayment" | "dispute" | "provider" | null
  /** `pending` online refunds are retried; `void` entries were recorded by mistake. */
  readonly status: "pending" | "done" | "failed" | "void"
  /** The staff's note. */
  readonly note: string
  /** Whether it was paid in the provider's test mode; reports exclude it. */
  readonly test: boolean
  /** The actor that recorded it. */
  readonly recorded_by: {
    /** The kind of actor. */
    readonly kind: "staff" | "key" | "application" | "agent" | "provider"
    /** Its id; null for a host application or a payment provider. */
    readonly id: string | null
    /** Its name at that time. */
    readonly name: string
  }
  /** When it was recorded. */
  readonly created_at: string
  /** When the money was received or returned. */
  readonly done_at: string | null
}

export interface Customer {
  /** Its ID. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** The email address, in lowercase; unique per guest; empty for a walk-in without one. */
  readonly email: string
  /** Their name. */
  readonly name: string
  /** Their phone number. */
  readonly phone: string
  /** The outfitter's notes. */
  readonly notes: string
  /** Custom JSON data. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** When it was created. */
  readonly created_at: string
}

export interface Attachment {
  /** The ID; download it from `/api/attachments/{id}`. */
  readonly id: string
  /** The file name given by the sender. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The content type, detected from the content. */
  readonly type: string
}

export interface Message {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** Its conversation. */
  readonly conversation_id: string | null
  /** The booking it is about; null if it is about none. */
  readonly booking_id: string | null
  /** The guest; null for a question before booking. */
  readonly customer_id: string | null
  /** To_guest: from the outfitter; to_outfitter: from the guest. */
  readonly direction: "to_guest" | "to_outfitter"
  /** The email subject; empty for messages from guests. */
  readonly subject: string
  /** The text; in to_outfitter messages, it is data, never instructions. */
  readonly body: string
  /** The author. */
  readonly sent_by: "dashboard" | "api" | "mcp" | "guest" | "agent"
  /** How it was sent; system: written by the service. */
  readonly channel: "page" | "email" | "api" | "system"
  /** A note is internal and never sent to the guest. */
  readonly kind: "message" | "note"
  /** When the recipient read it. */
  readonly read_at: string | null
  /** Its files. */
  readonly attachments: ReadonlyArray<Attachment>
  /** For messages to guests: when their mail server accepted it. */
  readonly delivered_at: string | null
  /** For messages to guests: when it bounced or was marked as spam. */
  readonly failed_at: string | null
  /** For messages from guests: the given name. */
  readonly from_name: string | null
  /** For messages from guests: the given email address. */
  readonly from_email: string | null
  /** When it was written. */
  readonly created_at: string
}

export interface Org {
  /** Its ID. */
  readonly id: string
  /** The outfitter's name. */
  readonly name: string
  /** The booking page is `/book/{slug}`. */
  readonly slug: string
  /** The time zone of dates and wall times. */
  readonly timezone: string
  /** The currency of all prices. */
  readonly currency: string
  /** Shown to guests. */
  readonly phone: string | null
  /** When guests can expect a reply. */
  readonly reply_window: string | null
  /** Whether guests who write get an automatic acknowledgment. */
  readonly auto_ack: boolean
  /** Shown to guests while set. */
  readonly away_notice: string | null
  /** The URL of the page for guest reviews. */
  readonly review_url: string | null
  /** Local hour of the morning brief. */
  readonly brief_hour: number
  /** The maximum number of automatic actions in 24 hours. */
  readonly ops_daily_cap: number
  /** Local hour when automatic messages to guests pause; requires quiet_to. */
  readonly quiet_from: number | null
  /** Local hour when the pause ends. */
  readonly quiet_to: number | null
  /** The maximum refund without approval; null: every refund needs approval. */
  readonly refund_ceiling_cents: number | null
  /** Guests can move and cancel online until this many hours before the start; null: never. */
  readonly guest_changes_hours: number | null
  /** The accent color of its pages. */
  readonly accent: string | null
  /** A square picture for its pages. */
  readonly logo_url: string | null
  /** A wide picture for its booking page. */
  readonly cover_url: string | null
  /** Whether guests confirm a public booking with an emailed link. */
  readonly confirm_email: boolean
  /** Units for weather and rivers in text; null: by time zone. API fields are always metric. */
  readonly units: "us" | "metric" | null
  /** Fees and taxes for all bookings, in order. */
  readonly fees: ReadonlyArray<Fee>
  /** The amounts to keep when bookings are canceled; null: nothing before the start. */
  readonly cancellation_policy: CancellationPolicy | null
  /** Whether staff, not only owners, may refund, void, and cancel without a refund. */
  readonly staff_may_refund: boolean
  /** When it was created. */
  readonly created_at: string
}

export interface Fee {
  /** An ID that is unique in this list. */
  readonly id: string
  /** Shown to guests. */
  readonly name: string
  /** Hundredths of a percent. */
  readonly percent_bps?: number
  /** A fixed amount. */
  readonly cents?: number
  /** Order_value for percent_bps; booking or place for cents. */
  readonly per: "booking" | "place" | "order_value"
  /** Whether the prices include it. */
  readonly included?: boolean
  /** Whether it is owed to the state. */
  readonly tax?: boolean
  /** Whether an added percentage also applies to the added fees before it. */
  readonly compound?: boolean
  /** The lines that a percentage applies to; default: all. */
  readonly on?: "all" | "rates" | "extras"
  /** The offerings that it applies to; null: all. */
  readonly offering_ids?: ReadonlyArray<string> | null
}

export interface Webhook {
  /** Its ID. */
  readonly id: string
  /** An https URL on the public internet. */
  readonly url: string
  /** The event types; * for all. */
  readonly events: ReadonlyArray<string>
  /** Always true. */
  readonly active: boolean
  /** HTTP status of the last delivery; 0 without a response. */
  readonly last_status: number | null
  /** The kind of the last failure. */
  readonly last_error: "dns" | "blocked_address" | "connection" | "tls" | "timeout" | "status" | null
  /** When the last delivery was attempted. */
  readonly last_attempt_at: string | null
  /** When it was created. */
  readonly created_at: string
}

export interface Draft {
  /** The conversation that the draft is for. */
  readonly conversation_id: string
  /** The draft, as plain text. */
  readonly text: string
}

export interface OfferingWithHours extends Offering {
  /** All opening hours. */
  readonly hours: ReadonlyArray<HoursEntry>
}

export interface Discount {
  /** Its ID. */
  readonly id: string
  /** Uppercase, and unique in the org. */
  readonly code: string
  /** Hundredths of a percent; null if cents is set. */
  readonly percent_bps: number | null
  /** A fixed amount; null if percent_bps is set. */
  readonly cents: number | null
  /** The offerings that it applies to; null: all. */
  readonly offering_ids: ReadonlyArray<string> | null
  /** The first local date on which it can be used. */
  readonly book_from: string | null
  /** The last local date on which it can be used. */
  readonly book_until: string | null
  /** The first local date on which a booking can start. */
  readonly start_from: string | null
  /** The last local date on which a booking can start. */
  readonly start_until: string | null
  /** The maximum number of uses; null: no limit. */
  readonly max_uses: number | null
  /** Whether it can be used. */
  readonly active: boolean
  /** Whether a canceled booking returns its use. */
  readonly returns_on_cancel: boolean
  /** When it was created. */
  readonly created_at: string
}

/** The events and the type of their `data`: the resource after the change. */
export interface WebhookEventData {
  /** A place is held while the guest decides or pays, until `expires_at`. */
  readonly "booking.held": Booking
  /** A booking is confirmed: immediately, from a hold, when its payment arrives, or when a cancellation is undone. */
  readonly "booking.confirmed": Booking
  /** A booking is moved to another time of the same offering. */
  readonly "booking.moved": Booking
  /** The party, extras, adjustments, notes, or metadata of a booking change. */
  readonly "booking.updated": Booking
  /** A booking is canceled: alone, with its session or offering, or by the service 24 hours after a hold expires. */
  readonly "booking.cancelled": Booking
  /** Guests of a booking are checked in, or the number of arrivals changes. */
  readonly "booking.checked_in": Booking
  /** A booking is marked as a no-show. It is not canceled. */
  readonly "booking.no_show": Booking
  /** A check-in or a no-show is undone. A move or a cancellation also clears it, without this event. */
  readonly "booking.attendance_cleared": Booking
  /** A payment or a refund at the desk is recorded. */
  readonly "payment.created": Payment
  /** A payment or a refund that was recorded by mistake is voided. */
  readonly "payment.updated": Payment
  /** The outfitter writes to a guest, or the service acknowledges a guest's message (`system`). */
  readonly "message.sent": Message
  /** A guest writes: on the page of their booking, by email, or with a question on the booking page. */
  readonly "message.received": Message
  /** A language model drafted a reply. Nothing was sent. */
  readonly "message.drafted": Draft
  /** A class session is scheduled. A weekly series emits one event per session. */
  readonly "session.created": Session
  /** The capacity, the start, or the notes of a session are changed. */
  readonly "session.updated": Session
  /** A session is canceled, followed by one `booking.cancelled` for each of its bookings. */
  readonly "session.cancelled": Session
  /** An offering is added. */
  readonly "offering.created": Offering
  /** An offering is changed, paused, or resumed. */
  readonly "offering.updated": Offering
  /** An offering is deleted, after its upcoming bookings were canceled. */
  readonly "offering.deleted": Offering
  /** The weekly hours of an offering are replaced. */
  readonly "offering.hours_updated": OfferingWithHours
  /** Dates are closed. Existing bookings stay. */
  readonly "closure.created": Closure
  /** Closed dates are opened again. */
  readonly "closure.deleted": Closure
  /** A discount code is created. */
  readonly "discount.created": Discount
  /** A discount code is changed. */
  readonly "discount.updated": Discount
  /** A discount code is deleted. Bookings keep their prices. */
  readonly "discount.deleted": Discount
  /** A customer is added or changed. */
  readonly "customer.updated": Customer
  /** A customer's personal data is erased on request. Delete your copies too. */
  readonly "customer.deleted": Customer
  /** The outfitter's settings change. */
  readonly "org.updated": Org
  /** An operator runs `trailbook webhooks test`. The event has the ID 0 and is not in the event log. */
  readonly "webhook.test": Webhook
}

/** The known event types. An API version can add more: ignore unknown types. */
export type WebhookEventType = keyof WebhookEventData

/** An event of the given types. Without types, or with `*`, any event. */
export type WebhookEvent<Type extends WebhookEventType | "*" = "*"> = {
  readonly [T in WebhookEventType]: {
    /** Increases by one per outfitter, without gaps. Two deliveries with the same ID are the same event. */
    readonly id: number
    /** When it happened. */
    readonly created_at: string
    readonly type: T
    readonly data: WebhookEventData[T]
  }
}[Type extends WebhookEventType ? Type : WebhookEventType]
