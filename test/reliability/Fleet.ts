/** So many servers on one database, and where they listen at the moment. */
import type { Dice } from "./dice.ts"
import { type ServerOptions, type ServerProcess, startServer } from "./ServerProcess.ts"

export interface Fleet {
  readonly urls: () => ReadonlyArray<string>
  readonly pick: (dice: Dice) => ServerProcess
  /** Starts another server in place of each that runs no more, all at once. */
  readonly replaceDead: () => Promise<void>
  /** How long each server took from its start until it was ready. */
  readonly readyMillis: ReadonlyArray<number>
  readonly stop: () => Promise<void>
}

/** Clocks that are wrong are wrong again when their server is replaced. */
export const startFleet = async (
  database: string,
  folder: string,
  size: number,
  options: ServerOptions = {},
  clocksOffMillis: ReadonlyArray<number> = []
): Promise<Fleet> => {
  const readyMillis: Array<number> = []
  const start = async (at: number): Promise<ServerProcess> => {
    const from = performance.now()
    const server = await startServer(database, folder, { ...options, clockOffMillis: clocksOffMillis[at] ?? 0 })
    readyMillis.push(performance.now() - from)
    return server
  }
  let servers: ReadonlyArray<ServerProcess> = await Promise.all(Array.from({ length: size }, (_, at) => start(at)))
  return {
    readyMillis,
    urls: () => servers.map(({ url }) => url),
    pick: (dice) => dice.pick(servers),
    replaceDead: async () => {
      servers = await Promise.all(servers.map(async (server, at) => server.isRunning() ? server : start(at)))
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()))
    }
  }
}
