import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { onTestFinished, vi } from "vitest"

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  /** All requests, oldest first. */
  readonly got: ReadonlyArray<ReceivedRequest>
  readonly ids: () => ReadonlyArray<number>
  /** Sets the status of all later responses. */
  readonly answer: (status: number) => void
  /** Waits until this many requests have been received. */
  readonly until: (count: number) => Promise<void>
}

/** Starts a webhook receiver on a free loopback port. */
export const receiver = async (): Promise<Receiver> => {
  const got: Array<ReceivedRequest> = []
  let status = 204
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => body += text).on("end", () => {
      got.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    ids: () => got.map(({ headers }) => Number(headers["service-event-id"])),
    answer: (to) => {
      status = to
    },
    until: async (count) => {
      await vi.waitUntil(() => got.length >= count, { timeout: 60_000 })
    }
  }
}
