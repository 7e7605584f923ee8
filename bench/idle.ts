/**
 * Counts an idle worker's database queries for ten seconds, on both storages. The worker runs every job that a server
 * or `trailbook worker` runs.
 */
import { TaskHandlers } from "@trailbook/core/handler"
import { Mailer } from "@trailbook/core/mail"
import type { Storage } from "@trailbook/core/storage"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { makeWorkerJobs } from "@trailbook/runtime/jobs"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import type { Line } from "./report.ts"

const seconds = 10
/** The promised maximum number of statements per second for an idle worker. */
const maxStatementsPerSecond = 5

const noMailer = Layer.succeed(
  Mailer,
  Mailer.of({ send: () => Effect.dieMessage("An idle worker must not send mail.") })
)

/** Returns the storage ports for a database, and reports every statement that they run. */
const makeReportingStorage = <E>(database: Layer.Layer<Database, E>, tell: () => void): Layer.Layer<Storage> => {
  const tellFirst = <A>(effect: Effect.Effect<A>) => Effect.zipRight(Effect.sync(tell), effect)
  const reportingDatabase = Layer.effect(
    Database,
    Effect.map(Database, ({ erase, execute, query, write, ...others }) => ({
      ...others,
      query: <Row>(...args: Parameters<typeof query>) => tellFirst(query<Row>(...args)),
      execute: <Row>(...args: Parameters<typeof execute>) => tellFirst(execute<Row>(...args)),
      write: (...args: Parameters<typeof write>) => tellFirst(write(...args)),
      erase: (...args: Parameters<typeof erase>) => tellFirst(erase(...args))
    }))
  )
  return SqlStorage.layer.pipe(Layer.provide(reportingDatabase), Layer.provide(Layer.orDie(database)))
}

const measureStatementsPerSecond = <E>(
  database: Layer.Layer<Database, E>
): Promise<{ readonly statements: number; readonly cpuMs: number }> => {
  let statements = 0
  const domain = TaskHandlers.layer({ publicUrl: "https://book.example.com" }).pipe(
    Layer.provide(noMailer),
    Layer.provideMerge(engineLayer(NodeIds.layer, "none")),
    Layer.provideMerge(makeReportingStorage(database, () => statements++))
  )
  return Effect.gen(function*() {
    yield* Worker.start({ ...makeWorkerJobs(), grace: "1 second" })
    // Wait until each job's startup work has finished.
    yield* Effect.sleep("2 seconds")
    const before = { statements, cpu: process.cpuUsage() }
    yield* Effect.sleep(`${seconds} seconds`)
    const { system, user } = process.cpuUsage(before.cpu)
    return { statements: statements - before.statements, cpuMs: (system + user) / 1000 }
  }).pipe(Effect.scoped, Effect.provide(domain), Effect.runPromise)
}

const formatLine = (
  storage: string,
  { cpuMs, statements }: { readonly statements: number; readonly cpuMs: number }
): Line => ({
  what: `${storage}: idle worker: database statements per second, share of one core`,
  figure: `${(statements / seconds).toFixed(1)}, ${(cpuMs / seconds / 10).toFixed(2)}%`,
  promise: {
    text: `at most ${maxStatementsPerSecond} statements per second`,
    kept: statements / seconds <= maxStatementsPerSecond
  }
})

export const idleOnSqlite = async (folder: string): Promise<Line> =>
  formatLine(
    "SQLite",
    await measureStatementsPerSecond(SqliteDatabase.layer({ filename: join(folder, "idle.sqlite") }))
  )

export const idleOnPostgres = async (url: string): Promise<Line> =>
  formatLine("Postgres", await measureStatementsPerSecond(PostgresDatabase.layer({ url })))
