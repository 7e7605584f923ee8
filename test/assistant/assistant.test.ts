/** The tools suffice for the tasks of the desk, whichever view of a result a client passes to its model. */
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { play } from "./bench.ts"
import { type Demo, open } from "./Demo.ts"
import { scripted } from "./Driver.ts"
import { inventions } from "./Play.ts"
import { views } from "./Task.ts"
import { tasks } from "./tasks.ts"

describe("the tasks of the desk", () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await open()
  })
  afterAll(() => demo.close())

  it("are at least 40, with unique names", () => {
    assert.isAtLeast(new Set(tasks.map(({ name }) => name)).size, 40)
    assert.lengthOf(new Set(tasks.map(({ name }) => name)), tasks.length)
  })

  it("accept only arguments from the prompt, a result, the date, or the schema", () => {
    const today = LocalDate.parse("2027-05-12") ?? LocalDate.make(0)
    const seen = ["reference KNSZ55F2, due_cents 19000, offset 07:00-06:00"]
    const invented = (input: object) =>
      inventions({ prompt: "Two seats on Friday at 9 AM for $70.", seen }, input, { enum: ["cash"] }, today)
    const visible = { id: "KNSZ55F2", amount_cents: 19_000, price_cents: 7000, quantity: 2, method: "cash" }
    assert.deepStrictEqual(invented({ ...visible, from: "2027-05-14", starts_at: "2027-05-14T09:00-06:00" }), [])
    assert.deepStrictEqual(
      invented({ id: "ZZZZZZZZ", amount_cents: 1900, quantity: 3, from: "2027-05-15", starts_at: "2027-05-14T10:00Z" }),
      ["id: ZZZZZZZZ", "amount_cents: 1900", "quantity: 3", "from: 2027-05-15", "starts_at: 2027-05-14T10:00Z"]
    )
  })

  describe.each(views)("in the %s of the results", (view) => {
    it.each(tasks.map((task) => [task.name, task] as const))(
      "have a path of visible facts within the budget: %s",
      async (_, task) => assert.deepStrictEqual((await play(demo, task, view, scripted)).faults, [])
    )
  })
})
