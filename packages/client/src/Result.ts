import type { TrailbookError } from "./TrailbookError.ts"

/** The value or error from a call under `client.try`. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: TrailbookError }
