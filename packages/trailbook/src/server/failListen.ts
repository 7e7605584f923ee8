import type { ListenError } from "@trailbook/http/ListenError"
import * as Effect from "effect/Effect"
import { Failure } from "../command/CommandError.ts"
import { isTrailbookServer } from "./isTrailbookServer.ts"
import { listenUrl } from "./listenUrl.ts"

/**
 * Why a server could not listen, and what to do about it. `withPort` says how to
 * start with another port; whoever embeds a server knows that by itself.
 */
export const failListen = (
  { message, port, reason }: ListenError,
  host: string,
  withPort: ((port: number) => string) | undefined
): Effect.Effect<never, Failure> =>
  Effect.gen(function*() {
    const start = (other: number): string =>
      withPort === undefined ? `Choose another, such as ${other}.` : `Start with another: ${withPort(other)}`
    switch (reason) {
      case "taken": {
        const origin = listenUrl({ host, port })
        const taken = (yield* Effect.promise(() => isTrailbookServer(origin)))
          ? `Port ${port} is taken by a Trailbook server that runs already, at ${origin}/reference.`
          : `Port ${port} is taken by another program.`
        return yield* Effect.fail(new Failure(taken, start(port < 65_535 ? port + 1 : 4000)))
      }
      case "forbidden":
        return yield* Effect.fail(new Failure(`Port ${port} needs more rights than this process has.`, start(4000)))
      case "unusable":
        return yield* Effect.fail(new Failure(`${message}. Check --host and --port.`))
    }
  })
