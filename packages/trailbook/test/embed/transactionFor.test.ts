import { makeErrorClassifier, type Transaction } from "@trailbook/sql/transaction"
import { dialect } from "@trailbook/sqlite/dialect"
import * as Effect from "effect/Effect"
import { assert, it } from "vitest"
import { makeHookTransaction } from "../../src/embed/hook/createHookLayer.ts"

it("a hook's transaction waits for statements that the hook did not await", async () => {
  const statements: Array<string> = []
  let answer = () => {}
  const unasked = () => Effect.dieMessage("This test does not use it.")
  const current: Transaction = {
    connection: {
      run: unasked,
      write: unasked,
      control: unasked,
      foreign: (text) =>
        Effect.async((resume) => {
          answer = () => {
            statements.push(text)
            resume(Effect.succeed([]))
          }
        })
    },
    open: true,
    broken: undefined,
    contended: false,
    erases: false
  }
  const { end, tx } = makeHookTransaction(makeErrorClassifier(dialect), current)
  void tx.query("insert")
  const over = Effect.runPromise(end).then(() => statements.push("over"))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(statements, [])
  answer()
  await over
  assert.deepEqual(statements, ["insert", "over"])
})
