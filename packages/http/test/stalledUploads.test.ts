/** Uploads that send a little and stall. They keep their bytes in memory, and time out. */
import { Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { assert, describe, it } from "vitest"
import * as MemoryBudget from "../src/MemoryBudget.ts"
import { multipartForm } from "../src/multipartForm.ts"
import { upload } from "../src/upload.ts"

const mebibyte = 1024 * 1024
const tooLarge = new Refusal({ code: "too_large", message: "Too large." })
const kinds = {
  upload: upload({ field: "file", maxBytes: 10 * mebibyte, tooLarge }),
  form: multipartForm({ field: "file", maxBytes: 50 * mebibyte, tooLarge })
}

const head = "--b--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\n"

const requestOf = (text: string, isWhole: boolean): Request =>
  new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b--b" },
    duplex: "half",
    body: new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from(text))
        if (isWhole) controller.close()
      }
    })
  } as RequestInit)

const turns = Effect.forEach(Array.from({ length: 20 }), () => Effect.promise(() => new Promise(setImmediate)))

describe.each(["upload", "form"] as const)("a stalled %s", (kind) => {
  const read = (request: Request, owner: string) =>
    kind === "upload"
      ? Effect.asVoid(kinds.upload.within(request, Effect.succeed, [owner]))
      : Effect.asVoid(kinds.form.within(request, Effect.succeed, [owner]))

  it("leaves capacity for other uploads, and is refused after 10 seconds", () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const stalled = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, n) => `network ${n % 3}`),
          (owner) => Effect.fork(Effect.either(read(requestOf(`${head}x`, false), owner)))
        )
        yield* turns
        yield* read(requestOf(`${head}photo\r\n--b--b--`, true), "network 9")
        yield* TestClock.adjust("10 seconds")
        for (const answer of yield* Fiber.join(Fiber.all(stalled))) {
          assert.strictEqual(Either.getOrThrow(Either.flip(answer)).code, "unavailable")
        }
      }).pipe(Effect.provide(TestContext.TestContext))
    ))
})

describe("the memory budget for uploads", () => {
  it("gives one owner at most a quarter and all owners at most the total, and gets all memory back", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.record({ owner: FastCheck.nat(5), bytes: FastCheck.integer({ min: 1, max: 40 }) })),
        (bodies) => {
          const room = MemoryBudget.make(100, "Crowded.")
          const held = new Map<number, number>()
          const nest = (at: number): Effect.Effect<void> => {
            const body = bodies[at]
            if (body === undefined) return Effect.void
            return room.growing([`network ${body.owner}`], (take) => {
              const own = held.get(body.owner) ?? 0
              const all = [...held.values()].reduce((sum, bytes) => sum + bytes, 0)
              const refusal = take(body.bytes)
              const isFree = own + body.bytes <= 25 && all + body.bytes <= 100
              assert.strictEqual(refusal === undefined, isFree)
              if (refusal === undefined) held.set(body.owner, own + body.bytes)
              else assert.strictEqual(refusal.code, own + body.bytes > 25 ? "rate_limited" : "unavailable")
              return nest(at + 1)
            })
          }
          Effect.runSync(nest(0))
          for (const owner of ["a", "b", "c", "d"]) {
            Effect.runSync(room.growing([owner], (take) => Effect.sync(() => assert.isUndefined(take(25)))))
          }
        }
      )
    ))
})
