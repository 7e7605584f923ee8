/** Writes `docs/how-to/assistant-transcripts.md`: benchmark tasks, with the calls and results from one run. */
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import assert from "node:assert/strict"
import { play } from "./bench.ts"
import { type Demo, open } from "./Demo.ts"
import { type Driver, scriptedDriver } from "./Driver.ts"
import { guestTasks } from "./guestTasks.ts"
import type { Task } from "./Task.ts"
import { tasks as deskTasks } from "./tasks.ts"

const sections: ReadonlyArray<
  readonly [title: string, tasks: ReadonlyArray<Task>, excerpts: ReadonlyArray<readonly [title: string, task: string]>]
> = [
  ["At the desk", deskTasks, [
    ["Guests of today", "find who comes today"],
    ["A guest on the phone", "move the booking of a caller"],
    ["A cancellation with a refund", "cancel a paid booking after a preview"],
    ["A full departure", "explain why a trip is full"],
    ["A time without an offset", "explain a start that does not exist"],
    ["A closed afternoon", "close an afternoon"],
    ["A proposal of the ops agent", "approve a proposal after a preview"],
    ["Cash", "record a payment"],
    ["A hold", "confirm a hold"],
    ["A canceled departure", "cancel a departure"],
    ["A question of a guest", "answer a question"]
  ]],
  ["Assistants of guests", guestTasks, [
    ["A quote", "a guest asks for a quote"],
    ["A booking with online payment", "a guest books a departure and pays online"],
    ["A booking with an emailed link", "a guest books a guide"],
    ["A group that is too large", "a guest asks for more seats than a visitor can take"]
  ]]
]

const [maxRow, maxRows, width] = [640, 3, 116]

const introduction = [
  "# Assistant transcripts\n",
  "A run of `test/assistant` against the demo produced these conversations, and a test compares them with a new run. " +
  "The results have the text that [assistants](connect-an-assistant.md) and " +
  "[guests' assistants](guests-assistants.md) see. To shorten them, `id-1` stands for a UUID, `…` replaces the rest of " +
  `a row after ${maxRow} characters, and lists end after ${maxRows} rows.\n`
]

/** Returns the page from a new run. */
export const transcripts = async (): Promise<string> => {
  const demo = await open(TestIds.layer(1))
  const parts = [...introduction]
  for (const [title, tasks, excerpts] of sections) {
    parts.push(`## ${title}\n`)
    for (const [heading, name] of excerpts) {
      const task = tasks.find((task) => task.name === name)
      parts.push(`### ${heading}\n\n\`\`\`text\n${await recordTranscript(demo, task ?? assert.fail(name))}\n\`\`\`\n`)
    }
  }
  await demo.close()
  return parts.join("\n")
}

const recordTranscript = async (demo: Demo, task: Task): Promise<string> => {
  const ids: Array<string> = []
  const replaceIds = (text: string) =>
    text.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `id-${ids.indexOf(id) + 1}`
    })
  const lines = [`${task.caller === "guest" ? "Guest" : "Staff"}: ${task.prompt}`]
  const recordingDriver: Driver = (original, context) => {
    const call: typeof original.call = async (tool, input) => {
      const result = await original.call(tool, input)
      const fields = Object.entries(input).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      lines.push("", replaceIds(`→ ${tool} ${fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`}`))
      lines.push(...shortenResult(replaceIds(result)))
      return result
    }
    return scriptedDriver({ ...original, call }, context)
  }
  const { faults } = await play(demo, task, "text", recordingDriver)
  assert.deepEqual(faults, [], `${task.name}: ${faults.join("; ")}`)
  return lines.flatMap(wrapLine).join("\n")
}

const shortenResult = (result: string): ReadonlyArray<string> => {
  let rows = 0
  return result.split("\n").flatMap((line, at) => {
    rows = line.startsWith("- ") ? rows + 1 : 0
    if (rows > maxRows) return rows === maxRows + 1 ? ["  …"] : []
    return [`${at === 0 ? "←" : " "} ${line.length > maxRow ? `${line.slice(0, maxRow).trimEnd()} …` : line}`]
  })
}

/** Breaks a line after a space or a comma. */
const wrapLine = (line: string): ReadonlyArray<string> => {
  const at = Math.max(line.lastIndexOf(" ", width), line.lastIndexOf(",", width - 1)) + 1
  return line.length <= width || at <= indent.length
    ? [line]
    : [line.slice(0, at).trimEnd(), ...wrapLine(indent + line.slice(at))]
}

const indent = "    "
