import type { Operation, Operations } from "./operations.ts"
import type { Result } from "./Result.ts"
import type { ImageUploads, PhotoUploads, Uploads } from "./uploads.ts"

export interface CallOptions {
  /** Cancels the call. The call rejects with the signal's reason, like `fetch`. */
  readonly signal?: AbortSignal | undefined
  /** Limits one attempt. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined
}

/** An operation that rejects with a `TrailbookError` after a refusal, a timeout, or a network failure. */
export type Call<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Output>
  : (input: Input, options?: CallOptions) => Promise<Output>
  : never

/** An operation that returns a `TrailbookError` as a result instead of rejecting. */
export type Try<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Result<Output>>
  : (input: Input, options?: CallOptions) => Promise<Result<Output>>
  : never

/** Adds `all` to the groups with a paginated list. */
export type Listing<Group> = Group extends {
  readonly list: Operation<infer Input, infer Page extends { readonly data: ReadonlyArray<unknown> }>
} ? [Extract<keyof Page, "next_cursor" | "next_after">] extends [never] ? unknown
  : {
    /**
     * Iterates over all items. Fetches the next page when the loop needs it. `limit` is the page size. The iterator of
     * events ends after the newest event.
     */
    readonly all: (input?: Input, options?: CallOptions) => AsyncIterable<Page["data"][number]>
  }
  : Group extends {
    readonly get: Operation<
      infer Input,
      infer Page extends { readonly data: ReadonlyArray<unknown>; readonly next_from?: string }
    >
  } ? string extends Page["next_from"] | "" ? {
        /** Iterates over all slots up to `to`. Sends one request per page, and every request has the same `to`. */
        readonly all: (
          input: Input & { readonly to: string },
          options?: CallOptions
        ) => AsyncIterable<Page["data"][number]>
      }
    : unknown
  : unknown

/** The operations as methods: `client.bookings.create({ … })`. */
export type Client =
  & {
    readonly [Group in keyof Operations]:
      & { readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name]> }
      & Listing<Operations[Group]>
  }
  & { readonly attachments: Uploads; readonly offerings: PhotoUploads; readonly org: ImageUploads }
  & {
    /** The same methods with results instead of errors: `client.try.bookings.create({ … })`. */
    readonly try: {
      readonly [Group in keyof Operations]: {
        readonly [Name in keyof Operations[Group]]: Try<Operations[Group][Name]>
      }
    }
  }
