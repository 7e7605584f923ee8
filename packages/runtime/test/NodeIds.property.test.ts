import { Ids } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { Buffer } from "node:buffer"
import { describe, expect, it } from "vitest"
import { makeIds, makeRandomByteSource } from "../src/makeIds.ts"
import * as NodeIds from "../src/NodeIds.ts"

const ids = Effect.runSync(Effect.provide(Ids, NodeIds.layer))

/**
 * Creates an ID generator with repeating random bytes. Its clock returns the times in `moments` and then repeats the
 * last one.
 */
const from = (bytes: ReadonlyArray<number>, moments: ReadonlyArray<number> = [0]) => {
  let at = 0
  let reads = 0
  return makeIds({
    bytes: (n) => Uint8Array.from({ length: n }, () => bytes[at++ % bytes.length] ?? 0),
    now: () => moments[Math.min(reads++, moments.length - 1)] ?? 0
  })
}

const someBytes = FastCheck.array(FastCheck.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 64 })
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const millisOf = (uuid: string): number => Number.parseInt(uuid.replace("-", "").slice(0, 12), 16)

describe("an ID", () => {
  it("is a version 7 UUID that contains the creation time", () => {
    const before = Date.now()
    const uuids = Array.from({ length: 1000 }, ids.uuid)
    expect(uuids.filter((id) => !uuidPattern.test(id))).toEqual([])
    expect(millisOf(uuids[0] ?? "")).toBeGreaterThanOrEqual(before)
  })

  it("is greater than the previous ID even if the clock moves backward", () => {
    const aroundNow = FastCheck.integer({ min: 1_700_000_000_000, max: 1_700_000_000_020 })
    FastCheck.assert(
      FastCheck.property(someBytes, FastCheck.array(aroundNow, { minLength: 2, maxLength: 200 }), (bytes, moments) => {
        const { uuid } = from(bytes, moments)
        const uuids = moments.map(() => uuid())
        expect(uuids).toEqual([...uuids].sort())
        expect(new Set(uuids).size).toBe(uuids.length)
        expect(uuids.every((id) => uuidPattern.test(id))).toBe(true)
      })
    )
  })

  it("is greater than the previous ID after a counter overflow", () => {
    const { uuid } = from([255], [1_700_000_000_000])
    const uuids = Array.from({ length: 20_000 }, uuid)
    expect(new Set(uuids).size).toBe(uuids.length)
    expect(uuids).toEqual([...uuids].sort())
    // The counter starts below its midpoint, so each borrowed millisecond has room for at least 2048 IDs.
    expect(millisOf(uuids.at(-1) ?? "") - 1_700_000_000_000).toBeLessThanOrEqual(20_000 / 2048)
  })

  it("contains every random bit from its source", () => {
    FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
      const uuid = from([...bytes])
        .uuid().replaceAll("-", "")
      const [first = 0, ...rest] = bytes.subarray(0, 8)
      expect(uuid.slice(16)).toBe(Buffer.from([first & 0x3f | 0x80, ...rest]).toString("hex"))
    }))
  })
})

describe("a reference", () => {
  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

  it("encodes 40 bits in Crockford's base 32", () => {
    FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ minLength: 5, maxLength: 5 }), (bytes) => {
      let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
      let expected = ""
      for (let place = 0; place < 8; place++) {
        expected = (digits[Number(rest % 32n)] ?? "") + expected
        rest /= 32n
      }
      expect(from([...bytes]).reference()).toBe(expected)
    }))
  })

  it("has eight unambiguous characters", () => {
    const references = Array.from({ length: 10_000 }, ids.reference)
    expect(references.filter((reference) => !/^[0-9A-HJKMNP-TV-Z]{8}$/.test(reference))).toEqual([])
    expect(new Set(references).size).toBe(references.length)
  })
})

it("a handle encodes the millisecond and 128 random bits in base64url", () => {
  FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
    const at = 1_800_000_000_000
    const handle = from([...bytes], [at]).handle()
    expect(handle).toMatch(/^[\w-]{30}$/)
    const decoded = Buffer.from(handle, "base64url")
    expect(decoded.readUIntBE(0, 6)).toBe(at)
    expect(Uint8Array.from(decoded.subarray(6))).toEqual(bytes)
  }))
})

describe("a token", () => {
  it("has the requested length, in base62", () => {
    FastCheck.assert(FastCheck.property(FastCheck.integer({ min: 0, max: 3000 }), (length) => {
      expect(ids.token(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
    }))
  })

  it("contains each digit with equal probability", () => {
    const every = Array.from({ length: 256 }, (_, byte) => byte)
    const counts = new Map<string, number>()
    for (const digit of from(every).token(496)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    expect(counts.size).toBe(62)
    expect(new Set(counts.values())).toEqual(new Set([8]))
  })
})

it("a digest is the SHA-256 hash of the UTF-8 text in lowercase hex", () => {
  // "abc" is the example in FIPS 180-4. The third digest is for the bytes 0xc3 0xbc.
  expect(ids.digest("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  expect(ids.digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  expect(ids.digest("ü")).toBe("607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f")
})

describe("the random pool", () => {
  it("returns every byte only once, even across refills", () => {
    const sizes = FastCheck.array(FastCheck.integer({ min: 1, max: 1024 }), { minLength: 1, maxLength: 100 })
    FastCheck.assert(FastCheck.property(sizes, (sizes) => {
      const take = makeRandomByteSource()
      let end = Infinity
      for (const size of sizes) {
        const slice = take(size)
        expect(slice.length).toBe(size)
        // The slice continues after the previous one, or starts at the front after a refill.
        expect([end, 0]).toContain(slice.byteOffset)
        end = slice.byteOffset + size
      }
    }))
  })

  it("refills when it is used up", () => {
    const take = makeRandomByteSource()
    const first = Buffer.from(take(1024)).toString("hex")
    const later = Array.from({ length: 64 }, () => Buffer.from(take(1024)).toString("hex"))
    expect(later).not.toContain(first)
    expect(new Set(later).size).toBe(later.length)
  })
})
