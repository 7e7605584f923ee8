/**
 * Measures guests who pay later: 64 clients or a single client continuously hold places and then confirm them. Compares
 * a server that batches these steps with the same server running each step in a separate transaction, and with a server
 * that batches bookings but confirms them individually. Runs over HTTP and in the server's own process, where no CPU
 * time is spent on HTTP. Each round measures every variant, and each ratio is the median over the rounds.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Variant } from "./domain.ts"
import { type FreshPostgres, freshPostgres } from "./FreshPostgres.ts"
import { bookedAll, bookOverHttp, flowOverHttp, openPlaces, type Places } from "./orders.ts"
import { type Line, median } from "./report.ts"
import { type MeasuredLoad, start, type Subject } from "./Subject.ts"

const clients = 64
const rounds = 5
const seconds = 1.2

const variants = ["grouped", "changesAlone", "direct"] as const satisfies ReadonlyArray<Variant>
type Name = (typeof variants)[number]
type Way = "http" | "engine"
type Round = Readonly<Record<Name, Readonly<Record<Way, MeasuredLoad>>>>

interface Setup {
  readonly server: Subject
  readonly places: Places
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
}

const runFlowInProcess = async ({ places, server }: Setup, clients: number) =>
  bookedAll(await server.book({ through: "operations", holds: true, places, clients, seconds }))

const openSetup = async (name: Name, url: string, postgres?: FreshPostgres): Promise<Setup> => {
  const server = await start("trailbook", url, name)
  const places = await openPlaces(server, 1)
  await bookOverHttp(server, places, { clients, calls: 1000 })
  await flowOverHttp(server, places, { clients, calls: 1000 })
  await postgres?.settle()
  return {
    server,
    places,
    settle: async () => postgres?.settle(),
    stop: async () => {
      await server.stop()
      await postgres?.stop()
    }
  }
}

const formatLines = (results: ReadonlyArray<Round>, promised: number): ReadonlyArray<Line> => {
  const medianOf = (pick: (round: Round) => number): number => median(results.map(pick))
  const formatLine = (what: string, variant: Name, way: Way): Line => ({
    what: `${what}: flows per second, server CPU time per flow`,
    figure: `${medianOf((round) => round[variant][way].perSecond).toFixed(0)} /s, ${
      medianOf((round) => round[variant][way].cpuPerCall).toFixed(0)
    } µs`
  })
  const computeRatio = (variant: Name, way: Way) =>
    medianOf((round) => round.grouped[way].perSecond / round[variant][way].perSecond)
  const inside = computeRatio("direct", "engine")
  return [
    formatLine("over HTTP, batches", "grouped", "http"),
    formatLine("over HTTP, unbatched confirmations", "changesAlone", "http"),
    formatLine("over HTTP, no batches", "direct", "http"),
    formatLine("engine without HTTP, batches", "grouped", "engine"),
    formatLine("engine without HTTP, unbatched confirmations", "changesAlone", "engine"),
    formatLine("engine without HTTP, no batches", "direct", "engine"),
    {
      what: "flows per second over HTTP, batches compared with no batches",
      figure: `${computeRatio("direct", "http").toFixed(2)} times`
    },
    {
      what: "flows per second over HTTP, batches compared with unbatched confirmations",
      figure: `${computeRatio("changesAlone", "http").toFixed(2)} times`
    },
    {
      what: "flows per second without HTTP, batches compared with unbatched confirmations",
      figure: `${computeRatio("changesAlone", "engine").toFixed(2)} times`
    },
    {
      what: "flows per second without HTTP, batches compared with no batches",
      figure: `${inside.toFixed(2)} times`,
      promise: { text: `at least ${promised} times`, kept: inside >= promised }
    }
  ]
}

const measure = async (open: (name: Name) => Promise<Setup>, promised: number): Promise<ReadonlyArray<Line>> => {
  const places = new Map<Name, Setup>()
  try {
    for (const name of variants) places.set(name, await open(name))
    const results: Array<Round> = []
    for (let at = 0; at < rounds; at++) {
      const round: Partial<Record<Name, Record<Way, MeasuredLoad>>> = {}
      for (const [name, setup] of places) {
        round[name] = {
          http: await flowOverHttp(setup.server, setup.places, { clients, seconds }),
          engine: await runFlowInProcess(setup, clients)
        }
      }
      results.push(round as Round)
    }
    return formatLines(results, promised)
  } finally {
    for (const setup of places.values()) await setup.stop()
  }
}

export const flows = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const subfolder = join(folder, "flows")
  await mkdir(subfolder, { recursive: true })
  const withTitle = (title: string) => (line: Line): Line => ({ ...line, what: `${title}: ${line.what}` })
  const sqlite = await measure((name) => openSetup(name, `sqlite:${join(subfolder, `${name}.sqlite`)}`), 4)
  const postgres = await measure(async (name) => {
    const database = await freshPostgres()
    return openSetup(name, database.url, database)
  }, 4)
  return [...sqlite.map(withTitle("SQLite")), ...postgres.map(withTitle("Postgres"))]
}
