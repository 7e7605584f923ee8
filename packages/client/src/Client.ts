import type { AttachmentUploads, ImageUploads, PhotoUploads } from "./attachmentUploads.ts"
import type { Operation, Operations } from "./operations.ts"
import type { Result } from "./TrailbookError.ts"

export interface CallOptions {
  /** Cancels the call. Like `fetch`, the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The timeout for a single attempt. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined
}

/** An operation that rejects with a `TrailbookError` after a refusal, a timeout, or a network failure. */
export type OperationCaller<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Output>
  : (input: Input, options?: CallOptions) => Promise<Output>
  : never

/** An operation that returns a `TrailbookError` as a result instead of rejecting with it. */
export type ResultOperationCaller<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Result<Output>>
  : (input: Input, options?: CallOptions) => Promise<Result<Output>>
  : never

/** Adds `all` to groups with a paginated list. */
export type PaginationMethods<Group> = Group extends {
  readonly list: Operation<infer Input, infer Page extends { readonly data: ReadonlyArray<unknown> }>
} ? [Extract<keyof Page, "next_cursor" | "next_after">] extends [never] ? unknown
  : {
    /**
     * Iterates over all items, fetching the next page when the loop needs it. `limit` is the page size. For events, the
     * iteration ends after the newest event.
     */
    readonly all: (input?: Input, options?: CallOptions) => AsyncIterable<Page["data"][number]>
  }
  : Group extends {
    readonly get: Operation<
      infer Input,
      infer Page extends { readonly data: ReadonlyArray<unknown>; readonly next_from?: string }
    >
  } ? string extends Page["next_from"] | "" ? {
        /** Iterates over all slots up to `to`. Sends one request per page, all with the same `to`. */
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
      & { readonly [Name in keyof Operations[Group]]: OperationCaller<Operations[Group][Name]> }
      & PaginationMethods<Operations[Group]>
  }
  & { readonly attachments: AttachmentUploads; readonly offerings: PhotoUploads; readonly org: ImageUploads }
  & {
    /** The same methods, but with results instead of thrown errors: `client.try.bookings.create({ … })`. */
    readonly try: {
      readonly [Group in keyof Operations]: {
        readonly [Name in keyof Operations[Group]]: ResultOperationCaller<Operations[Group][Name]>
      }
    }
  }
