/** What is answered, before it is a `Response`. */
import { type Refusal, refuse, unavailable } from "@trailbook/core/Refusal"
import * as Cause from "effect/Cause"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { Failure } from "./Failure.ts"

export interface Reply {
  readonly status: number
  /** A long one is told while it is made. */
  readonly body: string | StreamedReply | null
  /** Named in lowercase. Left out, the body is JSON that nobody may store. */
  readonly headers?: Readonly<Record<string, string>>
  /** The code of an error, for the log. */
  readonly code?: string
}

/** One that is there as a whole. */
export interface BufferedReply extends Reply {
  readonly body: string
}

/**
 * An answer whose beginning is there. The rest is asked for piece by piece, until
 * there is none; when it is rejected, the answer is broken off.
 */
export interface StreamedReply {
  readonly next: () => Promise<string | Uint8Array | undefined>
  /** Whether all was handed on already, where that is known before the end is asked for. */
  readonly isOver?: () => boolean
  /** Nobody listens any more. */
  readonly stop: () => void
}

export const json = (status: number, value: unknown): BufferedReply => ({ status, body: JSON.stringify(value) })

/** The one shape of every error. */
export const errorReply = (error: Refusal | Failure): BufferedReply => {
  const { code, headers, message, status } = failureOf(error)
  return { status, body: JSON.stringify({ error: { code, message } }), code, headers }
}

const failureOf = (error: Refusal | Failure): Failure =>
  error._tag === "Refusal" ? new Failure(error, headersOf(error)) : error

/**
 * The answer to how an operation ended. A defect tells the caller nothing; who
 * keeps the log finds it under the request's id. Pages show what went wrong in their own way.
 */
export const fromExit = (
  exit: Exit.Exit<Reply, Refusal | Failure>,
  shown: ((failure: Failure) => Reply | Promise<Reply>) | undefined
): Reply | Promise<Reply> => {
  if (exit._tag === "Success") return exit.value
  const error = errorOf(exit.cause)
  if (shown === undefined) return errorReply(error)
  const failure = failureOf(error)
  const withHeaders = ({ headers, ...reply }: Reply): Reply => ({
    code: failure.code,
    ...reply,
    headers: { ...failure.headers, ...headers }
  })
  const reply = shown(failure)
  return reply instanceof Promise ? reply.then(withHeaders) : withHeaders(reply)
}

const errorOf = (cause: Cause.Cause<Refusal | Failure>): Refusal | Failure => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error !== undefined) return error
  if (Cause.isInterruptedOnly(cause)) return interrupted
  return isUnavailable(cause) ? unavailable() : refuse("internal")
}

/** Whether the cause is a defect that somebody has to look at. */
export const isDefect = (cause: Cause.Cause<unknown>): boolean =>
  Option.isNone(Cause.failureOption(cause)) && !Cause.isInterruptedOnly(cause)

const headersOf = ({ kind, retryAfterSeconds }: Refusal): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {}
  if (kind === "unauthorized") headers["www-authenticate"] = "Bearer"
  const wait = retryAfterSeconds ?? (kind === "unavailable" ? 1 : undefined)
  if (wait !== undefined) headers["retry-after"] = String(wait)
  return headers
}

/** http knows no storage: it tells a database that cannot work now by the name of its defect. */
const isUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  Cause.defects(cause).pipe((defects) => [...defects].some(Predicate.isTagged("DatabaseUnavailable")))

/** The caller hung up while a read was under way: nobody sees this, but the log should not call it an error. */
const interrupted = new Failure(
  { code: "client_closed_request", message: "The client closed the connection." },
  {},
  499
)
