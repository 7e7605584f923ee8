import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { StoredFile } from "./StoredFile.ts"

/** The metadata of files. Their bytes are in `Files`. */
export class FileStore extends Context.Tag("@trailbook/core/FileStore")<
  FileStore,
  {
    /** Stores a file with a new ID in an existing org. Anything else is a defect. */
    readonly add: (file: StoredFile) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<StoredFile>>
    /** Finds and locks existing files of an org, ordered by ID, until the transaction ends. */
    readonly lock: (orgId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Sets the message, the names, and the positions of locked files. */
    readonly use: (files: ReadonlyArray<StoredFile>) => Effect.Effect<void>
    /** The files of messages of an org, grouped by message, ordered by position. */
    readonly ofMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Deletes the files of messages, and returns them. */
    readonly removeOfMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /**
     * Deletes up to `limit` files of all orgs that no message uses and that were created at or before this time, oldest
     * first, and returns them. Skips locked files.
     */
    readonly removeUnused: (madeBefore: Instant, limit: number) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Deletes a file that no message uses. */
    readonly discard: (key: OrgKey) => Effect.Effect<void>
  }
>() {}
