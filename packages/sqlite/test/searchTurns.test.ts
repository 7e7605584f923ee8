/**
 * Tests that a search spreads its statements over several turns of the event loop, because each statement blocks the
 * loop.
 */
import { assert, it } from "@effect/vitest"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import * as Instant from "@trailbook/core/time/Instant"
import { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createOutfit, newId, noon } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

/** Counts the statements in each turn of the event loop. */
const counting = () => {
  const turns = [0]
  const tick = (): void => {
    turns.push(0)
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  return {
    count: () => turns.push((turns.pop() ?? 0) + 1),
    end: () => {
      clearImmediate(next)
      return turns.filter((statements) => statements > 0)
    }
  }
}

it.scopedLive.each([
  ["a rare term", "zoe"],
  ["common terms that few guests share", "ann quill"],
  ["common terms that no guest shares, and all guests are scanned", "ann bob smith quill"]
])("a search yields to the event loop after each slice: %s", ([, q]) =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const databaseLayer = SqliteDatabase.layer({ filename })
    let count = (): unknown => undefined
    const countingLayer = Layer.effect(
      Database,
      Effect.map(Database, (database) => ({
        ...database,
        query: <Row>(...statement: Parameters<typeof database.query>) =>
          Effect.zipRight(Effect.sync(() => count()), database.query<Row>(...statement))
      }))
    )
    yield* Effect.gen(function*() {
      const { orgId } = yield* createOutfit
      const customers = yield* CustomerStore
      yield* customers.put(Array.from({ length: 1800 }, (_, at) =>
        Customer.make({
          id: newId(),
          orgId,
          name: `${at % 2 === 0 ? "Ann" : "Bob"} ${at % 700 === 0 || at % 2 === 1 ? "Quill" : "Smith"}${
            at === 900 ? " Zoe" : ""
          }`,
          email: `guest${at}@river.example.com`,
          phone: "",
          createdAt: Instant.addMinutes(noon, at)
        })))
      const turns = counting()
      ;({ count } = turns)
      yield* customers.list({ orgId, limit: 20, q, after: undefined })
      const statements = turns.end()
      assert.isAtLeast(statements.length, 3)
      // Each slice takes two statements: one to find its end and one to read its rows.
      assert.isAtMost(Math.max(...statements), 2)
    }).pipe(Effect.provide(Layer.provideMerge(SqlStorage.layer, Layer.provideMerge(countingLayer, databaseLayer))))
  }))
