import { invalid } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { type CsvColumns, formatCsvRow, streamCsv } from "../../src/dashboard/kit/csv.ts"

/** Parses CSV (RFC 4180) character by character, as a second implementation of the grammar. */
const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  let at = 0
  while (at < text.length) {
    let cell = ""
    if (text[at] === "\"") {
      for (at++; text[at] !== "\"" || text[at + 1] === "\""; at++) {
        if (text[at] === "\"") at++
        cell += text[at] ?? assert.fail("A quoted field does not end.")
      }
      at++
    } else {
      for (; at < text.length && text[at] !== "," && !text.startsWith("\r\n", at); at++) {
        assert.notInclude("\"\r\n", text[at] ?? "", "A special character is not quoted.")
        cell += text[at] ?? ""
      }
    }
    row.push(cell)
    if (text[at] === ",") at++
    else {
      assert.strictEqual(text.slice(at, at + 2), "\r\n")
      at += 2
      rows.push(row)
      row = []
    }
    if (at === text.length) assert.isEmpty(row)
  }
  return rows
}

const text = FastCheck.string({
  unit: FastCheck.oneof(
    FastCheck.constantFrom(..."=+-@＝\t\r\n\",;' a1"),
    FastCheck.string({ minLength: 1, maxLength: 1 })
  )
})
const cell = FastCheck.oneof(text, FastCheck.integer(), FastCheck.constant(null))
const isFormula = (value: string) => /^[=+\-@\t\r\n＝＋－＠]/.test(value)

const actor = makeHostActor({ orgId: "0197f3a0-0000-7000-8000-000000000001" })

describe("a CSV file", () => {
  it("contains all values and no formulas", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }),
        (rows) => {
          const parsedRows = parseCsv(rows.map(formatCsvRow).join(""))
          assert.deepStrictEqual(
            parsedRows,
            rows.map((row) =>
              row.map((value) => typeof value === "string" && isFormula(value) ? `'${value}` : String(value ?? ""))
            )
          )
        }
      ),
      { numRuns: runs(2000, 300) }
    )
  })

  it("contains each row of every page exactly once", async () => {
    const columns: CsvColumns<string> = { Text: (row) => row, Length: ({ length }) => length }
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(FastCheck.array(text), { minLength: 1 }), async (pages) => {
        let reads = 0
        const { next } = await Effect.runPromise(Effect.provideService(
          streamCsv(columns, (cursor) =>
            Effect.sync(() => {
              assert.strictEqual(cursor ?? "0", String(reads))
              const data = pages[reads++] ?? []
              return reads < pages.length ? { data, next_cursor: String(reads) } : { data }
            })),
          Actor,
          actor
        ))
        let file = ""
        for (let nth = 1;; nth++) {
          const chunk = await next()
          if (chunk === undefined) break
          assert.isAtMost(reads, nth + 1)
          file += String(chunk)
        }
        assert.strictEqual(file[0], "\uFEFF")
        assert.deepStrictEqual(parseCsv(file.slice(1)), [
          ["Text", "Length"],
          ...pages.flat().map((row) => [isFormula(row) ? `'${row}` : row, String(row.length)])
        ])
      }),
      { numRuns: runs(300, 50) }
    )
  })

  it("fails if a page is refused", async () => {
    const columns: CsvColumns<string> = { Text: (row) => row }
    const stream = (badCursor: string | undefined) =>
      Effect.runPromise(Effect.provideService(
        Effect.either(streamCsv(columns, (cursor) =>
          cursor === badCursor ? invalid("cursor: unknown") : Effect.succeed({ data: ["a"], next_cursor: "1" }))),
        Actor,
        actor
      ))
    assert.strictEqual((await stream(undefined))._tag, "Left")
    const later = await stream("1")
    if (later._tag === "Left") return assert.fail("The first page is refused.")
    let isRejected = false
    await later.right.next().catch(() => {
      isRejected = true
    })
    assert.isTrue(isRejected)
  })
})
