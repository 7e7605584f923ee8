/** A primary and one streaming standby that serves reads, run with the operating system's Postgres. */
import { startServer } from "@trailbook/server"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import { cpuMicros } from "../../bench/processes.ts"
import { installedPrograms } from "../postgres/program.ts"
import { type Postgres, startPostgres } from "../postgres/server.ts"
import { createOrg } from "../reliability/ServerProcess.ts"
import { createTempFolder } from "../reliability/Target.ts"

export interface ReplicatedDatabase {
  readonly primary: Postgres
  readonly standby: Postgres
  /**
   * Starts a server on the primary and returns its URL. The server can use the standby as its replica, optionally
   * behind a pooler at the given port.
   */
  readonly serve: (hasReplica: boolean, poolerPort?: number) => Promise<string>
  readonly key: string
  /** Runs a statement on the primary or the standby, as a superuser. */
  readonly on: (server: Postgres, statement: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  readonly close: () => Promise<void>
}

const statistics = { shared_preload_libraries: "pg_stat_statements" }

export const startReplicated = async (): Promise<ReplicatedDatabase> => {
  const programs = await installedPrograms()
  if (programs === undefined) throw new Error("Postgres is not installed in /usr/lib/postgresql.")
  const { path: folder, remove } = await createTempFolder()
  const primary = await startPostgres({ fsync: true, programs, settings: statistics })
  const closers: Array<() => Promise<unknown>> = [primary.stop, remove]
  const executeOn = async (server: Postgres, statement: string) => {
    const client = new Client({
      connectionString: server.url(statement.startsWith("create database") ? "postgres" : "river")
    })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  await executeOn(primary, "create database river")
  await executeOn(primary, "create role trailbook login")
  await executeOn(primary, "alter database river owner to trailbook")
  await executeOn(primary, "create extension pg_stat_statements")
  const standby = await startPostgres({
    fsync: true,
    programs,
    standbyOf: primary.url("postgres"),
    settings: { ...statistics, hot_standby_feedback: "on" }
  })
  closers.unshift(standby.stop)
  const { key } = await createOrg(primary.url("river", "trailbook"))
  const makeDatabaseUrl = (url: string, prepare = true) =>
    ({ _tag: "Postgres", url, schema: "trailbook", prepare }) as const
  return {
    primary,
    standby,
    key,
    on: executeOn,
    serve: async (hasReplica, poolerPort) => {
      const replica = poolerPort === undefined
        ? makeDatabaseUrl(standby.url("river", "trailbook"))
        : makeDatabaseUrl(`postgres://trailbook@127.0.0.1:${poolerPort}/river`, false)
      const server = await startServer({
        database: makeDatabaseUrl(primary.url("river", "trailbook")),
        ...(hasReplica ? { databaseReplica: replica } : {}),
        secretsKeys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
        outbox: folder,
        files: { _tag: "Folder", directory: folder },
        rateLimitPerSecond: 0,
        worker: "off",
        port: 0
      })
      closers.unshift(server.stop)
      return server.baseUrl
    },
    close: async () => {
      for (const end of closers) await end()
    }
  }
}

export const ask = async (url: string, key: string, path: string, body?: object) => {
  const send = () =>
    fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  // Retry, because a server closes idle connections and any new connections above its limit.
  const sendAgain = async () => {
    await sleep(200)
    return send()
  }
  const response = await send().catch(sendAgain).catch(sendAgain)
  return { status: response.status, body: await response.json() }
}

export interface Load {
  /** CPU seconds used by all of the primary's processes. */
  readonly cpu: number
  readonly statements: number
  readonly failed: number
}

/** Requests lists, searches, reports, and availability at a fixed rate, and returns their cost to the primary. */
export const costOfReads = async (
  { key, on, primary, serve }: ReplicatedDatabase,
  hasReplica: boolean,
  { guests, perSecond, seconds }: { readonly guests: number; readonly perSecond: number; readonly seconds: number }
): Promise<Load> => {
  const url = await serve(hasReplica)
  const { body: { data: [offering] } } = await ask(url, key, "/offerings")
  const formatDay = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const paths = [
    "/bookings?limit=100",
    "/bookings?limit=100&q=bell",
    `/customers?q=guest${Math.floor(guests / 2)}`,
    `/offerings/${offering.id}/availability?from=${formatDay(1)}&to=${formatDay(30)}`,
    `/reports/sales?from=${formatDay(-30)}&to=${formatDay(0)}`
  ]
  const listPids = () => [primary.pid(), ...primary.children()]
  const send = async (seconds: number) => {
    const responses: Array<Promise<{ readonly status: number }>> = []
    const startMs = performance.now()
    for (let n = 0; n < seconds * perSecond; n++) {
      await sleep(Math.max(0, startMs + n * 1000 / perSecond - performance.now()))
      responses.push(ask(url, key, paths[n % paths.length] ?? ""))
    }
    return Promise.all(responses)
  }
  await send(3)
  await on(primary, "select pg_stat_statements_reset()")
  const before = await cpuMicros(listPids()) ?? 0
  const answers = await send(seconds)
  const cpu = ((await cpuMicros(listPids()) ?? 0) - before) / 1e6
  const [row] = await on(
    primary,
    `select sum(calls)::integer as calls from pg_stat_statements s join pg_roles r on r.oid = s.userid
      where r.rolname = 'trailbook'`
  )
  return { cpu, statements: Number(row?.["calls"]), failed: answers.filter(({ status }) => status !== 200).length }
}

/** The minimum share of the primary's CPU time that a replica must save for these reads. */
const leastSaved = 0.6

/** Measures the cost of reads with and without a replica. Returns whether the replica saves enough. */
export const measureSavings = async (print: (text: string) => void): Promise<boolean> => {
  const replicated = await startReplicated()
  try {
    const { key, on, primary, serve } = replicated
    const url = await serve(false)
    const { body: offering } = await ask(url, key, "/offerings", {
      name: "Guide",
      kind: "appointment",
      capacity: 1000,
      duration_minutes: 60,
      max_advance_days: 300
    })
    const in5Days = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    const { body: { data: slots } } = await ask(
      url,
      key,
      `/offerings/${offering.id}/availability?from=${in5Days}&to=${in5Days}`
    )
    const size = { guests: 2000, perSecond: 20, seconds: 30 }
    for (let n = 0; n < size.guests; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, at) =>
        ask(url, key, "/bookings", {
          offering_id: offering.id,
          starts_at: slots[(n + at) % slots.length].starts_at,
          customer: { name: "Ann Bell", email: `guest${n + at}@example.com` }
        })))
    }
    await on(primary, "vacuum analyze")
    const [without, withReplica] = [
      await costOfReads(replicated, false, size),
      await costOfReads(replicated, true, size)
    ]
    for (const [what, { cpu, failed, statements }] of [["without", without], ["with", withReplica]] as const) {
      print(
        `${what} a replica: ${cpu.toFixed(2)} s of CPU and ${statements} statements of the primary, ${failed} failed`
      )
    }
    const share = 1 - withReplica.cpu / without.cpu
    print(`saved: ${(100 * share).toFixed(0)} % of the CPU time`)
    return share >= leastSaved && without.failed + withReplica.failed === 0
  } finally {
    await replicated.close()
  }
}
