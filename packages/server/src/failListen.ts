import type { ListenError } from "@trailbook/http/connection/ListenError"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { isTrailbookServer } from "./isTrailbookServer.ts"
import { listenUrl } from "./listenUrl.ts"

/** Explains why a server cannot listen. `withPort` returns the command for starting it on another port. */
export const failListen = (
  { message, port, reason }: ListenError,
  host: string,
  withPort: ((port: number) => string) | undefined
): Effect.Effect<never, Failure> =>
  Effect.gen(function*() {
    const start = (other: number): string =>
      withPort === undefined ? `Choose another port, such as ${other}.` : `To use another port: ${withPort(other)}`
    switch (reason) {
      case "taken": {
        const origin = listenUrl({ host, port })
        const explanation = (yield* Effect.promise(() => isTrailbookServer(origin)))
          ? `Port ${port} is in use by a running Trailbook server: ${origin}/reference`
          : `Port ${port} is in use by another program.`
        return yield* Effect.fail(new Failure(explanation, start(port < 65_535 ? port + 1 : 4000)))
      }
      case "forbidden":
        return yield* Effect.fail(new Failure(`No permission to listen on port ${port}.`, start(4000)))
      case "unusable":
        return yield* Effect.fail(new Failure(`${message}. Check --host and --port.`))
    }
  })
