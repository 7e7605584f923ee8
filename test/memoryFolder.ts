import { readFileSync, statfsSync } from "node:fs"

const folder = "/dev/shm"

/** The required free space: enough for a run's databases and the programs that tests install. */
const bytesNeeded = 4 * 2 ** 30

/**
 * Returns an in-memory folder for temporary files if the machine has one with enough free space and programs can run
 * from it. Tests create a database for each law, and tests on SQLite would otherwise spend half of their time waiting
 * for the disk.
 */
export const memoryFolder = (): string | undefined => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const options = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]?.split(",")
    return options !== undefined && !options.includes("noexec") && bavail * bsize >= bytesNeeded ? folder : undefined
  } catch {
    return undefined
  }
}
