import type { ListenError } from "@trailbook/http/connection/ListenError"
import type { ListenAddress } from "@trailbook/http/serve"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import * as Effect from "effect/Effect"
import { get } from "node:http"

/** Returns the URL for a listen address. A server that listens on all interfaces is reached at the loopback address. */
export const getListenUrl = ({ host, port }: ListenAddress): string => {
  const hostname = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
}

/**
 * Returns whether a Trailbook server listens at an address. Recognizes the server by its 401 response. Does not use
 * `fetch`, because its promise can stay pending if the peer closes the connection.
 */
export const isTrailbookServer = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = get(`${origin}/v1/org`, { timeout: 1000 }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part
        // Another program could send an endless response.
        if (text.length > 10_000) probe.destroy()
      })
      answer.once("close", () => resolve(answer.statusCode === 401 && text.includes("Authorization: Bearer <key>")))
    })
    probe.once("timeout", () => probe.destroy())
    probe.once("error", () => resolve(false))
  })

/** Explains why a server cannot listen. `withPort` returns the command for starting it on another port. */
export const explainListenError = (
  { message, port, reason }: ListenError,
  host: string,
  withPort: ((port: number) => string) | undefined
): Effect.Effect<never, OperatorError> =>
  Effect.gen(function*() {
    const start = (other: number): string =>
      withPort === undefined ? `Choose another port, such as ${other}.` : `To use another port: ${withPort(other)}`
    switch (reason) {
      case "taken": {
        const origin = getListenUrl({ host, port })
        const explanation = (yield* Effect.promise(() => isTrailbookServer(origin)))
          ? `Port ${port} is in use by a running Trailbook server: ${origin}/reference`
          : `Port ${port} is in use by another program.`
        return yield* Effect.fail(new OperatorError(explanation, start(port < 65_535 ? port + 1 : 4000)))
      }
      case "forbidden":
        return yield* Effect.fail(new OperatorError(`No permission to listen on port ${port}.`, start(4000)))
      case "unusable":
        return yield* Effect.fail(new OperatorError(`${message}. Check --host and --port.`))
    }
  })
