import { SlotView } from "@trailbook/core/availability/AvailabilityView"
import type { Booking } from "@trailbook/core/booking/Booking"
import { BookingView } from "@trailbook/core/booking/BookingView"
import type { Customer } from "@trailbook/core/customer/Customer"
import { PublicBookedView } from "@trailbook/core/operation/PublicPageView"
import type { Refusal } from "@trailbook/core/Refusal"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { FakeDrafter } from "../fake/FakeDrafter.ts"
import { FakePayments } from "../fake/FakePayments.ts"
import { numbers } from "../fake/numbers.ts"
import * as SettableClock from "../fake/SettableClock.ts"
import { makeSkewedClock } from "../fake/SkewedClock.ts"
import { origin } from "../generator/moment.ts"
import * as Ledger from "../invariant/OrgSnapshot.ts"
import { invariants } from "../invariants.ts"
import { type Law, law, type Steps, toEffect } from "./Law.ts"
import * as Process from "./Process.ts"
import { rounds } from "./rounds.ts"
import { newId, openOrg } from "./seedOrg.ts"

type Answer<A> = Effect.Effect<A, Refusal>
type Slot = { readonly starts_at: string } | { readonly session_id: string }

/** What can be done at one process, by its clock. */
export interface Server {
  readonly call: (name: string, input: unknown) => Answer<unknown>
  /** As whoever has this handle does. */
  readonly asGuest: (handle: string, name: string, input: unknown) => Answer<unknown>
  /** Books as a visitor of the public page, from a network if one is given. */
  readonly visit: (
    network: string | undefined,
    input: { readonly offering_id: string; readonly [field: string]: unknown }
  ) => Answer<PublicBookedView>
  readonly threads: Pick<Process.Process["threads"], "link">
  readonly bookings: Pick<Process.Process["bookings"], "pay" | "sweep">
  readonly inbox: Pick<Process.Process["inbox"], "accept" | "ask" | "reported">
  readonly book: (input: { readonly offering_id: string; readonly [field: string]: unknown }) => Answer<BookingView>
}

/**
 * An org of two processes, where time passes when it is told to. Calls go to one
 * process and the other in turn.
 */
export interface TwoServerFixture {
  readonly orgId: string
  /** That of both processes, except for what one is ahead. */
  readonly clock: SettableClock.SettableClock
  /** Has the clock of one process show so many milliseconds more than that of the other. */
  readonly skew: (ms: number) => Effect.Effect<void>
  readonly ahead: Server
  readonly behind: Server
  readonly call: (name: string, input: unknown) => Answer<unknown>
  readonly bookings: Server["bookings"]
  readonly visit: Server["visit"]
  /** The people of the org, by either process. */
  readonly staff: readonly [Process.Process["staff"], Process.Process["staff"]]
  /** Who words drafts at both processes. */
  readonly ghostwriter: FakeDrafter["Type"]
  /** How they sign in, by either process. */
  readonly logins: readonly [Process.Process["logins"], Process.Process["logins"]]
  /** Makes an offering and answers with its id. */
  readonly offer: (settings: { readonly kind: string; readonly [field: string]: unknown }) => Answer<string>
  /** The first slots of an offering, as the input that books them. */
  readonly slots: (offeringId: string) => Answer<ReadonlyArray<Slot>>
  /** Makes an offering, schedules sessions where starts are given, and answers with its id and its first slots. */
  readonly offered: (
    settings: Parameters<TwoServerFixture["offer"]>[0],
    starts?: ReadonlyArray<string>
  ) => Answer<{ readonly offering_id: string; readonly slots: ReadonlyArray<Slot> }>
  readonly book: Server["book"]
  readonly booking: (id: string) => Answer<BookingView>
  /** Every booking and every guest, as they are stored. */
  readonly stored: Effect.Effect<ReadonlyArray<Booking>, never, Storage>
  readonly guests: Effect.Effect<ReadonlyArray<Customer>, never, Storage>
}

export const minuteMs = 60_000

/** When the sessions of a scene start: a day from now, and the day after. */
export const sessionStarts: ReadonlyArray<string> = [24, 48].map((hours) =>
  Instant.format(Instant.addMinutes(origin, hours * 60))
)

const WithId = Schema.Struct({ id: Schema.String })
const Slots = Schema.Struct({ data: Schema.Array(SlotView) })

/** An answer as it is on the wire; it dies where that is not of this form. */
export const read = <A, I>(schema: Schema.Schema<A, I>) => (answer: Answer<unknown>): Answer<A> =>
  Effect.flatMap(answer, (json) => Effect.orDie(Schema.decodeUnknown(schema)(json)))

