/** Storage adapters that truncate long values or drop the last of many rows. */
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OfferingStore } from "@trailbook/core/offering"
import { EventLog } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { breakPort } from "./brokenStorage.ts"

const notesCut = (at: number) =>
  breakPort(BookingStore, (store) => ({
    put: (rows) => store.put(rows.map((row) => ({ ...row, notes: row.notes.slice(0, at) })))
  }))

/** Drops all keys after the first `most`. */
const few =
  <Key, Row>(most: number, ask: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Row>>) =>
  (keys: ReadonlyArray<Key>): Effect.Effect<ReadonlyArray<Row>> => ask(keys.slice(0, most))

export const boundControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  ...[100, 255, 1000].map((at) => ["bounds/text", `truncates notes at ${at} characters`, notesCut(at)] as const),
  [
    "bounds/text",
    "truncates text by bytes instead of characters",
    breakPort(CustomerStore, (store) => ({
      put: (rows) =>
        store.put(rows.map((row) => ({ ...row, phone: Buffer.from(row.phone).subarray(0, 40).toString() })))
    }))
  ],
  [
    "bounds/metadata",
    "drops metadata longer than 16,000 characters",
    breakPort(OfferingStore, (store) => ({
      put: (rows) =>
        store.put(rows.map((row) => ({
          ...row,
          metadata: JSON.stringify(row.metadata).length > 16_000 ? {} : row.metadata
        })))
    }))
  ],
  [
    "bounds/many",
    "returns nothing for the 65th query",
    breakPort(BookingStore, (store) => ({
      overlapping: (queries) =>
        Effect.map(
          store.overlapping(queries),
          (places) => places.map((place, at) => at === 64 ? { ...place, bookedSpans: [] } : place)
        )
    }))
  ],
  ["bounds/many", "locks at most 500 sessions", breakPort(SessionStore, (store) => ({ lock: few(500, store.lock) }))],
  [
    "bounds/many",
    "adds at most 128 tasks at once",
    breakPort(TaskStore, (taskStore) => ({ add: (tasks) => taskStore.add(tasks.slice(0, 128)) }))
  ],
  [
    "bounds/many",
    "appends at most 64 events at once",
    breakPort(EventLog, (log) => ({ append: (events) => log.append(events.slice(0, 64)) }))
  ]
]
