/** Processor time of the main thread. Unlike elapsed time, it does not grow when other programs use the machine. */
import { existsSync, readFileSync } from "node:fs"

/** The scheduler's counters for this thread. The first field is processor time in nanoseconds. */
const counters = `/proc/self/task/${process.pid}/schedstat`

/**
 * Processor time of the main thread in milliseconds. On systems without these counters, elapsed time is used instead.
 */
export const threadTimeMs: () => number = existsSync(counters)
  ? () => Number(readFileSync(counters, "utf8").split(" ", 1)[0]) / 1e6
  : () => performance.now()
