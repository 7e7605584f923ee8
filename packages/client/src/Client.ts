import type { Operation, Operations } from "./operations.ts"
import type { Result } from "./Result.ts"
import type { Uploads } from "./uploads.ts"

export interface CallOptions {
  /** Ends the call. It then fails with the signal's reason, as `fetch` does. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in place of the client's own. */
  readonly timeoutMs?: number | undefined
}

/** Calls an operation: fails with a `TrailbookError` where it is refused or does not answer. */
export type Call<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Output>
  : (input: Input, options?: CallOptions) => Promise<Output>
  : never

/** Calls an operation and gives what came of it, also where it was refused. */
export type Try<Op> = Op extends Operation<infer Input, infer Output>
  ? {} extends Input ? (input?: Input, options?: CallOptions) => Promise<Result<Output>>
  : (input: Input, options?: CallOptions) => Promise<Result<Output>>
  : never

/** A list that comes in pages also comes whole. */
export type Listing<Group> = Group extends {
  readonly list: Operation<infer Input, infer Page extends { readonly data: ReadonlyArray<unknown> }>
} ? [Extract<keyof Page, "next_cursor" | "next_after">] extends [never] ? unknown
  : {
    /**
     * Every item, page after page, each asked for when the one before is used up. `limit` is the size of a page. Of
     * events: all that there are to read by now.
     */
    readonly all: (input?: Input, options?: CallOptions) => AsyncIterable<Page["data"][number]>
  }
  : Group extends {
    readonly get: Operation<
      infer Input,
      infer Page extends { readonly data: ReadonlyArray<unknown>; readonly next_from?: string }
    >
  } ? string extends Page["next_from"] | "" ? {
        /** Every slot of the dates, however many: asked for by as many requests as it takes. They all need the same end. */
        readonly all: (
          input: Input & { readonly to: string },
          options?: CallOptions
        ) => AsyncIterable<Page["data"][number]>
      }
    : unknown
  : unknown

/** Every operation under its own name: `client.bookings.create({ … })`. */
export type Client =
  & {
    readonly [Group in keyof Operations]:
      & { readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name]> }
      & Listing<Operations[Group]>
  }
  & { readonly attachments: Uploads }
  & {
    /** The same, with results in place of errors: `client.try.bookings.create({ … })`. */
    readonly try: {
      readonly [Group in keyof Operations]: {
        readonly [Name in keyof Operations[Group]]: Try<Operations[Group][Name]>
      }
    }
  }
