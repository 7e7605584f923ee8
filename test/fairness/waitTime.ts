import { readFileSync } from "node:fs"

/**
 * Returns how many milliseconds in total a process's main thread was ready to run while other programs used the cores.
 * Only Linux tracks this time, so the result is 0 on other systems.
 */
export const waitedMs = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1] ?? 0) / 1e6
  } catch {
    return 0
  }
}
