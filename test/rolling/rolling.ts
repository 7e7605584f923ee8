/** Restarts two servers behind proxies, one after the other, while clients continuously book, cancel, and read. */
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../freePort.ts"
import { createOrg, type ServerProcess, startServer } from "../reliability/ServerProcess.ts"
import { postgres } from "../reliability/Target.ts"
import { type Proxy, type ProxyName, startProxy } from "./Proxy.ts"

export interface RollingOptions {
  readonly proxies: ReadonlyArray<ProxyName>
  readonly restarts: number
  readonly clients: number
  /** The shutdown delay. Default: 5, as documented. */
  readonly delaySeconds?: number
  readonly onRestart?: (restart: number, figures: RollingFigures) => void
}

/** The documented pause, during which each proxy checks the restarted server. */
const recheckMs = 2000

export interface RollingFigures {
  requests: number
  /** One line for each request that got no successful response. */
  readonly failed: Array<string>
}

export const restartServers = async (
  { clients, delaySeconds = 5, onRestart, proxies: names, restarts }: RollingOptions
): Promise<RollingFigures> => {
  const target = await postgres()
  const ports = [await freePort(), await freePort()] as const
  const start = (port: number): Promise<ServerProcess> => startServer(target.url, target.folder, { port, delaySeconds })
  const figures: RollingFigures = { requests: 0, failed: [] }
  const servers: Array<ServerProcess> = []
  const proxies: Array<Proxy> = []
  let isOver = false
  try {
    const { key } = await createOrg(target.url)
    for (const port of ports) servers.push(await start(port))
    for (const name of names) proxies.push(await startProxy(name, ports, target.folder))
    const asks = proxies.map((proxy) => makeClient(proxy, key, figures))
    const place = await createDeparture(asks)
    const visits = asks.flatMap((ask, at) =>
      Array.from({ length: clients }, (_, client) => client)
        .filter((client) => client % asks.length === at)
        .map(() => visitUntil(ask, place, () => isOver))
    )
    for (let restart = 0; restart < restarts; restart++) {
      const at = restart % 2
      await servers[at]?.kill("SIGTERM")
      servers[at] = await start(ports[at] ?? 0)
      await sleep(recheckMs)
      onRestart?.(restart + 1, figures)
    }
    // Wait until both servers respond again, because only then has the last restart finished.
    await sleep(1000)
    isOver = true
    await Promise.all(visits)
    return figures
  } finally {
    isOver = true
    await Promise.all([...proxies.map((proxy) => proxy.stop()), ...servers.map((server) => server.kill())])
    await target.close()
  }
}

interface Place {
  readonly offering_id: string
  readonly session_id: string
}

type Body = ReturnType<typeof JSON.parse>
type Ask = (method: string, path: string, body?: unknown) => Promise<Body>

/** Creates a client for a proxy. A failed request is counted and returns undefined. */
const makeClient = ({ name, url }: Proxy, key: string, figures: RollingFigures): Ask => async (method, path, body) => {
  figures.requests++
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  try {
    const bodyOption = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1${path}`, { method, headers, ...bodyOption })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    figures.failed.push(`${name} ${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  } catch (error) {
    const cause = error instanceof Error ? error.cause ?? error : error
    figures.failed.push(`${name} ${method} ${path}: ${String(cause)}`)
  }
  return undefined
}

/** Creates a departure with a seat for every client. */
const createDeparture = async ([ask]: ReadonlyArray<Ask>): Promise<Place> => {
  if (ask === undefined) throw new Error("No proxy was given.")
  const offering = await ask("POST", "/offerings", { name: "Browns Canyon", kind: "class", capacity: 500 })
  const starts_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const { data: [session] } = await ask("POST", "/sessions", { offering_id: offering.id, starts_at })
  return { offering_id: offering.id, session_id: session.id }
}

const visitUntil = async (ask: Ask, place: Place, isOver: () => boolean): Promise<void> => {
  const customer = { name: "Guest", email: "guest@example.com" }
  while (!isOver()) {
    const booking = await ask("POST", "/bookings", { ...place, quantity: 1, customer })
    if (booking === undefined) continue
    await ask("GET", `/bookings/${booking.id}`)
    await ask("POST", `/bookings/${booking.id}/cancel`)
  }
}
