/**
 * Measures booking requests over HTTP on Postgres with 64 clients, on one hot offering and spread over an org's 1,000
 * offerings, against three alternatives in the same rounds:
 *
 * - the same server with six statements and a separate commit per booking;
 * - the engine called in its own process, without HTTP;
 * - a bare group commit over `pg`, the ceiling.
 *
 * Each alternative uses a dedicated Postgres server, and all of them share the machine with the load generator. Each
 * round measures every variant, and each ratio is the median over the rounds.
 */
import { type FreshPostgres, freshPostgres } from "./FreshPostgres.ts"
import { bookedAll, bookOverHttp, openPlaces, type Places } from "./orders.ts"
import { floorLines, formatCount, type Line, median } from "./report.ts"
import { type MeasuredLoad, start, type Subject } from "./Subject.ts"

const clients = 64
const rounds = 5
const offerings = 1000

/**
 * How long each of the four variants is under load. It is short enough that the machine's state does not change within
 * a round.
 */
const seconds = 1.2

interface Setup {
  readonly postgres: FreshPostgres
  readonly server: Subject
  readonly hot: Places
  readonly spread: Places
}

interface Figures extends MeasuredLoad {
  /** CPU time in microseconds across all database processes. */
  readonly databaseCpu: number | undefined
}

type Round = Readonly<Record<"http" | "plain" | "engine" | "bare", Figures>>

/**
 * Starts a server and warms it up, so that its guests, database pages, query plans, and compiled code match those of a
 * server that has been running for a minute.
 */
const setUp = async (variant: "grouped" | "plain"): Promise<Setup> => {
  const postgres = await freshPostgres()
  const server = await start("trailbook", postgres.url, variant)
  const all = await openPlaces(server, offerings + 1)
  const [hot = "", ...spread] = all.offerings
  const places = { hot: { ...all, offerings: [hot] }, spread: { ...all, offerings: spread } }
  await bookOverHttp(server, places.spread, { clients, calls: 4000 })
  await bookOverHttp(server, places.hot, { clients, calls: 2000 })
  await postgres.settle()
  return { postgres, server, ...places }
}

const withCpu = async ({ postgres }: Setup, run: () => Promise<MeasuredLoad>): Promise<Figures> => {
  const before = await postgres.cpu()
  const measured = await run()
  const after = await postgres.cpu()
  const databaseCpu = before === undefined || after === undefined ? undefined : (after - before) / measured.calls
  return { ...bookedAll(measured), databaseCpu }
}

const round = async (
  { bare, grouped, plain }: { readonly grouped: Setup; readonly plain: Setup; readonly bare: Setup },
  kind: "hot" | "spread"
): Promise<Round> => {
  const bookOverHttpWithCpu = (setup: Setup) =>
    withCpu(setup, () => bookOverHttp(setup.server, setup[kind], { clients, seconds }))
  const bookInProcessWithCpu = (setup: Setup, through: "operations" | "tables") =>
    withCpu(setup, () => setup.server.book({ through, places: setup[kind], clients, seconds }))
  return {
    http: await bookOverHttpWithCpu(grouped),
    plain: await bookOverHttpWithCpu(plain),
    engine: await bookInProcessWithCpu(grouped, "operations"),
    bare: await bookInProcessWithCpu(bare, "tables")
  }
}

const formatMicros = (value: number | undefined): string => value === undefined ? "–" : value.toFixed(0)

