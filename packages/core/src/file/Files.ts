import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/**
 * Bytes, piece by piece: a stream of the web and one of Node are read like this.
 *
 * @category models
 */
export interface FileContent {
  /** How many bytes the pieces have together. */
  readonly size: number
  readonly pieces: Pieces
}

/**
 * @category models
 */
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Where files are could not be reached, or did not do what it was asked. It may go
 * better later.
 *
 * @category errors
 */
export class FilesFailed extends Data.TaggedError("FilesFailed")<{
  readonly message: string
}> {}

/**
 * Where the bytes of files are: a folder, an object storage, or what a program
 * around us brings. Keys are made of lower case letters, digits, `-` and `/`.
 *
 * It is asked outside of units of work. What is known of a file is in the database;
 * here are bytes alone, and nobody lists them.
 *
 * @category ports
 */
export class Files extends Context.Tag("@trailbook/core/Files")<
  Files,
  {
    /**
     * Keeps bytes, in the place of what is there. They are there whole or not at all, also for
     * who reads meanwhile, and stay when the machine goes down after this has ended. Interrupted
     * or failed, it leaves nothing new.
     */
    readonly put: (key: string, content: FileContent) => Effect.Effect<void, FilesFailed>
    /**
     * What is kept, as it was when this was asked. Nothing is opened before the first piece is
     * read, and reading that is ended early lets go of everything.
     */
    readonly get: (key: string) => Effect.Effect<Option.Option<FileContent>, FilesFailed>
    /** Takes bytes away; safe to repeat, and of what is not there. */
    readonly remove: (key: string) => Effect.Effect<void, FilesFailed>
  }
>() {}
