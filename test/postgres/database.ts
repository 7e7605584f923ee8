/** Creates databases for suites on the run's Postgres server. */
import { createHash, randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
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

const withClient = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const borrowServer = async (): Promise<ServerSettings> => {
  const response = await fetch(inject("postgres"))
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/**
 * Creates a schema's template database, or returns the existing template. Concurrent suites wait for the advisory lock.
 * The database gets its final name only once it is complete.
 */
const template = async (client: Client, from: ServerSettings, { fill, name }: Schema): Promise<string> => {
  const hash = createHash("sha256").update(`${from.role}/${name}`).digest("hex").slice(0, 24)
  const database = `trailbook_test_${hash}`
  const lock = [Number.parseInt(hash.slice(0, 7), 16)]
  await client.query("select pg_advisory_lock($1)", lock)
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [database])
    if (rowCount !== 0) return database
    const filling = `${database}_filling`
    await client.query(`drop database if exists ${filling} with (force)`)
    await client.query(`create database ${filling} owner ${from.role}`)
    await fill(at(from.superuserUrl, filling, from))
    await client.query(`alter database ${filling} rename to ${database}`)
    return database
  } finally {
    await client.query("select pg_advisory_unlock($1)", lock)
  }
}

/**
 * Copies the template's files, which takes half the processor time of the default strategy: 20 ms instead of 42 ms.
 * Dropping the database takes 9 ms instead of 20 ms. Postgres 14 copies files without this option.
 */
const copying = async (client: Client): Promise<string> => {
  const { rows } = await client.query("select current_setting('server_version_num')::int >= 150000 as is_supported")
  return rows[0].is_supported === true ? "strategy file_copy" : ""
}

/** Creates a database, empty or with a schema. Call it in `beforeAll`, and `drop` in `afterAll`. */
export const createDatabase = async (schema?: Schema): Promise<Database> => {
  const from = await borrowServer()
  const name = `trailbook_test_${randomBytes(8).toString("hex")}`
  await withClient(from.superuserUrl, async (client) => {
    const origin = schema === undefined ? "template0" : await template(client, from, schema)
    await client.query(`create database ${name} template ${origin} owner ${from.role} ${await copying(client)}`)
  })
  return {
    url: at(from.superuserUrl, name, from),
    superuserUrl: at(from.superuserUrl, name),
    drop: () =>
      withClient(from.superuserUrl, async (client) => {
        // Give connections 500 ms to close. Terminating a connection that is already closing raises an error in its
        // client.
        const isIdle = async () => {
          const { rowCount } = await client.query("select from pg_stat_activity where datname = $1 limit 1", [name])
          return rowCount === 0
        }
        for (let looks = 0; looks < 50 && !await isIdle(); looks++) await sleep(10)
        await client.query(`drop database if exists ${name} with (force)`)
      })
  }
}
