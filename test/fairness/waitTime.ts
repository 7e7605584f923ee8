import { readFileSync } from "node:fs"

/**
 * Returns the total milliseconds in which the main thread of a process was ready to run but other programs had the
 * cores. Only Linux counts this; other systems return 0.
 */
export const waitedMs = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1] ?? 0) / 1e6
  } catch {
    return 0
  }
}
