/** Tests bodies that stall after a few bytes. The bytes stay in memory until the request times out. */
import { Refusal } from "@trailbook/core"
import { PaymentWebhooks } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { assert, describe, it } from "vitest"
import * as MemoryBudget from "../src/limit/MemoryBudget.ts"
import { paymentWebhookRoutes } from "../src/paymentWebhookRoutes.ts"
import * as Body from "../src/request/body.ts"
import { formBody } from "../src/request/formBody.ts"
import { makeMultipartFormBody } from "../src/request/multipartFormBody.ts"
import { makeUploadBody } from "../src/request/uploadBody.ts"

const mebibyte = 1024 * 1024
const tooLarge = new Refusal({ code: "too_large", message: "Too large." })
const kinds = {
  upload: makeUploadBody({ field: "file", maxBytes: 10 * mebibyte, tooLarge }),
  form: makeMultipartFormBody({ field: "file", maxBytes: 50 * mebibyte, tooLarge })
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
  const readBody = (request: Request, owner: string) =>
    kind === "upload"
      ? Effect.asVoid(kinds.upload.within(request, Effect.succeed, [owner]))
      : Effect.asVoid(kinds.form.within(request, Effect.succeed, [owner]))

  it("leaves capacity for other uploads until its timeout", () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const stalledFibers = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, n) => `network ${n % 3}`),
          (owner) => Effect.fork(Effect.either(readBody(requestOf(`${head}x`, false), owner)))
        )
        yield* turns
        yield* readBody(requestOf(`${head}photo\r\n--b--b--`, true), "network 9")
        yield* TestClock.adjust("10 seconds")
        for (const answer of yield* Fiber.join(Fiber.all(stalledFibers))) {
          assert.strictEqual(Either.getOrThrow(Either.flip(answer)).code, "unavailable")
        }
      }).pipe(Effect.provide(TestContext.TestContext))
    ))
})

describe("a stalled large body", () => {
  const requestOf = (type: string, chunk: Uint8Array): Request =>
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": type, "content-length": String(mebibyte) },
      duplex: "half",
      body: new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(chunk) })
    } as RequestInit)

  const json = (request: Request, owner: string) => Body.read(request, { maxBytes: mebibyte, owners: [owner] })
  const [notices] = Effect.runSync(
    Effect.provideService(paymentWebhookRoutes, PaymentWebhooks, PaymentWebhooks.of({ receive: () => Effect.void }))
  )
  const ofOthers = (bytes: number): Request => {
    const body = JSON.stringify({ text: "x" }).padEnd(bytes)
    const headers = { "content-type": "application/json", "content-length": String(bytes) }
    return new Request("http://localhost/", { method: "POST", headers, body })
  }
  const kinds = {
    json,
    form: (request: Request, owner: string) => formBody.within(request, () => Effect.void, [owner]),
    notice: (request: Request, owner: string) =>
      notices?.body.within(request, () => Effect.void, [owner]) ?? Effect.void
  }

  it.each(
    [
      ["application/json", "json"],
      ["application/x-www-form-urlencoded", "form"],
      ["text/plain", "notice"]
    ] as const
  )(
    "with type %s, leaves capacity for other callers",
    (type, kind) =>
      Effect.runPromise(
        Effect.gen(function*() {
          const stalledFibers = yield* Effect.forEach(
            Array.from({ length: 100 }, (_, n) => `network ${n % 3}`),
            (owner) => Effect.fork(Effect.either(kinds[kind](requestOf(type, Buffer.from("a")), owner)))
          )
          yield* turns
          assert.deepStrictEqual(yield* json(ofOthers(100 * 1024), "org"), { text: "x" })
          yield* TestClock.adjust("10 seconds")
          for (const answer of yield* Fiber.join(Fiber.all(stalledFibers))) {
            assert.include(["unavailable", "too_large"], Either.getOrThrow(Either.flip(answer)).code)
          }
        }).pipe(Effect.provide(TestContext.TestContext))
      )
  )

  it.each(["json", "notice"] as const)(
    "of kind %s, counts toward its owner's memory limit",
    (kind) =>
      Effect.runPromise(
        Effect.gen(function*() {
          const almost = new Uint8Array(mebibyte - 1)
          const stalledFibers = yield* Effect.forEach(
            Array.from({ length: 40 }),
            () => Effect.fork(Effect.either(kinds[kind](requestOf("application/json", almost), "network")))
          )
          yield* turns
          assert.deepStrictEqual(yield* json(ofOthers(mebibyte), "org"), { text: "x" })
          const result = yield* Effect.either(json(ofOthers(mebibyte), "network"))
          assert.strictEqual(Either.getOrThrow(Either.flip(result)).code, "rate_limited")
          yield* Fiber.interruptAll(stalledFibers)
          assert.deepStrictEqual(yield* json(ofOthers(mebibyte), "network"), { text: "x" })
        }).pipe(Effect.provide(TestContext.TestContext))
      )
  )
})

describe("the memory budget for uploads", () => {
  it("limits memory in total and per owner", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.record({ owner: FastCheck.nat(5), bytes: FastCheck.integer({ min: 1, max: 40 }) })),
        (bodies) => {
          const room = MemoryBudget.make(100, "Crowded.")
          const bytesByOwner = new Map<number, number>()
          const nest = (at: number): Effect.Effect<void> => {
            const body = bodies[at]
            if (body === undefined) return Effect.void
            return room.withReservation([`network ${body.owner}`], (take) => {
              const ownBytes = bytesByOwner.get(body.owner) ?? 0
              const all = [...bytesByOwner.values()].reduce((sum, bytes) => sum + bytes, 0)
              const refusal = take(body.bytes)
              const isFree = ownBytes + body.bytes <= 25 && all + body.bytes <= 100
              assert.strictEqual(refusal === undefined, isFree)
              if (refusal === undefined) bytesByOwner.set(body.owner, ownBytes + body.bytes)
              else assert.strictEqual(refusal.code, ownBytes + body.bytes > 25 ? "rate_limited" : "unavailable")
              return nest(at + 1)
            })
          }
          Effect.runSync(nest(0))
          for (const owner of ["a", "b", "c", "d"]) {
            Effect.runSync(room.withReservation([owner], (take) => Effect.sync(() => assert.isUndefined(take(25)))))
          }
        }
      )
    ))
})
