/**
 * A load generator: so many clients, each with one call in flight, as fast as
 * they are answered or at a pace. Over HTTP it runs in a process of its own, so
 * the server's CPU time is the server's alone.
 */
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: unknown
}

export interface LoadResult {
  readonly calls: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<number, number>>
}

export interface Clients {
  readonly clients: number
  /** How many calls; or else for how many seconds calls are begun. */
  readonly calls?: number
  readonly seconds?: number
  /**
   * So many calls a second and no more. Two servers are compared by their CPU
   * time at one rate: a server that is waited for pays the kernel more for each
   * answer, because it has to wake who waits.
   */
  readonly pace?: number
}

export interface Load extends Clients {
  readonly port: number
  readonly key?: string
  readonly next: (call: number) => Call
}

/** What is called answers with a status of HTTP, whatever it is. */
export const drive = async (
  { calls = Infinity, clients, pace, seconds = Infinity }: Clients,
  send: (call: number) => Promise<number>
): Promise<LoadResult> => {
  const times: Array<number> = []
  const statuses: Record<number, number> = {}
  let started = 0
  const begun = performance.now()
  const client = async (): Promise<void> => {
    while (started < calls && performance.now() < begun + seconds * 1000) {
      const due = pace === undefined ? 0 : begun + (started / pace) * 1000
      const call = started++
      if (due > performance.now()) await setTimeout(due - performance.now())
      const from = performance.now()
      const status = await send(call)
      times.push(performance.now() - from)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const took = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { calls: times.length, perSecond: times.length / took, p50: at(0.5), p99: at(0.99), statuses }
}

export const load = async ({ key, next, port, ...clients }: Load): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients.clients })
  try {
    return await drive(clients, (call) => send(agent, port, key, next(call)))
  } finally {
    agent.destroy()
  }
}

const send = (agent: Agent, port: number, key: string | undefined, call: Call): Promise<number> =>
  new Promise((resolve, reject) => {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    }
    const sent = request(
      { agent, host: "127.0.0.1", port, method: call.method, path: call.path, headers },
      (answer) => {
        answer.resume()
        answer.on("end", () => resolve(answer.statusCode ?? 0))
        answer.on("error", reject)
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })
