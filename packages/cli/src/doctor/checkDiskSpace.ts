/** Checks for the disk, the backups, the outbox, and the file storage. */
import { Files } from "@trailbook/core/file"
import { bucketLayer, type FilesSettings } from "@trailbook/server/filesLayer"
import type { FilesLocation } from "@trailbook/server/setting/filesLocation"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

/**
 * Checks the free space on the disk that contains a path. If the path does not exist, its nearest existing parent is
 * checked instead.
 */
export const checkDiskSpace = async (
  path: string,
  stat: (path: string) => Promise<Space> = statfs
): Promise<Finding> => {
  const nearest = nearestExisting(path)
  const { bavail, bfree, blocks } = await stat(nearest)
  // Count the way `df` description: blocks reserved for root are neither used nor available.
  const usedBlocks = blocks - bfree
  const share = usedBlocks / (usedBlocks + bavail)
  const text = `${Math.round(share * 100)}% used at ${nearest}`
  return share <= 0.9
    ? makePassedFinding("disk", text)
    : makeFailedFinding("disk", text, "Free up disk space. A full disk stops all bookings.")
}

interface Space {
  readonly blocks: number
  readonly bfree: number
  readonly bavail: number
}

const toleratedHours = 48

/** Checks the age of the newest file in the backup folder. */
export const checkBackups = (folder: string, now: number): Finding => {
  const fix =
    "Run trailbook backup, and check the schedule that runs it. If backups are in another folder, set --backups."
  const times = existsSync(folder) ? readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs) : []
  if (times.length === 0) return makeFailedFinding("backups", `${folder} contains no backup`, fix)
  const hours = Math.floor((now - Math.max(...times)) / 3_600_000)
  const text = `the newest backup in ${folder} is ${hours} hours old`
  return hours < toleratedHours ? makePassedFinding("backups", text) : makeFailedFinding("backups", text, fix)
}

export const checkOutbox = (folder: string): Finding => writableFolder("outbox", folder, "--outbox")

/**
 * Checks a folder by writing a file to it. If the folder does not exist, its nearest existing parent is checked,
 * because a server would create the folder.
 */
const writableFolder = (check: string, folder: string, setting: string): Finding => {
  const nearest = nearestExisting(folder)
  const probe = join(nearest, `.trailbook-doctor-${randomUUID()}`)
  try {
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 })
    rmSync(probe)
    return makePassedFinding(check, nearest === resolve(folder) ? folder : `${folder} can be created`)
  } catch (error) {
    return makeFailedFinding(
      check,
      `${folder} is not writable: ${error instanceof Error ? error.message : String(error)}`,
      `Make ${nearest} writable by this user, or choose another folder with ${setting}.`
    )
  }
}

/** Checks the file storage by writing, reading, and deleting a file. */
export const checkFileStorage = async (
  place: FilesLocation,
  settings: Pick<FilesSettings, "filesKey" | "filesRegion">
): Promise<Finding> => {
  if (place._tag === "Folder") return writableFolder("files", place.directory, "--files")
  const key = `doctor/${randomUUID()}`
  const probe = Effect.gen(function*() {
    const { get, put, remove } = yield* Effect.provide(Files, yield* bucketLayer(place.url, settings))
    yield* put(key, new Uint8Array(1))
    const stream = yield* get(key)
    yield* remove(key)
    if (stream._tag === "None") return yield* Effect.fail({ message: "A file was written but could not be read back." })
    yield* Effect.promise(() => stream.value.cancel())
  })
  const result = await Effect.runPromise(Effect.either(probe))
  return result._tag === "Right"
    ? makePassedFinding("files", place.url)
    : makeFailedFinding(
      "files",
      result.left.message,
      `Check that ${place.url} exists in the region set by --files-region, and that the key can read, ` +
        "write, and delete."
    )
}

const nearestExisting = (path: string): string => {
  let nearest = resolve(path)
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  return nearest
}
