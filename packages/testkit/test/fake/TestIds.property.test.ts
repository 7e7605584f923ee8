import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { text } from "@trailbook/testkit/generator/text"
import * as FastCheck from "effect/FastCheck"
import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"

const many = <A>(draw: () => A): ReadonlyArray<A> => Array.from({ length: 2000 }, draw)

describe("TestIds", () => {
  it("returns the same IDs only for the same seed", () => {
    const draw = (seed: number) => {
      const ids = TestIds.make(seed)
      return [ids.uuid(), ids.reference(), ids.handle(), ids.token(32), ids.uuid()]
    }
    assert.deepStrictEqual(draw(7), draw(7))
    assert.isEmpty(draw(7).filter((id) => draw(8).includes(id)))
  })

  it("creates unique version 7 UUIDs in ascending order", () => {
    const ids = many(TestIds.make(1).uuid)
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.deepStrictEqual(ids, ids.toSorted())
  })

  it("creates references, handles, and tokens in the required formats", () => {
    const ids = TestIds.make(2)
    for (const reference of many(ids.reference)) assert.match(reference, /^[0-9A-HJKMNP-TV-Z]{8}$/)
    for (const handle of many(ids.handle)) assert.match(handle, /^[\w-]{30}$/)
    for (const length of [0, 1, 12, 32]) assert.match(ids.token(length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
  })

  it("computes a SHA-256 digest", () => {
    const { digest } = TestIds.make(0)
    const lengths = FastCheck.nat({ max: 200 }).map((length) => "é".repeat(length))
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(text(500), lengths), (input) => {
        assert.strictEqual(digest(input), createHash("sha256").update(input).digest("hex"))
      }),
      { numRuns: 300 }
    )
  })
})
