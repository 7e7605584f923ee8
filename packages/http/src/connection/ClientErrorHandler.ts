/**
 * Responds to malformed HTTP and to requests that time out before they are complete. The handler cannot do this,
 * because no `Request` exists in these cases.
 */
import { RequestError } from "@hono/node-server"
import { invalid, refuse } from "@trailbook/core"
import * as Instant from "@trailbook/core/time/Instant"
import type * as Clock from "effect/Clock"
import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { HttpFailure } from "../HttpFailure.ts"
import { getStatusLogLevel, type LogEntryWriter } from "../LogEntry.ts"
import { resolveRequestId } from "../request/RequestContext.ts"
import * as Reply from "../response/Reply.ts"
import { getInFlightResponse } from "./ConnectionTracker.ts"

export interface ClientErrorHandler {
  /** Returns the response to a request that has an invalid host or target, or whose handler threw. */
  readonly response: (error: unknown) => Response
  /** Handles data that is not an HTTP request. */
  readonly onClientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** Handles errors on the listening socket. */
  readonly onServerError: (error: Error) => void
}

export const make = (clock: Clock.Clock, log: LogEntryWriter = () => {}): ClientErrorHandler => {
  const logFailure = (id: string, { code, status }: HttpFailure, error?: unknown) =>
    log({
      time: Instant.format(Instant.make(clock.unsafeCurrentTimeMillis())),
      level: getStatusLogLevel(status),
      msg: "connection",
      request_id: id,
      status,
      code,
      ...(error instanceof Error ? { error: error.stack ?? error.message } : {})
    })

  return {
    response: (error) => {
      const id = resolveRequestId(undefined)
      const failure = error instanceof RequestError ? invalidTarget : internal
      logFailure(id, failure, failure === internal ? error : undefined)
      return new Response(Reply.fromError(failure).body, { status: failure.status, headers: makeHeaders(id) })
    },
    onClientError: (error, socket) => {
      if (error.code === "ECONNRESET" || !socket.writable || canBeMisattributed(socket)) {
        socket.destroy()
        return
      }
      const id = resolveRequestId(undefined)
      const failure = failures.get(error.code ?? "") ?? notHttp
      logFailure(id, failure)
      endSocket(socket, formatResponse(failure, id))
    },
    onServerError: (error) => logFailure(resolveRequestId(undefined), internal, error)
  }
}

const notHttp = new HttpFailure(invalid("Malformed HTTP request."))
const invalidTarget = new HttpFailure(invalid("Invalid Host header or request target."))
const internal = new HttpFailure(refuse("internal"))

const failures = new Map([
  ["HPE_HEADER_OVERFLOW", new HttpFailure(refuse("too_large", "The headers are too large."), {}, 431)],
  ["ERR_HTTP_REQUEST_TIMEOUT", new HttpFailure(refuse("request_timeout"))]
])

const makeHeaders = (id: string): Record<string, string> => ({
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-request-id": id,
  "connection": "close"
})

const formatResponse = (failure: HttpFailure, id: string): string => {
  const body = Reply.fromError(failure).body ?? ""
  const lines = Object.entries({ ...makeHeaders(id), "content-length": String(Buffer.byteLength(body)) })
  return [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    "",
    body
  ].join("\r\n")
}

/** Closes the connection after the response, without waiting for the client to close it. */
const endSocket = (socket: Duplex, response: string): void => {
  socket.end(response, () => socket.destroy())
}

/**
 * Whether the client could mistake the error for the response to another request. This happens if an earlier request on
 * the connection is still pending, or if a response started before its request was complete.
 */
const canBeMisattributed = (socket: Duplex): boolean => {
  const current = getInFlightResponse(socket)
  if (current === undefined) return false
  return current.req.complete ? !current.writableEnded : current.headersSent
}
