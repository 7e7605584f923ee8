import { readFileSync, statfsSync } from "node:fs"

const folder = "/dev/shm"

/** Room for the databases of a run, and for programs that a test installs. */
const bytesNeeded = 4 * 2 ** 30

/**
 * A folder for temporary files that is kept in memory, where the machine has one with room to spare from which programs may
 * be started. Tests make a database for each law, and half of the time of those on SQLite was waiting for the disk.
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
