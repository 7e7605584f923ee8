/** Tests client disconnects during streamed responses, such as live pages and downloads. */
import { BoundedQueue } from "@trailbook/core/operation"
import * as Effect from "effect/Effect"
import { assert, describe, it, onTestFinished } from "vitest"
import { noBody } from "../src/request/noBody.ts"
import type { ReplyStream } from "../src/response/Reply.ts"
import type { AnyRoute } from "../src/Route.ts"
import { start } from "./Service.ts"

const routeOf = (body: ReplyStream): AnyRoute => ({
  method: "GET",
  path: "/stream",
  name: "test.stream",
  caller: "anyone",
  body: noBody,
  answer: () => Effect.succeed({ status: 200, body })
})

/** Opens the stream, disconnects while the stream is waiting for its next chunk, and returns the log lines. */
const disconnect = async (body: ReplyStream, afterwards: () => void) => {
  const service = await start({ routes: [routeOf(body)] })
  onTestFinished(service.close)
  const { body: stream } = await service.handler(new Request(`${service.url}/stream`))
  const reader = stream?.getReader()
  const piece = reader?.read()
  await reader?.cancel()
  afterwards()
  await piece
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  return service.log.map(({ code, level, msg }): object => ({ level, msg, code }))
}

interface Settlers {
  readonly resolve: (piece: string | undefined) => void
  readonly reject: (error: Error) => void
}

/** Creates a stream that waits for each chunk until the test provides it. */
const makeStream = () => {
  const settle: Settlers = { resolve: () => {}, reject: () => {} }
  const piece = new Promise<string | undefined>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  return { body: { next: () => piece, stop: () => {} }, settle }
}

const once: Array<object> = [{ level: "info", msg: "request", code: "client_closed_request" }]

describe("a stream whose caller disconnects", () => {
  it("is logged once if it ends afterward", async () => {
    const { body, settle } = makeStream()
    assert.deepStrictEqual(await disconnect(body, () => settle.resolve(undefined)), once)
  })

  it("is logged once if a chunk arrives afterward", async () => {
    const { body, settle } = makeStream()
    assert.deepStrictEqual(await disconnect(body, () => settle.resolve("late")), once)
  })

  it("is logged once if it fails afterward", async () => {
    const { body, settle } = makeStream()
    assert.deepStrictEqual(await disconnect(body, () => settle.reject(new Error("The file is gone."))), once)
  })

  it("is logged once if a fiber produces its chunks", async () => {
    const pieces = new BoundedQueue<string>(1)
    const body = { next: () => pieces.take(), isOver: () => true, stop: () => pieces.shutdown() }
    const end = () => pieces.end(Effect.runSyncExit(Effect.void))
    assert.deepStrictEqual(await disconnect(body, end), [{ level: "info", msg: "request", code: undefined }])
  })
})
