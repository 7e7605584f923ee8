/**
 * Measures messages to guests. Compares the first message to a guest with creating that guest's booking, and a
 * broadcast to a session with the same number of single messages.
 */
import * as Effect from "effect/Effect"
import { formatCount, type Line, median } from "../report.ts"
import { type Outfitter, runCalls } from "./outfitter.ts"

const rounds = 5
const ofRound = 200
const guestCount = 2000

/**
 * The minimum throughput relative to bookings, because a message costs about as much as a booking without group commit.
 */
const leastShare = 0.3
const broadcastMs = 5000
/** The maximum duration of a broadcast, relative to the same number of single messages. */
const mostShare = 0.5

export interface WritingResult {
  readonly lines: ReadonlyArray<Line>
  /** Messages per second, sent sequentially. */
  readonly perSecond: number
}

const send = ({ call }: Outfitter, customer_id: string | undefined, body: string) =>
  call("messages.send", { customer_id, body, subject: "Your trip" })

export const measureWriting = (storage: string, outfitter: Outfitter): Effect.Effect<WritingResult, unknown> =>
  Effect.gen(function*() {
    yield* outfitter.book(50, 1)
    const guests: Array<string> = []
    const speeds: Array<{ readonly booked: number; readonly sent: number }> = []
    for (let round = 0; round < rounds; round++) {
      const { customers, result } = yield* outfitter.book(ofRound, 1)
      const sendResult = yield* runCalls(ofRound, 1, (at) => send(outfitter, customers[at], `See you there, ${round}.`))
      guests.push(...customers)
      speeds.push({ booked: result.perSecond, sent: sendResult.perSecond })
    }
    const share = median(speeds.map(({ booked, sent }) => sent / booked))
    const perSecond = median(speeds.map(({ sent }) => sent))

    const { customers } = yield* outfitter.book(guestCount - guests.length - 50, 64)
    guests.push(...customers)
    const singly = yield* measure(runCalls(guests.length, 1, (at) => send(outfitter, guests[at], "Bring a coat.")))
    const target = { session_id: outfitter.session }
    const [answer, together] = yield* measure(outfitter.call("messages.broadcast", { target, body: "Bring a hat." }))
    if (answer.sent !== guestCount) {
      throw new Error(`The broadcast did not reach all recipients: ${JSON.stringify(answer)}`)
    }
    const [, one] = singly
    return {
      perSecond,
      lines: [
        {
          what: `${storage}: calls per second of bookings.create and of messages.send by one client`,
          figure: `${median(speeds.map(({ booked }) => booked)).toFixed(0)} /s, ${perSecond.toFixed(0)} /s`
        },
        {
          what: `${storage}: throughput of messages.send compared with bookings.create, one client`,
          figure: `${share.toFixed(2)} times`,
          promise: { text: `at least ${leastShare} times`, kept: share >= leastShare }
        },
        {
          what: `${storage}: time for a broadcast to ${formatCount(guestCount)} guests`,
          figure: `${together.toFixed(0)} ms`,
          promise: { text: `at most ${broadcastMs} ms`, kept: together <= broadcastMs }
        },
        {
          what: `${storage}: time for a broadcast compared with ${formatCount(guests.length)} single messages`,
          figure: `${(together / one).toFixed(2)} times`,
          promise: { text: `at most ${mostShare} times`, kept: together <= mostShare * one }
        }
      ]
    }
  })

const measure = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<readonly [A, ms: number], E> =>
  Effect.suspend(() => {
    const from = performance.now()
    return Effect.map(effect, (answer) => [answer, performance.now() - from] as const)
  })
