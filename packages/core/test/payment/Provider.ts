import type { Payment } from "@trailbook/core/payment/Payment"
import type { Instant } from "@trailbook/core/time/Instant"

interface Session {
  readonly id: string
  readonly payment: string
  readonly booking: string
  readonly cents: number
  readonly expiresAt: Instant
  isOpen: boolean
  intent: string | null
}

/**
 * A payment provider made of lists: sessions by key, captured payments, and refunds. Without keys, each repeated
 * request takes effect again.
 */
export class Provider {
  readonly sessions: Array<Session> = []
  readonly returned: Array<{ readonly intent: string; readonly cents: number }> = []
  readonly #usesKeys: boolean
  constructor(options: { readonly usesKeys: boolean }) {
    this.#usesKeys = options.usesKeys
  }

  /**
   * Returns the session for a payment, or null if the requested expiry is less than 30 minutes away or the key belongs
   * to a different request.
   */
  checkout(paymentRequest: Payment, now: Instant, isOther: boolean): Session | null {
    const existing = this.sessions.find(({ payment }) => payment === paymentRequest.id)
    if (existing !== undefined && this.#usesKeys) return isOther ? null : existing
    if (paymentRequest.expiresAt < now + 30 * 60_000) return null
    const session: Session = {
      id: `cs_${this.sessions.length}`,
      payment: paymentRequest.id,
      booking: paymentRequest.bookingId,
      cents: paymentRequest.cents,
      expiresAt: paymentRequest.expiresAt,
      isOpen: true,
      intent: null
    }
    this.sessions.push(session)
    return session
  }

  /** Pays as the guest if the session is open and not expired. */
  pay(session: Session, now: Instant): boolean {
    if (!session.isOpen || session.expiresAt <= now) return false
    session.isOpen = false
    session.intent = `pi_${session.id}`
    return true
  }

  /** Ends an unpaid session and returns its final state. */
  close(id: string): Session | undefined {
    const session = this.sessions.find((one) => one.id === id)
    if (session !== undefined) session.isOpen = false
    return session
  }

  refund(intent: string): void {
    const isDone = this.returned.some((one) => one.intent === intent)
    const session = this.sessions.find((one) => one.intent === intent)
    if (session !== undefined && !(isDone && this.#usesKeys)) this.returned.push({ intent, cents: session.cents })
  }

  /** Returns the provider's balance for a booking. */
  balance(booking: string): number {
    const paidSessions = this.sessions.filter((session) => session.booking === booking && session.intent !== null)
    const captured = paidSessions.reduce((sum, { cents }) => sum + cents, 0)
    const intents = new Set(paidSessions.map(({ intent }) => intent))
    return this.returned.filter(({ intent }) => intents.has(intent)).reduce((sum, { cents }) => sum - cents, captured)
  }
}
