/** The resource usage of processes, read from `/proc` on Linux. Undefined on other systems. */
import { readFile } from "node:fs/promises"

const readProc = (pid: number, file: string): Promise<string> =>
  readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")

const megabytesIn = (text: string, field: string): number | undefined => {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

export const residentMegabytes = async (pid: number): Promise<number | undefined> =>
  megabytesIn(await readProc(pid, "status"), "VmRSS")

/** Returns the combined memory of several processes, counting shared pages once. */
export const sharedMegabytes = async (pids: ReadonlyArray<number>): Promise<number | undefined> => {
  const each = await Promise.all(pids.map(async (pid) => megabytesIn(await readProc(pid, "smaps_rollup"), "Pss")))
  const sizes = each.filter((megabytes) => megabytes !== undefined)
  return sizes.length === 0 ? undefined : sizes.reduce((sum, megabytes) => sum + megabytes, 0)
}

/** The kernel counts CPU time in hundredths of a second, regardless of its timer frequency. */
const tickMicros = 10_000

/** Returns the CPU time of these processes in microseconds, including that of exited children they waited for. */
export const cpuMicros = async (pids: ReadonlyArray<number>): Promise<number | undefined> => {
  const each = await Promise.all(pids.map(async (pid) => {
    const stat = await readProc(pid, "stat")
    // The process name is in parentheses and can contain anything. utime is the twelfth field after it, followed by
    // stime, cutime, and cstime.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  }))
  const ticks = each.reduce((sum, ticks) => sum + ticks, 0)
  return ticks === 0 ? undefined : ticks * tickMicros
}
