import * as Instant from "@trailbook/core/time/Instant"
import type { RefundMode } from "@trailbook/testkit/provider/FakeBank"

/** A checkout in a bank's records. The amounts are as requested. */
export interface BookedSession {
  readonly id: string
  readonly paymentId: string
  readonly amount: number
  readonly currency: string
  readonly expiresAt: Instant.Instant
  /** Whether the checkout was created outside the service. If so, the service does not account for its money. */
  readonly isForged?: boolean
  status: "open" | "complete" | "expired"
  intent: string | null
}

/** An event at a bank. */
export type BookedEvent =
  | { readonly type: "completed" | "expired"; readonly session: BookedSession; readonly at: Instant.Instant }
  | {
    readonly type: "disputed" | "won" | "lost" | "refunded" | "refund updated" | "refund failed"
    readonly intent: string
    readonly at: Instant.Instant
  }

/** A refund in a bank's records. */
export interface BookedRefund {
  readonly id: string
  readonly intent: string
  readonly cents: number
  /** The ID named in the request, or null if the refund was made at the bank. */
  readonly refundId: string | null
  status: "pending" | "done" | "failed"
}

/** A fake bank's records, independent of the bank's API. */
export class ProviderState {
  now: Instant.Instant = Instant.make(Date.UTC(2027, 3, 12, 18))
  readonly sessions: Array<BookedSession> = []
  readonly refunds: Array<BookedRefund> = []
  refunding: RefundMode = "done"
  refusesCheckouts = false
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

  open(checkout: Pick<BookedSession, "paymentId" | "amount" | "currency" | "expiresAt" | "isForged">): BookedSession {
    const session: BookedSession = {
      ...checkout,
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

  dispute(intent: string, type: "disputed" | "won" | "lost" = "disputed"): void {
    this.events.push({ type, intent, at: this.now })
  }

  /**
   * Refunds an amount, or the remaining amount if `cents` is null. Returns `refused` if the balance or the remaining
   * amount is too low, and null if everything has already been refunded.
   */
  refund(
    intent: string,
    cents: number | null,
    { once = true, refundId }: { readonly refundId: string | null; readonly once?: boolean }
  ): BookedRefund | "refused" | null {
    const rest = this.#restOf(intent)
    if (once && rest === 0) return null
    if (this.refunding === "refused" || (once && cents !== null && cents > rest)) return "refused"
    return this.#send(intent, cents ?? (once ? rest : this.amountOf(intent)), this.refunding, refundId)
  }

  refundManually(intent: string, cents = this.#restOf(intent)): void {
    const part = Math.min(cents, this.#restOf(intent))
    if (part > 0) this.#send(intent, part, "done")
  }

  endRefund(intent: string, how: "done" | "failed"): void {
    const refund = this.refundsOf(intent).findLast(({ status }) => how === "failed" || status === "pending")
    if (refund === undefined) return
    refund.status = how
    this.events.push({ type: how === "done" ? "refund updated" : "refund failed", intent, at: this.now })
  }

  get pendingRefunds(): ReadonlyArray<string> {
    return this.refunds.filter(({ status }) => status === "pending").map(({ intent }) => intent)
  }

  get forgedReturned(): number {
    return this.sessions.filter(({ intent, isForged }) =>
      isForged === true && intent !== null && this.refundsOf(intent).length > 0
    ).length
  }

  amountOf(intent: string): number {
    return this.sessions.find((session) => session.intent === intent)?.amount ?? 0
  }

  /** Returns the refunds, except those that failed at the bank. */
  refundsOf(intent: string): ReadonlyArray<BookedRefund> {
    return this.refunds.filter((refund) => refund.intent === intent && refund.status !== "failed")
  }

  #restOf(intent: string): number {
    return this.amountOf(intent) - this.refundsOf(intent).reduce((sum, { cents }) => sum + cents, 0)
  }

  #send(
    intent: string,
    cents: number,
    status: "pending" | "done",
    refundId: string | null = null
  ): BookedRefund {
    const refund: BookedRefund = { id: `re_${this.refunds.length + 1}`, intent, cents, refundId, status }
    this.refunds.push(refund)
    this.events.push({ type: "refunded", intent, at: this.now })
    return refund
  }

  made(paymentId: string): number {
    return this.#of(paymentId).length
  }

  balance(paymentId: string): number {
    return this.#of(paymentId).reduce((sum, { intent }) => intent === null ? sum : sum + this.#restOf(intent), 0)
  }

  returned(paymentId: string): number {
    const intents = new Set(this.#of(paymentId).map(({ intent }) => intent))
    return this.refunds.filter(({ intent, status }) => status !== "failed" && intents.has(intent)).length
  }

  #of(paymentId: string): ReadonlyArray<BookedSession> {
    return this.sessions.filter((session) => session.paymentId === paymentId && session.isForged !== true)
  }
}
