/**
 * Measures the CPU time that the server and the database spend per booking, for a single client that sends one request
 * at a time. Covers returning and new guests over HTTP, on both storages. On Postgres, one baseline is the same server
 * with a six-statement transaction per booking, which is how most systems book. The other baseline is the minimum: the
 * same number of empty round trips. Both storages have two more baselines: a booking in a batch of 64, and the floor,
 * which is a bare server that writes the same rows. Each round measures every variant, and each ratio is the median
 * over the rounds.
 */
import { join } from "node:path"
import { freshPostgres } from "./FreshPostgres.ts"
import type { Clients } from "./load.ts"
import { bookedAll, bookOverHttp, openPlaces, orderOf, type Places } from "./orders.ts"
import { floorLines, type Line, median } from "./report.ts"
import { type MeasuredLoad, start, type Subject } from "./Subject.ts"

const rounds = 5
const calls = 250

interface Setup {
  readonly server: Subject
  readonly places: Places
  /** Returns the CPU time in microseconds, or undefined if the database runs in the server process. */
  readonly databaseCpu: () => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** CPU time in microseconds per booking. */
interface Cpu {
  readonly server: number
  readonly database: number
}

/**
 * The number of guests created so far. The email addresses are realistic, because each part of an address is indexed as
 * a separate search term.
 */
let guestCount = 0

const bookNewGuests = async ({ places, server }: Setup, clients: Clients): Promise<MeasuredLoad> =>
  bookedAll(
    await server.load({
      ...clients,
      next: (call) => ({
        method: "POST",
        path: "/v1/bookings",
        body: {
          ...orderOf(places, call),
          customer: {
            email: `elena.rodriguez.${1000 + guestCount++}@example.com`,
            name: "Elena Rodríguez",
            phone: `+1 719-555-${String(Math.floor(Math.random() * 10_000)).padStart(4, "0")}`
          }
        }
      })
    })
  )

const bookReturningGuests = ({ places, server }: Setup, clients: Clients): Promise<MeasuredLoad> =>
  bookOverHttp(server, places, clients)

const measureCpu = async (setup: Setup, book: typeof bookReturningGuests, clients: Clients): Promise<Cpu> => {
  const before = await setup.databaseCpu()
  const { calls, cpuPerCall } = await book(setup, clients)
  const after = await setup.databaseCpu()
  return { server: cpuPerCall, database: before === undefined || after === undefined ? 0 : (after - before) / calls }
}

const warmUp = async (setup: Setup): Promise<Setup> => {
  await bookReturningGuests(setup, { clients: 64, calls: 1000 })
  await bookNewGuests(setup, { clients: 1, calls: 300 })
  await bookReturningGuests(setup, { clients: 1, calls: 500 })
  return setup
}

const setUpSqlite = async (url: string): Promise<Setup> => {
  const server = await start("trailbook", url, "grouped")
  const places = await openPlaces(server, 1)
  return warmUp({ server, places, databaseCpu: () => Promise.resolve(undefined), stop: server.stop })
}

const setUpPostgres = async (variant: "grouped" | "plain"): Promise<Setup & { readonly url: string }> => {
  const postgres = await freshPostgres()
  const server = await start("trailbook", postgres.url, variant)
  const places = await openPlaces(server, 1)
  const stop = async () => {
    await server.stop()
    await postgres.stop()
  }
  const setup = await warmUp({ server, places, databaseCpu: postgres.cpu, stop })
  await postgres.settle()
  return { ...setup, url: postgres.url }
}

/** Starts the bare server on a database that already contains the org, its offering, and its guests. */
const setUpFloor = async (baseline: Setup, url: string): Promise<Setup> => {
  await baseline.server.stop()
  const server = await start("byHand", url)
  const stop = async () => {
    await server.stop()
    await baseline.stop()
  }
  const setup = { ...baseline, server, stop }
  await bookReturningGuests(setup, { clients: 1, calls: 1000 })
  return setup
}

const setUpBareTrips = async (places: Places): Promise<Setup> => {
  const postgres = await freshPostgres()
  const server = await start("trips", postgres.url)
  const stop = async () => {
    await server.stop()
    await postgres.stop()
  }
  const setup: Setup = { server, places, databaseCpu: postgres.cpu, stop }
  await bookReturningGuests(setup, { clients: 1, calls: 1000 })
  await postgres.settle()
  return setup
}

type Round =
  & Readonly<Record<"alone" | "fresh" | "batch" | "floor", Cpu>>
  & Partial<Readonly<Record<"plain" | "bare", Cpu>>>

interface Baselines {
  readonly plain: Setup
  readonly bare: Setup
}

const round = async (setup: Setup, floor: Setup, baselines?: Baselines): Promise<Round> => ({
  alone: await measureCpu(setup, bookReturningGuests, { clients: 1, calls }),
  floor: await measureCpu(floor, bookReturningGuests, { clients: 1, calls }),
  fresh: await measureCpu(setup, bookNewGuests, { clients: 1, calls }),
  ...baselines === undefined ? {} : {
    plain: await measureCpu(baselines.plain, bookReturningGuests, { clients: 1, calls }),
    bare: await measureCpu(baselines.bare, bookReturningGuests, { clients: 1, calls })
  },
  batch: await measureCpu(setup, bookReturningGuests, { clients: 64, calls: 4 * calls })
})

const sumCpu = ({ database, server }: Cpu): number => server + database

const formatLines = (results: ReadonlyArray<Round>, hasDatabase: boolean): ReadonlyArray<Line> => {
  const medianOf = (pick: (round: Round) => number): number => median(results.map(pick))
  const formatFigure = (what: string, pick: (round: Round) => Cpu): Line => {
    const server = medianOf((round) => pick(round).server).toFixed(0)
    const database = medianOf((round) => pick(round).database).toFixed(0)
    return { what, figure: hasDatabase ? `${server} + ${database} µs` : `${server} µs` }
  }
  const formatRatio = (
    what: string,
    numerator: (round: Round) => Cpu,
    denominator: (round: Round) => Cpu,
    most?: number
  ): Line => {
    const times = medianOf((round) => sumCpu(numerator(round)) / sumCpu(denominator(round)))
    const line = { what, figure: `${times.toFixed(2)} times` }
    return most === undefined ? line : { ...line, promise: { text: `at most ${most} times`, kept: times <= most } }
  }
  const getPlain = ({ alone, plain = alone }: Round) => plain
  const getBare = ({ alone, bare = alone }: Round) => bare
  const returningGuest = "CPU time per booking for a returning guest"
  return [
    formatFigure(`${returningGuest} (server + database)`, ({ alone }) => alone),
    formatFigure("CPU time per booking for a new guest (server + database)", ({ fresh }) => fresh),
    formatFigure("CPU time per booking in batches of 64 (server + database)", ({ batch }) => batch),
    formatRatio(`${returningGuest} compared with batches of 64`, ({ alone }) => alone, ({ batch }) => batch),
    formatRatio(
      "CPU time per booking for a new guest compared with a returning guest",
      ({ fresh }) => fresh,
      ({ alone }) => alone,
      1.5
    ),
    ...hasDatabase
      ? [
        formatFigure("CPU time per booking with six statements (server + database)", getPlain),
        {
          ...formatRatio(`${returningGuest} compared with six statements`, ({ alone }) => alone, getPlain),
          target: "at most 0.7 times"
        },
        formatFigure("CPU time of as many empty round trips as a booking needs (server + database)", getBare),
        formatRatio(`${returningGuest} compared with empty round trips`, ({ alone }) => alone, getBare)
      ]
      : [],
    ...floorLines(
      returningGuest,
      "CPU time of handwritten statements for the same rows (server + database)",
      formatFigure("", ({ floor }) => floor).figure,
      medianOf(({ alone, floor }) => sumCpu(alone) / sumCpu(floor))
    )
  ]
}

export const measureAlone = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const setups: Array<Setup> = []
  const open = async (setup: Promise<Setup>): Promise<Setup> => {
    const ready = await setup
    setups.push(ready)
    return ready
  }
  try {
    const sqlite = await open(setUpSqlite(`sqlite:${join(folder, "alone.sqlite")}`))
    const floorUrl = `sqlite:${join(folder, "floor.sqlite")}`
    const sqliteFloor = await open(setUpFloor(await setUpSqlite(floorUrl), floorUrl))
    const postgres = await open(setUpPostgres("grouped"))
    const baseline = await setUpPostgres("grouped")
    const postgresFloor = await open(setUpFloor(baseline, baseline.url))
    const baselines = { plain: await open(setUpPostgres("plain")), bare: await open(setUpBareTrips(postgres.places)) }
    const results: { readonly sqlite: Array<Round>; readonly postgres: Array<Round> } = { sqlite: [], postgres: [] }
    for (let at = 0; at < rounds; at++) {
      results.sqlite.push(await round(sqlite, sqliteFloor))
      results.postgres.push(await round(postgres, postgresFloor, baselines))
    }
    return [
      ...formatLines(results.sqlite, false).map((line) => ({ ...line, what: `SQLite: ${line.what}` })),
      ...formatLines(results.postgres, true).map((line) => ({ ...line, what: `Postgres: ${line.what}` }))
    ]
  } finally {
    for (const { stop } of setups) await stop()
  }
}
