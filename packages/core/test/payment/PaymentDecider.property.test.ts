import * as Decider from "@trailbook/core/Decider"
import { checkoutEnd, type Payment, refundKey } from "@trailbook/core/payment/Payment"
import { isOwed, type PaymentCommand, paymentDecider } from "@trailbook/core/payment/PaymentDecider"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { moment, opening, payment } from "./payments.ts"

const tagged = <Tag extends PaymentCommand["_tag"]>(tag: Tag) => FastCheck.constant(tag)

const command: FastCheck.Arbitrary<PaymentCommand> = FastCheck.oneof(
  FastCheck.record({
    _tag: tagged("Opened"),
    session: FastCheck.constantFrom("cs_1", "cs_2"),
    url: FastCheck.constant("https://pay.example/cs")
  }),
  FastCheck.record({ _tag: tagged("Abandon") }),
  FastCheck.record({ _tag: tagged("Expire") }),
  FastCheck.record({
    _tag: tagged("Capture"),
    now: moment,
    intent: FastCheck.constantFrom("pi_1", "pi_2"),
    isKept: FastCheck.boolean()
  }),
  FastCheck.record({ _tag: tagged("Return"), now: moment, cents: FastCheck.nat(20_000) }),
  FastCheck.record({ _tag: tagged("Returned"), now: moment, id: FastCheck.constantFrom("re_1", "re_2") }),
  FastCheck.record({
    _tag: tagged("Accept"),
    now: moment,
    id: FastCheck.constantFrom("re_1", "re_2"),
    refusals: FastCheck.nat(2)
  }),
  FastCheck.record({
    _tag: tagged("Refuse"),
    now: moment,
    error: FastCheck.constant("closed account"),
    refusals: FastCheck.constantFrom(null, 0, 1, 2)
  }),
  FastCheck.record({
    _tag: tagged("Fail"),
    now: moment,
    error: FastCheck.constant("closed account"),
    id: FastCheck.constantFrom("re_1", "re_2")
  }),
  FastCheck.record({
    _tag: tagged("Dispute"),
    now: moment,
    status: FastCheck.constantFrom("open" as const, "won" as const)
  }),
  FastCheck.record({
    _tag: tagged("Mismatch"),
    found: FastCheck.record({
      at: moment,
      intent: FastCheck.constantFrom("pi_1", "pi_2"),
      cents: FastCheck.constantFrom(null, 1),
      currency: FastCheck.constantFrom(null, "eur")
    })
  })
)

const run = (payment: Payment, command: PaymentCommand) =>
  Either.getOrThrow(Decider.run(paymentDecider)(payment, command))

const after = (payment: Payment, commands: ReadonlyArray<PaymentCommand>): Payment =>
  commands.reduce((state, command) => run(state, command).state, payment)

const holds = (check: (payment: Payment, command: PaymentCommand) => void) =>
  FastCheck.assert(FastCheck.property(payment, command, check), { numRuns: 1500 })

const scripts = (check: (commands: ReadonlyArray<PaymentCommand>) => void) =>
  FastCheck.assert(FastCheck.property(FastCheck.array(command, { maxLength: 12 }), check), { numRuns: 1500 })

describe("a command", () => {
  it("has no effect when it is repeated", () => {
    holds((payment, command) => {
      const once = run(payment, command)
      const twice = run(once.state, command)
      expect(twice).toEqual({ state: once.state, events: [] })
    })
  })

  it("emits events that reproduce the state when they are replayed", () => {
    scripts((commands) => {
      let state = opening()
      const events = commands.flatMap((command) => {
        const decided = run(state, command)
        state = decided.state
        return decided.events
      })
      expect(events.reduce(paymentDecider.evolve, opening())).toEqual(state)
    })
  })

  it("never changes the data that was sent to the provider", () => {
    const asked = ({ attempt, bookingId, cents, connection, currency, description, expiresAt, id }: Payment) => ({
      attempt,
      bookingId,
      cents,
      connection,
      currency,
      description,
      expiresAt,
      id
    })
    holds((payment, command) => {
      expect(asked(run(payment, command).state)).toEqual(asked(payment))
    })
  })
})

