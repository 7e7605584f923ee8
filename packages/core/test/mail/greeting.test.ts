import { formatGreeting } from "@trailbook/core/mail/toSingleLine"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { hostileText } from "./hostile.ts"

it("greets a guest by first name", () => {
  expect(formatGreeting("Ada Lovelace")).toBe("Hi Ada,")
  expect(formatGreeting("  Jean-Luc\tPicard ")).toBe("Hi Jean-Luc,")
  expect(formatGreeting("O'Neil")).toBe("Hi O'Neil,")
  expect(formatGreeting("Zoe\u0308")).toBe("Hi Zoe\u0308,")
  expect(formatGreeting("岡本 太郎")).toBe("Hi 岡本,")
})

it("greets a guest neutrally if the name is unknown", () => {
  expect(formatGreeting("")).toBe("Hello,")
  expect(formatGreeting("  ")).toBe("Hello,")
})

it("greets a guest neutrally if the text is not a name", () => {
  for (
    const name of ["www.prize.example", "https://prize.example", "prize.example you won", "ada@example.com", "555-0100"]
  ) {
    expect(formatGreeting(name)).toBe("Hello,")
  }
  FastCheck.assert(
    FastCheck.property(hostileText, (name) => {
      expect(formatGreeting(name)).toMatch(/^(Hello|Hi [\p{L}\p{M}'’\-\u200c\u200d]{1,40}),$/u)
    })
  )
})
