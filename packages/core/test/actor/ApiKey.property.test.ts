import * as ApiKey from "@trailbook/core/actor/ApiKey"
import * as FastCheck from "effect/FastCheck"
import { crc32 } from "node:zlib"
import { describe, expect, it } from "vitest"
import { codePoint } from "../generators/text.ts"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const token: FastCheck.Arbitrary<ApiKey.ParsedApiKey> = FastCheck.record({
  mode: FastCheck.constantFrom("live" as const, "test" as const),
  id: FastCheck.stringMatching(/^[0-9A-Za-z]{12}$/),
  secret: FastCheck.stringMatching(/^[0-9A-Za-z]{32}$/)
})

describe("an API key", () => {
  it("parses back to the parts that it was created from", () => {
    FastCheck.assert(
      FastCheck.property(token, (token) => {
        const key = ApiKey.format(token)
        expect(key).toMatch(/^tb_(live|test)_[0-9A-Za-z]{50}$/)
        expect(key.startsWith(`tb_${token.mode}_${token.id}${token.secret}`)).toBe(true)
        expect(ApiKey.parse(key)).toEqual(token)
      }),
      { numRuns: 300 }
    )
  })

  it("ends with a checksum that secret scanners can verify", () => {
    FastCheck.assert(
      FastCheck.property(token, (token) => {
        const key = ApiKey.format(token)
        const digits = Array.from(key.slice(-6), (digit) => base62.indexOf(digit))
        expect(digits.reduce((sum, digit) => sum * 62 + digit, 0)).toBe(crc32(key.slice(0, -6)))
      }),
      { numRuns: 300 }
    )
  })

  it("is rejected if any single character is changed", () => {
    FastCheck.assert(
      FastCheck.property(token, FastCheck.constantFrom(...base62, "_", "-", " ", "é"), (token, other) => {
        const key = ApiKey.format(token)
        for (let at = 0; at < key.length; at++) {
          const changedKey = key.slice(0, at) + other + key.slice(at + 1)
          expect(changedKey === key || ApiKey.parse(changedKey) === undefined).toBe(true)
        }
      }),
      { numRuns: 200 }
    )
  })

  it("is rejected if characters are swapped, added, or removed", () => {
    FastCheck.assert(
      FastCheck.property(token, FastCheck.nat(57), (token, at) => {
        const key = ApiKey.format(token)
        const swappedKey = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
        for (
          const changedKey of [swappedKey, key.slice(0, at) + key.slice(at + 1), `${key.slice(0, at)}0${key.slice(at)}`]
        ) {
          expect(changedKey === key || ApiKey.parse(changedKey) === undefined).toBe(true)
        }
        for (const changedKey of [`${key} `, ` ${key}`, `${key}\n`, key.toUpperCase(), `Bearer ${key}`]) {
          expect(ApiKey.parse(changedKey)).toBeUndefined()
        }
      }),
      { numRuns: 300 }
    )
  })

  it("is never parsed from text that is not a key", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: codePoint, maxLength: 80 }), (text) => {
        expect(ApiKey.parse(text)).toBeUndefined()
      })
    )
    for (const text of ["", "tb_live_", "tb_prod_" + "0".repeat(50), "0".repeat(1_000_000)]) {
      expect(ApiKey.parse(text)).toBeUndefined()
    }
  })
})

describe("two digests", () => {
  const digest = FastCheck.stringMatching(/^[0-9a-f]{64}$/)

  it("are equal only if all of their characters are equal", () => {
    FastCheck.assert(
      FastCheck.property(digest, digest, FastCheck.nat(63), (a, b, at) => {
        expect(ApiKey.isEqualDigest(a, a)).toBe(true)
        expect(ApiKey.isEqualDigest(a, b)).toBe(a === b)
        const changedDigest = a.slice(0, at) + (a[at] === "0" ? "1" : "0") + a.slice(at + 1)
        expect(ApiKey.isEqualDigest(a, changedDigest)).toBe(false)
        for (const other of [a.slice(1), `${a}0`, "", a.toUpperCase() === a ? "x" : a.toUpperCase()]) {
          expect(ApiKey.isEqualDigest(a, other)).toBe(false)
        }
      }),
      { numRuns: 500 }
    )
    expect(ApiKey.isEqualDigest("", "")).toBe(true)
  })
})