const formatLines = (column: string, results: ReadonlyArray<Round>, promised: number): ReadonlyArray<Line> => {
  const medianOf = (pick: (round: Round) => number): number => median(results.map(pick))
  const formatRate = (what: string, name: keyof Round): Line => ({
    what: `booking throughput ${what}`,
    figure: `${medianOf((round) => round[name].perSecond).toFixed(0)} /s`
  })
  const formatCpu = (what: string, name: keyof Round): Line => ({
    what: `CPU time per booking ${what} (server + database)`,
    figure: `${formatMicros(medianOf((round) => round[name].cpuPerCall))} + ${
      formatMicros(
        results.some((round) => round[name].databaseCpu === undefined)
          ? undefined
          : medianOf((round) => round[name].databaseCpu ?? 0)
      )
    } µs`
  })
  const formatTimes = (what: string, name: keyof Round): Line => ({
    what: `booking latency ${what} (p50, p99)`,
    figure: `${medianOf((round) => round[name].p50).toFixed(1)} ms, ${
      medianOf((round) => round[name].p99).toFixed(1)
    } ms`
  })
  const overPlain = medianOf(({ http, plain }) => http.perSecond / plain.perSecond)
  const overEngine = medianOf(({ engine, http }) => http.perSecond / engine.perSecond)
  const overBare = medianOf(({ bare, http }) => http.perSecond / bare.perSecond)
  const lines: ReadonlyArray<Line> = [
    formatRate("over HTTP", "http"),
    formatTimes("over HTTP", "http"),
    formatCpu("over HTTP", "http"),
    formatRate("over HTTP with six statements per booking", "plain"),
    formatTimes("over HTTP with six statements per booking", "plain"),
    formatCpu("over HTTP with six statements", "plain"),
    formatRate("of the engine without HTTP", "engine"),
    formatCpu("of the engine without HTTP", "engine"),
    formatRate("of a bare group commit", "bare"),
    formatCpu("of a bare group commit", "bare"),
    {
      what: "booking throughput over HTTP compared with six statements per booking",
      figure: `${overPlain.toFixed(2)} times`,
      promise: { text: `at least ${promised} times with ${column}`, kept: overPlain >= promised }
    },
    { what: "booking throughput over HTTP relative to the engine without HTTP", figure: overEngine.toFixed(2) },
    {
      what: "booking throughput over HTTP relative to a bare group commit",
      figure: overBare.toFixed(2),
      promise: { text: "at least 1/3", kept: overBare >= 1 / 3 },
      target: "at least 0.42"
    }
  ]
  return lines.map((line) => ({ ...line, what: `${column}: ${line.what}` }))
}

const formatMegabytes = (value: number | undefined): string => value === undefined ? "–" : value.toFixed(0)

/**
 * Puts a server without business logic under load for the same duration as a measured server, and returns its memory
 * use.
 */
const measureEmptyTripsMemory = async ({ hot, postgres }: Setup): Promise<number | undefined> => {
  const server = await start("trips", postgres.url)
  try {
    await bookOverHttp(server, hot, { clients, seconds: 2 * rounds * seconds })
    return await server.megabytes()
  } finally {
    await server.stop()
  }
}

export const postgres = async (): Promise<ReadonlyArray<Line>> => {
  const places: Array<Setup> = []
  const open = async (variant: "grouped" | "plain"): Promise<Setup> => {
    const place = await setUp(variant)
    places.push(place)
    return place
  }
  try {
    const all = { grouped: await open("grouped"), plain: await open("plain"), bare: await open("grouped") }
    const [hot, spread]: [Array<Round>, Array<Round>] = [[], []]
    for (let at = 0; at < rounds; at++) {
      hot.push(await round(all, "hot"))
      spread.push(await round(all, "spread"))
    }
    const { postgres, server } = all.grouped
    const memory = await server.megabytes()
    const floor = await measureEmptyTripsMemory(all.bare)
    return [
      ...formatLines("one offering", hot, 4),
      ...formatLines(`${formatCount(offerings)} offerings`, spread, 2.5),
      {
        what: "memory after all bookings (server + database)",
        target: "at most 250 MB for the server",
        figure: `${formatMegabytes(memory)} + ${formatMegabytes(await postgres.megabytes())} MB`
      },
      ...floorLines(
        "server memory after all bookings",
        "memory of a process that loads the same modules and makes only empty round trips",
        `${formatMegabytes(floor)} MB`,
        (memory ?? Number.NaN) / (floor ?? Number.NaN)
      )
    ]
  } finally {
    for (const { postgres, server } of places) {
      await server.stop()
      await postgres.stop()
    }
  }
}
