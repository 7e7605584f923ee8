import { Bookings } from "@trailbook/core/booking/Bookings"
import { BookingStore, type OverlapQuery, type UnprovenBookingsQuery } from "@trailbook/core/booking/BookingStore"
import { BookingWriter } from "@trailbook/core/booking/write/BookingWriter"
import { sequential } from "@trailbook/core/concurrency/scheduler"
import { CustomerStore } from "@trailbook/core/customer/Customer"
import { ClosureStore } from "@trailbook/core/offering/closure/Closure"
import { DiscountStore } from "@trailbook/core/offering/discount/DiscountCode"
import { OfferingStore, type OrgKey } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/Orgs"
import { LedgerStore } from "@trailbook/core/payment/ledger/LedgerEntry"
import { Checkouts } from "@trailbook/core/payment/online/Checkouts"
import { Payments } from "@trailbook/core/payment/online/Payments"
import { PaymentStore } from "@trailbook/core/payment/Payment"
import { EventLog } from "@trailbook/core/port/EventLog"
import { Ids } from "@trailbook/core/port/Ids"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/Session"
import { StaffStore } from "@trailbook/core/staff/StaffMember"
import { TaskStore } from "@trailbook/core/task/Tasks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { countSeats, find, findOverlaps, getRow, paymentsOf, place, put, recordOf, type World } from "./World.ts"

/**
 * The bookings service on a world, with only the port methods that the service uses. Other methods die. Batches
 * run one at a time, without locks or rollback.
 */
export const bookingsOver = (
  store: { world: World },
  { beforeQueries = () => Effect.void, payments = Payments.layerNone }: {
    readonly payments?: Layer.Layer<Payments>
    /** Runs before each read of the bookings that limit new bookings. */
    readonly beforeQueries?: (queries: ReadonlyArray<OverlapQuery | UnprovenBookingsQuery>) => Effect.Effect<void>
  } = {}
) => {
  let tokenCount = 0
  const token = () => String(++tokenCount).padStart(12, "0")
  const all = <A>(rows: (world: World) => ReadonlyArray<A & OrgKey>) => (keys: ReadonlyArray<OrgKey>) =>
    Effect.sync(() => keys.flatMap(({ id, orgId }) => find(rows(store.world), orgId, id) ?? []))
  const offerings = all(({ offerings }) => offerings)
  const write = (change: (world: World) => Partial<World>) =>
    Effect.sync(() => {
      store.world = { ...store.world, ...change(store.world) }
    })
  const records = (keys: ReadonlyArray<OrgKey>) =>
    Effect.map(
      all(({ bookings }) => bookings)(keys),
      (bookings) => bookings.map((booking) => recordOf(store.world, booking))
    )

  const ports = Layer.mergeAll(
    Layer.mock(BookingStore, {
      find: records,
      lock: records,
      findByIdempotencyKey: (keys) =>
        Effect.sync(() =>
          store.world.bookings.filter(({ idempotency, orgId }) =>
            keys.some((key) => key.orgId === orgId && key.key === idempotency.key)
          ).map((booking) => recordOf(store.world, booking))
        ),
      overlapping: (queries) =>
        Effect.map(beforeQueries(queries), () => queries.map((query) => findOverlaps(store.world, query))),
      // No booking in these tests uses up a limit for unproven bookings.
      findUnproven: (queries) => Effect.as(beforeQueries(queries), []),
      put: (rows) => write(({ bookings }) => ({ bookings: put(bookings, rows) })),
      update: (rows) => write(({ bookings }) => ({ bookings: put(bookings, rows) }))
    }),
    Layer.mock(CustomerStore, {
      find: all(({ customers }) => customers),
      lockByEmail: (keys) =>
        Effect.sync(() => store.world.customers.filter(({ email }) => keys.some((key) => key.email === email))),
      put: (rows) => write(({ customers }) => ({ customers: put(customers, rows) }))
    }),
    Layer.mock(DiscountStore, { lockByCode: () => Effect.succeed([]) }),
    Layer.mock(ClosureStore, { since: () => Effect.succeed([]) }),
    Layer.mock(OfferingStore, {
      find: offerings,
      lock: offerings,
      put: (rows) => write(({ offerings }) => ({ offerings: put(offerings, rows) }))
    }),
    Layer.mock(SessionStore, {
      lock: all(({ sessions }) => sessions),
      countBookedSeats: (queries) =>
        Effect.sync(() =>
          queries.map(({ except, id, now, orgId }) =>
            countSeats(store.world, getRow(store.world.sessions, orgId, id), now, except)
          )
        ),
      put: (rows) => write(({ sessions }) => ({ sessions: put(sessions, rows) }))
    }),
    Layer.mock(OrgStore, { find: (id) => Effect.sync(() => Option.some(place(store.world, id).org)) }),
    Layer.mock(EventLog, {
      append: (rows) => write(({ events }) => ({ events: [...events, ...rows] })),
      touch: () => Effect.void
    }),
    Layer.mock(PaymentStore, {
      find: all(({ payments }) => payments),
      ofBookings: (keys) => Effect.sync(() => keys.flatMap((key) => paymentsOf(store.world, key))),
      lockOfBookings: (keys) => Effect.sync(() => keys.flatMap((key) => paymentsOf(store.world, key))),
      put: (rows) => write(({ payments }) => ({ payments: put(payments, rows) }))
    }),
    Layer.mock(LedgerStore, { put: () => Effect.void }),
    Layer.mock(StaffStore, {}),
    Layer.mock(TaskStore, { add: (rows) => write(({ tasks }) => ({ tasks: [...tasks, ...rows] })) }),
    Layer.succeed(Ids, { uuid: token, reference: token, handle: token, token, digest: (text) => text }),
    Layer.succeed(UnitOfWork, {
      run: (work) => work,
      snapshot: (reads) => reads,
      queryAll: sequential,
      queryInOrder: sequential,
      assertCanWait: Effect.void
    }),
    payments
  )
  return Bookings.layer.pipe(
    Layer.provide(Checkouts.layer),
    Layer.provide(BookingWriter.layer({ concurrency: 1, maxBatchSize: 64 })),
    Layer.provide(ports)
  )
}
