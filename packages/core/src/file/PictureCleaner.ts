import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { FileType } from "./FileType.ts"
import { stripMetadata } from "./stripMetadata.ts"

/** The error when the cleaner does not return a result. A retry may succeed. */
export class CleanerFailed extends Data.TaggedError("CleanerFailed")<{
  readonly message: string
}> {}

/**
 * Removes metadata from files outside the thread that handles requests. By default, files are cleaned in the same
 * thread, which takes about 15 ms for 10 MiB.
 */
export class PictureCleaner extends Context.Tag("@trailbook/core/PictureCleaner")<
  PictureCleaner,
  {
    /** Returns the cleaned file, or undefined if the file is malformed. The caller must not use `bytes` afterward. */
    readonly clean: (type: FileType, bytes: Uint8Array) => Effect.Effect<Uint8Array | undefined, CleanerFailed>
  }
>() {
  /** Uses the host application's cleaner, or a cleaner that runs in this thread. */
  static readonly orInline = Effect.map(
    Effect.serviceOption(PictureCleaner),
    Option.getOrElse((): PictureCleaner["Type"] => ({
      clean: (type, bytes) => Effect.sync(() => stripMetadata(type, bytes))
    }))
  )
}
