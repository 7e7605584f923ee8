import { Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { threadTimeMs } from "../../../test/threadTime.ts"
import { makeUploadBody, type UploadedFile } from "../src/request/uploadBody.ts"

const boundary = "b--b"
const maxBytes = 1000

const form = makeUploadBody({
  field: "file",
  maxBytes,
  tooLarge: new Refusal({ code: "too_large", message: "Too large." })
})

const sendPieces = (
  pieces: ReadonlyArray<Uint8Array>,
  type = `multipart/form-data; boundary=${boundary}`
): Promise<Either.Either<UploadedFile, Refusal>> => {
  const remainingPieces = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = remainingPieces.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    }
  })
  const headers = { "content-type": type }
  const request = new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as RequestInit)
  return Effect.runPromise(Effect.either(form.within(request, Effect.succeed)))
}

/** Arbitrary bytes, boundary fragments, and text that looks like a boundary. */
const bytes = FastCheck.oneof(
  FastCheck.uint8Array({ maxLength: 40 }).map((all) => Buffer.from(all)),
  FastCheck.constantFrom("\r\n", "\r\n--", "\r\n--b", "--b--b", "\r\n--b--", "\r", "\n", "-", "\r\n\r\n", "\r\r\n").map(
    (text) => Buffer.from(text)
  )
)

const file = FastCheck.array(bytes, { minLength: 1, maxLength: 6 }).map((all) => Buffer.concat(all)).filter((all) =>
  all.length > 0 && !Buffer.concat([Buffer.from("\r\n"), all]).includes(`\r\n--${boundary}`)
)

const name = FastCheck.constantFrom("a.jpg", "naïve.jpg", "写真.jpg", "a b.jpg", "")

const head = FastCheck.constantFrom("", "Content-Type: image/jpeg\r\n", "X: \r\nContent-Type: a;\r\n b\r\n")

const writeForm = (
  part: { readonly head: string; readonly name: string; readonly file: Uint8Array },
  before = "",
  after = ""
) =>
  Buffer.concat([
    Buffer.from(before),
    Buffer.from(
      `--${boundary}\r\n${part.head}Content-Disposition: form-data; name="file"; filename="${part.name}"\r\n\r\n`
    ),
    part.file,
    Buffer.from(`\r\n--${boundary}--${after}`)
  ])

const inPieces = (all: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (all.length + 1)), all.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, at) => all.subarray(places[at], end))
}

it("the upload parser parses any file, however it is split into chunks", () =>
  FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.record({ head, name, file }),
      FastCheck.constantFrom("", "before\r\n", "\r\n"),
      FastCheck.constantFrom("", "\r\n", "after"),
      FastCheck.array(FastCheck.nat(), { maxLength: 20 }),
      async (part, before, after, cuts) => {
        const all = writeForm(part, before, after)
        for (const pieces of [[all], inPieces(all, cuts), [...all].map((byte) => Uint8Array.of(byte))]) {
          const { bytes, name } = Either.getOrThrow(await sendPieces(pieces))
          assert.strictEqual(name, part.name)
          assert.strictEqual(Buffer.from(bytes).toString("hex"), Buffer.from(part.file).toString("hex"))
        }
      }
    ),
    { numRuns: runs(300, 60) }
  ))

it("the upload parser refuses input only as invalid or too large", () =>
  FastCheck.assert(
    FastCheck.asyncProperty(FastCheck.array(bytes), FastCheck.array(bytes), file, async (some, others, content) => {
      const line = Buffer.from(`--${boundary}`)
      const whole = writeForm({ head: "", name: "a", file: content })
      for (const pieces of [[...some, line, ...others, line, ...some], [...some, whole, ...others], [whole, ...some]]) {
        const answer = await sendPieces(pieces)
        if (Either.isLeft(answer)) assert.include(["invalid_request", "too_large"], answer.left.code)
      }
    }),
    { numRuns: runs(500, 100) }
  ))

it("the upload parser refuses a form that is truncated at any byte", async () => {
  const all = writeForm({ head: "", name: "a.jpg", file: Buffer.from("xyz") })
  for (let length = 0; length < all.length; length++) {
    assert.isTrue(Either.isLeft(await sendPieces([all.subarray(0, length)])), String(length))
  }
})

it("the upload parser accepts a file of exactly the maximum size", async () => {
  const of = (length: number) => sendPieces([writeForm({ head: "", name: "a", file: Buffer.alloc(length, "x") })])
  assert.strictEqual(Either.getOrThrow(await of(maxBytes)).bytes.length, maxBytes)
  const { code } = Either.getOrThrow(Either.flip(await of(maxBytes + 1)))
  assert.strictEqual(code, "too_large")
})

it("the upload parser refuses adversarial input quickly", async () => {
  const began = threadTimeMs()
  for (const hard of ["A", " ", "\r\n--b-", "\r\n", "--", "A: 1\r\n"]) {
    for (const before of [`--${boundary}\r\n`, `--${boundary}`, "", `--${boundary}\r\n\r\n`]) {
      assert.isTrue(
        Either.isLeft(await sendPieces([Buffer.from(before), Buffer.alloc(60_000, hard), Buffer.alloc(60_000, hard)]))
      )
    }
  }
  assert.isBelow(threadTimeMs() - began, 5000)
})

it("the upload parser parses a form's boundary in every valid notation", async () => {
  const all = writeForm({ head: "", name: "a", file: Buffer.from("x") })
  for (
    const type of [
      `multipart/form-data; charset=utf-8; Boundary="${boundary}"`,
      `Multipart/Form-Data;boundary=${boundary}`
    ]
  ) {
    assert.isTrue(Either.isRight(await sendPieces([all], type)))
  }
  for (const type of ["multipart/form-data", `multipart/form-data; boundary="${"x".repeat(71)}"`]) {
    assert.match(Either.getOrThrow(Either.flip(await sendPieces([all], type))).message, /no boundary/)
  }
})
