import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as JsonLog from "../src/JsonLog.ts"

const logEntries = (level: JsonLog.Level, program: Effect.Effect<void>): ReadonlyArray<Record<string, unknown>> => {
  const lines: Array<string> = []
  const writer = { write: (line: string) => lines.push(line), flush: () => {} }
  Effect.runSync(Effect.provide(program, JsonLog.layer(writer, level)))
  expect(lines.filter((line) => line.includes("\n"))).toEqual([])
  return lines.map((line) => JSON.parse(line))
}

const everything = Effect.all([
  Effect.logDebug("a"),
  Effect.logInfo("b"),
  Effect.logWarning("c"),
  Effect.logError("d")
], { discard: true })

describe("the JSON log", () => {
  it("writes one JSON object per line", () => {
    const [entry] = logEntries("info", Effect.annotateLogs(Effect.logInfo("two\nlines"), { org_id: "o", task: "e" }))
    expect(entry).toEqual({ time: expect.any(String), level: "info", msg: "two\nlines", org_id: "o", task: "e" })
    expect(new Date(String(entry?.time)).toISOString()).toBe(entry?.time)
  })

  it("includes the cause of a failure", () => {
    const cause = Cause.die(new Error("no disk", { cause: new Error("it is full") }))
    const [entry] = logEntries("info", Effect.logError("A round failed.", cause))
    expect(entry).toMatchObject({ level: "error", msg: "A round failed." })
    expect(entry?.cause).toContain("no disk")
    expect(entry?.cause).toContain("it is full")
  })

  it.each(
    [["debug", "abcd"], ["info", "bcd"], ["warn", "cd"], ["error", "d"], ["silent", ""]] as const
  )("at the level %s, contains these messages: %s", (level, messages) => {
    expect(logEntries(level, everything).map(({ msg }) => msg).join("")).toBe(messages)
    const levels = ["debug", "info", "warn", "error"] as const
    expect(levels.filter((one) => JsonLog.isLevelEnabled(one, level))).toHaveLength(messages.length)
  })
})
