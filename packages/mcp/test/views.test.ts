/** Tests that the text and the data in a tool result contain the same facts, for every tool and every error. */
import { Refusal, refusalCodes } from "@trailbook/core"
import { operations } from "@trailbook/core/layer"
import * as Zone from "@trailbook/core/time/Zone"
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { staffTools } from "../src/staff/staffTools.ts"
import { compactResult, isUnknownRecord, type UnknownRecord } from "../src/tool/compactResult.ts"
import { declinedResult } from "../src/tool/confirmation.ts"
import { toLocalTimes } from "../src/tool/toLocalTimes.ts"
import { makeSuccessResult, toErrorResult, type ToolResult } from "../src/tool/ToolResult.ts"

const denver = Zone.get("America/Denver")

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join("\n")

/** IDs that identify a resource other than the row itself. The row's text omits them. */
const idsOfOthers = new Set(["conversation_id", "customer_id", "payment_intent_id", "session_id"])

/** Returns the facts in a row or a resource: each value with its field name. */
const facts = (data: UnknownRecord, isRow: boolean): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(data).flatMap(([name, value]) => {
    // Free-form data can have any field name, and an empty list is "none".
    if (!/^\w+$/.test(name) || (Array.isArray(value) && value.length === 0)) return []
    if (Array.isArray(value) && value.every(isUnknownRecord)) return value.flatMap((row) => facts(row, true))
    if (isRow && "id" in data && idsOfOthers.has(name)) return []
    if (isRow && name === "starts_at" && "starts_local" in data) return []
    if (isRow && name === "body" && "text" in data) return []
    if (!isUnknownRecord(value)) return [[name, value] as const]
    if (!isRow || !["offering", "customer", "last_message"].includes(name)) return facts(value, isRow)
    // The text shows an offering's name and a guest's details. Only the data contains their IDs.
    const { id: _, kind: __, ...rest } = value
    return facts(rest, true)
  })

const shows = (text: string, name: string, value: unknown): boolean => {
  const json = JSON.stringify(value)
  // Values other than text are short, so search for each one together with its field name.
  return typeof value === "string"
    ? text.includes(json) || text.includes(value)
    : text.includes(`${name} ${json}`) || text.includes(`"${name}":${json}`)
}

describe("a tool result's text and data", () => {
  // Exclude the export, because it is downloaded and its text contains only the sizes.
  const compared = [...staffTools.map(({ operation }) => operation), ...operations]
    .filter(({ name }) => name !== "org.export")

  it.each(compared.map(({ name, output }): [string, Schema.Schema.AnyNoContext] => [name, output]))(
    "contain the same facts for %s",
    (_, output) => {
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(Schema.encodedSchema(output)), (answer) => {
          const data = toLocalTimes(compactResult(JSON.parse(JSON.stringify(answer))), denver) as UnknownRecord
          const result = makeSuccessResult(data)
          const text = textOf(result)
          for (const [name, value] of facts(data, false)) {
            assert.isTrue(shows(text, name, value), `${name} ${JSON.stringify(value)} in ${text}`)
          }
        }),
        { numRuns: 20 }
      )
    }
  )

  it.each(refusalCodes)("include the code, message, and next step of error %s", (code) => {
    const refusal = new Refusal({ code, message: "quantity: must be a whole number", retryAfterSeconds: 3 })
    const result = toErrorResult(refusal)
    const { code: dataCode, fix, message, retryable } = result.structuredContent ?? {}
    assert.isTrue(result.isError)
    assert.strictEqual(textOf(result), `${String(dataCode)}: ${String(message)}\nNext: ${String(fix)}`)
    assert.strictEqual(dataCode, code)
    if (retryable === true) assert.match(String(fix), /retry|wait|again/i)
  })

  it("name the invalid field and state whether a retry can help", () => {
    const error = (code: "invalid_request" | "unavailable" | "slot_full", message: string) =>
      toErrorResult(new Refusal({ code, message })).structuredContent
    assert.deepInclude(error("invalid_request", "customer.email: is missing"), {
      field: "customer.email",
      retryable: false
    })
    assert.deepInclude(error("unavailable", "Down."), { retryable: true })
    assert.deepInclude(error("slot_full", "Full."), { retryable: false })
    assert.notProperty(error("slot_full", "note: full"), "field")
    assert.deepInclude(declinedResult.structuredContent, { code: "declined", retryable: false })
  })
})
