/** A response that has not been converted to a `Response` yet. */
import { type Refusal, refuse, unavailable } from "@trailbook/core"
import * as Cause from "effect/Cause"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { HttpFailure } from "../HttpFailure.ts"

export interface Reply {
  readonly status: number
  /** The body, which is streamed if it is long. */
  readonly body: string | ReplyStream | null
  /** Headers, with lowercase names. Default: JSON with `no-store`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The error code for the log. */
  readonly code?: string
}

/** A response with a complete body. */
export interface BufferedReply extends Reply {
  readonly body: string
}

/**
 * A response whose first chunk is ready. The remaining chunks are pulled one at a time. If a pull rejects, the response
 * is aborted.
 */
export interface ReplyStream {
  readonly next: () => Promise<string | Uint8Array | undefined>
  /** Whether all chunks have been pulled. Omitted if there is no way to know before `next` returns `undefined`. */
  readonly isOver?: () => boolean
  /** Called if the client disconnects. */
  readonly stop: () => void
}

export const json = (status: number, value: unknown): BufferedReply => ({ status, body: JSON.stringify(value) })

/** Converts an error to a response, in the same format for every error. */
export const fromError = (error: Refusal | HttpFailure): BufferedReply => {
  const { code, headers, message, status } = toFailure(error)
  return { status, body: JSON.stringify({ error: { code, message } }), code, headers }
}

const toFailure = (error: Refusal | HttpFailure): HttpFailure =>
  error._tag === "Refusal" ? new HttpFailure(error, toHeaders(error)) : error

/**
 * Converts an operation's exit to a response. Defects are not disclosed to the caller, but operators can find them in
 * the log by request ID. Pages render their own errors.
 */
export const fromExit = (
  exit: Exit.Exit<Reply, Refusal | HttpFailure>,
  renderError: ((failure: HttpFailure) => Reply | Promise<Reply>) | undefined
): Reply | Promise<Reply> => {
  if (exit._tag === "Success") return exit.value
  const error = toError(exit.cause)
  if (renderError === undefined) return fromError(error)
  const failure = toFailure(error)
  const withHeaders = ({ headers, ...reply }: Reply): Reply => ({
    code: failure.code,
    ...reply,
    headers: { ...failure.headers, ...headers }
  })
  const reply = renderError(failure)
  return reply instanceof Promise ? reply.then(withHeaders) : withHeaders(reply)
}

const toError = (cause: Cause.Cause<Refusal | HttpFailure>): Refusal | HttpFailure => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error !== undefined) return error
  if (Cause.isInterruptedOnly(cause)) return interruptFailure
  return isUnavailable(cause) ? unavailable() : refuse("internal")
}

/** Whether the cause is a defect that needs attention. */
export const isDefect = (cause: Cause.Cause<unknown>): boolean =>
  Option.isNone(Cause.failureOption(cause)) && !Cause.isInterruptedOnly(cause)

const toHeaders = ({ kind, retryAfterSeconds }: Refusal): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {}
  if (kind === "unauthorized") headers["www-authenticate"] = "Bearer"
  const retryAfter = retryAfterSeconds ?? (kind === "unavailable" ? 1 : undefined)
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter)
  return headers
}

/**
 * Whether the database is unavailable. Checks the defect's tag, because this package does not import a storage adapter.
 */
const isUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  Cause.defects(cause).pipe((defects) => [...defects].some(Predicate.isTagged("DatabaseUnavailable")))

/**
 * The response if the client disconnects during a read. It is never sent, but it keeps the log from recording an error.
 */
const interruptFailure = new HttpFailure(
  { code: "client_closed_request", message: "The client closed the connection." },
  {},
  499
)
