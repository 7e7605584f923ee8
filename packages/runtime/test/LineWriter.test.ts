import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { makeLineWriter } from "../src/LineWriter.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("a line writer", () => {
  it("writes the lines of one event loop turn together", async () => {
    const chunks: Array<string> = []
    const { write } = makeLineWriter((text) => chunks.push(text))
    write("a")
    write("b")
    expect(chunks).toEqual([])
    await turn()
    write("c")
    await turn()
    expect(chunks).toEqual(["a\nb\n", "c\n"])
  })

  it("writes a large buffer immediately", () => {
    const chunks: Array<string> = []
    const { write } = makeLineWriter((text) => chunks.push(text))
    write("x".repeat(16 * 1024))
    expect(chunks).toHaveLength(1)
  })

  it("writes the remaining lines once on flush", async () => {
    const chunks: Array<string> = []
    const { flush, write } = makeLineWriter((text) => chunks.push(text))
    write("a")
    flush()
    flush()
    await turn()
    expect(chunks).toEqual(["a\n"])
  })

  it("loses no line, and keeps the lines in order", () => {
    const line = FastCheck.string({ maxLength: 5000 }).map((text) => text.replaceAll("\n", " "))
    FastCheck.assert(FastCheck.property(FastCheck.array(line), (lines) => {
      let output = ""
      const { flush, write } = makeLineWriter((text) => output += text)
      for (const line of lines) write(line)
      flush()
      expect(output).toBe(lines.map((line) => `${line}\n`).join(""))
    }))
  })
})
