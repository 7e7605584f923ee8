/** A fake language model server. It records its requests and returns the responses that a test chooses. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** `hangs` never responds, and `drops` closes the connection. */
export type Answering = () =>
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | "hangs"
  | "drops"

export interface Service {
  readonly url: string
  readonly requests: Array<ReceivedRequest>
  answer: Answering
  /** Completes when a request arrives. */
  readonly begun: Effect.Effect<void>
  /** Completes when the client disconnects. */
  readonly gone: Effect.Effect<void>
}

export const service = Effect.gen(function*() {
  const run = Runtime.runSync(yield* Effect.runtime())
  const startSignal = yield* Deferred.make<void>()
  const closeSignal = yield* Deferred.make<void>()
  const requests: Array<ReceivedRequest> = []
  const state: Service = {
    url: "",
    requests,
    answer: () => ({ status: 500, body: {} }),
    begun: Deferred.await(startSignal),
    gone: Deferred.await(closeSignal)
  }
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    response.on("close", () => run(Deferred.succeed(closeSignal, undefined)))
    request.on("end", () => {
      requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body })
      run(Deferred.succeed(startSignal, undefined))
      const answer = state.answer()
      if (answer === "hangs") return
      if (answer === "drops") return void request.socket.destroy()
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body))
    })
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
