/** Counts how many times a 50 MB form's bytes are copied before its files are stored. */
import { Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import { afterEach, assert, describe, it, vi } from "vitest"
import { makeMultipartFormBody } from "../src/request/multipartFormBody.ts"

const mebibyte = 1024 * 1024

const kind = makeMultipartFormBody({
  field: "files",
  maxBytes: 50 * mebibyte,
  tooLarge: new Refusal({ code: "too_large", message: "Too large." })
})

const head = "--boundary\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.jpg\"\r\n\r\n"

const requestOf = (whole: Buffer, chunkBytes: number): Request => {
  let at = 0
  return new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=boundary" },
    duplex: "half",
    body: new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= whole.length) return controller.close()
        controller.enqueue(whole.subarray(at, at += chunkBytes))
      }
    })
  } as RequestInit)
}

/** Counts the copied bytes. */
const countCopies = () => {
  const counter = { bytes: 0 }
  const set: Uint8Array["set"] = Reflect.get(Uint8Array.prototype, "set")
  const slice: Uint8Array["slice"] = Reflect.get(Uint8Array.prototype, "slice")
  const concat: typeof Buffer.concat = Reflect.get(Buffer, "concat")
  vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function(this: Uint8Array, from, at) {
    counter.bytes += from.length
    return set.call(this, from, at)
  })
  vi.spyOn(Uint8Array.prototype, "slice").mockImplementation(function(this: Uint8Array, from, to) {
    const copy = slice.call(this, from, to)
    counter.bytes += copy.length
    return copy
  })
  vi.spyOn(Buffer, "concat").mockImplementation((list, length) => {
    const copy = concat.call(Buffer, list, length)
    counter.bytes += copy.length
    return copy
  })
  return counter
}

describe("the files of an uploaded form", () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each([["random bytes", undefined], ["line breaks", 13]] as const)(
    "are copied at most twice: %s",
    async (_, fill) => {
      const file = Buffer.alloc(2 * mebibyte)
      if (fill === undefined) { for (let at = 0; at < file.length; at++) file[at] = (at * 2_654_435_761) >>> 13 }
      else file.fill(fill)
      const whole = Buffer.concat(
        [head, "\r\n", head, "\r\n--boundary--"].flatMap((text, at) =>
          at % 2 === 0 ? [Buffer.from(text), file] : [Buffer.from(text)]
        )
      )
      const counter = countCopies()
      const files = await Effect.runPromise(
        kind.within(requestOf(whole, 65_536), (form) => Effect.succeed(form.files.map(({ bytes }) => bytes)))
      )
      const { bytes } = counter
      vi.restoreAllMocks()
      for (const file of files) {
        assert.strictEqual(file.byteLength, 2 * mebibyte)
        // The file fills its buffer, so a thread can take ownership of the buffer without another copy.
        assert.strictEqual(file.buffer.byteLength, file.byteLength)
      }
      assert.isTrue(files.every((bytes) => file.equals(bytes)))
      // Line breaks at the end of a chunk can be the start of a boundary, so the chunk is joined with the next one.
      assert.isAtMost(bytes, (fill === undefined ? 1.1 : 2.1) * whole.length)
    }
  )

  it("are parsed correctly from one-byte chunks", async () => {
    const whole = Buffer.concat([Buffer.from(head), Buffer.alloc(100_000, 7), Buffer.from("\r\n--boundary--")])
    const files = await Effect.runPromise(
      kind.within(requestOf(whole, 1), (form) => Effect.succeed(form.files.map(({ bytes }) => bytes)))
    )
    assert.deepStrictEqual(files.map(({ length }) => length), [100_000])
  })
})
