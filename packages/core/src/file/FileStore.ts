import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * What is known of files. Their bytes are in `Files`.
 *
 * @category ports
 */
export class FileStore extends Context.Tag("@trailbook/core/FileStore")<
  FileStore,
  {
    /** Stores a file whose id is new, of an org that is there. Anything else is a defect. */
    readonly add: (file: StoredFile) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<StoredFile>>
    /** Those of an org that are there, by id, and keeps them from changing until the unit of work ends. */
    readonly lock: (orgId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Gives files that are locked their message, their names and their places in it. */
    readonly use: (files: ReadonlyArray<StoredFile>) => Effect.Effect<void>
    /** The files of messages of an org, those of a message together and in their places. */
    readonly ofMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Takes the files of messages away, and says which they were. */
    readonly removeOfMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /**
     * Takes away up to `limit` files of all orgs that no message uses and that were made at or
     * before a moment, the oldest first, and says which they were. One that is locked is passed over.
     */
    readonly removeUnused: (madeBefore: Instant, limit: number) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Takes a file away that no message uses. */
    readonly discard: (key: OrgKey) => Effect.Effect<void>
  }
>() {}
