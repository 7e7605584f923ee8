import type { Operation, Operations } from "./operations.ts"
import type { Result } from "./Result.ts"
import type { PhotoUploads, Uploads } from "./uploads.ts"

export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason, as `fetch` does. */
  readonly signal?: AbortSignal | undefined
  /** The timeout of one attempt. Overrides the client's. */
  readonly timeoutMs?: number | undefined
}

/** Calls an operation. Rejects with a `TrailbookError` if the operation is refused or cannot be reached. */
export type Call<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Output>
  : (input: Input, options?: CallOptions) => Promise<Output>
  : never

/** Calls an operation and returns a result, also for a refusal. */
export type Try<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Result<Output>>
  : (input: Input, options?: CallOptions) => Promise<Result<Output>>
  : never

/** Paginated lists also have `all`. */
export type Listing<Group> = Group extends {
  readonly list: Operation<infer Input, infer Page extends { readonly data: ReadonlyArray<unknown> }>
} ? [Extract<keyof Page, "next_cursor" | "next_after">] extends [never] ? unknown
  : {
    /**
     * Iterates over all items and fetches each page on demand. `limit` is the page size. For events, iterates over
     * all events available now.
     */
    readonly all: (input?: Input, options?: CallOptions) => AsyncIterable<Page["data"][number]>
  }
  : Group extends {
    readonly get: Operation<
      infer Input,
      infer Page extends { readonly data: ReadonlyArray<unknown>; readonly next_from?: string }
    >
  } ? string extends Page["next_from"] | "" ? {
        /** Iterates over all slots of the dates, with as many requests as needed. All requests need the same end. */
        readonly all: (
          input: Input & { readonly to: string },
          options?: CallOptions
        ) => AsyncIterable<Page["data"][number]>
      }
    : unknown
  : unknown

/** All operations by name: `client.bookings.create({ … })`. */
export type Client =
  & {
    readonly [Group in keyof Operations]:
      & { readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name]> }
      & Listing<Operations[Group]>
  }
  & { readonly attachments: Uploads; readonly offerings: PhotoUploads }
  & {
    /** The same operations with results instead of errors: `client.try.bookings.create({ … })`. */
    readonly try: {
      readonly [Group in keyof Operations]: {
        readonly [Name in keyof Operations[Group]]: Try<Operations[Group][Name]>
      }
    }
  }
