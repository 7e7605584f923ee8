import * as Decider from "@trailbook/core/Decider"
import { checkoutEnd, type Payment } from "@trailbook/core/payment/Payment"
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
  FastCheck.record({ _tag: tagged("Return"), now: moment }),
  FastCheck.record({ _tag: tagged("Returned"), now: moment, id: FastCheck.constantFrom("re_1", "re_2") }),
  FastCheck.record({ _tag: tagged("Refuse"), now: moment, error: FastCheck.constant("closed account") }),
  FastCheck.record({ _tag: tagged("Dispute"), now: moment })
)

const run = (payment: Payment, command: PaymentCommand) =>
  Either.getOrThrow(Decider.run(paymentDecider)(payment, command))

const after = (payment: Payment, commands: ReadonlyArray<PaymentCommand>): Payment =>
  commands.reduce((state, command) => run(state, command).state, payment)

const holds = (check: (payment: Payment, command: PaymentCommand) => void) =>
  FastCheck.assert(FastCheck.property(payment, command, check), { numRuns: 1500 })

const scripts = (check: (commands: ReadonlyArray<PaymentCommand>) => void) =>
  FastCheck.assert(FastCheck.property(FastCheck.array(command, { maxLength: 12 }), check), { numRuns: 1500 })

describe("every command", () => {
  it("may be repeated: the second time nothing happens", () => {
    holds((payment, command) => {
      const once = run(payment, command)
      const twice = run(once.state, command)
      expect(twice).toEqual({ state: once.state, events: [] })
    })
  })

  it("decides on events whose replay is the state", () => {
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

  it("leaves what was asked of the provider as it was", () => {
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

describe("money that arrived", () => {
  it("is paid in any state, and never unlearned", () => {
    scripts((commands) => {
      const first = commands.find((command) => command._tag === "Capture")
      const state = after(opening(), commands)
      expect(state.status === "paid").toBe(first !== undefined)
      if (state.status === "paid" && first !== undefined) expect(state.intent).toBe(first.intent)
    })
  })

  it("is owed from when it is not kept, or is to be returned, until it has gone back", () => {
    scripts((commands) => {
      // The same by a second way: the first of each sort of command decides.
      const captured = commands.findIndex(({ _tag }) => _tag === "Capture")
      const later = commands.slice(captured + 1)
      const capture = commands[captured]
      const isKept = capture?._tag === "Capture" && capture.isKept
      const asked = isKept ? later.findIndex(({ _tag }) => _tag === "Return") : 0
      const isReturned = asked !== -1 && later.slice(asked).some(({ _tag }) => _tag === "Returned")
      expect(isOwed(after(opening(), commands))).toBe(captured !== -1 && asked !== -1 && !isReturned)
    })
  })

  it("goes back once, and what was refused may still go back", () => {
    scripts((commands) => {
      const paid = after(opening(), [
        { _tag: "Capture", now: opening().madeAt, intent: "pi_1", isKept: false },
        ...commands
      ])
      const returned = commands.find((command) => command._tag === "Returned")
      expect(paid.status === "paid" && paid.refund?.status === "done").toBe(returned !== undefined)
      if (paid.status === "paid" && paid.refund?.status === "done") expect(paid.refund.id).toBe(returned?.id)
    })
  })
})

describe("a checkout's own end", () => {
  const hold = FastCheck.integer({ min: -10, max: 3000 })

  it("is one that providers take, and not before the hold's unless that is more than a day away", () => {
    FastCheck.assert(FastCheck.property(moment, hold, (now, minutes) => {
      const held = Instant.addMinutes(now, minutes)
      const aheadMinutes = (checkoutEnd(held, now) - now) / 60_000
      expect(aheadMinutes).toBeGreaterThan(30)
      expect(aheadMinutes).toBeLessThan(24 * 60)
      expect(aheadMinutes).toBe(minutes < 31 ? 31 : minutes < 1439 ? minutes : 1439)
    }))
  })
})
