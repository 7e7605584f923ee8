import { readFileSync } from "node:fs"

/**
 * For how many milliseconds so far the main thread of a process could have gone on and did not get a core, because other
 * programs had it. Linux counts that; elsewhere nothing is known of it, and it is 0.
 */
export const waitedMs = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1] ?? 0) / 1e6
  } catch {
    return 0
  }
}
