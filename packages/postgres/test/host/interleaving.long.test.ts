/**
 * Tests concurrent host applications and API callers. The host applications commit, roll back, undo single steps, and
 * get refusals. Afterward, no capacity may have been sold twice, the event log must be complete and match the stored
 * rows, and each booking must exist if and only if the host application's row exists.
 */
import type { Refusal } from "@trailbook/core"
import type { Storage } from "@trailbook/core/storage"
import { layer } from "@trailbook/postgres"
import { batchOptions } from "@trailbook/postgres/batchOptions"
import * as HostTransaction from "@trailbook/postgres/HostTransaction"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { checkInvariants } from "@trailbook/testkit/invariants"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Runtime from "effect/Runtime"
import { Client, Pool, type PoolClient } from "pg"
import { assert, it } from "vitest"
import { isLong, runs } from "../../../../test/runs.ts"
import { database } from "../schema.ts"
import { hostOf } from "./storage.ts"

type Step =
  | {
    readonly _tag: "Book"
    readonly place: number
    readonly quantity: number
    readonly held: boolean
    readonly undone: boolean
  }
  | { readonly _tag: "Change"; readonly name: "cancel" | "confirm"; readonly booking: number; readonly undone: boolean }
  | { readonly _tag: "Move"; readonly booking: number; readonly place: number; readonly undone: boolean }

/** The first place is the most likely one, so that orders conflict. */
const place = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(3))
/** Whether the host application undoes the step with a savepoint. */
const undone = fc.boolean()
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Book" as const),
      place,
      quantity: fc.integer({ min: 1, max: 3 }),
      held: fc.boolean(),
      undone
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Change" as const),
      name: fc.constantFrom("cancel" as const, "confirm" as const),
      booking: fc.nat(9),
      undone
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Move" as const), booking: fc.nat(9), place, undone })
  }
)
const transaction = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), commits: fc.boolean() })
/** The transactions of five host applications, and concurrent API calls. */
const story = fc.record({
  programs: fc.array(fc.array(transaction, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 5 }),
  callers: fc.array(step, { maxLength: 6 })
})

type Story = typeof story extends fc.Arbitrary<infer Story> ? Story : never

interface CreatedResource {
  readonly id: string
}

it("concurrent host transactions and API calls keep the data consistent", () =>
  Effect.gen(function*() {
    const { superuserUrl, url } = yield* database()
    yield* Effect.provide(runStory(superuserUrl, url), layer({ url }))
  }).pipe(Effect.scoped, Effect.runPromise))

