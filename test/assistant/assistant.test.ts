/** Tests that the tools suffice for the front desk tasks, no matter which view a client passes to its model. */
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { play } from "./bench.ts"
import { type Demo, open } from "./Demo.ts"
import { scriptedDriver } from "./Driver.ts"
import { guestTasks } from "./guestTasks.ts"
import { inventions, start } from "./Play.ts"
import { views } from "./Task.ts"
import { tasks } from "./tasks.ts"

describe("the front desk tasks", () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await open()
  })
  afterAll(() => demo.close())

  it("include at least 40 tasks with unique names", () => {
    assert.isAtLeast(new Set(tasks.map(({ name }) => name)).size, 40)
    assert.lengthOf(new Set(tasks.map(({ name }) => name)), tasks.length)
  })

  it("take their arguments only from the prompt and earlier responses", () => {
    const today = LocalDate.parse("2027-05-12") ?? LocalDate.make(0)
    const responses = ["reference KNSZ55F2, due_cents 19000, offset 07:00-06:00"]
    const invented = (input: object) =>
      inventions({ prompt: "Two seats on Friday at 9 AM for $70.", responses }, input, { enum: ["cash"] }, today)
    const visible = { id: "KNSZ55F2", amount_cents: 19_000, price_cents: 7000, quantity: 2, method: "cash" }
    assert.deepStrictEqual(invented({ ...visible, from: "2027-05-14", starts_at: "2027-05-14T09:00-06:00" }), [])
    assert.deepStrictEqual(
      invented({ id: "ZZZZZZZZ", amount_cents: 1900, quantity: 3, from: "2027-05-15", starts_at: "2027-05-14T10:00Z" }),
      ["id: ZZZZZZZZ", "amount_cents: 1900", "quantity: 3", "from: 2027-05-15", "starts_at: 2027-05-14T10:00Z"]
    )
  })

  it("receive result pages of at most 2,000 tokens by default", async () => {
    await demo.restore()
    const client = await demo.connect()
    const { tools } = await client.listTools()
    const lists = tools.filter(({ annotations, inputSchema }) =>
      annotations?.readOnlyHint === true && "limit" in (inputSchema.properties ?? {})
    )
    assert.isAbove(lists.length, 5)
    for (const { name } of lists) {
      for (const view of views) {
        const text = await start(client, tasks[0] ?? assert.fail(), view, "").call(name, {})
        assert.isAtMost(countTokens(text), 2000, `${name} ${view} ${text.length}`)
      }
    }
    const all = new Set<unknown>()
    for (let cursor: unknown; cursor !== null;) {
      const { structuredContent = {} } = CallToolResultSchema.parse(
        await client.callTool({ name: "bookings_list", arguments: cursor === undefined ? {} : { cursor } })
      )
      for (const { id } of structuredContent.data as ReadonlyArray<{ readonly id: string }>) all.add(id)
      cursor = structuredContent.next_cursor ?? null
    }
    assert.strictEqual(all.size, (await demo.call("bookings.list", { limit: 500 })).data.length)
    await client.close()
  })

  describe.each(views)("with results as %s", (view) => {
    it.each([...tasks, ...guestTasks].map((task) => [task.name, task] as const))(
      "can be completed within the budget: %s",
      async (_, task) => assert.deepStrictEqual((await play(demo, task, view, scriptedDriver)).faults, [])
    )
  })
})
