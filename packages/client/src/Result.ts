import type { TrailbookError } from "./TrailbookError.ts"

/** What came of a call, for those who would rather look than catch. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: TrailbookError }
