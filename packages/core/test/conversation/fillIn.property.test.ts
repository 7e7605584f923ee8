import { fillIn, firstName, variables } from "@trailbook/core/conversation/fillIn"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const braced = FastCheck.constantFrom(...variables, "name", "First_Name", "first name", "")

describe("a saved reply", () => {
  it("has each variable replaced once, and all else as it is", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.oneof(braced.map((name) => `{${name}}`), FastCheck.string())),
        FastCheck.string(),
        FastCheck.subarray([...variables]),
        (pieces, value, known) => {
          const values = Object.fromEntries(known.map((name) => [name, `{org}${value}`]))
          // Braces of the other pieces could make a variable of two of them.
          const plain = pieces.map((piece) => /^\{[^{}]*\}$/.test(piece) ? piece : piece.replace(/[{}]/g, ""))
          expect(fillIn(plain.join(""), values)).toBe(
            plain.map((piece) => {
              const name = known.find((name) => piece === `{${name}}`)
              return name === undefined ? piece : values[name]
            }).join("")
          )
        }
      )
    )
  })

  it("greets by the first name, or somebody who gave none", () => {
    expect(["Ada Park", " Ada", "", "  "].map(firstName)).toStrictEqual(["Ada", "Ada", "there", "there"])
  })
})
