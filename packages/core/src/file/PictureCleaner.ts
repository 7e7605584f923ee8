import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { FileType } from "./FileType.ts"
import { stripMetadata } from "./stripMetadata.ts"

/**
 * The cleaner did not return a result. A retry can succeed.
 *
 * @category errors
 */
export class CleanerFailed extends Data.TaggedError("CleanerFailed")<{
  readonly message: string
}> {}

/**
 * Removes metadata from files, outside of the thread that answers requests. A program that does not provide it cleans
 * files in its own thread, at about 15 ms for 10 MiB.
 *
 * @category ports
 */
export class PictureCleaner extends Context.Tag("@trailbook/core/PictureCleaner")<
  PictureCleaner,
  {
    /** The cleaned file, or `undefined` if it is broken. The bytes must not be used afterwards. */
    readonly clean: (type: FileType, bytes: Uint8Array) => Effect.Effect<Uint8Array | undefined, CleanerFailed>
  }
>() {
  /** The cleaner of the program, or one that works in this thread. */
  static readonly orInline = Effect.map(
    Effect.serviceOption(PictureCleaner),
    Option.getOrElse((): PictureCleaner["Type"] => ({
      clean: (type, bytes) => Effect.sync(() => stripMetadata(type, bytes))
    }))
  )
}
