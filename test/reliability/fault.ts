/**
 * The faults injected into servers and the database while guests book. Afterward, all servers and the database are
 * running again.
 */
import { get } from "node:http"
import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import type { Postgres } from "../postgres/server.ts"
import type { Dice } from "./dice.ts"
import type { Fleet } from "./Fleet.ts"
import type { ServerProcess } from "./ServerProcess.ts"
import type { Target } from "./Target.ts"

export interface Fault {
  readonly name: string
  readonly strike: (fleet: Fleet, dice: Dice) => Promise<void>
}

/** Kills one server with SIGKILL. In a fleet of one server, this is an outage. */
export const killServer: Fault = {
  name: "kill -9 of a server",
  strike: async (fleet, dice) => {
    await fleet.pick(dice).kill()
    await fleet.replaceDead()
  }
}

/**
 * Kills a server up to 4 ms after a write to the database files, when a commit has most likely not been acknowledged
 * yet.
 */
export const killInCommit = ({ written }: Target): Fault => ({
  name: "kill -9 of a server in a commit",
  strike: async (fleet, dice) => {
    const server = fleet.pick(dice)
    await written()
    const until = performance.now() + dice.between(0, 4)
    while (performance.now() < until) await setImmediate()
    await server.kill()
    await fleet.replaceDead()
  }
})

/** Suspends a server for up to 4.5 seconds. Callers time out after 3 seconds. */
export const stall: Fault = {
  name: "SIGSTOP of a server, SIGCONT later",
  strike: async (fleet, dice) => {
    const server = fleet.pick(dice)
    server.signal("SIGSTOP")
    await sleep(dice.between(100, 4500))
    server.signal("SIGCONT")
  }
}

/** Suspends a server until other servers take over, and kills it before it resumes. */
export const stallAndKill: Fault = {
  name: "SIGSTOP of a server, kill -9 later",
  strike: async (fleet, dice) => {
    const server = fleet.pick(dice)
    server.signal("SIGSTOP")
    await sleep(dice.between(100, 4500))
    await server.kill()
    await fleet.replaceDead()
  }
}

/** Kills two servers. The second kill happens up to 300 ms after the first server's replacement has started. */
export const killTwice: Fault = {
  name: "kill -9 of two servers in a row",
  strike: async (fleet, dice) => {
    await killServer.strike(fleet, dice)
    await sleep(dice.between(0, 300))
    await killServer.strike(fleet, dice)
  }
}

/**
 * Sends SIGTERM to a server that keeps receiving new connections. The server must exit within its grace period, plus 5
 * seconds for a busy machine.
 */
export const stop = (graceSeconds: number): Fault => ({
  name: "SIGTERM of a server",
  strike: async (fleet, dice) => {
    await stopServer(fleet.pick(dice), graceSeconds, async () => undefined)
    await fleet.replaceDead()
  }
})

/**
 * Sends SIGTERM to a suspended server, as if the process were waiting for a disk. Its callers time out before it
 * resumes.
 */
export const stopStalled = (graceSeconds: number): Fault => ({
  name: "SIGTERM of a suspended server",
  strike: async (fleet, dice) => {
    const server = fleet.pick(dice)
    server.signal("SIGSTOP")
    await stopServer(server, graceSeconds, async () => {
      await sleep(dice.between(3200, 4500))
      server.signal("SIGCONT")
    })
    await fleet.replaceDead()
  }
})

const stopServer = async (
  server: ServerProcess,
  graceSeconds: number,
  meanwhile: () => Promise<void>
): Promise<void> => {
  const arriving = startCallers(server.url)
  try {
    server.signal("SIGTERM")
    await meanwhile()
    const graceTimeout = sleep((graceSeconds + 5) * 1000, "late" as const, { ref: false })
    const code = await Promise.race([server.ended, graceTimeout])
    if (code !== 0) throw new Error(`Expected exit code 0 after SIGTERM, got ${code}. ${server.log()}`)
  } finally {
    arriving.end()
  }
}

/** Starts 32 callers that open a new connection for each request and ignore the results. */
const startCallers = (url: string) => {
  const state = { over: false }
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      get(new URL("/livez", url), { agent: false }, (answer) => answer.resume().once("close", resolve))
        .once("error", () => resolve())
    })
  const runCaller = async (): Promise<void> => {
    while (!state.over) {
      await ask()
      await setImmediate()
    }
  }
  for (let callers = 0; callers < 32; callers++) void runCaller()
  return {
    end: () => {
      state.over = true
    }
  }
}

/** Kills only the postmaster. Its backends exit once they detect the loss, some of them during a commit. */
export const killPostmaster = (postgres: Postgres): Fault => ({
  name: "kill -9 of the postmaster",
  strike: async () => {
    await postgres.kill("SIGKILL")
    await postgres.restart()
  }
})

/** Kills the postmaster and all backends at the same time. */
export const killDatabase = (postgres: Postgres): Fault => ({
  name: "kill -9 of the whole database",
  strike: async () => {
    const children = postgres.children()
    const exit = postgres.kill("SIGKILL")
    children.forEach(kill)
    await exit
    await postgres.restart()
  }
})

/** Kills one Postgres process. Postgres then closes all connections and recovers. */
export const killWorker = (postgres: Postgres): Fault => ({
  name: "kill -9 of a database process",
  strike: async (_, dice) => kill(dice.pick(postgres.children()))
})

/** Ignores processes that have already exited. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}
