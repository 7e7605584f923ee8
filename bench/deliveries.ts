/**
 * Measures event deliveries from one worker to twenty receivers on loopback, on both storages. The baseline is a bare
 * loop that posts the same text without reading, signing, or storing anything. Each round measures every variant, and
 * each ratio is the median over the rounds.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Ask } from "./deliverer.ts"
import { freshPostgres } from "./FreshPostgres.ts"
import { listen, type Receivers } from "./receivers.ts"
import { type Line, median } from "./report.ts"
import { nextMessage } from "./Subject.ts"

const receivers = 20
const outfitters = 5
const rounds = 3
/** Events per outfitter, and therefore per receiver. */
const events = 100
const promised = 500

interface Round {
  readonly perSecond: number
  /** CPU time in microseconds per delivery. */
  readonly cpu: number
}

interface Result {
  readonly sqlite: Round
  readonly postgres: Round
  readonly bare: Round
  /** Database CPU time in microseconds per delivery. */
  readonly databaseCpu: number
}

interface Sender {
  readonly round: () => Promise<Round>
  readonly stop: () => Promise<void>
}

const start = async (listener: Receivers, kind: "trailbook" | "bare", argument: string): Promise<Sender> => {
  const child = fork(join(import.meta.dirname, "deliverer.ts"), [kind, argument], { execArgv: ["--import", "tsx"] })
  await nextMessage(child)
  const ask = (ask: Ask) => {
    child.send(ask)
    return nextMessage<{ readonly cpu: number }>(child)
  }
  await ask({ ask: "know", receivers: { urls: listener.urls, outfitters } })
  return {
    round: async () => {
      const arrivals = listener.arrived(receivers * events)
      const before = await ask({ ask: "cpu" })
      const from = performance.now()
      await ask({ ask: "send", events })
      await arrivals
      const seconds = (performance.now() - from) / 1000
      const after = await ask({ ask: "cpu" })
      return { perSecond: receivers * events / seconds, cpu: (after.cpu - before.cpu) / (receivers * events) }
    },
    stop: async () => {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}

export const deliveries = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const listener = await listen(receivers)
  const database = await freshPostgres()
  const senders: Array<Sender> = []
  const startSender = async (kind: "trailbook" | "bare", argument: string): Promise<Sender> => {
    const sender = await start(listener, kind, argument)
    senders.push(sender)
    // The first round is a warmup.
    await sender.round()
    return sender
  }
  try {
    const sqlite = await startSender("trailbook", `sqlite:${join(folder, "deliveries.sqlite")}`)
    const postgres = await startSender("trailbook", database.url)
    const bare = await startSender("bare", listener.body())
    await database.settle()
    const results: Array<Result> = []
    for (let at = 0; at < rounds; at++) {
      const before = await database.cpu() ?? 0
      const onPostgres = await postgres.round()
      const databaseCpu = ((await database.cpu() ?? 0) - before) / (receivers * events)
      results.push({ sqlite: await sqlite.round(), postgres: onPostgres, databaseCpu, bare: await bare.round() })
    }
    const medianOf = (pick: (result: Result) => number): number => median(results.map(pick))
    const formatLines = (name: string, key: "sqlite" | "postgres", cpu: string): ReadonlyArray<Line> => {
      const perSecond = medianOf((result) => result[key].perSecond)
      return [
        {
          what: `${name}: webhook deliveries per second by one worker`,
          figure: `${perSecond.toFixed(0)} /s`,
          promise: { text: `at least ${promised} per second`, kept: perSecond >= promised }
        },
        { what: `${name}: CPU time per webhook delivery (worker + database)`, figure: cpu },
        {
          what: `${name}: CPU time of the worker per delivery compared with a bare loop`,
          figure: `${medianOf((result) => result[key].cpu / result.bare.cpu).toFixed(2)} times`
        }
      ]
    }
    const formatMicros = (pick: (result: Result) => number) => medianOf(pick).toFixed(0)
    return [
      ...formatLines("SQLite", "sqlite", `${formatMicros(({ sqlite }) => sqlite.cpu)} µs`),
      ...formatLines(
        "Postgres",
        "postgres",
        `${formatMicros(({ postgres }) => postgres.cpu)} + ${formatMicros(({ databaseCpu }) => databaseCpu)} µs`
      ),
      {
        what: "requests per second by a bare loop that only sends the same payload",
        figure: `${formatMicros(({ bare }) => bare.perSecond)} /s`
      },
      {
        what: "CPU time per request of a bare loop that only sends the same payload",
        figure: `${formatMicros(({ bare }) => bare.cpu)} µs`
      }
    ]
  } finally {
    for (const sender of senders) await sender.stop()
    await listener.close()
    await database.stop()
  }
}
