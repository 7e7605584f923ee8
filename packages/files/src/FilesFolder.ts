import { Files, FilesFailed } from "@trailbook/core/file/Files"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rename, rm, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"

export interface FolderSettings {
  /** Created if missing, also at run time. */
  readonly directory: string
  /**
   * Bytes of the disk that files leave free. A file that would leave fewer is refused. Default 0, which disables the
   * check.
   */
  readonly minFreeBytes?: number
}

/**
 * Stores files in a folder. Each file is named after its key, in a subfolder per outfitter. Only the owner of the
 * process can read them (mode 0600, and 0700 for created folders). Several processes can share a folder, including
 * over a network file system with atomic renames.
 *
 * @example
 * import { FilesFolder } from "@trailbook/files"
 *
 * const files = FilesFolder.layer({ directory: "files" })
 */
export const layer = ({ directory, minFreeBytes = 0 }: FolderSettings): Layer.Layer<Files> => {
  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new Error(`${JSON.stringify(key)} is not a valid key.`)
    return join(directory, ...key.split("/"))
  }
  return Layer.succeed(
    Files,
    Files.of({
      put: (key, bytes) =>
        attempt("written", async () => {
          if (minFreeBytes > 0 && await freeBytes(directory) - bytes.length < minFreeBytes) {
            throw new Error("disk is low")
          }
          await write(pathOf(key), bytes)
        }),
      get: (key) => attempt("read", async () => Option.map(await opened(pathOf(key)), streamOf)),
      remove: (key) => attempt("written", () => rm(pathOf(key), { force: true }))
    })
  )
}

/** Like {@link layer}, with settings from the program's configuration. */
export const layerConfig = (config: Config.Config.Wrap<FolderSettings>): Layer.Layer<Files, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))

/** Rejects keys that leave the folder, name a hidden file, or collide on a case-insensitive file system. */
const isKey = (key: string): boolean => /^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(key)

/** Uninterruptible: the work takes milliseconds, and it must remove its own partial file if it fails. */
const attempt = <A>(done: string, work: () => Promise<A>): Effect.Effect<A, FilesFailed> =>
  Effect.uninterruptible(Effect.tryPromise({
    try: work,
    catch: (cause) => new FilesFailed({ message: `The file folder cannot be ${done} (${codeOf(cause)}).` })
  }))

/** Reports only the error code, because the system's message contains the file name. */
const codeOf = (cause: unknown): string =>
  cause instanceof Error ? "code" in cause ? String(cause.code) : cause.message : String(cause)

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")

/** Free bytes of the disk of a folder. The folder is created with the first file, so the check uses the nearest one. */
const freeBytes = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (cause) {
    if (!isMissing(cause) || dirname(folder) === folder) throw cause
    return freeBytes(dirname(folder))
  }
}

const write = async (path: string, bytes: Uint8Array): Promise<void> => {
  // No key contains a dot, so no stored file has such a name.
  const draft = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const file = await begun(draft)
    try {
      await file.writeFile(bytes)
      // Without the flush, a crash can leave an empty file of this name.
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw cause
  }
  await synced(dirname(path))
}

/** Opens the draft and creates its folder if it is missing, as for the first file of an outfitter. */
const begun = async (draft: string): Promise<FileHandle> => {
  try {
    return await open(draft, "wx", 0o600)
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
    await synced(dirname(dirname(draft)))
    return open(draft, "wx", 0o600)
  }
}

/** Flushes the folder, which contains the name of the file. */
const synced = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const opened = async (path: string): Promise<Option.Option<FileHandle>> => {
  try {
    return Option.some(await open(path, "r"))
  } catch (cause) {
    if (isMissing(cause)) return Option.none()
    throw cause
  }
}

const pieceBytes = 64 * 1024

const streamOf = (file: FileHandle): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { buffer, bytesRead } = await file.read(new Uint8Array(pieceBytes), 0, pieceBytes)
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
      } catch (cause) {
        await file.close()
        throw cause
      }
      await file.close()
      controller.close()
    },
    cancel: () => file.close()
  }, { highWaterMark: 0 })
