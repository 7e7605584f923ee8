import { TrailbookError } from "@trailbook/client/TrailbookError"
import { Refusal } from "@trailbook/core/Refusal"
import { httpStatus } from "@trailbook/core/refusals"
import type { CannotConnect } from "@trailbook/postgres/CannotConnect"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import { HostFailed } from "./HostFailed.ts"

/** What a refusal is to a program, with the status that it has over HTTP. */
export const trailbookError = ({ code, kind, message, retryAfterSeconds }: Refusal): TrailbookError =>
  new TrailbookError({
    code,
    status: httpStatus(code),
    message,
    retryable: kind === "unavailable" || kind === "exhausted",
    retryAfterSeconds
  })

/**
 * What to reject with for a cause: a `TrailbookError` where a caller can do
 * something about it, else what broke, as it is.
 */
export const rejection = (cause: Cause.Cause<unknown>): unknown => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure instanceof Refusal) return trailbookError(failure)
  // It may be up in a moment, so whoever asked is told that they may ask again.
  if (cannotConnect(failure)) return unavailable(failure.message, failure)
  if (failure !== undefined) return failure
  const away = Chunk.findFirst(Cause.defects(cause), (defect) => defect instanceof DatabaseUnavailable)
  return Option.isSome(away)
    ? unavailable("The database cannot answer now. Make the same call again.", away.value)
    : thrownBy(Cause.squash(cause))
}

/** By its tag: the driver is not loaded for who has a file. */
const cannotConnect = (failure: unknown): failure is Error =>
  failure instanceof Error && "_tag" in failure && failure._tag === ("CannotConnect" satisfies CannotConnect["_tag"])

const thrownBy = (defect: unknown): unknown => {
  if (!(defect instanceof HostFailed)) return defect
  // What another operation was refused with is no refusal of this one.
  return defect.thrown instanceof TrailbookError ? new Error(defect.message, { cause: defect.thrown }) : defect.thrown
}

/** The database cannot be reached or cannot work now. */
export const unavailable = (message: string, cause: unknown): TrailbookError =>
  new TrailbookError({ code: "unavailable", status: 503, message, retryable: true, retryAfterSeconds: 1, cause })
