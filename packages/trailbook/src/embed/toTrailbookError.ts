import { TrailbookError } from "@trailbook/client/TrailbookError"
import { getHttpStatus, Refusal } from "@trailbook/core"
import type { CannotConnect } from "@trailbook/postgres/CannotConnect"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import { HostFunctionError } from "./transaction/HostFunctionError.ts"

/** Converts a refusal to a `TrailbookError` with the matching HTTP status. */
export const toTrailbookError = ({ code, kind, message, retryAfterSeconds }: Refusal): TrailbookError =>
  new TrailbookError({
    code,
    status: getHttpStatus(code),
    message,
    retryable: kind === "unavailable" || kind === "exhausted",
    retryAfterSeconds
  })

/**
 * Returns the error to reject the call with: a `TrailbookError` if the caller can act on it, otherwise the original
 * error.
 */
export const toRejection = (cause: Cause.Cause<unknown>): unknown => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure instanceof Refusal) return toTrailbookError(failure)
  // The error is retryable, because the database may become reachable again at any time.
  if (cannotConnect(failure)) return makeUnavailableError(failure.message, failure)
  if (failure !== undefined) return failure
  const away = Chunk.findFirst(Cause.defects(cause), (defect) => defect instanceof DatabaseUnavailable)
  return Option.isSome(away)
    ? makeUnavailableError("The database is unavailable. Retry the same call.", away.value)
    : thrownBy(Cause.squash(cause))
}

/**
 * Returns whether the error is a `CannotConnect`. Comparing the tag avoids loading the Postgres driver, which SQLite
 * does not need.
 */
const cannotConnect = (failure: unknown): failure is Error =>
  failure instanceof Error && "_tag" in failure && failure._tag === ("CannotConnect" satisfies CannotConnect["_tag"])

const thrownBy = (defect: unknown): unknown => {
  if (!(defect instanceof HostFunctionError)) return defect
  // If another operation was refused inside the host function, that is not a refusal of this one.
  return defect.thrown instanceof TrailbookError ? new Error(defect.message, { cause: defect.thrown }) : defect.thrown
}

/** Returns the error for a database that is unreachable or temporarily unusable. */
export const makeUnavailableError = (message: string, cause: unknown): TrailbookError =>
  new TrailbookError({ code: "unavailable", status: 503, message, retryable: true, retryAfterSeconds: 1, cause })
