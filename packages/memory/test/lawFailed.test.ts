/** Tests a failed law's message: the rule, the difference, a minimal case, and how to reproduce it. */
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import type { Storage } from "@trailbook/core/storage"
import * as Memory from "@trailbook/memory"
import { laws } from "@trailbook/testkit"
import { LawFailed } from "@trailbook/testkit/law/LawFailed"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { breakPort } from "./brokenStorage.ts"

const failure = async (key: string, storage: Layer.Layer<Storage>): Promise<LawFailed> => {
  const law = laws.find((law) => law.key === key)
  assert.isDefined(law)
  const check = law.check({ runs: 30, seed: 11, shrink: true, reference: Memory.layer })
  const exit = await Effect.runPromiseExit(Effect.provide(check, Layer.fresh(storage)))
  assert.isTrue(Exit.isFailure(exit))
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  assert.instanceOf(error, LawFailed)
  return error
}

it("a failed law's message shows the smallest failing case and the seed", async () => {
  const noPhone = breakPort(CustomerStore, (store) => ({
    put: (rows) => store.put(rows.map((row) => ({ ...row, phone: "" })))
  }))
  const { cause, law, message } = await failure("customers/rows", noPhone)
  assert.strictEqual(law, "customers/rows")
  assert.match(message, /^Broken: customers\/rows \(returns exactly the stored customers/)
  assert.match(message, /\n {2}\[0\]\.phone: expected ".+", got ""\n/)
  assert.include(message, "\nSmallest failing case:\n")
  assert.include(message, "createdAt: 2027-03-14T")
  assert.include(message, "\nTo reproduce: suite(name, layer, { …, seed: 11 })")
  assert.isBelow(message.split("\n").length, 40)
  assert.instanceOf(cause, Error)
})

it("a failed law's message shortens long values", async () => {
  const cut = breakPort(BookingStore, (store) => ({
    put: (rows) => store.put(rows.map((row) => ({ ...row, notes: row.notes.slice(0, 100) })))
  }))
  const { message } = await failure("bounds/text", cut)
  assert.match(message, /notes: expected "a{40}"… \(101 characters\), got "a{40}"… \(100 characters\)/)
  assert.isTrue(message.split("\n").every((line) => line.length < 320), message)
})
