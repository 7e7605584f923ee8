/** The responses that a guest received. They are compared with the database after every kill. */
export interface Place {
  readonly startsAt: string
  readonly sessionId: string | null
}

export interface BookingState extends Place {
  readonly status: "held" | "confirmed" | "cancelled"
}

export interface Order {
  /** The idempotency key. It is also stored in the booking's notes. */
  readonly key: string
  readonly offeringId: string
  readonly quantity: number
  /** The service's last response. */
  answer: Waiting | Booked | Refused
  /** Requests that timed out. Any of them may still take effect later. */
  readonly late: Array<Wish>
  /** Responses that contradict the request or the rules, as sentences. */
  readonly complaints: Array<string>
}

export type Wish =
  | { readonly kind: "book" }
  | { readonly kind: "confirm" }
  | { readonly kind: "cancel" }
  | { readonly kind: "move"; readonly to: Place }

export interface Waiting {
  readonly kind: "waiting"
}

export interface Booked {
  readonly kind: "booked"
  readonly id: string
  readonly reference: string
  readonly totalCents: number
  readonly now: BookingState
}

export interface Refused {
  readonly kind: "refused"
}
