/**
 * How long a booking of one outfitter takes while 32 clients of another's key ask for the worst that they may, and how
 * long with nobody else there: both in one run, in turns, on one server.
 *
 * A booking comes every 25 ms. While one takes longer, those who would have come are counted as if they had, so a stall
 * weighs as much as it lasts. What the machine's other programs took is not counted: a time in which the server could
 * have gone on, but had no core, says nothing about it.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Asked, Told } from "./crowd.ts"
import type { Size } from "./Season.ts"
import type { Ready } from "./server.ts"
import { waitedMs } from "./waited.ts"

/** No org delays another's booking by more than this at p99. */
export const promisedMs = 100

export interface Round {
  /**
   * Both p99. With nobody else there it is the least of all rounds so far: the mails and webhooks of a round go on after it,
   * and are the same key's doing.
   */
  readonly idleMs: number
  readonly crowdedMs: number
  /** Of those with the crowd. */
  readonly longestMs: number
  readonly answers: Told["answers"]
}

export const isKept = ({ crowdedMs, idleMs }: Round): boolean => crowdedMs <= idleMs + promisedMs

/** Whether anybody got what they asked for: a refusal costs next to nothing, and says nothing. */
export const wasDone = ({ answers }: Round): boolean => (answers[200] ?? 0) + (answers[201] ?? 0) > 0

/** Whoever waits too long is told to come again, or finds their connection closed: that is no round, and a delay by far. */
export const unlessTurnedAway = (round: Promise<Round>): Promise<Round | undefined> =>
  round.catch((error: Error) => {
    if (!/with 503|ECONNRESET/.test(error.message)) throw error
    return undefined
  })

export interface Fairness {
  /** As many seconds with nobody else there as with the crowd. */
  readonly round: (what: string, seconds: number) => Promise<Round>
  readonly stop: () => Promise<void>
}

const child = (file: string, ...args: ReadonlyArray<string>): ChildProcess =>
  fork(join(import.meta.dirname, file), args, { execArgv: ["--conditions=@trailbook/source", "--import", "tsx"] })

const answered = async <A>(from: ChildProcess): Promise<A> => {
  const either = new AbortController()
  try {
    return await Promise.race([
      once(from, "message", either).then(([message]) => message as A),
      once(from, "exit", either).then(() => Promise.reject(new Error(`${from.spawnargs.join(" ")} has ended.`)))
    ])
  } finally {
    either.abort()
  }
}

const everyMs = 25

export const start = async (url: string, size: Size, kind: "" | "control" = ""): Promise<Fairness> => {
  const outbox = await mkdtemp(join(tmpdir(), "trailbook-fairness-mails-"))
  const server = child("server.ts", url, JSON.stringify(size), outbox, kind)
  const crowd = child("crowd.ts")
  const ready = await answered<Ready>(server)
  const agent = new Agent({ keepAlive: true })
  let booked = 0

  const book = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const at = booked++
      const body = JSON.stringify({
        offering_id: ready.quiet.offering,
        starts_at: new Date((Math.floor(Date.now() / 300_000) + 600 + at % 90_000) * 300_000).toISOString(),
        customer: { email: `guest${at % 200}@example.com` }
      })
      const asked = request({
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
      asked.on("error", reject)
      asked.end(body)
    })

  const waits = async (seconds: number): Promise<{ readonly p99: number; readonly longest: number }> => {
    const times: Array<number> = []
    const end = performance.now() + seconds * 1000
    while (performance.now() < end || times.length < 100) {
      const before = waited()
      const begun = performance.now()
      const status = await book()
      if (status !== 201) throw new Error(`A booking was answered with ${status}.`)
      const took = Math.max(0, performance.now() - begun - (waited() - before))
      // Who would have come meanwhile would have waited for the rest of it.
      for (let rest = took; rest > 0; rest -= everyMs) times.push(rest)
      await sleep(Math.max(0, everyMs - took))
    }
    times.sort((a, b) => a - b)
    return { p99: times[Math.ceil(times.length * 0.99) - 1] ?? Infinity, longest: times.at(-1) ?? Infinity }
  }

  /** What other programs take is not the crowd's doing. */
  const waited = (): number => waitedMs(server.pid ?? 0) + waitedMs(process.pid)

  const asked = new Map<string, number>()
  let calls = 0
  let rounds = 0
  let idleMs = Infinity
  await waits(1)
  return {
    round: async (what, seconds) => {
      idleMs = Math.min(idleMs, (await waits(seconds)).p99)
      const key = ready.busy.keys[rounds++ % ready.busy.keys.length] ?? ""
      const round = asked.get(what) ?? 0
      asked.set(what, round + 1)
      crowd.send({ port: ready.port, facts: ready.busy, key, what, from: calls, round } satisfies Asked)
      const { longest: longestMs, p99: crowdedMs } = await waits(seconds)
      crowd.send("stop")
      const told = await answered<Told>(crowd)
      calls = told.calls
      return { idleMs, crowdedMs, longestMs, answers: told.answers }
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
