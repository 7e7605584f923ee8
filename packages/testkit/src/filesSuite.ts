/** The contract for `Files` adapters as a test suite. One call registers the tests for an adapter. */
import { describe, it } from "@effect/vitest"
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import { Files } from "@trailbook/core/file"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type LawSteps, makeLaw } from "./law/Law.ts"
import { newId } from "./law/seedOrg.ts"

/** Registers one test per law. The `Files` adapter can already contain other files. */
export const filesSuite = <E>(
  name: string,
  layer: Layer.Layer<Files, E>,
  { runs = 20, timeoutMs = 60_000 }: { readonly runs?: number; readonly timeoutMs?: number } = {}
): void => {
  describe(name, () => {
    for (const { check, key, title } of filesLaws) {
      it.live(`${key}: ${title}`, () => Effect.provide(check(runs), layer), timeoutMs)
    }
  })
}

interface FilesLaw {
  readonly key: `files/${string}`
  readonly title: string
  /** Dies with a `LawFailed` if the rule is broken. */
  readonly check: (runs: number) => Effect.Effect<void, never, Files>
}

const { get, put, remove } = Effect.serviceFunctions(Files)

const law = (key: FilesLaw["key"], title: string, check: (runs: number) => LawSteps<unknown, Files>): FilesLaw =>
  makeLaw(key, title, check)

/** Returns a key that consists of two IDs, the way core builds it. */
const makeKey = (): string => `${newId()}/${newId()}`

const contents: FastCheck.Arbitrary<Uint8Array> = FastCheck.oneof(
  FastCheck.uint8Array({ maxLength: 300 }),
  // Contents that may exceed any read buffer.
  FastCheck.tuple(FastCheck.integer({ min: 1, max: 400_000 }), FastCheck.nat(255)).map(([length, byte]) =>
    Uint8Array.from({ length }, (_, at) => at * byte)
  )
)

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const collect = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const response = new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>)
  return new Uint8Array(await response.arrayBuffer())
}

/** Compares bytes directly, because `assert` takes a second to compare half a megabyte of numbers. */
const haveSameBytes = (first: Uint8Array | undefined, second: Uint8Array | undefined): boolean =>
  first === undefined || second === undefined
    ? first === second
    : first.length === second.length && first.every((byte, at) => byte === second[at])

const assertStored = (key: string, bytes: Uint8Array | undefined) =>
  Effect.map(
    readStored(key),
    (storedBytes) =>
      assert.isTrue(haveSameBytes(storedBytes, bytes), `${key}: ${storedBytes?.length} bytes, not ${bytes?.length}`)
  )

/** Returns the contents for a key, or undefined. */
const readStored = (key: string) =>
  Effect.flatMap(
    get(key),
    (stream) => Option.isNone(stream) ? Effect.succeed(undefined) : Effect.promise(() => collect(stream.value))
  )

export const filesLaws: ReadonlyArray<FilesLaw> = [
  law("files/whole", "returns a stored file of any length unchanged", function*(runs) {
    for (const bytes of FastCheck.sample(contents, runs)) {
      const key = makeKey()
      yield* assertStored(key, undefined)
      yield* put(key, bytes)
      yield* assertStored(key, bytes)
    }
  }),

  law(
    "files/replace",
    "replaces only the file that is stored again",
    function*() {
      const key = makeKey()
      const [longer, shorter] = [`${key}-a`, key.slice(0, -1)]
      yield* Effect.forEach([key, longer, shorter], (name) => put(name, toBytes(name)))
      yield* put(key, toBytes("again"))
      yield* assertStored(key, toBytes("again"))
      yield* assertStored(longer, toBytes(longer))
      yield* assertStored(shorter, toBytes(shorter))
    }
  ),

  law(
    "files/remove",
    "removes only the given file, and does nothing if it was already removed",
    function*() {
      const [key, other] = [makeKey(), makeKey()]
      yield* remove(key)
      yield* put(key, toBytes("one"))
      yield* put(other, toBytes("two"))
      yield* remove(key)
      yield* remove(key)
      yield* assertStored(key, undefined)
      yield* assertStored(other, toBytes("two"))
      yield* put(key, toBytes("back"))
      yield* assertStored(key, toBytes("back"))
    }
  ),

  law(
    "files/never-half",
    "returns either the complete old file or the complete new file to a concurrent reader",
    function*(runs) {
      const key = makeKey()
      const [one, two] = [new Uint8Array(200_000).fill(0x31), new Uint8Array(300_000).fill(0x32)]
      yield* put(key, one)
      const write = Effect.forEach(
        Array.from({ length: runs }, (_, n) => n % 2 === 0 ? two : one),
        (bytes) => put(key, bytes)
      )
      const writer = yield* Effect.fork(write)
      const reads: Array<Uint8Array | undefined> = []
      while (Option.isNone(yield* Fiber.poll(writer)) || reads.length === 0) {
        reads.push(yield* readStored(key))
        yield* yieldToEventLoop
      }
      yield* Fiber.join(writer)
      for (const bytes of reads) {
        assert.isTrue(haveSameBytes(bytes, one) || haveSameBytes(bytes, two), "a half was read")
      }
    }
  ),

  law(
    "files/interrupted",
    "stores either the complete file or nothing when a write is interrupted",
    function*(runs) {
      const bytes = new Uint8Array(500_000).fill(0x33)
      for (let turns = 0; turns < runs; turns++) {
        const key = makeKey()
        const writer = yield* Effect.fork(put(key, bytes))
        for (let n = 0; n < turns; n++) yield* yieldToEventLoop
        yield* Fiber.interrupt(writer)
        const storedBytes = yield* readStored(key)
        assert.isTrue(storedBytes === undefined || haveSameBytes(storedBytes, bytes), "a half is kept")
      }
    }
  ),

  law("files/given-up", "keeps the complete file when a reader stops early", function*() {
    const key = makeKey()
    yield* put(key, new Uint8Array(300_000).fill(0x33))
    for (const pieces of [0, 1, 2]) {
      const stream = Option.getOrThrow(yield* get(key))
      yield* Effect.promise(async () => {
        const reader = stream.getReader()
        for (let n = 0; n < pieces; n++) await reader.read()
        await reader.cancel()
      })
    }
    yield* assertStored(key, new Uint8Array(300_000).fill(0x33))
    yield* remove(key)
  }),

  law(
    "files/at-once",
    "stores, reads, and removes many files concurrently without affecting other files",
    function*() {
      const org = newId()
      const files = Array.from({ length: 40 }, (_, n) => ({ key: `${org}/${newId()}`, bytes: toBytes(`file ${n}`) }))
      yield* Effect.forEach(files, ({ bytes, key }) =>
        Effect.gen(function*() {
          yield* put(key, bytes)
          yield* assertStored(key, bytes)
          yield* remove(key)
          yield* assertStored(key, undefined)
        }), { concurrency: "unbounded", discard: true })
    }
  )
]
