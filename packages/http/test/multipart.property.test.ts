import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"
import { boundaryOf, headerOf, Multipart } from "../src/multipart.ts"

interface Part {
  readonly head: string
  readonly body: Buffer
}

const boundary = "b--b"

/** What is nearly a boundary, and pieces of one. */
const bytes = FastCheck.oneof(
  FastCheck.uint8Array({ maxLength: 40 }).map((all) => Buffer.from(all)),
  FastCheck.constantFrom("\r\n", "\r\n--", "\r\n--b", "--b--b", "\r\n--b--", "\r", "\n", "-", "\r\n\r\n", "\r\r\n").map(
    (text) => Buffer.from(text)
  )
)
const body = FastCheck.array(bytes, { maxLength: 6 }).map((all) => Buffer.concat(all)).filter((all) =>
  !all.includes(`\r\n--${boundary}`) && !Buffer.concat([Buffer.from("\r\n"), all]).includes(`\r\n--${boundary}`)
)
const head = FastCheck.array(FastCheck.constantFrom("A: 1", "Content-Disposition: form-data", "x:y"), { maxLength: 3 })
  .map((lines) => lines.join("\r\n"))
const parts = FastCheck.array(FastCheck.record({ head, body }), { maxLength: 4 })

const written = (parts: ReadonlyArray<Part>, before: Buffer, padding: string, after: Buffer): Buffer =>
  Buffer.concat([
    before,
    ...parts.flatMap(({ body, head }) => [
      Buffer.from(`--${boundary}${padding}\r\n${head === "" ? "" : `${head}\r\n`}\r\n`),
      body,
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--`),
    after
  ])

const told = (pieces: ReadonlyArray<Uint8Array>) => {
  const heard: Array<{ head: string; body: Buffer }> = []
  const wrong: Array<string> = []
  const form = new Multipart(boundary, {
    onPart: (head) => {
      const part = { head, body: Buffer.alloc(0) }
      heard.push(part)
      return (bytes) => {
        part.body = Buffer.concat([part.body, bytes])
      }
    },
    onWrong: (message) => void wrong.push(message)
  })
  for (const piece of pieces) form.write(piece)
  return { heard, wrong, isOver: form.isOver }
}

const inPieces = (all: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (all.length + 1)), all.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, at) => all.subarray(places[at], end))
}

it("a form is its parts, in whatever pieces it comes and whatever is in them", () => {
  FastCheck.assert(
    FastCheck.property(
      parts,
      FastCheck.constantFrom("", "before\r\n", "\r\n"),
      FastCheck.constantFrom("", " ", "\t "),
      bytes,
      FastCheck.array(FastCheck.nat(), { maxLength: 20 }),
      (parts, before, padding, after, cuts) => {
        const all = written(parts, Buffer.from(before), padding, after)
        for (const pieces of [[all], inPieces(all, cuts), [...all].map((byte) => Uint8Array.of(byte))]) {
          const { heard, isOver, wrong } = told(pieces)
          assert.deepStrictEqual(wrong, [])
          assert.isTrue(isOver)
          assert.deepStrictEqual(
            heard.map(({ body, head }) => ({ head: head.replace(/^\r\n/, ""), body: body.toString("latin1") })),
            parts.map(({ body, head }) => ({ head, body: body.toString("latin1") }))
          )
        }
      }
    ),
    { numRuns: 500 }
  )
})

it("whatever comes in the place of a form, all of it is taken or refused", () => {
  FastCheck.assert(FastCheck.property(FastCheck.array(bytes), FastCheck.array(bytes), (some, others) => {
    const line = Buffer.from(`--${boundary}`)
    const { heard, wrong } = told([...some, line, ...others, line, ...some])
    assert.isAtMost(wrong.length, 1)
    assert.isAtMost(heard.length, 3)
  }))
})

it("a form without an end is not over", () => {
  const all = written([{ head: "A: 1", body: Buffer.from("x") }], Buffer.alloc(0), "", Buffer.alloc(0))
  for (let length = 0; length < all.length; length++) assert.isFalse(told([all.subarray(0, length)]).isOver)
})

it("a head or a line that does not end is refused, and what was hard to search is searched quickly", () => {
  const began = performance.now()
  assert.lengthOf(told([Buffer.from(`--${boundary}\r\n`), Buffer.alloc(20_000, "A")]).wrong, 1)
  assert.lengthOf(told([Buffer.from(`--${boundary}`), Buffer.alloc(20_000, " ")]).wrong, 1)
  assert.lengthOf(told([Buffer.from(`--${boundary}x\r\n`)]).wrong, 1)
  assert.lengthOf(told([Buffer.from(`--${boundary}\r\n\r\n`), Buffer.alloc(5_000_000, "\r\n--b-")]).wrong, 0)
  assert.isBelow(performance.now() - began, 3000)
})

it("the boundary and a header are found as they are written", () => {
  assert.strictEqual(boundaryOf("multipart/form-data; boundary=----x"), "----x")
  assert.strictEqual(boundaryOf("multipart/form-data; charset=utf-8; Boundary=\"a b\""), "a b")
  assert.isUndefined(boundaryOf("multipart/form-data"))
  assert.isUndefined(boundaryOf(`multipart/form-data; boundary="${"x".repeat(71)}"`))
  assert.strictEqual(headerOf("\r\nA: 1\r\ncontent-DISPOSITION:  x: y ", "content-disposition"), "x: y")
  assert.isUndefined(headerOf("", "a"))
})
