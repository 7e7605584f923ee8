/** These tests need a build, because the thread loads the built module. */
import { it } from "@effect/vitest"
import { Attachments, FileSanitizer, stripMetadata } from "@trailbook/core/file"
import * as SanitizerThread from "@trailbook/files/SanitizerThread"
import * as MemoryStorage from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert } from "vitest"

const chunk = (name: string, bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, Buffer.from(name), bytes, Buffer.alloc(4)])
}

/** Returns a PNG with a location in a text chunk. */
const picture = (bytes: number): Uint8Array =>
  new Uint8Array(Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", Buffer.alloc(13)),
    chunk("tEXt", Buffer.from("38.5347N 105.9989W")),
    chunk("IDAT", Buffer.alloc(bytes, 7)),
    chunk("IEND", Buffer.alloc(0))
  ]))

it.scoped("strips metadata in a worker thread exactly as on the main thread", () =>
  Effect.gen(function*() {
    const cleaner = yield* SanitizerThread.make({ minBytes: 0 })
    const results = yield* Effect.forEach([10, 100_000, 1_000_000, 20], (bytes) => {
      const upload = picture(bytes)
      return Effect.map(cleaner.clean("image/png", upload), (cleaned) => {
        assert.lengthOf(upload, 0)
        return [cleaned, stripMetadata("image/png", picture(bytes))] as const
      })
    }, { concurrency: "unbounded" })
    for (const [cleaned, expected] of results) {
      assert.isTrue(Buffer.from(cleaned ?? []).equals(expected ?? Buffer.alloc(1)))
    }
    assert.isUndefined(yield* cleaner.clean("image/png", picture(10).slice(0, 40)))
  }))

it.scoped("leaves the rest of a shared buffer unchanged", () =>
  Effect.gen(function*() {
    const cleaner = yield* SanitizerThread.make({ minBytes: 0 })
    const whole = Buffer.concat([picture(100), Buffer.from("other")])
    yield* cleaner.clean("image/png", whole.subarray(0, -5))
    assert.strictEqual(whole.subarray(-5).toString(), "other")
  }))

it.scoped("fails for each picture if the thread cannot start", () =>
  Effect.gen(function*() {
    const cleaner = yield* SanitizerThread.make({ minBytes: 0, module: "@trailbook/files/nowhere" })
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.strictEqual((yield* Effect.flip(cleaner.clean("image/png", picture(10))))._tag, "SanitizerFailed")
    }
  }))

it.effect("cleans uploads with the host application's own cleaner", () => {
  const sizes: Array<number> = []
  const cleaner = Layer.succeed(
    FileSanitizer,
    FileSanitizer.of({
      clean: (_, bytes) =>
        Effect.sync(() => {
          sizes.push(bytes.length)
          return undefined
        })
    })
  )
  return Effect.gen(function*() {
    const { keep } = yield* Attachments
    const bytes = picture(1000)
    const refusal = yield* Effect.flip(keep({ orgId: "org", name: "a.png", bytes }))
    assert.strictEqual(refusal.code, "invalid_request")
    assert.deepStrictEqual(sizes, [bytes.length])
  }).pipe(
    Effect.provide(Layer.provide(
      Attachments.layer,
      Layer.mergeAll(MemoryStorage.layer, TestIds.layer(1), FakeFiles.layer, cleaner)
    ))
  )
})
