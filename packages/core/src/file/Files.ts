import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/**
 * The error when the file storage is unreachable or fails. A retry may succeed. The message is written to the log, so
 * it must not contain keys or guests' addresses.
 */
export class FilesFailed extends Data.TaggedError("FilesFailed")<{
  readonly message: string
}> {}

/**
 * Stores file contents. An implementation can use a folder, object storage, or the host application's storage. Keys
 * consist of lowercase letters, digits, `-`, and `/`.
 *
 * The storage is called outside transactions. The database contains the file metadata, so the storage does not need to
 * list its files.
 */
export class Files extends Context.Tag("@trailbook/core/Files")<
  Files,
  {
    /**
     * Stores bytes under a key, and replaces any existing bytes. The write is atomic, even for concurrent readers, and
     * durable when the call returns. After a failure or an interruption, the storage contains either the previous or
     * the complete new bytes.
     */
    readonly put: (key: string, bytes: Uint8Array) => Effect.Effect<void, FilesFailed>
    /** Returns the bytes as a stream. The caller must read the stream to its end or cancel it. */
    readonly get: (key: string) => Effect.Effect<Option.Option<ReadableStream<Uint8Array>>, FilesFailed>
    /** Deletes bytes. The call is idempotent. */
    readonly remove: (key: string) => Effect.Effect<void, FilesFailed>
  }
>() {
  /** A service without storage: writes fail, and no file exists. */
  static readonly layerNone = Layer.sync(Files, () => nowhere)

  /** Returns whether no file storage is configured. */
  static readonly isNowhere = (files: Files["Type"]): boolean => files === nowhere
}

const nowhere: Files["Type"] = {
  put: () => new FilesFailed({ message: "File storage is not configured." }),
  get: () => Effect.succeed(Option.none()),
  remove: () => Effect.void
}
