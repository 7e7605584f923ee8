/**
 * A dedicated Postgres server with an empty database. No other data affects the measurement, and all of the server's
 * CPU time is spent on one subject. It flushes to disk as it would in production, and its role is subject to row-level
 * security.
 */
import { Client } from "pg"
import { startPostgres } from "../test/postgres/server.ts"
import { cpuMicros, sharedMegabytes } from "./processes.ts"

export interface FreshPostgres {
  readonly url: string
  /** Returns the CPU time in microseconds since the server started. */
  readonly cpu: () => Promise<number | undefined>
  readonly megabytes: () => Promise<number | undefined>
  /** Runs the maintenance that would otherwise start in the middle of a round. */
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
}

const role = "trailbook"
const database = "river"

export const freshPostgres = async (): Promise<FreshPostgres> => {
  const server = await startPostgres({ fsync: true })
  const asSuperuser = async (url: string, ...statements: ReadonlyArray<string>): Promise<void> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await asSuperuser(
    server.url("postgres"),
    `create role ${role} login nosuperuser nobypassrls`,
    `create database ${database} owner ${role}`
  )
  const processes = (): ReadonlyArray<number> => [server.pid(), ...server.children()]
  return {
    url: server.url(database, role),
    cpu: () => cpuMicros(processes()),
    megabytes: () => sharedMegabytes(processes()),
    settle: () => asSuperuser(server.url(database), "vacuum analyze", "checkpoint"),
    stop: server.stop
  }
}
