/**
 * Two processes concurrently run every outfitter and guest operation on a few shared places. Every transaction must
 * complete, and Postgres must never have to resolve a deadlock.
 */
import { assert, it } from "@effect/vitest"
import { layer } from "@trailbook/postgres"
import { batchOptions } from "@trailbook/postgres/batchOptions"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import { checkInvariants } from "@trailbook/testkit/invariants"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { database } from "./schema.ts"

interface CreatedResource {
  readonly id: string
}

const callers = 24
const calls = 25

it.scopedLive("concurrent operations on the same rows cause no deadlock in Postgres", () =>
  Effect.gen(function*() {
    const { superuserUrl, url } = yield* database()
    yield* Effect.gen(function*() {
      const { id: orgId } = yield* createEmptyOrg
      const [first, second] = yield* Effect.provide(
        Effect.all([
          Process.start({ seed: 1, batches: batchOptions }),
          Process.start({ seed: 2, batches: batchOptions })
        ]),
        FakePayments.layer
      )
      const draw = makeRandomIntegers(7)
      const pick = <A>(of: ReadonlyArray<A>): A => of[draw() % of.length] ?? assert.fail("the list is empty")
      const call = (name: string, input: unknown) =>
        Effect.suspend(() => (draw() % 2 === 0 ? first : second).call(orgId, name, input))
      const create = (name: string, input: unknown) =>
        Effect.map(call(name, input), (answer) => answer as CreatedResource)

      const offer = (kind: string) => create("offerings.create", { kind, name: "Rafting", capacity: 4 })
      const spans = yield* Effect.replicateEffect(offer("appointment"), 3)
      const classes = yield* Effect.replicateEffect(offer("class"), 2)
      const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
      const sessions = (yield* Effect.forEach(classes, ({ id }) =>
        Effect.forEach([1, 2, 3], (days) =>
          Effect.map(create("sessions.create", { offering_id: id, starts_at: day(days) }), (answer) => {
            const { data } = answer as unknown as { readonly data: ReadonlyArray<CreatedResource> }
            return { offering_id: id, session_id: data[0]?.id ?? "" }
          })))).flat()
      const availability = yield* call("availability.get", { id: spans[0]?.id })
      const { data } = availability as { readonly data: ReadonlyArray<{ readonly starts_at: string }> }
      const starts = data.slice(0, 4).map(({ starts_at }) => starts_at)
      const bookings: Array<
        CreatedResource & { readonly of: { readonly offering_id: string; readonly session_id?: string } }
      > = []
      const guests: Array<string> = []

      const book = (isHold: boolean) =>
        Effect.suspend(() => {
          const place = draw() % 2 === 0 ? pick(sessions) : { offering_id: pick(spans).id, starts_at: pick(starts) }
          const guest = draw() % 3 > 0 || guests.length === 0
            ? { customer: { email: `guest${draw() % 12}@a.co` } }
            : { customer_id: pick(guests) }
          return Effect.tap(
            create("bookings.create", { ...place, ...guest, ...(isHold ? { hold_minutes: 30 } : {}) }),
            (booking) => {
              bookings.push({ ...booking, of: place })
              guests.push((booking as unknown as { readonly customer_id: string }).customer_id)
            }
          )
        })
      const change = (name: string) =>
        Effect.suspend(() =>
          call(name, { id: pick(bookings).id })
        )
      const move = Effect.suspend(() => {
        const { id, of } = pick(bookings)
        const target = of.session_id === undefined
          ? { starts_at: pick(starts) }
          : {
            session_id: pick(sessions.filter(({ offering_id }) =>
              offering_id === of.offering_id
            )).session_id
          }
        return call("bookings.move", { id, ...target })
      })
      const steps: ReadonlyArray<() => Effect.Effect<unknown, unknown>> = [
        () => book(false),
        () => book(false),
        () => book(true),
        () => change("bookings.confirm"),
        () => change("bookings.cancel"),
        () => move,
        () => call("offerings.update", { id: pick([...spans, ...classes]).id, capacity: 3 + draw() % 3 }),
        () => call("customers.upsert", { email: `guest${draw() % 12}@a.co`, name: "Ann" }),
        () => call("customers.delete", { id: pick(guests) }),
        () => call("sessions.cancel", { id: pick(sessions.slice(0, 1)).session_id }),
        () => call("offerings.delete", { id: spans[2]?.id, cancel_bookings: true })
      ]
      yield* Effect.replicateEffect(book(false), 8)
      const worker = Effect.replicateEffect(
        // The last two steps close a place for good, so they rarely run.
        Effect.suspend(() => Effect.either((draw() % 40 === 0 ? pick(steps.slice(-2)) : pick(steps.slice(0, -2)))())),
        calls
      )
      yield* Effect.replicateEffect(worker, callers, { concurrency: "unbounded" })
      assert.strictEqual((yield* checkInvariants(orgId)).join("\n"), "")
    }).pipe(Effect.provide(layer({ url, units: 16 })))

    // Postgres publishes a session's statistics when the session ends. The layer has already closed its sessions.
    const client = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const connection = new Client({ connectionString: superuserUrl })
        await connection.connect()
        return connection
      }),
      (connection) => Effect.promise(() => connection.end())
    )
    const { rows } = yield* Effect.promise(() =>
      client.query(
        "select deadlocks::int, xact_commit > 300 as busy from pg_stat_database where datname = current_database()"
      )
    )
    assert.deepStrictEqual(rows, [{ deadlocks: 0, busy: true }])
  }))
