/**
 * @since 0.1.0
 */
import type { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import type * as Exit from "effect/Exit"
import type { Exchange } from "./Exchange.ts"
import type { Failure } from "./Failure.ts"
import { levelOf, type Log, type LogEntry } from "./LogEntry.ts"
import * as RateLimit from "./RateLimit.ts"
import * as Reply from "./Reply.ts"

/**
 * Turns how a request ended into its response, and writes it into the log.
 *
 * @since 0.1.0
 * @category constructors
 */
export const finish = (options: {
  readonly clock: Clock.Clock
  readonly limit: RateLimit.RateLimit
  readonly log: Log | undefined
}): (exchange: Exchange, exit: Exit.Exit<Reply.Reply, Refusal | Failure>) => Response => {
  const { clock, limit: { policy }, log } = options

  const headersOf = ({ connection, requestId, standing }: Exchange, reply: Reply.Reply) => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId
    }
    if (standing !== undefined) {
      headers["ratelimit-policy"] = policy
      headers["ratelimit"] = RateLimit.format(standing)
    }
    if (connection.draining === true) headers["connection"] = "close"
    if (reply.body === null) delete headers["content-type"]
    if (reply.headers !== undefined) Object.assign(headers, reply.headers)
    return headers
  }

  const entry = (exchange: Exchange): Pick<LogEntry, "time" | "request_id" | "org_id" | "op" | "method" | "route"> => ({
    time: Instant.format(Instant.make(clock.unsafeCurrentTimeMillis())),
    request_id: exchange.requestId,
    ...(exchange.orgId === undefined ? {} : { org_id: exchange.orgId }),
    ...(exchange.op === undefined ? {} : { op: exchange.op }),
    method: exchange.request.method,
    ...(exchange.route === undefined ? {} : { route: exchange.route })
  })

  return (exchange, exit) => {
    const reply = Reply.ofExit(exit)
    if (log !== undefined) {
      if (exit._tag === "Failure" && Reply.isDefect(exit.cause)) {
        log({ ...entry(exchange), level: "error", msg: "defect", error: Cause.pretty(exit.cause) })
      }
      log({
        ...entry(exchange),
        level: exchange.op === undefined && reply.status < 400 ? "debug" : levelOf(reply.status),
        msg: "request",
        status: reply.status,
        ms: Math.round((performance.now() - exchange.startedMs) * 100) / 100,
        ...(reply.code === undefined ? {} : { code: reply.code })
      })
    }
    return new Response(reply.body, { status: reply.status, headers: headersOf(exchange, reply) })
  }
}
