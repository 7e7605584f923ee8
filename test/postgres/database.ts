/** Creates databases for suites on the run's Postgres server. */
import { createHash, randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "pg"
import { inject } from "vitest"
import type { ServerSettings } from "./globalSetup.ts"

export interface Database {
  /** Connects as the owner of the database. The role is not a superuser, so forced row-level security applies to it. */
  readonly url: string
  /** Connects as a superuser, to bypass a guard or to create roles. */
  readonly superuserUrl: string
  /** Terminates the remaining connections. */
  readonly drop: () => Promise<void>
}

/**
 * A database's initial content. It is created once per run and cloned for each additional database with the same schema
 * name.
 */
export interface Schema {
  readonly name: string
  /** Fills the database. Must close its connections before it resolves. */
  readonly fill: (url: string) => Promise<void>
}

const at = (url: string, database: string, role?: ServerSettings): string => {
  const place = new URL(url)
  place.pathname = `/${database}`
  if (role !== undefined) {
    place.username = role.role
    place.password = role.password
  }
  return place.href
}

/**
 * The superuser connections of this process. Tests create and drop hundreds of databases, and a new connection costs as
 * much processor time as copying a database.
 */
const connect = async () => {
  const response = await fetch(inject("postgres"))
  if (!response.ok) throw new Error(await response.text())
  const server: ServerSettings = await response.json()
  const pool = new Pool({ connectionString: server.superuserUrl, max: 4, allowExitOnIdle: true })
  // The server can stop before this process. Without a listener, the lost connection would crash the process.
  pool.on("error", () => {})
  const { rows } = await pool.query("select current_setting('server_version_num')::int >= 150000 as can_copy_files")
  // Copying the template's files takes half the processor time of the default strategy: 20 ms instead of 42 ms.
  // Dropping the database takes 9 ms instead of 20 ms. Postgres 14 copies files without this option.
  return { server, pool, strategy: rows[0].can_copy_files === true ? "strategy file_copy" : "" }
}

let connection: ReturnType<typeof connect> | undefined

/** The names of the template databases that this process has found or created, by schema name. */
const templates = new Map<string, Promise<string>>()

/**
 * Creates a schema's template database, or returns the existing template. Concurrent processes wait for the advisory
 * lock. The database gets its final name only once it is complete.
 */
const createTemplate = async (pool: Pool, from: ServerSettings, { fill, name }: Schema): Promise<string> => {
  const hash = createHash("sha256").update(`${from.role}/${name}`).digest("hex").slice(0, 24)
  const database = `trailbook_test_${hash}`
  const lock = [Number.parseInt(hash.slice(0, 7), 16)]
  const client = await pool.connect()
  try {
    await client.query("select pg_advisory_lock($1)", lock)
    const { rowCount } = await client.query("select from pg_database where datname = $1", [database])
    if (rowCount !== 0) return database
    const filling = `${database}_filling`
    await client.query(`drop database if exists ${filling} with (force)`)
    await client.query(`create database ${filling} owner ${from.role}`)
    await fill(at(from.superuserUrl, filling, from))
    await client.query(`alter database ${filling} rename to ${database}`)
    return database
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true)
  }
}

const template = (pool: Pool, from: ServerSettings, schema: Schema): Promise<string> => {
  const existing = templates.get(schema.name) ?? createTemplate(pool, from, schema)
  templates.set(schema.name, existing)
  return existing
}

/** Creates a database, empty or with a schema. Call it in `beforeAll`, and `drop` in `afterAll`. */
export const createDatabase = async (schema?: Schema): Promise<Database> => {
  connection ??= connect()
  const { pool, server, strategy } = await connection
  const name = `trailbook_test_${randomBytes(8).toString("hex")}`
  const origin = schema === undefined ? "template0" : await template(pool, server, schema)
  await pool.query(`create database ${name} template ${origin} owner ${server.role} ${strategy}`)
  return {
    url: at(server.superuserUrl, name, server),
    superuserUrl: at(server.superuserUrl, name),
    drop: async () => {
      // Give connections 500 ms to close. Terminating a connection that is already closing raises an error in its
      // client.
      const isIdle = async () => {
        const { rowCount } = await pool.query("select from pg_stat_activity where datname = $1 limit 1", [name])
        return rowCount === 0
      }
      for (let looks = 0; looks < 50 && !await isIdle(); looks++) await sleep(10)
      await pool.query(`drop database if exists ${name} with (force)`)
    }
  }
}
