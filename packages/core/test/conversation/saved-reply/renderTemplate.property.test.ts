import {
  explainMissingVariable,
  findMissingVariableNames,
  getGreetingName,
  renderTemplate,
  templateVariables
} from "@trailbook/core/conversation/saved-reply/SavedReply"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"

const braced = FastCheck.constantFrom(...templateVariables, "name", "First_Name", "first name", "")

describe("a saved reply", () => {
  it("replaces each variable once and keeps all other text", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.oneof(braced.map((name) => `{${name}}`), FastCheck.string())),
        FastCheck.string(),
        FastCheck.subarray([...templateVariables]),
        (pieces, value, knownNames) => {
          const values = Object.fromEntries(knownNames.map((name) => [name, `{org}${value}`]))
          // Braces in adjacent pieces could form a variable.
          const plain = pieces.map((piece) => /^\{[^{}]*\}$/.test(piece) ? piece : piece.replace(/[{}]/g, ""))
          expect(renderTemplate(plain.join(""), values)).toBe(
            plain.map((piece) => {
              const name = knownNames.find((name) => piece === `{${name}}`)
              return name === undefined ? piece : values[name]
            }).join("")
          )
        }
      )
    )
  })

  it("reports variables that are unknown or have no value", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.constantFrom(...templateVariables, "name", "First_Name", "first name")),
        FastCheck.subarray([...templateVariables]),
        FastCheck.subarray([...templateVariables]),
        (names, knownNames, empty) => {
          const values = Object.fromEntries(knownNames.map((name) => [name, empty.includes(name) ? "" : "x"]))
          const text = names.map((name) => `{${name}}`).join(" {} ")
          expect(findMissingVariableNames(text, values)).toStrictEqual([
            ...new Set(names.filter((name) => !knownNames.some((one) => one === name && !empty.includes(one))))
          ])
        }
      )
    )
    expect(explainMissingVariable("meeting_point")).toBe(
      "{meeting_point} has no value for this guest. Remove it from the text."
    )
    expect(explainMissingVariable("name")).toContain("{name} is not a variable. Use {first_name}, ")
  })

  it("fills in the guest's first name, or 'there' without a name", () => {
    expect(["Ada Park", " Ada", "", "  "].map(getGreetingName)).toStrictEqual(["Ada", "Ada", "there", "there"])
  })
})
