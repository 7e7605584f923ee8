import { assert, describe, it } from "@effect/vitest"
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { OfferingStore } from "@trailbook/core/offering"
import { UnitOfWork } from "@trailbook/core/port"
import { layer } from "@trailbook/postgres"
import { origin } from "@trailbook/testkit/generator/moment"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Client } from "pg"
import { database } from "./schema.ts"

const other = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      await client.query("set trailbook.orgs = '*'")
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const waitsForALock = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

describe("row locks", () => {
  it.scopedLive("are acquired in ID order", () =>
    Effect.gen(function*() {
      const { superuserUrl, url } = yield* database()
      const client = yield* other(superuserUrl)
      yield* Effect.gen(function*() {
        const { org: { id: orgId } } = yield* seedOneOfEachResource
        const customers = yield* CustomerStore
        const { run } = yield* UnitOfWork
        const ids = Array.from({ length: 6 }, newId)
        yield* customers.put(ids.map((id) => Customer.make({ id, orgId, email: `${id}@a.co`, createdAt: origin })))
        const middle = ids[3] ?? ""
        yield* Effect.promise(() => client.query("begin"))
        yield* Effect.promise(() => client.query("select from trailbook.customers where id = $1 for update", [middle]))

        // The keys are not in ascending, descending, or row order.
        const keys = [2, 5, 0, 4, 1, 3].map((at) => ({ orgId, id: ids[at] ?? "" }))
        const fiber = yield* Effect.fork(run(customers.lock(keys)))
        const waits = Effect.map(Effect.promise(() => client.query(waitsForALock)), ({ rowCount }) => rowCount === 1)
        yield* Effect.repeat(waits, { until: (done) => done })
        const { rows } = yield* Effect.promise(() =>
          client.query<{ id: string }>(
            "select id from trailbook.customers where id = any ($1) order by id for update skip locked",
            [ids]
          )
        )
        // `customers.lock` holds the rows before the middle row and waits for the middle row. The rows after it are
        // free.
        assert.deepStrictEqual(rows.map(({ id }) => id), ids.slice(3))
        yield* Effect.promise(() => client.query("commit"))
        assert.lengthOf(yield* Fiber.join(fiber), 6)
      }).pipe(Effect.provide(layer({ url })))
    }))

  it.scopedLive(
    "do not block writes to referencing rows",
    () =>
      Effect.gen(function*() {
        const { url } = yield* database()
        yield* Effect.gen(function*() {
          const { run } = yield* UnitOfWork
          const bookings = yield* BookingStore
          const { booking, customer, offering } = yield* seedOneOfEachResource
          const newBooking = {
            ...booking,
            id: newId(),
            reference: newId(),
            handle: newId(),
            checkInToken: newId(),
            idempotency: { key: newId(), fingerprint: "" }
          }
          const [hasLocks, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const change = yield* Effect.fork(run(Effect.gen(function*() {
            yield* (yield* OfferingStore).lock([offering])
            yield* (yield* CustomerStore).lock([customer])
            yield* Deferred.succeed(hasLocks, undefined)
            yield* Deferred.await(end)
          })))
          yield* Deferred.await(hasLocks)
          yield* bookings.put([newBooking])
          yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(change)
          assert.lengthOf(yield* bookings.find([newBooking]), 1)
        }).pipe(Effect.provide(layer({ url })))
      })
  )

  it.scopedLive(
    "read the changes committed while they waited",
    () =>
      Effect.gen(function*() {
        const { url } = yield* database()
        yield* Effect.gen(function*() {
          const { run } = yield* UnitOfWork
          const bookings = yield* BookingStore
          const { booking, customer } = yield* seedOneOfEachResource
          const hasLock = yield* Deferred.make<void>()
          const hasWaiter = yield* Deferred.make<void>()
          const first = yield* Effect.fork(run(Effect.gen(function*() {
            yield* bookings.lock([booking])
            yield* Deferred.succeed(hasLock, undefined)
            yield* Deferred.await(hasWaiter)
            yield* (yield* CustomerStore).put([{ ...customer, name: "Anna" }])
          })))
          yield* Deferred.await(hasLock)
          const second = yield* Effect.fork(run(bookings.lock([booking])))
          const client = yield* other(url)
          const waits = Effect.map(Effect.promise(() => client.query(waitsForALock)), ({ rowCount }) => rowCount === 1)
          yield* Effect.repeat(waits, { until: (done) => done })
          yield* Deferred.succeed(hasWaiter, undefined)
          yield* Fiber.join(first)
          assert.deepStrictEqual((yield* Fiber.join(second)).map((record) => record.customer.name), ["Anna"])
        }).pipe(Effect.provide(layer({ url })))
      }).pipe(Effect.scoped)
  )
})
