/** Checks for a database's files and backups on this machine. */
import { existsSync, readdirSync, statSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { fault, type Finding, makePassed } from "./Finding.ts"

/**
 * Checks the free space on the disk that contains a path. If the path does not exist, its nearest existing parent is
 * checked instead.
 */
export const disk = async (path: string, stat: (path: string) => Promise<Space> = statfs): Promise<Finding> => {
  let nearest = resolve(path)
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  const { bavail, bfree, blocks } = await stat(nearest)
  // Count as `df` does: blocks that are reserved for root are neither used nor available.
  const usedBlocks = blocks - bfree
  const share = usedBlocks / (usedBlocks + bavail)
  const text = `${Math.round(share * 100)}% used at ${nearest}`
  return share <= 0.9
    ? makePassed("disk", text)
    : fault("disk", text, "Free up disk space. A full disk stops all bookings.")
}

export interface Space {
  readonly blocks: number
  readonly bfree: number
  readonly bavail: number
}

const toleratedHours = 48

/** Checks the age of the newest file in the backup folder. */
export const backups = (folder: string, now: number): Finding => {
  const fix =
    "Run trailbook backup, and check the schedule that runs it. If backups are in another folder, set --backups."
  const times = existsSync(folder) ? readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs) : []
  if (times.length === 0) return fault("backups", `${folder} contains no backup`, fix)
  const hours = Math.floor((now - Math.max(...times)) / 3_600_000)
  const text = `the newest backup in ${folder} is ${hours} hours old`
  return hours < toleratedHours ? makePassed("backups", text) : fault("backups", text, fix)
}
