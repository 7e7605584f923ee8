/**
 * 32 clients that share one key, in a separate process. They send the most expensive requests continuously until
 * stopped.
 */
import { Agent, request } from "node:http"
import type { Facts } from "./Season.ts"
import { worstOf } from "./worstCalls.ts"

export interface RoundOptions {
  readonly port: number
  readonly facts: Facts
  readonly key: string
  readonly what: string
  /** The number of requests sent in earlier rounds. */
  readonly from: number
  /** The number of earlier rounds of this operation. */
  readonly round: number
}

export interface CrowdTotals {
  readonly answers: Readonly<Record<number, number>>
  readonly calls: number
}

const clients = 32

const send = (agent: Agent, { facts, key, port, round, what }: RoundOptions, at: number): Promise<number> =>
  new Promise((resolve) => {
    const { body, method, path } = worstOf.get(what)?.(facts, at, round) ?? { method: "GET", path: "/" }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const httpRequest = request({
      agent,
      port,
      host: "127.0.0.1",
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream",
        ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
      }
    }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0))
    })
    httpRequest.on("error", () => resolve(0))
    httpRequest.end(text)
  })

const state = { going: false }

process.on("message", (message: RoundOptions | "stop") => {
  if (message === "stop") {
    state.going = false
    return
  }
  state.going = true
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const answers: Record<number, number> = {}
  let calls = message.from
  const runClient = async (): Promise<void> => {
    while (state.going) {
      const status = await send(agent, message, calls++)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  const runAll = async (): Promise<void> => {
    await Promise.all(Array.from({ length: clients }, runClient))
    agent.destroy()
    process.send?.({ answers, calls } satisfies CrowdTotals)
  }
  void runAll()
})
process.on("disconnect", () => process.exit(0))
