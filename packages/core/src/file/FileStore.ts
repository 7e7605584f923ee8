import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { StoredFile } from "./StoredFile.ts"

/** Stores file metadata. `Files` stores the bytes. */
export class FileStore extends Context.Tag("@trailbook/core/FileStore")<
  FileStore,
  {
    /** Stores a new file. Dies if the ID is not new or the org does not exist. */
    readonly add: (file: StoredFile) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<StoredFile>>
    /** Finds the existing files with these IDs in an org, and locks them in ID order until the transaction ends. */
    readonly lock: (orgId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Sets the files' message, names, and positions. The caller must have locked the files. */
    readonly use: (files: ReadonlyArray<StoredFile>) => Effect.Effect<void>
    /** Returns the files for messages in an org, grouped by message and sorted by position. */
    readonly ofMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Deletes the files for messages and returns them. */
    readonly removeOfMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /**
     * Deletes unused files across all orgs, and returns them. A file is unused if it belongs to no message and was
     * created at or before `madeBefore`. Deletes at most `limit` files, the oldest first, and skips locked files.
     */
    readonly removeUnused: (madeBefore: Instant, limit: number) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Deletes a file that no message uses. */
    readonly discard: (key: OrgKey) => Effect.Effect<void>
  }
>() {}