const runStory = (superuserUrl: string, url: string) =>
  Effect.gen(function*() {
    yield* Effect.promise(() =>
      asSuperuser(superuserUrl, (client) =>
        client.query(
          `alter database "${new URL(url).pathname.slice(1)}" set deadlock_timeout = '20ms'`
        ))
    )
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url, max: 5 }).on("error", () => {})),
      (pool) => Effect.promise(() => pool.end())
    )
    yield* Effect.promise(() => pool.query("create table public.orders (booking_id text primary key)"))
    let processes = 0
    const outcomes = { committed: 0, rolledBack: 0, refused: 0, lost: 0 }

    const tell = ({ callers, programs }: Story) =>
      Effect.gen(function*() {
        const { id: orgId } = yield* createEmptyOrg
        const service = yield* Process.start({ seed: ++processes, batches: batchOptions })
        const hosted = yield* Effect.provide(
          Process.start({ seed: ++processes, batches: "none" }),
          HostTransaction.layer({})
        )
        yield* Effect.promise(() => pool.query("truncate public.orders"))

        const ordinary = (name: string, input: unknown) =>
          service.call(orgId, name, input) as Effect.Effect<CreatedResource, Refusal>
        const createOffering = (input: object) =>
          Effect.orDie(ordinary("offerings.create", { name: "Rafting", ...input }))
        const [first, second] = [
          yield* createOffering({ kind: "class", capacity: 3 }),
          yield* createOffering({ kind: "class", capacity: 2 })
        ]
        const rental = yield* createOffering({ kind: "rental", capacity: 2 })
        const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
        const session = (offering: CreatedResource, days: number) =>
          Effect.map(
            Effect.orDie(ordinary("sessions.create", { offering_id: offering.id, starts_at: day(days) })),
            (answer) => {
              const { data: [one] } = answer as unknown as { readonly data: ReadonlyArray<CreatedResource> }
              return { offering_id: offering.id, session_id: one?.id }
            }
          )
        const { data: [slot] } = (yield* Effect.orDie(ordinary("availability.get", { id: rental.id }))) as unknown as {
          readonly data: ReadonlyArray<{ readonly starts_at: string }>
        }
        const places: ReadonlyArray<{ readonly offering_id: string; readonly session_id?: string | undefined }> = [
          yield* session(first, 1),
          yield* session(first, 2),
          yield* session(second, 1),
          { offering_id: rental.id, ...slot }
        ]
        const bookings: Array<CreatedResource> = []
        /** The IDs of the host applications' bookings, including rolled-back bookings. */
        const soldIds: Array<string> = []

        const requestOf = (step: Step): { readonly name: string; readonly input: object } => {
          switch (step._tag) {
            case "Book":
              return {
                name: "bookings.create",
                input: {
                  ...places[step.place],
                  quantity: step.quantity,
                  customer: { email: `guest${step.quantity}@a.co` },
                  ...(step.held ? { hold_minutes: 30 } : {})
                }
              }
            case "Change":
              return {
                name: `bookings.${step.name}`,
                input: { id: bookings[step.booking % bookings.length]?.id ?? rental.id }
              }
            case "Move": {
              const { offering_id: _, ...to } = places[step.place] ?? { offering_id: "" }
              return {
                name: "bookings.move",
                input: { id: bookings[step.booking % bookings.length]?.id ?? rental.id, ...to }
              }
            }
          }
        }

        /** Runs a host application's step. The host records the sale in its own table. */
        const runStep = async (client: PoolClient, step: Step): Promise<void> => {
          const { input, name } = requestOf(step)
          if (step.undone) await client.query("savepoint mine")
          const exit = await Effect.runPromiseExit(Effect.either(
            HostTransaction.runInHostTransaction(hostOf(client))(hosted.call(orgId, name, input), [orgId])
          ))
          if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
          const answer = exit.value
          if (answer._tag === "Left") {
            assert.strictEqual(answer.left._tag, "Refusal")
            outcomes.refused++
          } else if (step._tag === "Book") {
            const { id } = answer.right as CreatedResource
            await client.query("insert into public.orders values ($1)", [id])
            bookings.push({ id })
            soldIds.push(id)
          }
          if (step.undone) await client.query("rollback to savepoint mine")
        }
        const program = async (
          transactions: ReadonlyArray<{ readonly steps: ReadonlyArray<Step>; readonly commits: boolean }>
        ) => {
          for (const { commits, steps } of transactions) {
            const client = await pool.connect()
            try {
              await client.query("begin")
              for (const step of steps) await runStep(client, step)
              await client.query(commits ? "commit" : "rollback")
              outcomes[commits ? "committed" : "rolledBack"]++
            } catch (error) {
              // Another transaction won the conflict. A real host application could retry, but this test does not.
              await client.query("rollback")
              if (!isLost(error)) throw error
              outcomes.lost++
            } finally {
              client.release()
            }
          }
        }
        const caller = Effect.forEach(callers, (step) => {
          const { input, name } = requestOf(step)
          return Effect.ignore(Effect.catchAllCause(
            Effect.tap(ordinary(name, input), (booking) => Effect.sync(() => bookings.push(booking))),
            (cause) => isLost(Cause.squash(cause)) || Cause.isFailType(cause) ? Effect.void : Effect.failCause(cause)
          ))
        })
        yield* Effect.all([caller, ...programs.map((one) => Effect.promise(() => program(one)))], {
          concurrency: "unbounded"
        })

        assert.strictEqual((yield* checkInvariants(orgId)).join("\n"), "")
        const orders = (yield* Effect.promise(() => pool.query("select booking_id from public.orders"))).rows
        const ids = yield* Effect.filter(soldIds, (id) => Effect.isSuccess(service.call(orgId, "bookings.get", { id })))
        assert.sameMembers(orders.map(({ booking_id }) => booking_id), ids)
      }).pipe(Effect.provide(FakePayments.layer), Effect.scoped)

    const runtime = yield* Effect.runtime<Storage>()
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(story, (sample) => Runtime.runPromise(runtime)(tell(sample))),
        { numRuns: runs(25, 6), endOnFailure: true }
      )
    )
    // A short run might not reach every outcome.
    if (isLong) { for (const [outcome, times] of Object.entries(outcomes)) assert.isAbove(times, 0, outcome) }
  })

const isLost = (error: unknown): boolean => error instanceof DatabaseUnavailable && error.contended === true

const asSuperuser = async (url: string, work: (client: Client) => Promise<unknown>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await work(client)
  await client.end()
}
