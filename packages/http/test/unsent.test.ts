import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { streamReply } from "../src/response/streamReply.ts"
import { make } from "../src/response/UnsentByteTracker.ts"

/** Creates a holder that keeps its unread bytes until it is aborted. */
const holder = (source: unknown) => {
  const held = { bytes: 0, gaveWay: false }
  const abort = () => {
    held.bytes = 0
    held.gaveWay = true
  }
  return { held, holder: { source, bytes: () => held.bytes, abort } }
}

describe("the limit for unread bytes", () => {
  it("closes the largest connection of the source with most bytes", () => {
    const unsent = make(100)
    const all = ["a", "a", "a", "b"].map((source) => holder(source))
    for (const { holder } of all) unsent.add(holder)
    for (const [at, bytes] of [20, 30, 20, 35].entries()) {
      const { held } = all[at] ?? assert.fail()
      held.bytes = bytes
      unsent.recordGrowth(bytes)
    }
    assert.deepStrictEqual(all.map(({ held }) => held.gaveWay), [false, true, false, false])
  })

  it("does not count bytes already read or connections removed", () => {
    const unsent = make(100)
    const { held, holder: reader } = holder("a")
    unsent.add(reader)
    for (let piece = 0; piece < 50; piece++) {
      held.bytes = 90
      unsent.recordGrowth(90)
      held.bytes = 0
    }
    const { held: removedState, holder: removedHolder } = holder("b")
    const remove = unsent.add(removedHolder)
    removedState.bytes = 500
    remove()
    unsent.recordGrowth(500)
    assert.isFalse(held.gaveWay || removedState.gaveWay)
  })

  it("aborts the long responses of the largest org first", async () => {
    const makers = { ended: 0 }
    const end = Effect.sync(() => void makers.ended++)
    const megabytes = (count: number, orgId: string) =>
      Effect.runPromise(streamReply(
        200,
        (emit) =>
          Effect.forEach(Array.from({ length: 16 * count }), () => emit({ name: "data", rows: ["a".repeat(65_536)] }), {
            discard: true
          }).pipe(Effect.ensuring(end)),
        Infinity,
        orgId
      ))
    const replies = [await megabytes(40, "busy"), await megabytes(15, "quiet"), await megabytes(15, "quiet")]
    while (makers.ended < 3) await new Promise((resolve) => setImmediate(resolve))
    const ends = await Promise.all(replies.map(async ({ body }) => {
      if (typeof body !== "object" || body === null) return "complete"
      let length = 0
      try {
        for (let piece = await body.next(); piece !== undefined; piece = await body.next()) length += piece.length
        return "complete"
      } catch {
        return "broken off"
      }
    }))
    assert.deepStrictEqual(ends, ["broken off", "complete", "complete"])
  })
})
