/**
 * Measures holds and confirmations over HTTP, by one client and by 64, while the server's worker writes guest emails to
 * a folder. The folder is empty or contains 100,000 files. The baseline is the same server without a worker. Runs on
 * both storages. Each round measures every variant, and each ratio is the median over the rounds. Clients confirm holds
 * faster than the worker writes emails, so emails are always pending. All servers except the one being measured are
 * paused, because they would otherwise write their pending emails.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type FreshPostgres, freshPostgres } from "./FreshPostgres.ts"
import { drive, type LoadResult, wire } from "./load.ts"
import { openPlaces, orderOf, type Places } from "./orders.ts"
import { type Line, median } from "./report.ts"
import { start, type Subject } from "./Subject.ts"

const rounds = 7
const seconds = 2
const files = 100_000
const maxRatio = 1.3

const kinds = ["alone", "empty", "full"] as const
type Kind = (typeof kinds)[number]

const folders = {
  alone: "no worker",
  empty: "empty email folder",
  full: "email folder with 100,000 files"
} satisfies Record<Kind, string>

interface Setup {
  readonly server: Subject
  readonly outbox: string
  readonly places: Places
  readonly postgres: FreshPostgres | undefined
}

interface Figures extends LoadResult {
  /** CPU time in microseconds per flow, including the database. */
  readonly cpu: number
  /** The number of emails written to the folder per second. */
  readonly mails: number
}

/** Measures flows. One flow is two requests: a hold and its confirmation. */
const measureFlows = async ({ outbox, places, postgres, server }: Setup, clients: number): Promise<Figures> => {
  server.signal("SIGCONT")
  const wires = await Promise.all(Array.from({ length: clients }, () => wire(server)))
  const freeWires = [...wires]
  const readUsage = async () => ({
    cpu: await server.cpu() + (await postgres?.cpu() ?? 0),
    mails: (await readdir(outbox)).length
  })
  const before = await readUsage()
  try {
    const result = await drive({ clients, seconds }, async (call) => {
      const wireConnection = freeWires.pop()
      if (wireConnection === undefined) throw new Error("More flows are running than there are clients.")
      const body = { ...orderOf(places, call), hold_minutes: 15 }
      const hold = await wireConnection.call({ method: "POST", path: "/v1/bookings", body })
      const { id } = JSON.parse(hold.body.toString())
      const { status } = await wireConnection.call({ method: "POST", path: `/v1/bookings/${id}/confirm`, body: {} })
      freeWires.push(wireConnection)
      return status
    })
    if (result.statuses[200] !== result.calls) {
      throw new Error(`Some flows were not confirmed: ${JSON.stringify(result.statuses)}`)
    }
    const after = await readUsage()
    return { ...result, cpu: (after.cpu - before.cpu) / result.calls, mails: (after.mails - before.mails) / seconds }
  } finally {
    for (const wireConnection of wires) wireConnection.close()
    server.signal("SIGSTOP")
  }
}

const fill = async (folder: string): Promise<void> => {
  const makeName = (at: number) =>
    `2026-05-01T15-00-00.000Z-0197a1b2-0000-7000-8000-${String(at).padStart(12, "0")}.eml`
  for (let at = 0; at < files; at += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, offset) => writeFile(join(folder, makeName(at + offset)), "")))
  }
}

const measureStorage = async (name: string, folder: string, fullFolder: string): Promise<ReadonlyArray<Line>> => {
  const setups: Array<Setup> = []
  const setUp = async (kind: Kind): Promise<Setup> => {
    const outbox = kind === "full" ? fullFolder : join(folder, `${name}-${kind}`)
    await mkdir(outbox, { recursive: true })
    const postgres = name === "Postgres" ? await freshPostgres() : undefined
    const url = postgres?.url ?? `sqlite:${join(folder, `mails-${kind}.sqlite`)}`
    const server = await start("serving", url, `${kind === "alone" ? "off" : "on"} ${outbox}`)
    const mailSetup = { server, outbox, postgres, places: await openPlaces(server, 100) }
    setups.push(mailSetup)
    await measureFlows(mailSetup, 64)
    await measureFlows(mailSetup, 1)
    await postgres?.settle()
    return mailSetup
  }
  try {
    const places = { alone: await setUp("alone"), empty: await setUp("empty"), full: await setUp("full") }
    const lines: Array<Line> = []
    for (const clients of [1, 64]) {
      const results: Array<Record<Kind, Figures>> = []
      for (let round = 0; round < rounds; round++) {
        const alone = await measureFlows(places.alone, clients)
        const empty = await measureFlows(places.empty, clients)
        results.push({ alone, empty, full: await measureFlows(places.full, clients) })
      }
      const medianOf = (pick: (result: Record<Kind, Figures>) => number): number => median(results.map(pick))
      const by = `${name}, ${clients} client${clients === 1 ? "" : "s"}`
      for (const kind of kinds) {
        const figures = [
          `${medianOf((r) => r[kind].perSecond).toFixed(0)} /s`,
          `${medianOf((r) => r[kind].cpu).toFixed(0)} µs`,
          `${medianOf((r) => r[kind].mails).toFixed(0)} /s`
        ]
        lines.push({
          what: `${by}, ${folders[kind]}: flows per second, CPU time per flow, emails per second`,
          figure: figures.join(", ")
        })
      }
      for (const kind of ["empty", "full"] as const) {
        const ratio = medianOf((r) => r[kind].cpu / r.alone.cpu)
        // A server that writes no emails would pass without proving anything.
        const writes = medianOf((r) => r[kind].mails) > 0
        lines.push({
          what: `${by}: CPU time per flow, ${folders[kind]} compared with no worker`,
          figure: `${ratio.toFixed(2)} times`,
          promise: { text: `at most ${maxRatio} times while emails are written`, kept: ratio <= maxRatio && writes }
        })
      }
    }
    return lines
  } finally {
    for (const { postgres, server } of setups) {
      await server.stop()
      await postgres?.stop()
    }
  }
}

export const mails = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const fullFolder = join(folder, "full")
  await mkdir(fullFolder)
  await fill(fullFolder)
  return [
    ...await measureStorage("SQLite", folder, fullFolder),
    ...await measureStorage("Postgres", folder, fullFolder)
  ]
}
