/**
 * Shares one Postgres server among all suites in a run. The server starts when the first suite requests it, so other
 * runs do not wait for it. Suites run in other processes and request its settings over loopback HTTP.
 */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { Client, type QueryResultRow } from "pg"
import type { TestProject } from "vitest/node"
import { type Postgres, startPostgres } from "./server.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL that returns the settings of the run's server. */
    readonly postgres: string
  }
}

/** The connection settings that a suite receives. */
export interface ServerSettings {
  readonly superuserUrl: string
  /** The owner of the run's databases. It is not a superuser, so row-level security applies to it. */
  readonly role: string
  readonly password: string
}

const serverUrl = process.env["TRAILBOOK_TEST_POSTGRES_URL"]

const execute = async <A extends QueryResultRow>(url: string, statement: string): Promise<ReadonlyArray<A>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<A>(statement)).rows
  } finally {
    await client.end()
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  if (project.isRootProject()) process.stdout.write(`TEST_SEED=${process.env["TEST_SEED"]}\n`)
  let server: Postgres | undefined
  let lending: Promise<ServerSettings> | undefined
  const role = `trailbook_test_${randomBytes(4).toString("hex")}`
  const password = randomBytes(12).toString("hex")

  const lendServer = async (): Promise<ServerSettings> => {
    server = serverUrl === undefined ? await startPostgres({ fsync: false }) : undefined
    const superuserUrl = serverUrl ?? server?.url("postgres") ?? ""
    await execute(superuserUrl, `create role ${role} login nosuperuser nobypassrls password '${password}'`)
    return { superuserUrl, role, password }
  }
  const takeBack = async ({ superuserUrl }: ServerSettings): Promise<void> => {
    if (server !== undefined) return server.stop()
    const owned = `select datname from pg_database where pg_get_userbyid(datdba) = '${role}'`
    for (const { datname } of await execute<{ datname: string }>(superuserUrl, owned)) {
      await execute(superuserUrl, `drop database "${datname}" with (force)`)
    }
    await execute(superuserUrl, `drop role ${role}`)
  }

  const leaseServer = createServer((_, response) => {
    lending ??= lendServer()
    lending.then(
      (lease) => response.end(JSON.stringify(lease)),
      (error: unknown) => response.writeHead(500).end(String(error))
    )
  })
  leaseServer.listen(0, "127.0.0.1")
  await once(leaseServer, "listening")
  leaseServer.unref()
  const address = leaseServer.address()
  project.provide("postgres", `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
  return async () => {
    leaseServer.close()
    leaseServer.closeAllConnections()
    const lease = await lending?.catch(() => undefined)
    if (lease !== undefined) await takeBack(lease)
  }
}
