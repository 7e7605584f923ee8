import { escapeTextValue, formatContentLine } from "@trailbook/core/mail/toICalendar"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { hostileText } from "./hostile.ts"
import { properties, unescapeText } from "./ics.ts"

it("restores the original text when a line is unfolded and unescaped", () => {
  FastCheck.assert(
    FastCheck.property(hostileText, (text) => {
      const [property, ...otherProperties] = properties(formatContentLine("SUMMARY", escapeTextValue(text)))
      expect(otherProperties).toEqual([])
      expect(property?.name).toBe("SUMMARY")
      expect(unescapeText(property?.value ?? "")).toBe(text.replace(/\r\n?/g, "\n"))
    }),
    { numRuns: 1000 }
  )
})

it("folds a line no earlier than necessary", () => {
  expect(formatContentLine("URL", "x".repeat(71))).toBe(`URL:${"x".repeat(71)}\r\n`)
  expect(formatContentLine("URL", "x".repeat(72))).toBe(`URL:${"x".repeat(71)}\r\n x\r\n`)
  // The leading space counts toward the length, so the space and 24 three-octet characters fill a line.
  expect(formatContentLine("URL", "x".repeat(71) + "字".repeat(25))).toBe(
    `URL:${"x".repeat(71)}\r\n ${"字".repeat(24)}\r\n 字\r\n`
  )
})
