/** Plays tasks against the demo and compares the outcome with the expectation. */
import * as Instant from "@trailbook/core/time/Instant"
import { formatLocalTime } from "@trailbook/mcp/tool/toLocalTimes"
import { type Answer, type Demo, morning } from "./Demo.ts"
import { type Driver, zone } from "./Driver.ts"
import { shows, start } from "./Play.ts"
import { budget, type Task, type View } from "./Task.ts"

export interface Score {
  readonly calls: number
  readonly tokens: number
  /** Empty if the task was solved within the budget. */
  readonly faults: ReadonlyArray<string>
}

export const play = async (demo: Demo, task: Task, view: View, driver: Driver): Promise<Score> => {
  const now = task.now ?? morning
  await demo.restore(now, task.isPaidOnline)
  for (const [operation, input] of task.setup ?? []) await demo.call(operation, input)
  const before = await newestEvent(demo)
  const client = await demo.connect(task.caller)
  try {
    const { tools } = await client.listTools()
    const attempt = start(client, task, view, formatLocalTime(zone, Instant.parse(now) ?? Instant.min))
    const { answer, invented } = await driver(attempt, { view, tools, now })
    const missingFacts = task.shows.filter((fact) => !shows([answer], fact))
    const after = await newestEvent(demo)
    const rows = task.after === undefined ? [] : (await demo.call(task.after[0], task.after[1])).data
    const [calls, tokens] = [attempt.responses.length, attempt.tokens()]
    return {
      calls,
      tokens,
      faults: [
        ...invented.map((value) => `invented ${value}`),
        ...missingFacts.map((fact) => `missing ${JSON.stringify(fact)}`),
        ...(task.intent !== "change" && after !== before ? ["changed something"] : []),
        ...(task.after !== undefined && !rows.some((row) => includes(row, task.after?.[2] ?? {}))
          ? [`no row has ${JSON.stringify(task.after[2])}`]
          : []),
        ...(calls > budget.calls ? [`${calls} calls`] : []),
        ...(tokens > budget.tokens ? [`${tokens} tokens`] : [])
      ]
    }
  } finally {
    await client.close()
  }
}

const newestEvent = async (demo: Demo) => (await demo.call("events.list", { order: "desc", limit: 1 })).data[0]?.id

const includes = (row: Answer, fields: object): boolean =>
  Object.entries(fields).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))