describe("received money", () => {
  it("is recorded as paid in any state, and stays recorded", () => {
    scripts((commands) => {
      const first = commands.find((command) => command._tag === "Capture")
      const state = after(opening(), commands)
      expect(state.status === "paid").toBe(first !== undefined)
      if (state.status === "paid" && first !== undefined) expect(state.intent).toBe(first.intent)
    })
  })

  it("is owed to the guest from the time it must be refunded until the refund is sent", () => {
    scripts((commands) => {
      // A second implementation: the first command of each type decides.
      const captured = commands.findIndex(({ _tag }) => _tag === "Capture")
      const later = commands.slice(captured + 1)
      const capture = commands[captured]
      const isKept = capture?._tag === "Capture" && capture.isKept
      const asked = isKept ? later.findIndex(({ _tag }) => _tag === "Return") : 0
      // A sent refund can fail, so the last of both decides.
      const ends = asked === -1 ? [] : later.slice(asked)
      const isReturned = ends.reduce<string | null>(
        (id, command) =>
          command._tag === "Returned" ? id ?? command.id : command._tag === "Fail" && command.id === id ? null : id,
        null
      )
      expect(isOwed(after(opening(), commands))).toBe(captured !== -1 && asked !== -1 && isReturned === null)
    })
  })

  it("is refunded once, and a rejected refund can succeed later", () => {
    scripts((commands) => {
      const paid = after(opening(), [
        { _tag: "Capture", now: opening().madeAt, intent: "pi_1", isKept: false },
        ...commands
      ])
      const returned = commands.reduce<string | null>(
        (id, command) =>
          command._tag === "Returned" ? id ?? command.id : command._tag === "Fail" && command.id === id ? null : id,
        null
      )
      expect(paid.status === "paid" && paid.refund?.status === "done").toBe(returned !== null)
      if (paid.status === "paid" && paid.refund?.status === "done") expect(paid.refund.id).toBe(returned)
    })
  })

  it("gets a new refund key after each definite refusal, but not after other failures", () => {
    scripts((commands) => {
      let state: Payment = after(opening(), [{ _tag: "Capture", now: opening().madeAt, intent: "pi_1", isKept: false }])
      const keys = new Set<string>()
      for (const command of commands) {
        if (state.status !== "paid") return
        const before = refundKey(state)
        const { events, state: next } = run(state, command)
        if (next.status !== "paid") return
        const isDefinite = events.some((event) => event._tag === "refund.refused" && event.isDefinite)
        expect(refundKey(next) !== before).toBe(isDefinite)
        if (isDefinite) expect(keys.has(refundKey(next))).toBe(false)
        keys.add(before)
        state = next
      }
    })
  })

  it("keeps its refund key when a late refusal refers to an earlier request", () => {
    const due = after(opening(), [{ _tag: "Capture", now: opening().madeAt, intent: "pi_1", isKept: false }])
    const refuse = { _tag: "Refuse", now: opening().madeAt, error: "no funds", refusals: 0 } as const
    const refused = after(due, [refuse, refuse, refuse])
    expect(refused).toMatchObject({ refusals: 1, refund: { status: "refused" } })
  })

  it("is no longer owed after a lost dispute, but is still owed after an open or a won one", () => {
    const due = after(opening(), [{ _tag: "Capture", now: opening().madeAt, intent: "pi_1", isKept: false }])
    const dispute = (status: "open" | "won" | "lost") => ({ _tag: "Dispute", now: opening().madeAt, status }) as const
    expect(isOwed(after(due, [dispute("open")]))).toBe(true)
    expect(isOwed(after(due, [dispute("open"), dispute("won")]))).toBe(true)
    expect(isOwed(after(due, [dispute("open"), dispute("lost")]))).toBe(false)
    // A dispute decision is final. A late notification of its opening does not reopen it.
    expect(after(due, [dispute("won"), dispute("open"), dispute("lost")])).toMatchObject({ dispute: { status: "won" } })
  })
})

describe("the expiry of a checkout", () => {
  const hold = FastCheck.integer({ min: -10, max: 3000 })

  it("is within the range that providers accept, and not before the hold expires unless that is more than a day away", () => {
    FastCheck.assert(FastCheck.property(moment, hold, (now, minutes) => {
      const held = Instant.addMinutes(now, minutes)
      const aheadMinutes = (checkoutEnd(held, now) - now) / 60_000
      expect(aheadMinutes).toBeGreaterThan(30)
      expect(aheadMinutes).toBeLessThan(24 * 60)
      expect(aheadMinutes).toBe(minutes < 31 ? 31 : minutes < 1439 ? minutes : 1439)
    }))
  })
})
