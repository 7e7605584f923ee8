/** The faults injected into servers and the database while guests book. Afterward, all of them run again. */
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

/** kill -9 of one server. With one server that is an outage; with more of them the others go on. */
export const killServer: Fault = {
  name: "kill -9 of a server",
  strike: async (fleet, dice) => {
    await fleet.pick(dice).kill()
    await fleet.replaceDead()
  }
}

/** kill -9 of a server while it commits, or just after: that is when what is durable and what was said differ most. */
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

/** A server stands still in the middle of whatever it does, for longer than some callers wait, and then goes on. */
export const stall: Fault = {
  name: "SIGSTOP of a server, SIGCONT later",
  strike: async (fleet, dice) => {
    const server = fleet.pick(dice)
    server.signal("SIGSTOP")
    await sleep(dice.between(100, 4500))
    server.signal("SIGCONT")
  }
}

/** It stands still, others take over, and then it is gone without having moved again. */
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

/** kill -9 of one server, and of its replacement just after. */
export const killTwice: Fault = {
  name: "kill -9 of two servers in a row",
  strike: async (fleet, dice) => {
    await killServer.strike(fleet, dice)
    await sleep(dice.between(0, 300))
    await killServer.strike(fleet, dice)
  }
}

/**
 * SIGTERM of a server at which new connections keep arriving. It has its grace to end in, and a few seconds to begin and to
 * come to the end of that on a machine with much else to do.
 */
export const stop = (graceSeconds: number): Fault => ({
  name: "SIGTERM of a server",
  strike: async (fleet, dice) => {
    await stopped(fleet.pick(dice), graceSeconds, async () => undefined)
    await fleet.replaceDead()
  }
})

/** It is told while it stands still, as a process does that waits for a disk, and callers have given up meanwhile. */
export const stopStalled = (graceSeconds: number): Fault => ({
  name: "SIGTERM of a server that stands still",
  strike: async (fleet, dice) => {
    const server = fleet.pick(dice)
    server.signal("SIGSTOP")
    await stopped(server, graceSeconds, async () => {
      await sleep(dice.between(3200, 4500))
      server.signal("SIGCONT")
    })
    await fleet.replaceDead()
  }
})

const stopped = async (server: ServerProcess, graceSeconds: number, meanwhile: () => Promise<void>): Promise<void> => {
  const arriving = arrivals(server.url)
  try {
    server.signal("SIGTERM")
    await meanwhile()
    const late = sleep((graceSeconds + 5) * 1000, "late" as const, { ref: false })
    const code = await Promise.race([server.ended, late])
    if (code !== 0) throw new Error(`A server that was told to stop: ${code}. ${server.log()}`)
  } finally {
    arriving.end()
  }
}

/** Callers that ask on a new connection each time, whatever becomes of them. */
const arrivals = (url: string) => {
  const state = { over: false }
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      get(new URL("/livez", url), { agent: false }, (answer) => answer.resume().once("close", resolve))
        .once("error", () => resolve())
    })
  const caller = async (): Promise<void> => {
    while (!state.over) {
      await ask()
      await setImmediate()
    }
  }
  for (let callers = 0; callers < 32; callers++) void caller()
  return {
    end: () => {
      state.over = true
    }
  }
}

/** kill -9 of the database alone: its workers end by themselves, some in the middle of a commit. */
export const killPostmaster = (postgres: Postgres): Fault => ({
  name: "kill -9 of the postmaster",
  strike: async () => {
    await postgres.kill("SIGKILL")
    await postgres.restart()
  }
})

/** kill -9 of the database and its workers in one moment. */
export const killDatabase = (postgres: Postgres): Fault => ({
  name: "kill -9 of the whole database",
  strike: async () => {
    const children = postgres.children()
    const gone = postgres.kill("SIGKILL")
    children.forEach(kill)
    await gone
    await postgres.restart()
  }
})

/** kill -9 of one of its processes: Postgres throws everybody out and recovers by itself. */
export const killWorker = (postgres: Postgres): Fault => ({
  name: "kill -9 of a database process",
  strike: async (_, dice) => kill(dice.pick(postgres.children()))
})

/** It may have ended by itself meanwhile. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}
