import * as Instant from "@trailbook/core/time/Instant"

/**
 * A checkout in a bank's book. Amounts are as they were asked for.
 *
 * @category models
 */
export interface BookedSession {
  readonly id: string
  readonly paymentId: string
  readonly amount: number
  readonly currency: string
  readonly expiresAt: Instant.Instant
  status: "open" | "complete" | "expired"
  intent: string | null
}

/**
 * Something that happened at a bank.
 *
 * @category models
 */
export type BookedEvent =
  | { readonly type: "completed" | "expired"; readonly session: BookedSession; readonly at: Instant.Instant }
  | { readonly type: "disputed"; readonly intent: string; readonly at: Instant.Instant }

/**
 * What a bank that is no real one writes down, however it is asked.
 *
 * @category models
 */
export class Book {
  now: Instant.Instant = Instant.make(Date.UTC(2027, 3, 12, 18))
  readonly sessions: Array<BookedSession> = []
  readonly refunds: Array<{ readonly id: string; readonly intent: string }> = []
  readonly events: Array<BookedEvent> = []

  readonly #series: string
  constructor(series = "") {
    this.#series = series
  }

  advance(minutes: number): void {
    this.now = Instant.addMinutes(this.now, minutes)
    for (const session of this.sessions) {
      if (session.status === "open" && session.expiresAt <= this.now) this.end(session)
    }
  }

  open(asked: Pick<BookedSession, "paymentId" | "amount" | "currency" | "expiresAt">): BookedSession {
    const session: BookedSession = {
      ...asked,
      id: `cs_test_${this.#series}${this.sessions.length + 1}`,
      status: "open",
      intent: null
    }
    this.sessions.push(session)
    return session
  }

  end(session: BookedSession): void {
    session.status = "expired"
    this.events.push({ type: "expired", session, at: this.now })
  }

  pay(id: string): string | null {
    const session = this.sessions.find((one) => one.id === id)
    if (session?.status !== "open") return null
    session.status = "complete"
    session.intent = `pi_${session.id}`
    this.events.push({ type: "completed", session, at: this.now })
    return session.intent
  }

  dispute(intent: string): void {
    this.events.push({ type: "disputed", intent, at: this.now })
  }

  /** The id of the refund; null where all has gone back before. */
  refund(intent: string, once = true): string | null {
    if (once && this.refunds.some((one) => one.intent === intent)) return null
    const id = `re_${this.refunds.length + 1}`
    this.refunds.push({ id, intent })
    return id
  }

  made(paymentId: string): number {
    return this.#of(paymentId).length
  }

  balance(paymentId: string): number {
    const paid = this.#of(paymentId).filter(({ intent }) => intent !== null)
    const times = (intent: string | null) => this.refunds.filter((refund) => refund.intent === intent).length
    return paid.reduce((sum, { amount, intent }) => sum + amount * (1 - times(intent)), 0)
  }

  returned(paymentId: string): number {
    const intents = new Set(this.#of(paymentId).map(({ intent }) => intent))
    return this.refunds.filter(({ intent }) => intents.has(intent)).length
  }

  #of(paymentId: string): ReadonlyArray<BookedSession> {
    return this.sessions.filter((session) => session.paymentId === paymentId)
  }
}
