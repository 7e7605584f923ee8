import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/**
 * Where files are could not be reached, or did not do what it was asked. It may go
 * better later. The message is for the log: it names no keys and no addresses of
 * guests.
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
     * who reads meanwhile, and stay when the machine goes down after this has ended. When it
     * fails or is interrupted, what was there before is there, or all of what was given.
     */
    readonly put: (key: string, bytes: Uint8Array) => Effect.Effect<void, FilesFailed>
    /** What is kept, piece by piece. Who reads it reads it to its end or cancels it. */
    readonly get: (key: string) => Effect.Effect<Option.Option<ReadableStream<Uint8Array>>, FilesFailed>
    /** Takes bytes away; safe to repeat, and of what is not there. */
    readonly remove: (key: string) => Effect.Effect<void, FilesFailed>
  }
>() {
  /** No place: nothing is taken, and nothing is there. */
  static readonly layerNone = Layer.sync(Files, () => nowhere)

  /** Whether there is a place for files. */
  static readonly isNowhere = (files: Files["Type"]): boolean => files === nowhere
}

const nowhere: Files["Type"] = {
  put: () => new FilesFailed({ message: "No files are kept here." }),
  get: () => Effect.succeed(Option.none()),
  remove: () => Effect.void
}
