/**
 * For laws that speak of many methods a storage for each of them, which breaks
 * the law there and nowhere else. Each law must look at every one.
 */
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { Outbox } from "@trailbook/core/port/Outbox"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Memory from "@trailbook/memory"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { broken, eachAsked, oneByOne, swallowed } from "./broken.ts"

type Outside = <A>(call: Effect.Effect<A>) => Effect.Effect<A>

/** Calls that go through another connection than the unit of work or the snapshot has. */
const outside = <Id extends Storage, Port extends object>(
  tag: Context.Tag<Id, Port>,
  instead: (port: Port, outside: Outside) => Partial<Port>
): Layer.Layer<Storage> =>
  Layer.provideMerge(
    Layer.effect(
      tag,
      Effect.gen(function*() {
        const port = yield* tag
        const run = Runtime.runPromise(yield* Effect.runtime())
        return { ...port, ...instead(port, (call) => Effect.promise(() => run(call))) }
      })
    ),
    Memory.layer as Layer.Layer<Storage | Id>
  )

export const methodControls: ReadonlyArray<readonly [law: string, method: string, storage: Layer.Layer<Storage>]> = [
  ["repeated/found", "BookingStore.lock", broken(BookingStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  [
    "repeated/found",
    "BookingStore.findByIdempotencyKey",
    broken(BookingStore, ({ findByIdempotencyKey: ask }) => ({ findByIdempotencyKey: eachAsked(ask) }))
  ],
  ["repeated/found", "OfferingStore.find", broken(OfferingStore, ({ find }) => ({ find: eachAsked(find) }))],
  ["repeated/found", "OfferingStore.lock", broken(OfferingStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  ["repeated/found", "SessionStore.lock", broken(SessionStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  ["repeated/found", "CustomerStore.find", broken(CustomerStore, ({ find }) => ({ find: eachAsked(find) }))],
  ["repeated/found", "CustomerStore.lock", broken(CustomerStore, ({ lock }) => ({ lock: eachAsked(lock) }))],
  [
    "repeated/found",
    "CustomerStore.lockByEmail",
    broken(CustomerStore, ({ lockByEmail }) => ({ lockByEmail: eachAsked(lockByEmail) }))
  ],
  [
    "repeated/counted",
    "BookingStore.touching",
    broken(BookingStore, ({ touching }) => ({ touching: (queries, now) => touching([...new Set(queries)], now) }))
  ],
  [
    "repeated/counted",
    "SessionStore.booked",
    broken(SessionStore, ({ booked }) => ({ booked: (keys, now) => booked([...new Set(keys)], now) }))
  ],

  ["constraints/org", "ApiKeyStore.put", broken(ApiKeyStore, ({ put }) => ({ put: swallowed(put) }))],
  ["constraints/org", "EventLog.append", broken(EventLog, ({ append }) => ({ append: swallowed(append) }))],

  ["transactions/one-call", "OfferingStore.put", broken(OfferingStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "SessionStore.put", broken(SessionStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "CustomerStore.put", broken(CustomerStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "BookingStore.put", broken(BookingStore, ({ put }) => ({ put: oneByOne(put) }))],
  ["transactions/one-call", "Outbox.add", broken(Outbox, ({ add }) => ({ add: oneByOne(add) }))],
  ["transactions/one-call", "EventLog.append", broken(EventLog, ({ append }) => ({ append: oneByOne(append) }))],

  [
    "transactions/snapshot-read-only",
    "UnitOfWork.run",
    outside(UnitOfWork, ({ run }, outside) => ({
      run: (work) =>
        Effect.flatMap(Effect.context<never>(), () => work)
    }))
  ],
  [
    "transactions/snapshot-read-only",
    "OrgStore.put",
    outside(OrgStore, ({ put }, outside) => ({ put: (org) => outside(put(org)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "ApiKeyStore.put",
    outside(ApiKeyStore, ({ put }, outside) => ({ put: (key) => outside(put(key)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "OfferingStore.put",
    outside(OfferingStore, ({ put }, outside) => ({ put: (rows) => outside(put(rows)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "SessionStore.put",
    outside(SessionStore, ({ put }, outside) => ({ put: (rows) => outside(put(rows)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "CustomerStore.put",
    outside(CustomerStore, ({ put }, outside) => ({ put: (rows) => outside(put(rows)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "BookingStore.put",
    outside(BookingStore, ({ put }, outside) => ({ put: (rows) => outside(put(rows)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "Outbox.add",
    outside(Outbox, ({ add }, outside) => ({ add: (errands) => outside(add(errands)) }))
  ],
  [
    "transactions/snapshot-read-only",
    "EventLog.append",
    outside(EventLog, ({ append }, outside) => ({ append: (events) => outside(append(events)) }))
  ]
]
