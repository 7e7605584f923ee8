/** A local service that records its requests and returns configurable responses. */
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface Service {
  readonly url: string
  readonly requests: Array<ReceivedRequest>
  /** The response to all later requests. `hangs` never responds. */
  answer: (request: ReceivedRequest) => { readonly status?: number; readonly body: unknown } | "hangs"
}

export const service = Effect.acquireRelease(
  Effect.async<{ readonly service: Service; readonly close: () => void }>((resume) => {
    const requests: Array<ReceivedRequest> = []
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost")
      const entry = { path: url.pathname, query: url.searchParams, headers: request.headers }
      requests.push(entry)
      const answer = state.answer(entry)
      if (answer === "hangs") return
      response.writeHead(answer.status ?? 200, { "content-type": "application/json" })
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body))
    })
    const state: Service = { url: "", requests, answer: () => ({ status: 500, body: {} }) }
    server.listen(0, "127.0.0.1", () => {
      const service = Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
      resume(Effect.succeed({
        service,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      }))
    })
  }),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ service }) => service))
