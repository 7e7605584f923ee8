import type { Refusal } from "@trailbook/core"
import type { Source } from "@trailbook/core/actor"
import { SlotView } from "@trailbook/core/availability"
import { type Booking, BookingView } from "@trailbook/core/booking"
import type { Customer } from "@trailbook/core/customer/Customer"
import { PublicBookingView } from "@trailbook/core/operation"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { FakeDrafter } from "@trailbook/testkit/fakes"
import { origin } from "@trailbook/testkit/generator/moment"
import { readOrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { checkInvariants } from "@trailbook/testkit/invariants"
import { type Law, law, type LawSteps, runRounds, toEffect } from "@trailbook/testkit/law/Law"
import { createEmptyOrg, newId } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { makeSkewedClock } from "./SkewedClock.ts"

type Answer<A> = Effect.Effect<A, Refusal>
type Slot = { readonly starts_at: string } | { readonly session_id: string }

/** The calls that a law can make to one process, which has its own clock. */
export interface Server {
  readonly call: (name: string, input: unknown, source?: Source) => Answer<unknown>
  /** Runs an operation as the holder of this handle. */
  readonly asGuest: (handle: string, name: string, input: unknown) => Answer<unknown>
  /** Books as a visitor to the public page, from `network` if it is defined. */
  readonly visit: (
    network: string | undefined,
    input: { readonly offering_id: string; readonly [field: string]: unknown }
  ) => Answer<PublicBookingView>
  readonly bookings: Pick<Process.ServerProcess["bookings"], "pay" | "sweep">
  readonly inbox: Pick<Process.ServerProcess["inbox"], "acceptReply" | "ask" | "link" | "recordReport">
  readonly book: (input: { readonly offering_id: string; readonly [field: string]: unknown }) => Answer<BookingView>
}

/** An org served by two processes, with a controlled clock. Calls alternate between the processes. */
export interface TwoServerFixture {
  readonly orgId: string
  /** The clock for both processes, before any skew. */
  readonly clock: SettableClock.SettableClock
  /** Sets how many milliseconds one process's clock is ahead of the other's. */
  readonly skew: (ms: number) => Effect.Effect<void>
  readonly ahead: Server
  readonly behind: Server
  readonly call: (name: string, input: unknown, source?: Source) => Answer<unknown>
  readonly bookings: Server["bookings"]
  readonly visit: Server["visit"]
  /** The org's staff, through either process. */
  readonly staff: readonly [Process.ServerProcess["staff"], Process.ServerProcess["staff"]]
  /** The drafter for both processes. */
  readonly ghostwriter: FakeDrafter["Type"]
  /** The payment provider for both processes. */
  readonly payments: FakePayments["Type"]
  /** The sign-in service, through either process. */
  readonly logins: readonly [Process.ServerProcess["logins"], Process.ServerProcess["logins"]]
  /** The download links for exports, through either process. */
  readonly exportLinks: readonly [Process.ServerProcess["exportLinks"], Process.ServerProcess["exportLinks"]]
  /** Creates an offering and returns its ID. */
  readonly offer: (settings: { readonly kind: string; readonly [field: string]: unknown }) => Answer<string>
  /** Returns an offering's first slots as booking inputs. */
  readonly slots: (offeringId: string) => Answer<ReadonlyArray<Slot>>
  /** Creates an offering, schedules sessions at `starts`, and returns the ID and the first slots. */
  readonly offered: (
    settings: Parameters<TwoServerFixture["offer"]>[0],
    starts?: ReadonlyArray<string>
  ) => Answer<{ readonly offering_id: string; readonly slots: ReadonlyArray<Slot> }>
  readonly book: Server["book"]
  readonly booking: (id: string) => Answer<BookingView>
  /** All stored bookings and customers. */
  readonly stored: Effect.Effect<ReadonlyArray<Booking>, never, Storage>
  readonly guests: Effect.Effect<ReadonlyArray<Customer>, never, Storage>
}

export const minuteMs = 60_000

/** The session starts, in 24 and 48 hours. */
export const sessionStarts: ReadonlyArray<string> = [24, 48].map((hours) =>
  Instant.format(Instant.addMinutes(origin, hours * 60))
)

const WithId = Schema.Struct({ id: Schema.String })
const Slots = Schema.Struct({ data: Schema.Array(SlotView) })

/** Decodes a wire response, and dies if it is malformed. */
export const decodeAnswer = <A, I>(schema: Schema.Schema<A, I>) => (answer: Answer<unknown>): Answer<A> =>
  Effect.flatMap(answer, (json) => Effect.orDie(Schema.decodeUnknown(schema)(json)))

const bookBy = (call: Server["call"], input: Parameters<Server["book"]>[0]): Answer<BookingView> =>
  decodeAnswer(BookingView)(call("bookings.create", { customer: { email: `${newId()}@a.co` }, ...input }))

const open = (round: number, onCallEnd: () => void) =>
  Effect.gen(function*() {
    const clock = yield* SettableClock.make(origin)
    const { id: orgId } = yield* createEmptyOrg
    let skewMs = 0
    const startSide = (isAhead: boolean, seed: number, batches: Parameters<typeof Process.start>[0]["batches"]) =>
      Effect.gen(function*() {
        const skewed = makeSkewedClock(clock, () => isAhead ? skewMs : 0)
        const byIts = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.ensuring(Effect.withClock(work, skewed), Effect.sync(onCallEnd))
        const process = yield* byIts(Process.start({ seed, batches }))
        const call: Server["call"] = (name, input, source) => byIts(process.call(orgId, name, input, source))
        return {
          call,
          asGuest: (handle, name, input) => byIts(process.asGuest(handle, name, input)),
          visit: (network, input) =>
            decodeAnswer(PublicBookingView)(
              byIts(process.asVisitor(orgId, network, "visit.book", {
                name: "Ada",
                email: `${newId()}@a.co`,
                idempotency_key: newId(),
                ...input
              }))
            ),
          staff: process.staff,
          logins: process.logins,
          exportLinks: process.exportLinks,
          book: (input) => bookBy(call, input),
          inbox: {
            acceptReply: (reply) => byIts(process.inbox.acceptReply(reply)),
            ask: (question) => byIts(process.inbox.ask(question)),
            link: (booking) => byIts(process.inbox.link(booking)),
            recordReport: (report) => byIts(process.inbox.recordReport(report))
          },
          bookings: {
            pay: (key, intent) => byIts(process.bookings.pay(key, intent)),
            sweep: (limit) => byIts(process.bookings.sweep(limit))
          }
        } satisfies Server & { readonly staff: unknown; readonly logins: unknown; readonly exportLinks: unknown }
      })
    const first = yield* startSide(round % 2 === 0, 2 * round, "none")
    const second = yield* startSide(round % 2 === 1, 2 * round + 1, { concurrency: 2, maxBatchSize: 8 })
    let calls = 0
    const call: Server["call"] = (name, input, source) =>
      Effect.suspend(() => (calls++ % 2 === 0 ? first : second).call(name, input, source))
    const offer: TwoServerFixture["offer"] = (settings) =>
      Effect.map(decodeAnswer(WithId)(call("offerings.create", { name: "Rafting", ...settings })), ({ id }) => id)
    const slots: TwoServerFixture["slots"] = (id) =>
      Effect.map(decodeAnswer(Slots)(call("availability.get", { id })), ({ data }) =>
        data.map(({ session_id, starts_at }) => session_id === undefined ? { starts_at } : { session_id }))
    const fixture: TwoServerFixture = {
      orgId,
      clock,
      skew: (ms) =>
        Effect.sync(() => {
          skewMs = ms
        }),
      ahead: round % 2 === 0 ? first : second,
      behind: round % 2 === 0 ? second : first,
      call,
      bookings: first.bookings,
      visit: (network, input) =>
        Effect.suspend(() => (calls++ % 2 === 0 ? first : second).visit(network, input)),
      staff: [first.staff, second.staff],
      ghostwriter: yield* FakeDrafter,
      payments: yield* FakePayments,
      logins: [first.logins, second.logins],
      exportLinks: [first.exportLinks, second.exportLinks],
      offer,
      slots,
      offered: (settings, starts = []) =>
        Effect.gen(function*() {
          const offering_id = yield* offer(settings)
          yield* Effect.forEach(starts, (starts_at) => call("sessions.create", { offering_id, starts_at }))
          return { offering_id, slots: yield* slots(offering_id) }
        }),
      book: (input) => bookBy(call, input),
      booking: (id) => decodeAnswer(BookingView)(call("bookings.get", { id })),
      stored: Effect.map(readOrgSnapshot(orgId), ({ records }) => records.map(({ booking }) => booking)),
      guests: Effect.map(readOrgSnapshot(orgId), ({ customers }) => customers)
    }
    return fixture
  })

/**
 * Succeeds after 50 consecutive ticks of 100 ms in which no call finishes. On a slow machine, calls take longer but
 * still finish. Only transactions that wait for each other never do. If the process is paused, the pause counts as one
 * tick.
 */
const untilNoCallEnds = (countEnded: () => number): Effect.Effect<void> =>
  Effect.iterate({ ended: 0, ticks: 0 }, {
    while: ({ ticks }) => ticks < 50,
    body: ({ ended, ticks }) =>
      Effect.map(Effect.sleep("100 millis"), () => {
        const now = countEnded()
        return { ended: now, ticks: now === ended ? ticks + 1 : 0 }
      })
  })

/** Creates a law about concurrency that runs for several rounds. The invariants must hold after each round. */
export const race = (
  key: Law["key"],
  title: string,
  run: (fixture: TwoServerFixture, round: number) => LawSteps<Refusal>
): Law =>
  law(
    key,
    title,
    ({ runs }) =>
      runRounds(runs, (round) =>
        Effect.scoped(
          Effect.gen(function*() {
            let endedCount = 0
            const fixture = yield* Effect.provide(
              open(round, () => {
                endedCount++
              }),
              Layer.fresh(Layer.merge(FakePayments.layer, FakeDrafter.layer))
            )
            const isEnded = yield* Effect.raceFirst(
              Effect.as(Effect.withClock(toEffect(run(fixture, round)), fixture.clock), true),
              Effect.as(untilNoCallEnds(() => endedCount), false)
            )
            assert.isTrue(isEnded, "the transactions are deadlocked")
            assert.strictEqual((yield* checkInvariants(fixture.orgId)).join("\n"), "")
          }).pipe(Effect.orDie)
        ))
  )

/**
 * Runs all effects concurrently, each after up to 63 yields. The number of yields varies by round. Returns the
 * successes and the sorted refusal codes.
 */
export const runConcurrently = <A, R>(
  round: number,
  calls: ReadonlyArray<Effect.Effect<A, Refusal, R>>
): Effect.Effect<{ readonly won: ReadonlyArray<A>; readonly codes: ReadonlyArray<string> }, never, R> =>
  Effect.suspend(() => {
    const next = makeRandomIntegers(round)
    // The spread varies by round from almost simultaneous to far apart, because calls take different numbers of steps.
    const spread = [3, 8, 24, 64][round % 4] ?? 3
    const answers = Effect.forEach(calls, (call) => {
      const steps = next() % spread
      return Effect.either(Effect.zipRight(steps === 0 ? Effect.void : Effect.repeatN(Effect.yieldNow(), steps), call))
    }, { concurrency: "unbounded" })
    return Effect.map(answers, (all) => ({
      won: Arr.getRights(all),
      codes: Arr.getLefts(all).map(({ code }) => code).sort()
    }))
  })
