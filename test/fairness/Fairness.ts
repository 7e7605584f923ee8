/**
 * Measures how long one outfitter's bookings take, first on an idle server and then while 32 clients with another
 * outfitter's key send the most expensive requests.
 *
 * A booking starts every 25 ms. If a booking takes longer, the bookings that would have started in the meantime also
 * count, so a stall counts in proportion to its length. Subtracts the time during which the server was ready to run but
 * other programs were using the cores.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { CrowdTotals, RoundOptions } from "./crowd.ts"
import type { Size } from "./Season.ts"
import type { Ready } from "./server.ts"
import { waitedMs } from "./waitTime.ts"

/** The maximum delay, in milliseconds at p99, that one org may cause for another org's booking. */
export const promisedMs = 100

export interface Round {
  /**
   * Both figures are p99. The idle figure is the minimum over all rounds so far, because mail and webhooks from the
   * previous round are still processed during the idle phase.
   */
  readonly idleMs: number
  readonly crowdedMs: number
  /** The longest booking under load. */
  readonly longestMs: number
  readonly answers: CrowdTotals["answers"]
}

export const isKept = ({ crowdedMs, idleMs }: Round): boolean => crowdedMs <= idleMs + promisedMs

/** Whether any request from the crowd succeeded. A round of refusals costs almost nothing and proves nothing. */
export const wasDone = ({ answers }: Round): boolean => (answers[200] ?? 0) + (answers[201] ?? 0) > 0

/** Returns undefined if a booking got a 503 or a closed connection. Such a round exceeds any limit. */
export const unlessTurnedAway = (round: Promise<Round>): Promise<Round | undefined> =>
  round.catch((error: Error) => {
    if (!/with 503|ECONNRESET/.test(error.message)) throw error
    return undefined
  })

export interface Fairness {
  /** Measures for `seconds` on the idle server, and then for the same duration with the crowd. */
  readonly round: (what: string, seconds: number) => Promise<Round>
  readonly stop: () => Promise<void>
}

const forkChild = (file: string, ...args: ReadonlyArray<string>): ChildProcess =>
  fork(join(import.meta.dirname, file), args, { execArgv: ["--conditions=@trailbook/source", "--import", "tsx"] })

const waitForMessage = async <A>(from: ChildProcess): Promise<A> => {
  const either = new AbortController()
  try {
    return await Promise.race([
      once(from, "message", either).then(([message]) => message as A),
      once(from, "exit", either).then(() => Promise.reject(new Error(`${from.spawnargs.join(" ")} exited.`)))
    ])
  } finally {
    either.abort()
  }
}

const everyMs = 25

export const start = async (url: string, size: Size, kind: "" | "control" = ""): Promise<Fairness> => {
  const outbox = await mkdtemp(join(tmpdir(), "trailbook-fairness-mails-"))
  const server = forkChild("server.ts", url, JSON.stringify(size), outbox, kind)
  const crowd = forkChild("crowd.ts")
  const ready = await waitForMessage<Ready>(server)
  const agent = new Agent({ keepAlive: true })
  let bookingCount = 0

  const book = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const at = bookingCount++
      const body = JSON.stringify({
        offering_id: ready.quiet.offering,
        starts_at: new Date((Math.floor(Date.now() / 300_000) + 600 + at % 90_000) * 300_000).toISOString(),
        customer: { email: `guest${at % 200}@example.com` }
      })
      const httpRequest = request({
        agent,
        port: ready.port,
        host: "127.0.0.1",
        method: "POST",
        path: "/v1/bookings",
        headers: {
          authorization: `Bearer ${ready.quiet.key}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body)
        }
      }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0))
      })
      httpRequest.on("error", reject)
      httpRequest.end(body)
    })

  const measureWaits = async (seconds: number): Promise<{ readonly p99: number; readonly longest: number }> => {
    const times: Array<number> = []
    const end = performance.now() + seconds * 1000
    while (performance.now() < end || times.length < 100) {
      const before = readTotalWaitMs()
      const startMs = performance.now()
      const status = await book()
      if (status !== 201) throw new Error(`A booking failed with ${status}.`)
      const elapsedMs = Math.max(0, performance.now() - startMs - (readTotalWaitMs() - before))
      // Count the bookings that would have started in the meantime, each with the remaining time as its wait.
      for (let rest = elapsedMs; rest > 0; rest -= everyMs) times.push(rest)
      await sleep(Math.max(0, everyMs - elapsedMs))
    }
    times.sort((a, b) => a - b)
    return { p99: times[Math.ceil(times.length * 0.99) - 1] ?? Infinity, longest: times.at(-1) ?? Infinity }
  }

  /** Returns the total time that the server and this process spent waiting for a core. */
  const readTotalWaitMs = (): number => waitedMs(server.pid ?? 0) + waitedMs(process.pid)

  const roundCounts = new Map<string, number>()
  let calls = 0
  let rounds = 0
  let idleMs = Infinity
  await measureWaits(1)
  return {
    round: async (what, seconds) => {
      idleMs = Math.min(idleMs, (await measureWaits(seconds)).p99)
      const key = ready.busy.keys[rounds++ % ready.busy.keys.length] ?? ""
      const round = roundCounts.get(what) ?? 0
      roundCounts.set(what, round + 1)
      crowd.send({ port: ready.port, facts: ready.busy, key, what, from: calls, round } satisfies RoundOptions)
      const { longest: longestMs, p99: crowdedMs } = await measureWaits(seconds)
      crowd.send("stop")
      const totals = await waitForMessage<CrowdTotals>(crowd)
      calls = totals.calls
      return { idleMs, crowdedMs, longestMs, answers: totals.answers }
    },
    stop: async () => {
      agent.destroy()
      for (const process of [server, crowd]) {
        if (process.exitCode !== null || process.signalCode !== null) continue
        process.kill("SIGKILL")
        await once(process, "exit")
      }
      await rm(outbox, { recursive: true, force: true })
    }
  }
}
