import type { Files, FileSanitizer, PhotoResizer } from "@trailbook/core/file"
import * as FilesFolder from "@trailbook/files/FilesFolder"
import * as SanitizerThread from "@trailbook/files/SanitizerThread"
import * as SharpResizer from "@trailbook/files/SharpResizer"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { dirname, join } from "node:path"
import type { BucketKey, FilesLocation } from "./setting/filesLocation.ts"
import { UsageError } from "./setting/UsageError.ts"

/** The settings for the file storage. */
export interface FilesSettings {
  readonly database: DatabaseUrl
  readonly files: FilesLocation | undefined
  readonly filesKey: BucketKey | undefined
  readonly filesRegion: string
  readonly filesMinFreeMb: number
}

/** Returns the configured storage, or the `files` folder next to the database file or in the working directory. */
export const resolveFilesLocation = ({ database, files }: Pick<FilesSettings, "database" | "files">): FilesLocation =>
  files ?? {
    _tag: "Folder",
    directory: join(database._tag === "Sqlite" ? dirname(database.file) : ".", "files")
  }

export const filesLayer = (settings: FilesSettings): Layer.Layer<Files | PhotoResizer | FileSanitizer, UsageError> => {
  const place = resolveFilesLocation(settings)
  const files = place._tag === "Folder"
    ? FilesFolder.layer({ directory: place.directory, minFreeBytes: settings.filesMinFreeMb * 1024 * 1024 })
    : Layer.unwrapEffect(bucketLayer(place.url, settings))
  return Layer.mergeAll(files, SanitizerThread.layer, SharpResizer.layer)
}

/** Returns a bucket's file storage. Fails without an access key. */
export const bucketLayer = (
  url: string,
  { filesKey, filesRegion: region }: Pick<FilesSettings, "filesKey" | "filesRegion">
) =>
  Effect.gen(function*() {
    if (filesKey === undefined) return yield* Effect.fail(new UsageError(keyMissing))
    // Load the module on demand, because most installations store files in a folder.
    const FilesBucket = yield* Effect.promise(() => import("@trailbook/files/FilesBucket"))
    const { accessKeyId, secretAccessKey } = filesKey
    return FilesBucket.layer({ url, region, accessKeyId, secretAccessKey: Redacted.make(secretAccessKey) })
  })

const keyMissing = "A bucket in --files requires an access key. Set TRAILBOOK_FILES_KEY to <id>:<secret>."
