/**
 * The operations of the API as plain types. Written by `npm run generate` in this package; a test holds it to the
 * declarations that the server answers by.
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
export interface AvailabilitySlot {
  /** Its start. */
  readonly starts_at: string
  /** Its end. */
  readonly ends_at: string
  /** What there is in all. */
  readonly capacity: number
  /** What is left to book; 0 when it is full. */
  readonly remaining: number
  /** Classes: the session. */
  readonly session_id?: string
}

/**
 * @category models
 */
export interface NothingFree {
  /**
   * Why: booking is paused, all are full, they begin inside the notice, beyond the horizon or in the past, a
   * class has no sessions there, it is open too briefly, or closed.
   */
  readonly because: "paused" | "full" | "notice" | "horizon" | "past" | "nothing_scheduled" | "too_long" | "closed"
  /** The first start with room after the dates asked for, up to half a year on. */
  readonly next?: AvailabilitySlot
}

/**
 * @category models
 */
export interface BookedSession extends Session {
  /** Seats booked. */
  readonly booked: number
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
export interface Booking extends BookingSummary {
  /** The outfitter. */
  readonly org_id: string
  /** The offering. */
  readonly offering_id: string
  /** The guest; empty without access to guest data. */
  readonly customer_id: string
  /** The price, fixed when it was booked. */
  readonly total_cents: number
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
export interface Conversation {
  /** Its id. */
  readonly id: string
  /** Its state; a message of the guest opens it again. */
  readonly status: "open" | "done"
  /** When a person last wrote in it. */
  readonly last_message_at: string
  /** Up to when the outfitter has read it. */
  readonly outfitter_read_at: string | null
  /** Up to when the guest has read it on their page. */
  readonly guest_read_at: string | null
  /** Until then it stands at the end of the list, unless the guest writes. */
  readonly snoozed_until: string | null
  /** When it was made. */
  readonly created_at: string
  /** A message of the guest is newer than outfitter_read_at. */
  readonly unread: boolean
  /** The guest wrote last. */
  readonly needs_reply: boolean
  /** Of a question before booking: the name that was given. */
  readonly from_name: string | null
  /** Of a question before booking: the e-mail to reply to. */
  readonly from_email: string | null
  /** The guest; null on a question before booking. */
  readonly customer: {
    /** Its id. */
    readonly id: string
    /** Their name. */
    readonly name: string
    /** One address; kept in lowercase, one guest each. */
    readonly email: string
    /** Their phone number. */
    readonly phone: string
  } | null
  /** The last that a person wrote; notes are not counted. */
  readonly last_message: {
    /** Its id. */
    readonly id: string
    /** To_guest: the outfitter wrote; to_outfitter: the guest did. */
    readonly direction: "to_guest" | "to_outfitter"
    /** A note is internal and never sent to the guest. */
    readonly kind: "message" | "note"
    /** How it travelled; system: the service wrote it. */
    readonly channel: "page" | "email" | "api" | "system"
    /** Who wrote it. */
    readonly sent_by: "dashboard" | "api" | "mcp" | "guest" | "agent"
    /** Its first 200 characters. */
    readonly body: string
    /** When it was written. */
    readonly created_at: string
  } | null
  /** The guest's next upcoming booking, else their latest. */
  readonly booking: BookingSummary | null
}

/**
 * @category models
 */
export interface BookingSummary {
  /** Its id. */
  readonly id: string
  /** The short code that the guest sees: 8 characters, no credential. */
  readonly reference: string
  /** Its state. */
  readonly status: "held" | "confirmed" | "cancelled"
  /** Its start. */
  readonly starts_at: string
  /** Its end. */
  readonly ends_at: string
  /** Seats, people or items. */
  readonly quantity: number
  /** Classes: the session. */
  readonly session_id: string | null
  /** The offering as it is now. */
  readonly offering: {
    /** Its id. */
    readonly id: string
    /** What guests read. */
    readonly name: string
    /** Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items over periods. */
    readonly kind: "class" | "appointment" | "rental"
  }
}

/**
 * @category models
 */
export interface ThreadRow {
  /** What the row is. */
  readonly type: "message" | "note" | "booking"
  /** When it was written, or happened. */
  readonly at: string
  /** Messages and notes: the message. */
  readonly message?: {
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
  /** Bookings: what happened. */
  readonly event?: "booking.held" | "booking.confirmed" | "booking.moved" | "booking.cancelled"
  /** Bookings: the booking as it was then. */
  readonly booking?: {
    /** Its id. */
    readonly id: string
    /** The short code that the guest sees: 8 characters, no credential. */
    readonly reference: string
    /** Its state. */
    readonly status: "held" | "confirmed" | "cancelled"
    /** Its start. */
    readonly starts_at: string
    /** Its end. */
    readonly ends_at: string
    /** Seats, people or items. */
    readonly quantity: number
    /** Classes: the session. */
    readonly session_id: string | null
    /** The offering as it is now. */
    readonly offering: {
      /** Its id. */
      readonly id: string
      /** What guests read. */
      readonly name: string
      /**
       * Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items over
       * periods.
       */
      readonly kind: "class" | "appointment" | "rental"
    }
  }
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
export interface ListedMessage extends Message {
  /** The booking that it is about. */
  readonly booking: BookingSummary | null
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
export interface FilledReply extends SavedReply {
  /** The body filled in for the booking or conversation asked about. */
  readonly text: string
  /** The names in braces that are unknown or have no value here. */
  readonly missing: ReadonlyArray<string>
}

/**
 * @category models
 */
export interface SavedReply {
  /** Its id. */
  readonly id: string
  /** The outfitter. */
  readonly org_id: string
  /** What it is picked by. */
  readonly title: string
  /** Its words; {first_name}, {start_time}, {offering}, {meeting_point}, {org} and {booking_link} are filled in. */
  readonly body: string
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

/**
 * @category models
 */
export interface Automation {
  /** Its name. */
  readonly automation: "weather" | "fill" | "brief" | "reminders"
  /** Off; ask proposes and waits; do_tell acts and tells; do_quiet acts and logs. */
  readonly dial: "off" | "ask" | "do_tell" | "do_quiet"
  /** Its settings, with what was never set. */
  readonly settings: Readonly<Record<string, unknown>>
  /** When it was set; null until then. */
  readonly updated_at: string | null
}

/**
 * @category models
 */
export interface Proposal {
  /** Its id. */
  readonly id: string
  /** Which automation made it. */
  readonly automation: "weather" | "fill" | "brief" | "reminders"
  /** Pending until it has ended. */
  readonly status: "pending" | "done" | "failed" | "dismissed" | "expired" | "undone"
  /** Ask waits for a person; with the others the agent acts by itself. */
  readonly dial: "ask" | "do_tell" | "do_quiet"
  /** What it would do, and why. */
  readonly title: string
  /** The local date that it is for. */
  readonly day: string
  /** The session that it is about. */
  readonly session_id: string | null
  /** The booking that it is about. */
  readonly booking_id: string | null
  /**
   * The brief's trips, unanswered threads and weather; held is cap or money when the agent waits instead of
   * acting.
   */
  readonly data: Readonly<Record<string, unknown>>
  /** What is run, in this order. */
  readonly actions: ReadonlyArray<ProposalAction>
  /** An action refunds. */
  readonly money: boolean
  /** It is done, and proposals.undo can take it back. */
  readonly reversible: boolean
  /**
   * Proposals.list and proposals.approve, if it is done or failed: how many bookings have guests that its email
   * did not reach; call them.
   */
  readonly unreached?: number
  /** From then on it is too late. */
  readonly expires_at: string | null
  /** When it was made. */
  readonly created_at: string
  /** When it was decided. */
  readonly decided_at: string | null
  /** When it was done, or failed. */
  readonly done_at: string | null
  /** Who decided. */
  readonly decided_by: "dashboard" | "api" | "mcp" | "agent" | null
  /** Why it failed. */
  readonly error: string | null
}

/**
 * @category models
 */
export interface ProposalAction {
  /** What it does. */
  readonly kind: "cancel_session" | "cancel_booking" | "move_booking" | "create_session" | "message" | "remind"
  /** The operation that it runs. */
  readonly op: string
  /** What that is asked. */
  readonly input: Readonly<Record<string, unknown>>
  /** What it is about and why: the session or booking, the reason, the refund, the words. */
  readonly facts: Readonly<Record<string, unknown>>
  /** It refunds. */
  readonly money?: boolean
  /** It can be taken back. */
  readonly reversible?: boolean
  /** What came of it. */
  readonly result?: {
    /** Whether it was done. */
    readonly ok: boolean
    /** The ids of what it made or changed. */
    readonly data?: unknown
    /** Why it was refused. */
    readonly error?: string
  }
  /** How it is taken back. */
  readonly undo?: {
    /** The operation that does so. */
    readonly op: string
    /** What that is asked. */
    readonly input: Readonly<Record<string, unknown>>
  }
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
export interface OrgExport {
  /** Of this layout. */
  readonly version: 1
  /** When it was made. */
  readonly exported_at: string
  /** The outfitter. */
  readonly org: Org
  /** All of them. */
  readonly offerings: ReadonlyArray<Offering>
  /** All weekly hours, each with its offering. */
  readonly hours: ReadonlyArray<{
    /** The offering. */
    readonly offering_id: string
    /** 0 is Sunday, 6 is Saturday. */
    readonly weekday: number
    /** Opens. */
    readonly start_time: string
    /** Closes; after start_time. */
    readonly end_time: string
  }>
  /** All of them. */
  readonly sessions: ReadonlyArray<Session>
  /** All of them. */
  readonly customers: ReadonlyArray<Customer>
  /** All of them. */
  readonly bookings: ReadonlyArray<Booking>
  /** All of them. */
  readonly conversations: ReadonlyArray<Conversation>
  /** All of them, notes included. */
  readonly messages: ReadonlyArray<Message>
  /** All of them. */
  readonly saved_replies: ReadonlyArray<SavedReply>
  /** All four. */
  readonly automations: ReadonlyArray<Automation>
  /** All of them, newest first. */
  readonly proposals: ReadonlyArray<Proposal>
  /** All of them, without secrets. */
  readonly webhooks: ReadonlyArray<Webhook>
  /** The last 1000. */
  readonly events: ReadonlyArray<Event>
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
export interface Billing {
  /** What the outfitter pays for. */
  readonly plan: "free" | "pro"
  /** Of this UTC month. */
  readonly usage: {
    /** Confirmed bookings made. */
    readonly used: number
    /** What the free plan includes; bookings go on past it. */
    readonly cap: number
    /** Used as a percentage of cap. */
    readonly pct: number
  }
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
export interface EventData {
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
}

/**
 * The types of events that are known today. More may come within a version of the API: let others pass.
 *
 * @category models
 */
export type EventType = keyof EventData

/**
 * An event of a type; of any of them when nothing is said, or `*`.
 *
 * @category models
 */
export type Event<Type extends EventType | "*" = "*"> = {
  readonly [T in EventType]: {
    /** Counts up by one within the outfitter, without gaps: the same id is the same event. */
    readonly id: number
    /** When it was decided. */
    readonly created_at: string
    readonly type: T
    readonly data: EventData[T]
  }
}[Type extends EventType ? Type : EventType]

/**
 * @category inputs
 */
export interface OfferingsListInput {
  /** Only those of this kind. */
  readonly kind?: "class" | "appointment" | "rental" | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export interface OfferingsCreateInput {
  /** What guests read. 1 to 120 characters. */
  readonly name: string
  /** Class: scheduled sessions with seats; appointment: starts within weekly hours; rental: items over periods. */
  readonly kind: "class" | "appointment" | "rental"
  /** What guests read. At most 2000 characters. */
  readonly description?: string | undefined
  /** Where guests meet. At most 200 characters. */
  readonly location?: string | undefined
  /**
   * Length of a session or an appointment, or of one rental period; 1440 is a day. A whole number from 5 to
   * 43200.
   */
  readonly duration_minutes?: number | undefined
  /** Seats in a session, bookings at the same time, or items in stock. A whole number from 1 to 10000. */
  readonly capacity?: number | undefined
  /** Most seats, people or items in one booking. A whole number from 1 to 10000. */
  readonly max_per_booking?: number | undefined
  /** For a seat, for an appointment, or for an item and period. A whole number from 0 to 10000000000. */
  readonly price_cents?: number | undefined
  /** Minutes between starts; null is back to back: duration and buffer. A whole number from 5 to 1440. */
  readonly slot_interval_minutes?: number | null | undefined
  /** The gap after a booking; not for classes. A whole number from 0 to 1440. */
  readonly buffer_minutes?: number | undefined
  /** How long before its start a booking can be made at the latest. A whole number from 0 to 43200. */
  readonly min_notice_minutes?: number | undefined
  /** How many days ahead a booking can be made. A whole number from 1 to 730. */
  readonly max_advance_days?: number | undefined
  /** Most periods of one rental. A whole number from 1 to 60. */
  readonly max_periods?: number | undefined
  /** False pauses booking. */
  readonly active?: boolean | undefined
  /** Whatever you keep with it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Latitude of the meeting point; together with lon. A number from -90 to 90. */
  readonly lat?: number | null | undefined
  /** Longitude of the meeting point; together with lat. A number from -180 to 180. */
  readonly lon?: number | null | undefined
  /** The site of a public river gauge. 1 to 40 characters. */
  readonly gauge_site?: string | null | undefined
  /** A new UUID for each request; send it again when you try again. */
  readonly idempotency_key?: string | undefined
}

/**
 * @category inputs
 */
export interface OfferingsGetInput {
  /** The offering. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface OfferingsUpdateInput {
  /** The offering. */
  readonly id: string
  /** What guests read. 1 to 120 characters. */
  readonly name?: string | undefined
  /** What guests read. At most 2000 characters. */
  readonly description?: string | undefined
  /** Where guests meet. At most 200 characters. */
  readonly location?: string | undefined
  /**
   * Length of a session or an appointment, or of one rental period; 1440 is a day. A whole number from 5 to
   * 43200.
   */
  readonly duration_minutes?: number | undefined
  /** Seats in a session, bookings at the same time, or items in stock. A whole number from 1 to 10000. */
  readonly capacity?: number | undefined
  /** Most seats, people or items in one booking. A whole number from 1 to 10000. */
  readonly max_per_booking?: number | undefined
  /** For a seat, for an appointment, or for an item and period. A whole number from 0 to 10000000000. */
  readonly price_cents?: number | undefined
  /** Minutes between starts; null is back to back: duration and buffer. A whole number from 5 to 1440. */
  readonly slot_interval_minutes?: number | null | undefined
  /** The gap after a booking; not for classes. A whole number from 0 to 1440. */
  readonly buffer_minutes?: number | undefined
  /** How long before its start a booking can be made at the latest. A whole number from 0 to 43200. */
  readonly min_notice_minutes?: number | undefined
  /** How many days ahead a booking can be made. A whole number from 1 to 730. */
  readonly max_advance_days?: number | undefined
  /** Most periods of one rental. A whole number from 1 to 60. */
  readonly max_periods?: number | undefined
  /** False pauses booking. */
  readonly active?: boolean | undefined
  /** Whatever you keep with it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Latitude of the meeting point; together with lon. A number from -90 to 90. */
  readonly lat?: number | null | undefined
  /** Longitude of the meeting point; together with lat. A number from -180 to 180. */
  readonly lon?: number | null | undefined
  /** The site of a public river gauge. 1 to 40 characters. */
  readonly gauge_site?: string | null | undefined
}

/**
 * @category inputs
 */
export interface OfferingsDeleteInput {
  /** The offering. */
  readonly id: string
  /** Whether its upcoming bookings and holds are cancelled with it; false when left out. */
  readonly cancel_bookings?: boolean | undefined
}

/**
 * @category inputs
 */
export interface OfferingsGetHoursInput {
  /** The offering. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface OfferingsSetHoursInput {
  /** The offering. */
  readonly id: string
  /** All weekly hours; those left out are gone. At most 50. */
  readonly hours: ReadonlyArray<{
    /** 0 is Sunday, 6 is Saturday. A whole number from 0 to 6. */
    readonly weekday: number
    /** Opens. */
    readonly start_time: string
    /** Closes; after start_time. */
    readonly end_time: string
  }>
}

/**
 * @category inputs
 */
export interface AvailabilityGetInput {
  /** The offering. */
  readonly id: string
  /** First local date; today when left out. A local date, YYYY-MM-DD. */
  readonly from?: string | undefined
  /** Last local date, included; 13 days after from when left out, at most 365. A local date, YYYY-MM-DD. */
  readonly to?: string | undefined
  /** Rentals: list the starts of so many periods in a row; 1 when left out. A whole number from 1 to 60. */
  readonly periods?: number | undefined
  /**
   * How many seats, people or items are wanted; refused when one booking cannot have as many. A whole number
   * from 1 to 10000.
   */
  readonly quantity?: number | undefined
}

/**
 * @category inputs
 */
export interface SessionsListInput {
  /** Only those of this class. */
  readonly offering_id?: string | undefined
  /** Only what starts then or later. An ISO 8601 instant with Z or an offset. */
  readonly from?: string | undefined
  /** Only what starts before then. An ISO 8601 instant with Z or an offset. */
  readonly to?: string | undefined
  /** Only those in this state. */
  readonly status?: "scheduled" | "cancelled" | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export interface SessionsCreateInput {
  /** The class. */
  readonly offering_id: string
  /** Start of the first session. An ISO 8601 instant with Z or an offset. */
  readonly starts_at: string
  /** How many sessions in all, one a week at the same wall time; 1 when left out. A whole number from 1 to 52. */
  readonly repeat_weeks?: number | undefined
  /** Seats in these sessions; null is those of the class. A whole number from 1 to 10000. */
  readonly capacity?: number | null | undefined
  /** A new UUID for each request; send it again when you try again. */
  readonly idempotency_key?: string | undefined
}

/**
 * @category inputs
 */
export interface SessionsCancelInput {
  /** The session. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface BookingsListInput {
  /** Only what starts then or later. An ISO 8601 instant with Z or an offset. */
  readonly from?: string | undefined
  /** Only what starts before then. An ISO 8601 instant with Z or an offset. */
  readonly to?: string | undefined
  /** Only those in this state. */
  readonly status?: "held" | "confirmed" | "cancelled" | undefined
  /** Only those of this offering. */
  readonly offering_id?: string | undefined
  /** Only those of this guest. */
  readonly customer_id?: string | undefined
  /** Only those in this session of a class. */
  readonly session_id?: string | undefined
  /**
   * Searches references and the words of the guest's name, email, and phone, in any order. At most 100
   * characters.
   */
  readonly q?: string | undefined
  /** By start; desc is the latest first; asc when left out. */
  readonly order?: "asc" | "desc" | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export interface BookingsGetInput {
  /** The booking. */
  readonly id: string
}

/**
 * @category inputs
 */
export type BookingsCreateInput =
  & {
    /** What is booked. */
    readonly offering_id: string
    /** Seats, people or items; 1 when left out. A whole number from 1 to 10000. */
    readonly quantity?: number | undefined
    /** Rentals: how many periods in a row; 1 when left out. A whole number from 1 to 60. */
    readonly periods?: number | undefined
    /** What the guest says about this booking. At most 2000 characters. */
    readonly notes?: string | undefined
    /** Hold the place for so long instead of confirming. A whole number from 5 to 1440. */
    readonly hold_minutes?: number | undefined
    /** A new UUID for each request; send it again when you try again. */
    readonly idempotency_key?: string | undefined
  }
  & (
    | {
      /** The guest; either this or customer. */
      readonly customer_id: string
      readonly customer?: undefined
    }
    | {
      /** The guest, found by e-mail or added; either this or customer_id. */
      readonly customer: {
        /** One address; kept in lowercase, one guest each. One e-mail address. */
        readonly email: string
        /** Their name. At most 120 characters. */
        readonly name?: string | undefined
        /** Their phone number. At most 40 characters. */
        readonly phone?: string | undefined
      }
      readonly customer_id?: undefined
    }
  )
  & (
    | {
      /** A class is booked by it; from availability. */
      readonly session_id: string
      readonly starts_at?: undefined
    }
    | {
      /** Anything else is booked by it; from availability. An ISO 8601 instant with Z or an offset. */
      readonly starts_at: string
      readonly session_id?: undefined
    }
  )

/**
 * @category inputs
 */
export interface BookingsCancelInput {
  /** The booking. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface BookingsConfirmInput {
  /** The booking. */
  readonly id: string
}

/**
 * @category inputs
 */
export type BookingsMoveInput =
  & {
    /** The booking. */
    readonly id: string
  }
  & (
    | {
      /** Where a class moves to. */
      readonly session_id: string
      readonly starts_at?: undefined
    }
    | {
      /** Where anything else moves to; the length stays. An ISO 8601 instant with Z or an offset. */
      readonly starts_at: string
      readonly session_id?: undefined
    }
  )

/**
 * @category inputs
 */
export interface BookingsResendInput {
  /** The booking. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface CustomersListInput {
  /** Searches name, email, phone, and booking references, by words in any order. At most 100 characters. */
  readonly q?: string | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export interface CustomersUpsertInput {
  /** One address; kept in lowercase, one guest each. One e-mail address. */
  readonly email: string
  /** Their name. At most 120 characters. */
  readonly name?: string | undefined
  /** Their phone number. At most 40 characters. */
  readonly phone?: string | undefined
  /** Free text for the outfitter. At most 5000 characters. */
  readonly notes?: string | undefined
  /** Whatever you keep with it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * @category inputs
 */
export interface CustomersGetInput {
  /** The guest. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface CustomersUpdateInput {
  /** The guest. */
  readonly id: string
  /** Their name. At most 120 characters. */
  readonly name?: string | undefined
  /** Their phone number. At most 40 characters. */
  readonly phone?: string | undefined
  /** Free text for the outfitter. At most 5000 characters. */
  readonly notes?: string | undefined
  /** Whatever you keep with it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * @category inputs
 */
export interface CustomersDeleteInput {
  /** The guest. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface ConversationsListInput {
  /** Only those in this state. */
  readonly status?: "open" | "done" | undefined
  /** Only those with, or without, unread messages. */
  readonly unread?: boolean | undefined
  /** By words of the guest's name or e-mail, or of one message. At most 200 characters. */
  readonly q?: string | undefined
  /** Only that of this guest. */
  readonly customer_id?: string | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export interface ConversationsGetInput {
  /** The conversation. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface ConversationsUpdateInput {
  /** The conversation. */
  readonly id: string
  /** Done: until the guest writes. */
  readonly status?: "open" | "done" | undefined
  /** False makes it unread again. */
  readonly read?: boolean | undefined
  /** At the end of the list until then, in the future; null ends it. An ISO 8601 instant with Z or an offset. */
  readonly snoozed_until?: string | null | undefined
}

/**
 * @category inputs
 */
export interface ConversationsDeleteInput {
  /** The conversation, of nobody who has booked. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface MessagesListInput {
  /** Only those of this conversation. */
  readonly conversation_id?: string | undefined
  /** Only those about this booking. */
  readonly booking_id?: string | undefined
  /** Only those to and from this guest. */
  readonly customer_id?: string | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export type MessagesSendInput =
  & {
    /** What is said, as plain text. 1 to 5000 characters. */
    readonly body: string
    /**
     * The subject of the mail, which starts a new mail thread; default: reply to the guest's message. At most
     * 200 characters.
     */
    readonly subject?: string | undefined
    /** Note keeps it from the guest; message when left out. */
    readonly kind?: "message" | "note" | undefined
    /** Files that were uploaded, each of one message. At most 5. */
    readonly attachments?:
      | ReadonlyArray<{
        /** Its id, from the upload. */
        readonly id: string
        /** What the guest reads. At most 1000 characters. */
        readonly name: string
      }>
      | undefined
    /** A new UUID for each request; send it again when you try again. */
    readonly idempotency_key?: string | undefined
  }
  & (
    | {
      /** The conversation it goes to. */
      readonly conversation_id: string
      readonly booking_id?: undefined
      readonly customer_id?: undefined
    }
    | {
      /** The booking it is about. */
      readonly booking_id: string
      readonly conversation_id?: undefined
      readonly customer_id?: undefined
    }
    | {
      /** The guest it goes to. */
      readonly customer_id: string
      readonly conversation_id?: undefined
      readonly booking_id?: undefined
    }
  )

/**
 * @category inputs
 */
export interface MessagesBroadcastInput {
  /** Exactly one of them. */
  readonly target: {
    /** Everyone in this class session. */
    readonly session_id?: string | undefined
    /** Everyone who starts on this local date. A local date, YYYY-MM-DD. */
    readonly date?: string | undefined
    /** Everyone booked ahead on it. */
    readonly offering_id?: string | undefined
  }
  /** What is said, as plain text. 1 to 5000 characters. */
  readonly body: string
  /** The subject of the mails. At most 200 characters. */
  readonly subject?: string | undefined
}

/**
 * @category inputs
 */
export interface MessagesDraftInput {
  /** The conversation. */
  readonly conversation_id: string
}

/**
 * @category inputs
 */
export interface SavedRepliesListInput {
  /** Fills them in for this booking. */
  readonly booking_id?: string | undefined
  /** Fills them in for its guest and their next booking. */
  readonly conversation_id?: string | undefined
}

/**
 * @category inputs
 */
export interface SavedRepliesCreateInput {
  /** What it is picked by. 1 to 80 characters. */
  readonly title: string
  /**
   * Its words; {first_name}, {start_time}, {offering}, {meeting_point}, {org} and {booking_link} are filled in.
   * 1 to 5000 characters.
   */
  readonly body: string
}

/**
 * @category inputs
 */
export interface SavedRepliesUpdateInput {
  /** The saved reply. */
  readonly id: string
  /** What it is picked by. 1 to 80 characters. */
  readonly title?: string | undefined
  /**
   * Its words; {first_name}, {start_time}, {offering}, {meeting_point}, {org} and {booking_link} are filled in.
   * 1 to 5000 characters.
   */
  readonly body?: string | undefined
}

/**
 * @category inputs
 */
export interface SavedRepliesDeleteInput {
  /** The saved reply. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface AutomationsUpdateInput {
  /** Its name. */
  readonly automation: "weather" | "fill" | "brief" | "reminders"
  /** Off; ask proposes and waits; do_tell acts and tells; do_quiet acts and logs. */
  readonly dial?: "off" | "ask" | "do_tell" | "do_quiet" | undefined
  /** The settings to replace; those of its automation alone. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
}

/**
 * @category inputs
 */
export interface ProposalsListInput {
  /** Only those in this state. */
  readonly status?: "pending" | "done" | "failed" | "dismissed" | "expired" | "undone" | undefined
  /** Only those of this automation. */
  readonly automation?: "weather" | "fill" | "brief" | "reminders" | undefined
  /** How many at most; 100 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
  /** Next_cursor of the page before. 1 to 500 characters. */
  readonly cursor?: string | undefined
}

/**
 * @category inputs
 */
export interface ProposalsApproveInput {
  /** The proposal. */
  readonly id: string
  /** Other words for its first message or reminder. */
  readonly draft?: {
    /** What is said, as plain text. 1 to 5000 characters. */
    readonly body: string
    /** The subject of the mail. At most 200 characters. */
    readonly subject?: string | undefined
  } | undefined
}

/**
 * @category inputs
 */
export interface ProposalsDismissInput {
  /** The proposal. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface ProposalsUndoInput {
  /** The proposal. */
  readonly id: string
}

/**
 * @category inputs
 */
export interface OrgUpdateInput {
  /** The outfitter's name. 1 to 80 characters. */
  readonly name?: string | undefined
  /** The zone of the outfitter's dates and wall times. 1 to 64 characters. */
  readonly timezone?: string | undefined
  /** Of all prices. */
  readonly currency?: string | undefined
  /** When guests can expect a reply. At most 200 characters. */
  readonly reply_window?: string | null | undefined
  /** Whether a guest who writes is sent an acknowledgement. */
  readonly auto_ack?: boolean | undefined
  /** Shown while it is set. At most 2000 characters. */
  readonly away_notice?: string | null | undefined
  /** Where guests leave a review. At most 2000 characters. */
  readonly review_url?: string | null | undefined
  /** Local hour of the morning brief. A whole number from 0 to 23. */
  readonly brief_hour?: number | undefined
  /** Most that automations do on their own in 24 hours. A whole number from 1 to 500. */
  readonly ops_daily_cap?: number | undefined
  /**
   * Local hour from which guests are sent nothing automatic; together with quiet_to. A whole number from 0 to
   * 23.
   */
  readonly quiet_from?: number | null | undefined
  /** Local hour at which that ends. A whole number from 0 to 23. */
  readonly quiet_to?: number | null | undefined
  /** Most that automations refund on their own; null is nothing. A whole number, 0 or more. */
  readonly refund_ceiling_cents?: number | null | undefined
  /**
   * Until so many hours before the start guests move and cancel by their own page; null: they write instead. A
   * whole number from 0 to 720.
   */
  readonly guest_changes_hours?: number | null | undefined
  /** The color of its pages. */
  readonly accent?: string | null | undefined
  /** A square picture for its pages. At most 2000 characters. */
  readonly logo_url?: string | null | undefined
  /** A wide picture for its booking page. At most 2000 characters. */
  readonly cover_url?: string | null | undefined
  /** Whether guests confirm a booking from the public page by a mailed link. */
  readonly confirm_email?: boolean | undefined
  /** Units of weather and rivers in texts; null: by time zone. API fields stay metric. */
  readonly units?: "us" | "metric" | null | undefined
}

/**
 * @category inputs
 */
export interface EventsListInput {
  /** The last event that you know; 0 is the beginning. A whole number, 0 or more. */
  readonly after?: number | undefined
  /** Only events of this type, such as booking.cancelled. 1 to 60 characters. */
  readonly type?: string | undefined
  /** Only what happened then or later, newest first. An ISO 8601 instant with Z or an offset. */
  readonly since?: string | undefined
  /** Newest first: only what came before this event. A whole number, 1 or more. */
  readonly before?: number | undefined
  /** Asc when left out; desc is the newest first. */
  readonly order?: "asc" | "desc" | undefined
  /** How many at most; 50 when left out. A whole number from 1 to 500. */
  readonly limit?: number | undefined
}

/**
 * @category inputs
 */
export interface WebhooksCreateInput {
  /** Https, to the public internet. An https address. */
  readonly url: string
  /** The types that it gets; * for all, which is also the default. At most 30. */
  readonly events?: ReadonlyArray<string> | undefined
  /** A new UUID for each request; send it again when you try again. */
  readonly idempotency_key?: string | undefined
}

/**
 * @category inputs
 */
export interface WebhooksDeleteInput {
  /** The webhook. */
  readonly id: string
}

/**
 * @category outputs
 */
export interface OfferingsListOutput {
  /** This page. */
  readonly data: ReadonlyArray<Offering>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface OfferingsDeleteOutput {
  /** How many bookings were cancelled. */
  readonly cancelled: number
  /** How many of those were paid online and are refunded. */
  readonly refunded: number
  /** How many of those are still being cancelled as this is answered: it goes on by itself. */
  readonly pending: number
}

/**
 * @category outputs
 */
export interface OfferingsGetHoursOutput {
  /** All weekly hours. */
  readonly data: ReadonlyArray<HoursEntry>
}

/**
 * @category outputs
 */
export interface OfferingsSetHoursOutput {
  /** All weekly hours. */
  readonly data: ReadonlyArray<HoursEntry>
}

/**
 * @category outputs
 */
export interface AvailabilityGetOutput {
  /** The zone of the outfitter's dates and wall times. */
  readonly timezone: string
  /** By start. */
  readonly data: ReadonlyArray<AvailabilitySlot>
  /** Where no start has room for as many as were asked for. */
  readonly nothing_free?: NothingFree
  /** There is more: pass it as from of the next request, with the same to. */
  readonly next_from?: string
}

/**
 * @category outputs
 */
export interface SessionsListOutput {
  /** This page. */
  readonly data: ReadonlyArray<BookedSession>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface SessionsCreateOutput {
  /** By start. */
  readonly data: ReadonlyArray<Session>
}

/**
 * @category outputs
 */
export interface BookingsListOutput {
  /** This page. */
  readonly data: ReadonlyArray<Booking>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface BookingsResendOutput {
  /** Always true. */
  readonly ok: true
}

/**
 * @category outputs
 */
export interface CustomersListOutput {
  /** This page. */
  readonly data: ReadonlyArray<Customer>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface CustomersGetOutput {
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
  /** Their bookings. */
  readonly bookings: ReadonlyArray<Booking>
}

/**
 * @category outputs
 */
export interface CustomersDeleteOutput {
  /** Always true. */
  readonly ok: true
}

/**
 * @category outputs
 */
export interface ConversationsListOutput {
  /** This page. */
  readonly data: ReadonlyArray<Conversation>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface ConversationsGetOutput {
  /** Its id. */
  readonly id: string
  /** Its state; a message of the guest opens it again. */
  readonly status: "open" | "done"
  /** When a person last wrote in it. */
  readonly last_message_at: string
  /** Up to when the outfitter has read it. */
  readonly outfitter_read_at: string | null
  /** Up to when the guest has read it on their page. */
  readonly guest_read_at: string | null
  /** Until then it stands at the end of the list, unless the guest writes. */
  readonly snoozed_until: string | null
  /** When it was made. */
  readonly created_at: string
  /** A message of the guest is newer than outfitter_read_at. */
  readonly unread: boolean
  /** The guest wrote last. */
  readonly needs_reply: boolean
  /** Of a question before booking: the name that was given. */
  readonly from_name: string | null
  /** Of a question before booking: the e-mail to reply to. */
  readonly from_email: string | null
  /** The guest; null on a question before booking. */
  readonly customer: {
    /** Its id. */
    readonly id: string
    /** Their name. */
    readonly name: string
    /** One address; kept in lowercase, one guest each. */
    readonly email: string
    /** Their phone number. */
    readonly phone: string
  } | null
  /** The last that a person wrote; notes are not counted. */
  readonly last_message: {
    /** Its id. */
    readonly id: string
    /** To_guest: the outfitter wrote; to_outfitter: the guest did. */
    readonly direction: "to_guest" | "to_outfitter"
    /** A note is internal and never sent to the guest. */
    readonly kind: "message" | "note"
    /** How it travelled; system: the service wrote it. */
    readonly channel: "page" | "email" | "api" | "system"
    /** Who wrote it. */
    readonly sent_by: "dashboard" | "api" | "mcp" | "guest" | "agent"
    /** Its first 200 characters. */
    readonly body: string
    /** When it was written. */
    readonly created_at: string
  } | null
  /** The guest's next upcoming booking, else their latest. */
  readonly booking: BookingSummary | null
  /** Oldest first. */
  readonly thread: ReadonlyArray<ThreadRow>
}

/**
 * @category outputs
 */
export interface ConversationsDeleteOutput {
  /** Always true. */
  readonly ok: true
}

/**
 * @category outputs
 */
export interface MessagesListOutput {
  /** This page. */
  readonly data: ReadonlyArray<ListedMessage>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface MessagesBroadcastOutput {
  /** Messages written, whose mails are on their way. */
  readonly sent: number
  /** Guests who were erased. */
  readonly skipped: number
  /** Guests whose address last failed for good. */
  readonly failed: number
}

/**
 * @category outputs
 */
export interface MessagesDraftOutput {
  /** The reply, as plain text. */
  readonly text: string
}

/**
 * @category outputs
 */
export interface SavedRepliesListOutput {
  /** By title. */
  readonly data: ReadonlyArray<FilledReply>
}

/**
 * @category outputs
 */
export interface SavedRepliesDeleteOutput {
  /** Always true. */
  readonly ok: true
}

/**
 * @category outputs
 */
export interface AutomationsListOutput {
  /** Weather, fill, brief and reminders. */
  readonly data: ReadonlyArray<Automation>
}

/**
 * @category outputs
 */
export interface ProposalsListOutput {
  /** This page. */
  readonly data: ReadonlyArray<Proposal>
  /** There is more: pass it as cursor of the next request. */
  readonly next_cursor?: string
}

/**
 * @category outputs
 */
export interface EventsListOutput {
  /** What happened. */
  readonly data: ReadonlyArray<Event>
  /** Pass it as after of the next request. */
  readonly next_after: number
  /** Newest first: pass it as before of the next request; left out where nothing came earlier. */
  readonly next_before?: number
}

/**
 * @category outputs
 */
export interface WebhooksListOutput {
  /** Oldest first. */
  readonly data: ReadonlyArray<Webhook>
}

/**
 * @category outputs
 */
export interface WebhooksCreateOutput {
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
  /** Signs deliveries; shown this one time. */
  readonly secret: string
}

/**
 * @category outputs
 */
export interface WebhooksDeleteOutput {
  /** Always true. */
  readonly ok: true
}

/**
 * Of an operation that needs nothing said.
 *
 * @category inputs
 */
export type NoInput = Readonly<Record<string, never>>

/**
 * What one operation asks and answers.
 *
 * @category operations
 */
export interface Operation<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/**
 * The codes that refusals carry. There may be more of them one day.
 *
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
  | "unsupported_type"
  | "rate_limited"
  | "internal"
  | "unavailable"
  | "slot_unavailable"
  | "slot_full"
  | "offering_paused"
  | "session_cancelled"
  | "idempotency_conflict"
  | "customer_erased"
  | "has_customer"
  | "booking_cancelled"
  | "changes_closed"
  | "booking_held"
  | "hold_expired"
  | "resend_limited"
  | "export_limited"
  | "has_bookings"
  | "wrong_kind"
  | "attachment_used"
  | "drafts_unavailable"
  | "draft_limited"
  | "draft_failed"
  | "proposal_decided"
  | "proposal_expired"
  | "not_reversible"
  | "webhook_limit"

/**
 * Every operation, by the two halves of its name.
 *
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
     * anywhere in the phone, or is a whole reference. For an application without access to guest data, q finds a
     * booking by its whole reference only, and customer_id is refused.
     */
    readonly list: Operation<BookingsListInput, BookingsListOutput>
    /** Get a booking with its offering and customer. */
    readonly get: Operation<BookingsGetInput, Booking>
    /**
     * Book a slot from availability for a guest; with hold_minutes keep it for so long instead.
     *
     * A class is booked by session_id, an appointment or a rental by starts_at. Give exactly one of customer_id
     * and customer. Make a new idempotency_key for each request and reuse it when you retry: the same request
     * then answers the same booking and books once.
     */
    readonly create: Operation<BookingsCreateInput, Booking>
    /**
     * Cancel a booking and free its place; safe to repeat.
     *
     * The guest is mailed. A booking paid online is refunded in full before its start, unless the payment is
     * disputed. Cannot be undone.
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
     * List guests, newest first; q searches name, email, phone, and booking references.
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
  readonly conversations: {
    /**
     * List conversations: those that need a reply first, then the newest, snoozed ones last.
     *
     * Each comes with its guest, the last message that a person wrote, and the guest's booking. q finds
     * conversations by words of the guest's name or e-mail, or by words that one message has together, in any
     * order and any writing.
     */
    readonly list: Operation<ConversationsListInput, ConversationsListOutput>
    /**
     * Get a conversation with its thread: messages, notes and what happened to the guest's bookings.
     *
     * The thread is oldest first, and has the newest 500 rows.
     */
    readonly get: Operation<ConversationsGetInput, ConversationsGetOutput>
    /**
     * Mark a conversation done or open, read or unread, or snooze it.
     *
     * A message of the guest opens a done conversation again and ends a snooze.
     */
    readonly update: Operation<ConversationsUpdateInput, Conversation>
    /**
     * Erase what somebody asked who never booked, on their request. Safe to repeat.
     *
     * Name and e-mail go, and all that was said by either side, with its files, also from past events. Cannot be
     * undone. A guest's conversation is erased with the guest, by customers.delete.
     */
    readonly delete: Operation<ConversationsDeleteInput, ConversationsDeleteOutput>
  }
  readonly messages: {
    /** List messages in both directions, and notes, oldest first. */
    readonly list: Operation<MessagesListInput, MessagesListOutput>
    /**
     * Write to a guest, who gets it by mail, or keep an internal note.
     *
     * Give exactly one of conversation_id, booking_id and customer_id. The guest's reply joins the thread. A
     * note stays with the outfitter: nothing is sent. The same request with the same idempotency_key answers the
     * same message and sends it once; without one, the same words of an assistant to the same thread within 10
     * minutes are one message.
     */
    readonly send: Operation<MessagesSendInput, Message>
    /**
     * Write the same to everyone in a session, on a date, or booked ahead on an offering, each once.
     *
     * target names exactly one of session_id (everyone confirmed in a class session), date (everyone confirmed
     * who starts on this local date, of all offerings) and offering_id (everyone confirmed who is booked ahead).
     * The same words to the same target within 24 hours are the same broadcast: sent again, it goes on where it
     * stopped, and writes to nobody twice.
     */
    readonly broadcast: Operation<MessagesBroadcastInput, MessagesBroadcastOutput>
    /**
     * Have a language model word a reply to a conversation, to be edited; nothing is sent.
     *
     * Written from the last 10 messages and the guest's booking. The text is answered, and told of as
     * message.drafted; only messages.send sends one. At most 60 in any 24 hours; it may take half a minute.
     */
    readonly draft: Operation<MessagesDraftInput, MessagesDraftOutput>
  }
  readonly saved_replies: {
    /**
     * List saved replies by title, filled in for a booking or a conversation.
     *
     * Give at most one of booking_id and conversation_id; without either only {org} is filled in. A variable
     * without a value becomes empty, {first_name} becomes "there"; a word in braces that is none stays. missing
     * names both. {booking_link} stays without write, and {booking_link} and {first_name} stay without access to
     * guest data.
     */
    readonly list: Operation<SavedRepliesListInput, SavedRepliesListOutput>
    /** Save words that are said often. */
    readonly create: Operation<SavedRepliesCreateInput, SavedReply>
    /** Change a saved reply. */
    readonly update: Operation<SavedRepliesUpdateInput, SavedReply>
    /** Delete a saved reply. */
    readonly delete: Operation<SavedRepliesDeleteInput, SavedRepliesDeleteOutput>
  }
  readonly automations: {
    /** List the four automations of the ops agent: how much each may do, and by which settings. */
    readonly list: Operation<NoInput, AutomationsListOutput>
    /**
     * Set how much an automation may do, and its settings.
     *
     * The settings given replace those set; a limit that is null is none. weather: default and offerings (by
     * offering id) with max_wind_kph, max_gust_kph, max_precip_mm, max_precip_pct, min_temp_c, max_temp_c,
     * thunder, min_flow_cfs, max_flow_cfs, min_gage_ft, max_gage_ft, look_ahead_hours (48) and action (cancel,
     * move). fill: full_pct (80), min_guests (null), min_guests_hours (48). brief: see_you (true). reminders:
     * before_24h (true), before_2h (true), after_6h (false; needs review_url), before_24h_reply_id (null).
     */
    readonly update: Operation<AutomationsUpdateInput, Automation>
  }
  readonly proposals: {
    /**
     * List what the ops agent proposes and what it did, newest first.
     *
     * A page of status=pending can be shorter than limit although next_cursor is set.
     */
    readonly list: Operation<ProposalsListInput, ProposalsListOutput>
    /**
     * Have the ops agent do what it proposes, now.
     *
     * Its actions run in order, and the first that is refused ends the run: status is then failed, and error
     * says why. What does not hold any more is left out; where nothing holds, the proposal expires. draft takes
     * the place of the words of its first message or reminder.
     */
    readonly approve: Operation<ProposalsApproveInput, Proposal>
    /**
     * Turn a proposal down; nothing of it is done.
     *
     * Also what the ops agent is to do by itself when quiet hours end, as long as it has not begun.
     */
    readonly dismiss: Operation<ProposalsDismissInput, Proposal>
    /** Undo a proposal: cancel the sessions that it opened and that have no bookings. */
    readonly undo: Operation<ProposalsUndoInput, Proposal>
  }
  readonly org: {
    /** Get the outfitter's settings. */
    readonly get: Operation<NoInput, Org>
    /**
     * Change the outfitter's settings.
     *
     * null or empty text clears reply_window, away_notice, review_url, accent, logo_url and cover_url.
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
     * List webhook endpoints, each with the result of its last delivery.
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