const bookBy = (call: Server["call"], input: Parameters<Server["book"]>[0]): Answer<BookingView> =>
  read(BookingView)(call("bookings.create", { customer: { email: `${newId()}@a.co` }, ...input }))

const open = (round: number) =>
  Effect.gen(function*() {
    const clock = yield* SettableClock.make(origin)
    const { id: orgId } = yield* openOrg
    let skewMs = 0
    const side = (isAhead: boolean, seed: number, desk: Parameters<typeof Process.start>[0]["desk"]) =>
      Effect.gen(function*() {
        const byIts = Effect.withClock(makeSkewedClock(clock, () => isAhead ? skewMs : 0))
        const process = yield* byIts(Process.start({ seed, desk }))
        const call = (name: string, input: unknown) => byIts(process.call(orgId, name, input))
        return {
          call,
          asGuest: (handle, name, input) => byIts(process.asGuest(handle, name, input)),
          visit: (network, input) =>
            read(PublicBookedView)(
              byIts(process.asVisitor(orgId, network, "visit.book", {
                name: "Ada",
                email: `${newId()}@a.co`,
                idempotency_key: newId(),
                ...input
              }))
            ),
          threads: { link: (booking) => byIts(process.threads.link(booking)) },
          staff: process.staff,
          logins: process.logins,
          book: (input) => bookBy(call, input),
          inbox: {
            accept: (mail) => byIts(process.inbox.accept(mail)),
            ask: (question) => byIts(process.inbox.ask(question)),
            reported: (report) => byIts(process.inbox.reported(report))
          },
          bookings: {
            pay: (key, intent) => byIts(process.bookings.pay(key, intent)),
            sweep: (limit) => byIts(process.bookings.sweep(limit))
          }
        } satisfies Server & { readonly staff: unknown; readonly logins: unknown }
      })
    const first = yield* side(round % 2 === 0, 2 * round, "direct")
    const second = yield* side(round % 2 === 1, 2 * round + 1, { lanes: 2, batch: 8 })
    let calls = 0
    const call = (name: string, input: unknown) =>
      Effect.suspend(() => (calls++ % 2 === 0 ? first : second).call(name, input))
    const offer: TwoServerFixture["offer"] = (settings) =>
      Effect.map(read(WithId)(call("offerings.create", { name: "Rafting", ...settings })), ({ id }) => id)
    const slots: TwoServerFixture["slots"] = (id) =>
      Effect.map(read(Slots)(call("availability.get", { id })), ({ data }) =>
        data.map(({ session_id, starts_at }) => session_id === undefined ? { starts_at } : { session_id }))
    const scene: TwoServerFixture = {
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
      logins: [first.logins, second.logins],
      offer,
      slots,
      offered: (settings, starts = []) =>
        Effect.gen(function*() {
          const offering_id = yield* offer(settings)
          yield* Effect.forEach(starts, (starts_at) => call("sessions.create", { offering_id, starts_at }))
          return { offering_id, slots: yield* slots(offering_id) }
        }),
      book: (input) => bookBy(call, input),
      booking: (id) => read(BookingView)(call("bookings.get", { id })),
      stored: Effect.map(Ledger.read(orgId), ({ records }) => records.map(({ booking }) => booking)),
      guests: Effect.map(Ledger.read(orgId), ({ customers }) => customers)
    }
    return scene
  })

/**
 * A law about things that happen at once, tried some times over. Whatever came
 * of them, the invariants hold.
 */
export const race = (
  key: Law["key"],
  says: string,
  run: (scene: TwoServerFixture, round: number) => Steps<Refusal>
): Law =>
  law(
    key,
    says,
    ({ runs }) =>
      rounds(runs, (round) =>
        Effect.scoped(
          Effect.gen(function*() {
            const scene = yield* Effect.provide(
              open(round),
              Layer.fresh(Layer.merge(FakePayments.layer, FakeDrafter.layer))
            )
            const ended = yield* Effect.timeoutOption(
              Effect.withClock(toEffect(run(scene, round)), scene.clock),
              "5 seconds"
            )
            assert.isTrue(Option.isSome(ended), "they wait for each other")
            assert.strictEqual((yield* invariants(scene.orgId)).join("\n"), "")
          }).pipe(Effect.orDie)
        ))
  )

/**
 * Runs all of them at once, each after some steps, up to 63, that differ from round
 * to round, and answers with what succeeded, and the codes of what was refused, sorted.
 */
export const runConcurrently = <A, R>(
  round: number,
  calls: ReadonlyArray<Effect.Effect<A, Refusal, R>>
): Effect.Effect<{ readonly won: ReadonlyArray<A>; readonly codes: ReadonlyArray<string> }, never, R> =>
  Effect.suspend(() => {
    const next = numbers(round)
    // In one round they almost meet, in the next they are far apart: a call may take more steps than another.
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
