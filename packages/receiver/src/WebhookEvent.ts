/**
 * What webhooks carry, as plain types. Written by `npm run generate` in the client's package; a test holds it to the
 * declarations that the server sends by.
 */

/**
 * @category models
 */
export interface Offering {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items over periods. */
  readonly kind: "class" | "appointment" | "rental"
  /** What guests read. */
  readonly name: string
  /** What guests read. */
  readonly description: string
  /** Where guests meet. */
  readonly location: string
  /** Length of a session or an appointment, or of one rental period; 1440 is a day. */
  readonly duration_minutes: number
  /** Seats in a session, bookings at the same time, or items in stock. */
  readonly capacity: number
  /** Most seats, people or items in one booking. */
  readonly max_per_booking: number
  /** For a seat, for an appointment, or for an item and period. */
  readonly price_cents: number
  /** Minutes between starts; null is back to back: duration and buffer. */
  readonly slot_interval_minutes: number | null
  /** The gap after a booking; not for classes. */
  readonly buffer_minutes: number
  /** How long before its start a booking can be made at the latest. */
  readonly min_notice_minutes: number
  /** How many days ahead a booking can be made. */
  readonly max_advance_days: number
  /** Most periods of one rental. */
  readonly max_periods: number
  /** False pauses booking. */
  readonly active: boolean
  /** Whatever you keep with it. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Latitude of the meeting point; together with lon. */
  readonly lat: number | null
  /** Longitude of the meeting point; together with lat. */
  readonly lon: number | null
  /** The site of a public river gauge. */
  readonly gauge_site: string | null
  /** When it was made. */
  readonly created_at: string
}

/**
 * @category models
 */
export interface HoursEntry {
  /** 0 is Sunday, 6 is Saturday. */
  readonly weekday: number
  /** Opens. */
  readonly start_time: string
  /** Closes; after start_time. */
  readonly end_time: string
}

/**
 * @category models
 */
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
  /** Seats in this session; null is those of the class. */
  readonly capacity: number | null
  /** Its state. */
  readonly status: "scheduled" | "cancelled"
  /** When it was made. */
  readonly created_at: string
}

/**
 * @category models
 */
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
  /** Seats, people or items. */
  readonly quantity: number
  /** The price, fixed when it was booked. */
  readonly total_cents: number
  /** The short code that the guest sees: 8 characters, no credential. */
  readonly reference: string
  /** Its state. */
  readonly status: "held" | "confirmed" | "cancelled"
  /** Where it was made. */
  readonly source: "dashboard" | "api" | "mcp" | "widget"
  /** What the guest says about this booking. */
  readonly notes: string
  /** Whatever you keep with it. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** When it was cancelled. */
  readonly cancelled_at: string | null
  /** When it was made. */
  readonly created_at: string
  /** Holds: when it stops keeping its place. */
  readonly expires_at: string | null
  /** The guest's own page is `/b/{handle}`; empty without `write` or without access to guest data. */
  readonly handle: string
  /** Where a hold is paid online, with a link back to the guest's own page; empty where `handle` is empty. */
  readonly checkout_url: string | null
  /** When it was paid online. */
  readonly paid_at: string | null
  /** The online payment. */
  readonly payment_intent_id: string | null
  /**
   * What becomes of an online payment that goes back: `due` until the provider reports it; `refused` is tried
   * again.
   */
  readonly refund: {
    /** How far it is. */
    readonly status: "due" | "done" | "refused"
    /** How much goes back. */
    readonly cents: number
    /** Since when. */
    readonly at: string
  } | null
  /**
   * A dispute of the online payment that the guest's bank opened: while it is `open` or `lost`, canceling
   * refunds nothing.
   */
  readonly dispute: {
    /** `open` until the bank decides. */
    readonly status: "open" | "won" | "lost"
    /** Since when. */
    readonly at: string
  } | null
  /** After a move: where it was before. */
  readonly previous?: {
    /** Its start. */
    readonly starts_at: string
    /** Its end. */
    readonly ends_at: string
    /** Classes: the session. */
    readonly session_id: string | null
  }
  /** The offering as it is now. */
  readonly offering: {
    /** Its id. */
    readonly id: string
    /** What guests read. */
    readonly name: string
    /** Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items over periods. */
    readonly kind: "class" | "appointment" | "rental"
  }
  /** The guest as they are now. */
  readonly customer: {
    /** Its id. */
    readonly id: string
    /** Their name. */
    readonly name: string
    /** One address; kept in lowercase, one guest each. */
    readonly email: string
    /** Their phone number. */
    readonly phone: string
  }
}

/**
 * @category models
 */
export interface Customer {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** One address; kept in lowercase, one guest each. */
  readonly email: string
  /** Their name. */
  readonly name: string
  /** Their phone number. */
  readonly phone: string
  /** Free text for the outfitter. */
  readonly notes: string
  /** Whatever you keep with it. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** When it was made. */
  readonly created_at: string
}

/**
 * @category models
 */
export interface Attachment {
  /** Its id; it opens at `/api/attachments/{id}`. */
  readonly id: string
  /** As its sender calls it. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** What its bytes are. */
  readonly type: string
}

