/**
 * Measures one Postgres server with many outfitters, one of which is noisy.
 *
 * A server's startup time, its memory, and its idle worker's queries must not grow with the number of outfitters. The
 * ops agent must take only a bounded share of the time, even if all outfitters' automations are on. The noisy outfitter
 * has its own server with its own database role, so that its statements and lock waits can be identified.
 */
import { format, parse } from "@trailbook/core/actor"
import { databaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import * as Effect from "effect/Effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { Client } from "pg"
import { accountsLayer, createOrg } from "trailbook/effect"
import { cpuMicros } from "../../bench/processes.ts"
import { waitedMs } from "../fairness/waitTime.ts"
import { type Postgres, startPostgres } from "../postgres/server.ts"
import { type ServerOptions, type ServerProcess, startServer } from "../reliability/ServerProcess.ts"
import { bulk } from "./bulk.ts"
import { copyBooking, copyOf, copyOutfitter } from "./copies.ts"

/**
 * The factor by which a figure may grow with many outfitters. Startup time is the shortest of 5 measurements, excluding
 * the time when other programs used the cores. Memory is the used heap after a garbage collection, because the resident
 * memory of identical processes can differ by 50%.
 */
const flat = { startMs: 2, queriesPerSecond: 1.1, blocksPerSecond: 1.5, heapMegabytes: 1.1 }
/**
 * The maximum additional heap that a server may use after requests from many outfitters. The baseline is the heap after
 * requests from as many outfitters as the server's caches can hold.
 */
const cachedMegabytes = 8
/** The maximum share of a core that a worker may use if more automations are due than it can run. */
const agentShare = 0.6
/**
 * The minimum number of automations a worker must run per second if all are due at the same time, such as the briefs in
 * one time zone.
 */
const leastRuns = 10
/** The maximum slowdown that one outfitter may cause another at p99, as in `test:fairness`. */
const slowerMs = 100
/**
 * The factor by which a request's statement count may grow. The count varies, because a key's last use is stored once
 * per minute.
 */
const moreStatements = 1.05

const quietOutfitters = 50
/** A server's caches have at most 10,000 entries. */
const cached = 10_000

export interface ManyOptions {
  readonly outfitters: number
  /** How many bookings the noisy outfitter has. */
  readonly noisyBookings: number
  readonly tell: (line: string) => void
}

interface Outfitter {
  readonly orgId: string
  readonly token: string
  readonly offering: string
  readonly booking: string
}

/** Returns one line for each failed check. */
export const manyOutfitters = async (options: ManyOptions): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "trailbook-many-"))
  const postgres = await startPostgres({
    fsync: true,
    settings: {
      shared_preload_libraries: "pg_stat_statements",
      shared_buffers: "512MB",
      max_wal_size: "4GB",
      // These settings speed up creating the noisy outfitter's indexes.
      maintenance_work_mem: "1GB"
    }
  })
  const servers: Array<ServerProcess> = []
  try {
    return await runCampaign(options, postgres, folder, servers)
  } finally {
    for (const server of servers) if (server.isRunning()) await server.kill()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const runCampaign = async (
  { noisyBookings, outfitters, tell }: ManyOptions,
  postgres: Postgres,
  folder: string,
  servers: Array<ServerProcess>
): Promise<ReadonlyArray<string>> => {
  const failures: Array<string> = []
  const check = (isKept: boolean, line: string): void => {
    tell(isKept ? `  ${line}` : `! ${line}`)
    if (!isKept) failures.push(line)
  }
  await withSuperuser(
    postgres.url("postgres"),
    (client) =>
      client.query("create role trailbook login; create role quiet login in role trailbook").then(() =>
        client.query("create database river owner trailbook")
      )
  )
  const client = new Client({ connectionString: postgres.url("river") })
  await client.connect()
  await client.query("create extension pg_stat_statements")
  const serve = async (role: string, options: ServerOptions = {}): Promise<ServerProcess> => {
    const server = await startServer(postgres.url("river", role), folder, options)
    servers.push(server)
    return server
  }

  try {
    const first = await serve("trailbook")
    const quiet = await createQuietOutfitters(first, postgres.url("river", "trailbook"))
    const [original] = quiet
    if (original === undefined) throw new Error("There is no outfitter to copy.")
    // Wait until all emails are written.
    await sleep(3000)
    await first.kill("SIGTERM")

    const figures: Array<Awaited<ReturnType<typeof measure>>> = []
    let storedCount = quietOutfitters
    for (const size of [Math.min(2000, outfitters), outfitters]) {
      const startMs = performance.now()
      await copyOutfitter(client, original.orgId, storedCount + 1, size)
      storedCount = size
      await client.query("vacuum analyze")
      tell(`${size} outfitters, stored in ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
      const figure = await measure(serve, client)
      figures.push(figure)
      tell(`  ${Object.entries(figure).map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ")}`)
    }
    const [few, many] = figures
    for (const [name, times] of Object.entries(flat)) {
      const [before, after] = [few, many].map((one) => Number(new Map(Object.entries(one ?? {})).get(name)))
      check(
        (after ?? 0) <= (before ?? 0) * times,
        `${name}: ${before?.toFixed(1)} → ${after?.toFixed(1)}, at most × ${times}`
      )
    }

    const server = await serve("trailbook", reportsHeap)
    const ask = (n: number) => request(server, { ...original, token: makeToken(original, n) }, "/org")
    const visitPages = async (from: number, to: number): Promise<number> => {
      for (let n = from; n < to; n += 8) {
        await Promise.all(Array.from({ length: Math.min(8, to - n) }, (_, at) => ask(n + at)))
      }
      return measureHeap(server)
    }
    const counts = [Math.min(cached, Math.floor(outfitters / 2)), Math.min(4 * cached, outfitters)] as const
    const before = await visitPages(quietOutfitters + 1, counts[0])
    const after = await visitPages(counts[0], counts[1])
    check(
      after - before <= cachedMegabytes,
      `heap after requests of ${counts.join(" and ")} outfitters: ${before.toFixed(0)}, ${after.toFixed(0)} MB`
    )
    await server.kill("SIGTERM")

    await checkAgents({ check, client, quiet, serve, outfitters })
    await checkNoise({ check, client, noisyBookings, quiet, serve, tell, url: postgres.url("river") })
    return failures
  } finally {
    await client.end()
  }
}

const reportsHeap: ServerOptions = {
  environment: { NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "reportHeap.mjs")).href}` }
}

/**
 * Returns a server's used heap in MB, which the server logs after each signal. Returns the minimum over the last three
 * collections, because work that was still running during the first collection added 20 MB. Repeats the signal until
 * the log contains enough figures.
 */
const measureHeap = async (server: ServerProcess): Promise<number> => {
  const parseHeaps = () => Array.from(server.log().matchAll(/heap ([\d.]+) MB/g), ([, heap]) => Number(heap))
  const enough = parseHeaps().length + 3
  while (parseHeaps().length < enough) {
    server.signal("SIGUSR2")
    await sleep(1000)
  }
  return Math.min(...parseHeaps().slice(-3))
}

type Serve = (role: string, options?: ServerOptions) => Promise<ServerProcess>
type Check = (isKept: boolean, line: string) => void

const withSuperuser = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const request = async (
  server: ServerProcess,
  { token }: Pick<Outfitter, "token">,
  path: string,
  body?: Readonly<Record<string, unknown>>
) => {
  const response = await fetch(server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const formatDay = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

/** Creates outfitters that each have a class, a guide appointment, and one booking. */
const createQuietOutfitters = async (server: ServerProcess, url: string): Promise<ReadonlyArray<Outfitter>> => {
  const database = databaseUrl.read(url)
  if (!("value" in database)) throw new Error(`${url} is not a database URL.`)
  const orgs = await Effect.runPromise(Effect.provide(
    Effect.forEach(
      Array.from({ length: quietOutfitters }, (_, n) => n),
      (n) => createOrg({ name: `Outfitter ${n}`, timezone: "America/Denver" })
    ),
    accountsLayer(database.value)
  ))
  const all: Array<Outfitter> = []
  for (const { org, token } of orgs) {
    const create = (path: string, body: Readonly<Record<string, unknown>>) => request(server, { token }, path, body)
    const rafting = await create("/offerings", {
      name: "Browns Canyon",
      kind: "class",
      capacity: 12,
      price_cents: 8500
    })
    await create("/sessions", { offering_id: rafting.id, starts_at: `${formatDay(30)}T15:00:00Z`, repeat_weeks: 3 })
    const guide = await create("/offerings", {
      name: "Guide",
      kind: "appointment",
      capacity: 1000,
      duration_minutes: 60,
      max_advance_days: 700
    })
    const booking = await create("/bookings", {
      offering_id: guide.id,
      starts_at: await startOf(server, token, guide.id),
      customer: { name: "Ann Bell", email: "ann@example.com" }
    })
    all.push({ orgId: org.id, token, offering: guide.id, booking: booking.id })
  }
  return all
}

const startOf = async (server: ServerProcess, token: string, offering: string): Promise<string> => {
  const { data } = await request(
    server,
    { token },
    `/offerings/${offering}/availability?from=${formatDay(40)}&to=${formatDay(41)}`
  )
  return data[0].starts_at
}

/** Returns a copied outfitter's key, which has the same secret as the original. */
const makeToken = ({ token }: Outfitter, n: number): string => {
  const key = parse(token)
  if (key === undefined) throw new Error("This is no API key.")
  return format({ ...key, id: copyOf(key.id, n) })
}

/** Returns how many statements a role has run since the last reset, and how many blocks they read. */
const readStatements = async (client: Client, role: string) => {
  const { rows } = await client.query<{ readonly calls: number; readonly blocks: number }>(
    `select coalesce(sum(s.calls), 0)::float8 as calls,
      coalesce(sum(s.shared_blks_hit + s.shared_blks_read), 0)::float8 as blocks
      from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname = $1`,
    [role]
  )
  return rows[0] ?? { calls: 0, blocks: 0 }
}

const computeQuantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

/** Long enough for the jobs that run once per minute. */
const idleSeconds = 60

const measure = async (serve: Serve, client: Client) => {
  const starts: Array<number> = []
  for (let n = 0; n < 5; n++) {
    const startMs = performance.now()
    const server = await serve("trailbook")
    starts.push(performance.now() - startMs - waitedMs(server.pid))
    await server.kill("SIGTERM")
  }
  const server = await serve("trailbook", reportsHeap)
  // Wait until each job has run once, because some start only after a delay.
  await sleep(5000)
  await client.query("select pg_stat_statements_reset()")
  await sleep(idleSeconds * 1000)
  const { blocks, calls } = await readStatements(client, "trailbook")
  const heapMegabytes = await measureHeap(server)
  await server.kill("SIGTERM")
  return {
    startMs: Math.min(...starts),
    queriesPerSecond: calls / idleSeconds,
    blocksPerSecond: blocks / idleSeconds,
    heapMegabytes
  }
}

/**
 * Sends a request from a quiet outfitter every 25 ms, and returns the durations. A round takes 5 seconds and contains
 * each kind of request from each outfitter. If a request is slow, the requests that would have started in the meantime
 * are counted as well. Subtracts the time during which other programs used the cores.
 */
const load = async (server: ServerProcess, quiet: ReadonlyArray<Outfitter>, rounds: number) => {
  const times: Array<number> = []
  const readTotalWaitMs = () => waitedMs(server.pid) + waitedMs(process.pid)
  const requests = Array.from({ length: rounds }, () => kinds.flatMap((kind) => quiet.map((one) => ({ kind, one }))))
    .flat()
  for (const { kind, one } of requests) {
    const before = readTotalWaitMs()
    const startMs = performance.now()
    await kind(server, one, sentCount++)
    const elapsedMs = Math.max(0, performance.now() - startMs - (readTotalWaitMs() - before))
    for (let rest = elapsedMs; rest > 0; rest -= everyMs) times.push(rest)
    await sleep(Math.max(0, everyMs - elapsedMs))
  }
  return { p50: computeQuantile(times, 0.5), p99: computeQuantile(times, 0.99), count: requests.length }
}

const everyMs = 25
/** Counts the requests, so that each booking starts at a different time. */
let sentCount = 0

const kinds: ReadonlyArray<(server: ServerProcess, one: Outfitter, n: number) => Promise<unknown>> = [
  (server, one) => request(server, one, `/bookings/${one.booking}`),
  (server, one) => request(server, one, "/bookings?limit=20"),
  (server, one) =>
    request(server, one, `/offerings/${one.offering}/availability?from=${formatDay(40)}&to=${formatDay(41)}`),
  async (server, one, n) =>
    request(server, one, "/bookings", {
      offering_id: one.offering,
      starts_at: `${formatDay(50 + Math.floor(n / 200) % 600)}T18:00:00Z`,
      customer: { email: "ann@example.com" }
    })
]

const checkAgents = async ({ check, client, outfitters, quiet, serve }: {
  readonly check: Check
  readonly client: Client
  readonly outfitters: number
  readonly quiet: ReadonlyArray<Outfitter>
  readonly serve: Serve
}) => {
  const server = await serve("trailbook")
  await load(server, quiet, 1)
  const idle = await load(server, quiet, 3)
  await client.query(`insert into trailbook.automations (org_id, automation, dial, settings, updated_at, next_at, fence)
    select o.id, a.name, 'ask', '{}', 0, extract(epoch from now())::bigint * 1000, 0
    from trailbook.orgs o, (values ('weather'), ('fill'), ('reminders')) a(name)`)
  await client.query("vacuum analyze trailbook.automations")
  const countDue = async (): Promise<number> => {
    const { rows } = await client.query<{ readonly due: number }>(
      "select count(*)::float8 as due from trailbook.automations where next_at <= extract(epoch from now())::bigint * 1000"
    )
    return rows[0]?.due ?? 0
  }
  const [before, cpu, seconds] = [await countDue(), await cpuMicros([server.pid]) ?? 0, 20]
  await sleep(seconds * 1000)
  const share = ((await cpuMicros([server.pid]) ?? 0) - cpu) / 1e6 / seconds
  const runs = (before - await countDue()) / seconds
  check(
    share <= agentShare && runs >= leastRuns,
    `${3 * outfitters} automations due: ${runs.toFixed(0)} runs per second, ${share.toFixed(2)} of a core`
  )
  const { p99 } = await load(server, quiet, 3)
  checkLoad(check, p99, "requests while all automations are due", idle.p99)
  await server.kill("SIGTERM")
  await client.query("truncate trailbook.automations")
}

const checkLoad = (check: Check, p99: number, what: string, idle: number) =>
  check(p99 <= idle + slowerMs, `${what}: p99 ${p99.toFixed(0)} ms, at most ${(idle + slowerMs).toFixed(0)} ms`)

const checkNoise = async ({ check, client, noisyBookings, quiet: [noisy, ...quiet], serve, tell, url }: {
  readonly check: Check
  readonly client: Client
  readonly noisyBookings: number
  readonly quiet: ReadonlyArray<Outfitter>
  readonly serve: Serve
  readonly tell: (line: string) => void
  readonly url: string
}) => {
  if (noisy === undefined) return
  const quietServer = await serve("quiet", { worker: "off" })
  // One worker runs in all phases. It also sends the quiet outfitters' emails, which locks those outfitters' rows.
  await serve("trailbook")
  const runPhase = async (what: string, server = quietServer) => {
    await load(server, quiet, 1)
    await client.query("select pg_stat_statements_reset()")
    const locks = watchLocks(client)
    const { count, p50, p99 } = await load(server, quiet, 6)
    const { samples, waits } = await locks.stop()
    const { blocks, calls } = await readStatements(client, "quiet")
    const figures = { p99, statements: calls / count, blocks: blocks / count, waits: waits.length }
    tell(
      `  ${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms` + (server !== quietServer ? "" : (
        `, ${figures.statements.toFixed(2)} statements and ${figures.blocks.toFixed(0)} blocks per request, ` +
        `${waits.length} lock waits in ${samples} samples`
      ))
    )
    for (const what of new Set(waits)) tell(`    ${what}`)
    return figures
  }
  const idle = await runPhase("quiet outfitters alone")

  const startMs = performance.now()
  await bulk(url, async () => {
    const step = 100_000
    for (let at = 0; at < noisyBookings; at += step) {
      await copyBooking(client, noisy.booking, ownCopies + at + 1, ownCopies + Math.min(noisyBookings, at + step))
    }
  })
  const minutes = (performance.now() - startMs) / 60_000
  tell(`  the noisy outfitter has ${noisyBookings} bookings, stored in ${minutes.toFixed(1)} minutes`)
  const large = await runPhase("next to the bookings of the noisy outfitter")

  const noisyServer = await serve("trailbook", { rateLimit: 100, worker: "off" })
  const noise = makeNoise(noisyServer, noisy)
  const otherServer = await runPhase("next to requests of the noisy outfitter at another server")
  const sameServer = await runPhase("next to requests of the noisy outfitter at the same server", noisyServer)
  const { failed, sent: noisyRequests } = await noise.stop()
  check(
    failed.size === 0,
    `the noisy outfitter sent ${noisyRequests} requests: ${[...failed].join(", ") || "none failed"}`
  )
  for (const [what, result] of [["bookings", large], ["requests", otherServer]] as const) {
    check(
      result.statements <= idle.statements * moreStatements,
      `statements of a request: ${idle.statements.toFixed(2)} → ${result.statements.toFixed(2)} with the noisy ${what}`
    )
    check(result.waits <= idle.waits, `lock waits: ${idle.waits} → ${result.waits} with the noisy ${what}`)
    checkLoad(check, result.p99, `requests with the noisy ${what}`, idle.p99)
  }
  checkLoad(check, sameServer.p99, "requests with the noisy requests at the same server", idle.p99)
}

/**
 * The number given to a booking's first copy within its outfitter. It is higher than that of any copied outfitter.
 */
const ownCopies = 1_000_000_000

/**
 * Samples the quiet server's backends that are waiting for a lock, and records their statements and those of the lock
 * holders.
 */
const watchLocks = (client: Client) => {
  const watch = { samples: 0, waits: new Array<string>(), isWatching: true }
  const watcher = (async () => {
    while (watch.isWatching) {
      const { rows } = await client.query<{ readonly what: string }>(
        `select concat_ws(' ', w.wait_event, 'of', left(w.query, 120), '| held by', b.usename, b.state, left(b.query, 120)) as what
          from pg_stat_activity w left join pg_stat_activity b on b.pid = any(pg_blocking_pids(w.pid))
          where w.usename = 'quiet' and w.wait_event_type = 'Lock'`
      )
      watch.samples++
      watch.waits.push(...rows.map(({ what }) => what.replace(/\s+/g, " ")))
      await sleep(10)
    }
  })()
  return {
    stop: async () => {
      watch.isWatching = false
      await watcher
      return watch
    }
  }
}

/** Starts 16 clients of the noisy outfitter that continuously send expensive requests. */
const makeNoise = (server: ServerProcess, noisy: Outfitter) => {
  const state = { isGoing: true, sent: 0, failed: new Set<string>() }
  const paths = [
    "/bookings?limit=500&order=desc",
    "/bookings?limit=500&q=ann",
    `/offerings/${noisy.offering}/availability?from=${formatDay(1)}&to=${formatDay(300)}`,
    "/customers?q=bell",
    "/events?limit=500"
  ]
  const runClient = async (at: number): Promise<void> => {
    while (state.isGoing) {
      const n = state.sent++
      const path = paths[(n + at) % paths.length] ?? ""
      const body = n % 6 > 0 ? undefined : {
        offering_id: noisy.offering,
        starts_at: `${formatDay(50 + n % 300)}T18:00:00Z`,
        customer: { email: "ann@example.com" }
      }
      // The rate limit refuses most requests, as in production.
      await request(server, noisy, body === undefined ? path : "/bookings", body).catch((error) => {
        if (!String(error).includes(": 429 ")) state.failed.add(String(error))
        return sleep(5)
      })
    }
  }
  const clients = Array.from({ length: 16 }, (_, at) => runClient(at))
  return {
    stop: async () => {
      state.isGoing = false
      await Promise.all(clients)
      return state
    }
  }
}
