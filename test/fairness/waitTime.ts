import { readFileSync } from "node:fs"

/**
 * Returns the total number of milliseconds that a process's main thread was ready to run while other programs used the
 * cores. Only Linux counts this time. Other systems return 0.
 */
export const waitedMs = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1] ?? 0) / 1e6
  } catch {
    return 0
  }
}