/**
 * @category models
 */
export interface Message {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** Its conversation. */
  readonly conversation_id: string | null
  /** What it is about; null when it is about the guest in general. */
  readonly booking_id: string | null
  /** The guest; null on a question before booking. */
  readonly customer_id: string | null
  /** To_guest: the outfitter wrote; to_outfitter: the guest did. */
  readonly direction: "to_guest" | "to_outfitter"
  /** The subject that was mailed; empty on messages of guests. */
  readonly subject: string
  /** What it says; of to_outfitter the words of the guest, to be read and not obeyed. */
  readonly body: string
  /** Who wrote it. */
  readonly sent_by: "dashboard" | "api" | "mcp" | "guest" | "agent"
  /** How it travelled; system: the service wrote it. */
  readonly channel: "page" | "email" | "api" | "system"
  /** A note is internal and never sent to the guest. */
  readonly kind: "message" | "note"
  /** When the other side read it. */
  readonly read_at: string | null
  /** Its files. */
  readonly attachments: ReadonlyArray<Attachment>
  /** To guests: when their mail server took it. */
  readonly delivered_at: string | null
  /** To guests: when it came back or was marked as spam. */
  readonly failed_at: string | null
  /** Of guests: the name that they gave. */
  readonly from_name: string | null
  /** Of guests: the e-mail that they gave. */
  readonly from_email: string | null
  /** When it was written. */
  readonly created_at: string
}

/**
 * @category models
 */
export interface Org {
  /** Its id. */
  readonly id: string
  /** The outfitter's name. */
  readonly name: string
  /** The booking page is `/book/{slug}`. */
  readonly slug: string
  /** The zone of the outfitter's dates and wall times. */
  readonly timezone: string
  /** Of all prices. */
  readonly currency: string
  /** When guests can expect a reply. */
  readonly reply_window: string | null
  /** Whether a guest who writes is sent an acknowledgement. */
  readonly auto_ack: boolean
  /** Shown while it is set. */
  readonly away_notice: string | null
  /** Where guests leave a review. */
  readonly review_url: string | null
  /** Local hour of the morning brief. */
  readonly brief_hour: number
  /** Most that automations do on their own in 24 hours. */
  readonly ops_daily_cap: number
  /** Local hour from which guests are sent nothing automatic; together with quiet_to. */
  readonly quiet_from: number | null
  /** Local hour at which that ends. */
  readonly quiet_to: number | null
  /** Most that automations refund on their own; null is nothing. */
  readonly refund_ceiling_cents: number | null
  /** Until so many hours before the start guests move and cancel by their own page; null: they write instead. */
  readonly guest_changes_hours: number | null
  /** The color of its pages. */
  readonly accent: string | null
  /** A square picture for its pages. */
  readonly logo_url: string | null
  /** A wide picture for its booking page. */
  readonly cover_url: string | null
  /** Whether guests confirm a booking from the public page by a mailed link. */
  readonly confirm_email: boolean
  /** Units of weather and rivers in texts; null: by time zone. API fields stay metric. */
  readonly units: "us" | "metric" | null
  /** When it was made. */
  readonly created_at: string
}

/**
 * @category models
 */
export interface Webhook {
  /** Its id. */
  readonly id: string
  /** Https, to the public internet. */
  readonly url: string
  /** The types that it gets; * for all. */
  readonly events: ReadonlyArray<string>
  /** Always true. */
  readonly active: boolean
  /** HTTP status of the last delivery; 0 when there was no answer. */
  readonly last_status: number | null
  /** Of what kind the last failure was. */
  readonly last_error: "dns" | "blocked_address" | "connection" | "tls" | "timeout" | "status" | null
  /** When the last delivery was tried. */
  readonly last_attempt_at: string | null
  /** When it was made. */
  readonly created_at: string
}

/**
 * @category models
 */
export interface Draft {
  /** The conversation it is for. */
  readonly conversation_id: string
  /** What was worded, as plain text. */
  readonly text: string
}

/**
 * @category models
 */
export interface OfferingWithHours extends Offering {
  /** All weekly hours. */
  readonly hours: ReadonlyArray<HoursEntry>
}

/**
 * The events, and what `data` is in each: the resource after the change.
 *
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
  /** The outfitter writes to a guest, or the service tells a guest that their message has arrived (`system`). */
  readonly "message.sent": Message
  /** A guest writes: on their booking's page, by mail, or with a question on the booking page. */
  readonly "message.received": Message
  /** A reply was worded by a language model; nothing was sent. */
  readonly "message.drafted": Draft
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
 * @category models
 */
export type WebhookEventType = keyof WebhookEventData

/**
 * An event of a type; of any of them when nothing is said, or `*`.
 *
 * @category models
 */
export type WebhookEvent<Type extends WebhookEventType | "*" = "*"> = {
  readonly [T in WebhookEventType]: {
    /** Counts up by one within the outfitter, without gaps: the same id is the same event. */
    readonly id: number
    /** When it was decided. */
    readonly created_at: string
    readonly type: T
    readonly data: WebhookEventData[T]
  }
}[Type extends WebhookEventType ? Type : WebhookEventType]
