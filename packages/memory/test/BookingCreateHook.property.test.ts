/**
 * Compares an engine whose booking hook rejects some orders with an engine that has no hook, where the test rolls back
 * every order that the hook would reject.
 */
import { assert, describe, it } from "@effect/vitest"
import { hostConflict, type Refusal } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { BookingCreateHook, HookDefect } from "@trailbook/core/booking"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment"
import { UnitOfWork } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { origin } from "@trailbook/testkit/generator/moment"
import { readOrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { checkInvariants } from "@trailbook/testkit/invariants"
import { claimAllTasksFor } from "@trailbook/testkit/law/task/tasks"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { isLong, runs } from "../../../test/runs.ts"

const orgId = "00000000-0000-7000-8000-000000000001"
const startsAt = Instant.format(Instant.addMinutes(origin, 48 * 60))

interface Wish {
  readonly place: "class" | "rental"
  readonly quantity: number
  readonly guest: number
  readonly holds: boolean
  readonly key: number
  readonly against: boolean
}

const wish: FastCheck.Arbitrary<Wish> = FastCheck.record({
  place: FastCheck.constantFrom("class" as const, "rental" as const),
  quantity: FastCheck.integer({ min: 1, max: 3 }),
  guest: FastCheck.integer({ min: 0, max: 3 }),
  holds: FastCheck.boolean(),
  key: FastCheck.integer({ min: 0, max: 11 }),
  against: FastCheck.boolean()
})

/** Lists of orders, some of which repeat an earlier order unchanged. */
const wishes = FastCheck.array(FastCheck.tuple(wish, FastCheck.nat({ max: 30 })), { minLength: 1, maxLength: 16 }).map(
  (pairs) => pairs.map(([wish, back], at) => pairs[at - back]?.[0] ?? wish)
)

type Batches = Parameters<typeof coreLayer>[0]["batches"]
type Answer = Either.Either<unknown, Refusal>

/** Rejects orders whose note is `against`. Calls `onCheck` with the notes of every order that it checks. */
const rule = (onCheck: (notes: string) => void): Layer.Layer<BookingCreateHook> =>
  Layer.succeed(
    BookingCreateHook,
    BookingCreateHook.of({
      admit: ({ booking: { notes } }) =>
        Effect.suspend(() => {
          onCheck(notes)
          return notes === "against" ? hostConflict("not_with_us", "Not with us.") : Effect.void
        })
    })
  )

const engine = (batches: Batches, gate?: Layer.Layer<BookingCreateHook>) =>
  coreLayer({ batches, gate }).pipe(
    Layer.provide(Layer.mergeAll(TestIds.layer(1), Payments.layerNone, layerNone)),
    Layer.provideMerge(Memory.layer)
  )

const call = (name: string, input: unknown) =>
  Effect.flatMap(Registry, (registry) => registry.run(name, input)).pipe(
    Effect.provideService(Actor, makeHostActor({ orgId }))
  )

const fixture = Effect.gen(function*() {
  const orgs = yield* OrgStore
  yield* orgs.put(Org.make({ id: orgId, name: "Salida", slug: "salida", timezone: "UTC", createdAt: origin }))
  const add = (kind: string, capacity: number) =>
    Effect.map(
      call("offerings.create", { name: kind, kind, capacity, max_per_booking: 10 }),
      (offering) => (offering as { id: string }).id
    )
  const [course, rental] = [yield* add("class", 7), yield* add("rental", 5)]
  const { data: [session] } = (yield* call("sessions.create", { offering_id: course, starts_at: startsAt })) as {
    data: ReadonlyArray<{ id: string }>
  }
  const places = {
    class: { offering_id: course, session_id: session?.id },
    rental: { offering_id: rental, starts_at: startsAt }
  }
  return ({ against, guest, holds, key, place, quantity }: Wish): Effect.Effect<Answer, never, Registry> =>
    Effect.either(call("bookings.create", {
      ...places[place],
      quantity,
      customer: { email: `guest${guest}@example.com`, name: `Guest ${guest}` },
      notes: against ? "against" : "",
      ...(holds ? { hold_minutes: 30 } : {}),
      idempotency_key: `00000000-0000-4000-8000-${String(key).padStart(12, "0")}`
    }))
})

const readState = Effect.gen(function*() {
  return {
    ledger: yield* readOrgSnapshot(orgId),
    tasks: yield* claimAllTasksFor(1000)
  }
})

class UndoneAnswer {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

const idOf = (answer: Answer): string | undefined =>
  Either.isRight(answer) ? (answer.right as { id: string }).id : undefined

/**
 * Returns the expected responses and the final state. An engine without the hook decides the orders, and each order
 * that the hook would reject is rolled back.
 */
const expected = (wishes: ReadonlyArray<Wish>) =>
  Effect.gen(function*() {
    const book = yield* fixture
    const { run } = yield* UnitOfWork
    const createdIds = new Set<string | undefined>()
    const checkedNotes: Array<string> = []
    const answers: Array<Answer> = []
    for (const wish of wishes) {
      const outcome = wish.against
        ? (yield* Effect.flip(run(Effect.flatMap(book(wish), (answer) => Effect.fail(new UndoneAnswer(answer))))))
          .answer
        : yield* book(wish)
      const isNew = Either.isRight(outcome) && !createdIds.has(idOf(outcome))
      if (isNew) checkedNotes.push(wish.against ? "against" : "")
      if (isNew && !wish.against) createdIds.add(idOf(outcome))
      answers.push(isNew && wish.against ? Either.left(hostConflict("not_with_us", "Not with us.")) : outcome)
    }
    return { answers, checkedNotes, ...(yield* readState) }
  }).pipe(Effect.provide(engine("none")))

const runGated = (batches: Batches, wishes: ReadonlyArray<Wish>) => {
  const checkedNotes: Array<string> = []
  return Effect.gen(function*() {
    const book = yield* fixture
    const answers = yield* Effect.forEach(wishes, book)
    const state = yield* readState
    assert.deepStrictEqual(yield* checkInvariants(orgId), [])
    return { answers, checkedNotes, ...state }
  }).pipe(Effect.provide(engine(batches, rule((notes) => checkedNotes.push(notes)))))
}

const plain = ({ answers, ...rest }: Effect.Effect.Success<ReturnType<typeof expected>>) => ({
  ...rest,
  answers: answers.map((answer) =>
    Either.isRight(answer) ? answer.right : { code: answer.left.code, message: answer.left.message }
  )
})

const byTheClock = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(SettableClock.make(origin), (clock) => Effect.withClock(work, clock))

describe.each<[string, Batches]>([["a batch queue", { concurrency: 2, maxBatchSize: 64 }], ["no batch queue", "none"]])(
  "the host's hook with %s",
  (_name, batches) => {
    it("runs only for orders that can be sold, and can only reject them", async () => {
      const outcomes = new Set<string>()
      await FastCheck.assert(
        FastCheck.asyncProperty(wishes, async (wishes) => {
          const [without, past] = await Effect.runPromise(
            byTheClock(Effect.all([expected(wishes), runGated(batches, wishes)]))
          )
          assert.deepStrictEqual(plain(past), plain(without))
          for (const answer of past.answers) outcomes.add(Either.isRight(answer) ? "sold" : answer.left.code)
        }),
        { numRuns: runs(80, 8) }
      )
      // A short run might not reach every outcome.
      if (isLong) assert.includeMembers([...outcomes], ["sold", "not_with_us", "slot_full", "idempotency_conflict"])
    })

    it("lets concurrent orders fill the capacity exactly", async () => {
      const wishes = Array.from({ length: 24 }, (_, at): Wish => ({
        place: "class",
        quantity: 1,
        guest: at % 4,
        holds: false,
        key: at,
        against: at % 3 === 0
      }))
      const checkedNotes: Array<string> = []
      await Effect.runPromise(byTheClock(
        Effect.gen(function*() {
          const book = yield* fixture
          const answers = yield* Effect.forEach(wishes, book, { concurrency: "unbounded" })
          assert.lengthOf(answers.filter(Either.isRight), 7)
          assert.deepStrictEqual(yield* checkInvariants(orgId), [])
          assert.lengthOf((yield* readState).ledger.records, checkedNotes.filter((notes) => notes === "").length)
        }).pipe(Effect.provide(engine(batches, rule((notes) => checkedNotes.push(notes)))))
      ))
    })

    it("is not retried if it throws", async () => {
      let calls = 0
      const brokenHook = Layer.succeed(
        BookingCreateHook,
        BookingCreateHook.of({
          admit: () =>
            Effect.suspend(() => {
              calls++
              return new HookDefect({ defect: "broken" })
            })
        })
      )
      const exit = await Effect.runPromise(byTheClock(
        Effect.gen(function*() {
          const book = yield* fixture
          const before = yield* readOrgSnapshot(orgId)
          const exit = yield* Effect.exit(
            book({ place: "class", quantity: 1, guest: 0, holds: false, key: 0, against: false })
          )
          assert.deepStrictEqual(yield* readOrgSnapshot(orgId), before)
          return exit
        }).pipe(Effect.provide(engine(batches, brokenHook)))
      ))
      assert.strictEqual(calls, 1)
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === "broken")
    })
  }
)
