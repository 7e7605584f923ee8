/**
 * A load generator: so many clients, each with one request in flight, as fast as
 * they are answered or at a pace. It runs in a process of its own, so the server's CPU time is the
 * server's alone.
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

export interface Load {
  readonly port: number
  readonly key?: string
  readonly clients: number
  readonly calls: number
  /**
   * So many calls a second and no more. Two servers are compared by their CPU
   * time at one rate: a server that is waited for pays the kernel more for each
   * answer, because it has to wake who waits.
   */
  readonly pace?: number
  readonly next: (call: number) => Call
}

export const load = async ({ calls, clients, key, next, pace, port }: Load): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: Array<number> = []
  const statuses: Record<number, number> = {}
  let started = 0
  const begun = performance.now()
  const client = async (): Promise<void> => {
    while (started < calls) {
      const due = pace === undefined ? 0 : begun + (started / pace) * 1000
      const call = next(started++)
      if (due > performance.now()) await setTimeout(due - performance.now())
      const from = performance.now()
      const status = await send(agent, port, key, call)
      times.push(performance.now() - from)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - begun) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { calls, perSecond: calls / seconds, p50: at(0.5), p99: at(0.99), statuses }
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
