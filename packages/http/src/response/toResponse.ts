import type { Refusal } from "@trailbook/core"
import * as Instant from "@trailbook/core/time/Instant"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Exit from "effect/Exit"
import type { HttpFailure } from "../HttpFailure.ts"
import * as RateLimit from "../limit/RateLimit.ts"
import { getStatusLogLevel, type LogEntryWriter } from "../LogEntry.ts"
import type { RequestContext } from "../request/RequestContext.ts"
import * as Reply from "./Reply.ts"

const utf8 = new TextEncoder()

/**
 * The number of file bytes that cost as much as one character of text. File bytes are cheaper because they are only
 * passed through, while text must be queried and serialized.
 */
const bytesPerCharacter = 16

/** Converts a request's result to a `Response` and logs it. */
export const makeToResponse = (options: {
  readonly charge: RateLimit.TokenCharger
  readonly clock: Clock.Clock
  readonly limit: RateLimit.RateLimit
  readonly log: LogEntryWriter | undefined
}): (exchange: RequestContext, exit: Exit.Exit<Reply.Reply, Refusal | HttpFailure>) => Response | Promise<Response> => {
  const { charge, clock, limit: { policy }, log } = options

  const makeHeaders = ({ connection, requestId, bucket }: RequestContext, reply: Reply.Reply) => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId
    }
    if (bucket !== undefined) {
      headers["ratelimit-policy"] = policy
      headers["ratelimit"] = RateLimit.format(bucket)
    }
    if (connection.draining === true) headers["connection"] = "close"
    if (reply.body === null) delete headers["content-type"]
    if (reply.headers !== undefined) Object.assign(headers, reply.headers)
    return headers
  }

  const writeLog = (
    log: LogEntryWriter,
    exchange: RequestContext,
    exit: Exit.Exit<unknown, unknown>,
    { code, status }: Reply.Reply
  ) => {
    const time = Instant.format(Instant.make(clock.unsafeCurrentTimeMillis()))
    const { op, orgId, request: { method, url }, requestId, route, startedMs, traceId } = exchange
    if (exit._tag === "Failure" && Reply.isDefect(exit.cause)) {
      log({
        time,
        level: "error",
        msg: "defect",
        request_id: requestId,
        trace_id: traceId,
        org_id: orgId,
        op,
        error: Cause.pretty(exit.cause)
      })
    }
    log({
      time,
      // Log probes at debug level, because they arrive every few seconds.
      level: op === undefined && status < 400 ? "debug" : getStatusLogLevel(status, code),
      msg: "request",
      request_id: requestId,
      trace_id: traceId,
      org_id: orgId,
      op,
      method,
      route,
      path: route === undefined ? redactPath(url) : undefined,
      status,
      ms: Math.round((performance.now() - startedMs) * 100) / 100,
      code
    })
  }

  /** Streams a long response, which is charged and logged when the stream ends. */
  const toStream = (
    exchange: RequestContext,
    body: Reply.ReplyStream,
    reply: Reply.Reply
  ): ReadableStream<Uint8Array> => {
    let length = 0
    let hasEnded = false
    const onEnd = (exit: Exit.Exit<unknown, unknown>, code?: string) => {
      hasEnded = true
      if (log !== undefined) writeLog(log, exchange, exit, code === undefined ? reply : { ...reply, code })
    }
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const piece = await body.next()
          // The client disconnected while the stream was waiting for this chunk. The stream's controller is already
          // closed, so using it would throw.
          if (hasEnded) return
          if (piece === undefined) {
            controller.close()
            return onEnd(Exit.void)
          }
          const pieceLength = typeof piece === "string" ? piece.length : piece.length / bytesPerCharacter
          charge(exchange, RateLimit.computeResponseCost(length + pieceLength) - RateLimit.computeResponseCost(length))
          length += pieceLength
          exchange.connection.onWrite?.(piece.length)
          controller.enqueue(typeof piece === "string" ? utf8.encode(piece) : piece)
        } catch (cause) {
          if (hasEnded) return
          // Fail the stream, so that the client notices that the response is incomplete.
          controller.error(new Error("The response could not be completed."))
          onEnd(Cause.isCause(cause) ? Exit.failCause(cause) : Exit.die(cause), "broken_off")
        }
      },
      cancel: () => {
        body.stop()
        // A client that knows the length may disconnect after the last byte, before the stream ends. The response is
        // complete in that case.
        onEnd(Exit.void, body.isOver?.() === true ? undefined : "client_closed_request")
      }
    })
  }

  const send = (exchange: RequestContext, exit: Exit.Exit<unknown, unknown>, reply: Reply.Reply): Response => {
    const { body, status } = reply
    if (typeof body === "object" && body !== null) {
      return new Response(toStream(exchange, body, reply), { status, headers: makeHeaders(exchange, reply) })
    }
    if (body !== null) {
      charge(exchange, RateLimit.computeResponseCost(body.length))
      exchange.connection.onWrite?.(body.length)
    }
    if (log !== undefined) writeLog(log, exchange, exit, reply)
    return new Response(body, { status, headers: makeHeaders(exchange, reply) })
  }

  return (exchange, exit) => {
    const { failed, request, requestId } = exchange
    const reply = Reply.fromExit(
      exit,
      failed === undefined ? undefined : (failure) => failed(failure, { request, requestId })
    )
    return reply instanceof Promise ? reply.then((reply) => send(exchange, exit, reply)) : send(exchange, exit, reply)
  }
}

/**
 * Redacts an unknown path for the log. The result is enough to recognize a typo, but contains no personal data. Plain
 * words are kept if they are lowercase, uppercase, or capitalized. All other segments, such as IDs, email addresses,
 * handles, and keys, are replaced with `…`. The query is dropped.
 */
export const redactPath = (url: string): string => {
  const [, path = "/"] = /^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? []
  const parts = path.split("/").slice(1)
  const visibleParts = parts.slice(0, maxParts).map((part) => part === "" || word.test(part) ? part : "…")
  return `/${visibleParts.join("/")}${parts.length > maxParts ? "/…" : ""}`
}

const maxParts = 8

// Matches `v1`, `saved_replies`, `openapi.json`, and `.well-known`, but never a 22-character handle.
const word = /^(?=.{1,40}$)(?:v\d{1,2}|\.?(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)(?:[._-](?:[a-z]+|[A-Z]+))*)$/
