/**
 * A server, and the processes that deliver: separate workers or the server itself. All of them are started with the
 * CLI, as an operator would start them.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "../reliability/dice.ts"
import { type Process, startServer, startWorker } from "../reliability/ServerProcess.ts"
import type { Target } from "../reliability/Target.ts"
import type { Strike } from "./checkDeliveries.ts"

export interface Workers {
  /** Returns the server's current URL, or an empty list while the server is down. */
  readonly urls: () => ReadonlyArray<string>
  /** Kills one delivering process with SIGKILL and starts a replacement. */
  readonly kill: (dice: Dice) => Promise<Strike>
  /** Kills all delivering processes with SIGKILL. `beforeRestart` runs before the replacements start. */
  readonly killAll: (beforeRestart: () => Promise<void>) => Promise<Strike>
  /** Suspends one delivering process for this many milliseconds. */
  readonly stall: (dice: Dice, millis: number) => Promise<Strike>
  readonly stop: () => Promise<void>
}

const leaseMillis = 30_000

/** Without workers, the server itself delivers. */
export const assemble = async ({ folder, url: database }: Target, workers: number): Promise<Workers> => {
  const serve = () => startServer(database, folder, { worker: workers === 0 ? "on" : "off" })
  let server = await serve()
  let working: ReadonlyArray<Process> = await Promise.all(
    Array.from({ length: workers }, () => startWorker(database, folder))
  )
  const delivering = (): ReadonlyArray<Process> => workers === 0 ? [server] : working
  const replaceDead = async () => {
    if (!server.isRunning()) server = await serve()
    working = await Promise.all(
      working.map(async (worker) => worker.isRunning() ? worker : startWorker(database, folder))
    )
  }
  const struck = async (strike: () => Promise<unknown>): Promise<Strike> => {
    const from = Date.now()
    await strike()
    const to = Date.now()
    return { from, to, outlastsLease: to - from > leaseMillis }
  }
  return {
    urls: () => server.isRunning() ? [server.url] : [],
    kill: async (dice) => {
      const strike = await struck(() => dice.pick(delivering()).kill())
      await replaceDead()
      return strike
    },
    killAll: async (beforeRestart) => {
      const strike = await struck(() => Promise.all(delivering().map((process) => process.kill())))
      await beforeRestart()
      await replaceDead()
      return strike
    },
    stall: (dice, millis) =>
      struck(async () => {
        const process = dice.pick(delivering())
        process.signal("SIGSTOP")
        await sleep(millis)
        process.signal("SIGCONT")
      }),
    stop: async () => {
      await Promise.all([server, ...working].map((process) => process.kill()))
    }
  }
}
