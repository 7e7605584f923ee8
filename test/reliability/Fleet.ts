/** Several servers on one database, with their current addresses. */
import type { Dice } from "./dice.ts"
import { type ServerOptions, type ServerProcess, startServer } from "./ServerProcess.ts"

export interface Fleet {
  readonly urls: () => ReadonlyArray<string>
  readonly pick: (dice: Dice) => ServerProcess
  /** Replaces all dead servers concurrently. */
  readonly replaceDead: () => Promise<void>
  /** Each server's startup time. */
  readonly readyMillis: ReadonlyArray<number>
  readonly stop: () => Promise<void>
}

/** Starts the servers. A replacement has the same clock offset as the server that it replaces. */
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
