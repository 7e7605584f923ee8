import type { TrailbookError } from "./TrailbookError.ts"

/** The result of a call, for callers that prefer a value over an exception. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: TrailbookError }
