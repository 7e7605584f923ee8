import { Files, FilesFailed } from "@trailbook/core/file"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rename, rm, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"

export interface FolderSettings {
  /** The storage folder. A missing folder is created, even if it is deleted while the server is running. */
  readonly directory: string
  /**
   * The minimum free disk space to leave after a write, in bytes. A write that would leave less space fails. Default: 0
   * (no check).
   */
  readonly minFreeBytes?: number
}

/**
 * Stores each file under its key, in a subfolder for the outfitter. Only the process's user can read the files (mode
 * 0600) and the folders that it creates (mode 0700). Several processes can share the folder. On a network file system,
 * renames must be atomic.
 *
 * @example
 * import { FilesFolder } from "@trailbook/files"
 *
 * const files = FilesFolder.layer({ directory: "files" })
 */
export const layer = ({ directory, minFreeBytes = 0 }: FolderSettings): Layer.Layer<Files> => {
  const toPath = (key: string): string => {
    if (!isKey(key)) throw new Error(`${JSON.stringify(key)} is not a valid key.`)
    return join(directory, ...key.split("/"))
  }
  return Layer.succeed(
    Files,
    Files.of({
      put: (key, bytes) =>
        attempt("write to", async () => {
          if (minFreeBytes > 0 && await measureFreeBytes(directory) - bytes.length < minFreeBytes) {
            throw new Error("disk is low")
          }
          await writeAtomically(toPath(key), bytes)
        }),
      get: (key) => attempt("read", async () => Option.map(await openIfExists(toPath(key)), toStream)),
      remove: (key) => attempt("write to", () => rm(toPath(key), { force: true }))
    })
  )
}

/** Reads the settings from the program's Effect configuration. */
export const layerConfig = (config: Config.Config.Wrap<FolderSettings>): Layer.Layer<Files, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))

/** Rejects keys that would escape the folder, name a hidden file, or collide on a case-insensitive file system. */
const isKey = (key: string): boolean => /^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(key)

/**
 * Runs the work uninterruptibly, because an interruption would leave a partial file behind. The work takes only
 * milliseconds.
 */
const attempt = <A>(action: string, work: () => Promise<A>): Effect.Effect<A, FilesFailed> =>
  Effect.uninterruptible(Effect.tryPromise({
    try: work,
    catch: (cause) => new FilesFailed({ message: `Could not ${action} the file folder (${getErrorCode(cause)}).` })
  }))

/** Returns only the error code, because the system's message contains the file name. */
const getErrorCode = (cause: unknown): string =>
  cause instanceof Error ? "code" in cause ? String(cause.code) : cause.message : String(cause)

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")

/**
 * Returns the free space on the folder's disk, in bytes. The folder does not exist before the first write, so the
 * nearest existing parent is checked instead.
 */
const measureFreeBytes = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (cause) {
    if (!isMissing(cause) || dirname(folder) === folder) throw cause
    return measureFreeBytes(dirname(folder))
  }
}

const writeAtomically = async (path: string, bytes: Uint8Array): Promise<void> => {
  // Keys contain no dots, so a temporary file never has the same name as a stored file.
  const draftPath = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const file = await openDraft(draftPath)
    try {
      await file.writeFile(bytes)
      // Without this flush, a crash after the rename could leave an empty file.
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draftPath, path)
  } catch (cause) {
    await rm(draftPath, { force: true })
    throw cause
  }
  await syncFolder(dirname(path))
}

/** Opens the temporary file, creating the folder for an outfitter's first file. */
const openDraft = async (draftPath: string): Promise<FileHandle> => {
  try {
    return await open(draftPath, "wx", 0o600)
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    await mkdir(dirname(draftPath), { recursive: true, mode: 0o700 })
    await syncFolder(dirname(dirname(draftPath)))
    return open(draftPath, "wx", 0o600)
  }
}

/** Flushes the folder, because it stores the file's name. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const openIfExists = async (path: string): Promise<Option.Option<FileHandle>> => {
  try {
    return Option.some(await open(path, "r"))
  } catch (cause) {
    if (isMissing(cause)) return Option.none()
    throw cause
  }
}

const chunkBytes = 64 * 1024

const toStream = (file: FileHandle): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { buffer, bytesRead } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes)
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
