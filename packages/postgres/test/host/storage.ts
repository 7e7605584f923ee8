/** A storage adapter that runs every unit of work in a host application's transaction. */
import { Actor } from "@trailbook/core/actor"
import { TenantScope } from "@trailbook/core/port"
import { type HostTransaction, runInHostTransaction } from "@trailbook/postgres/HostTransaction"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import { getCurrentTransaction } from "@trailbook/sql/transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Pool, type PoolClient } from "pg"

export const openPool = (url: string, max: number) =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool({ connectionString: url, max }).on("error", () => {})),
    (pool) => Effect.promise(() => pool.end())
  )

export const hostOf = (client: PoolClient): HostTransaction => ({
  connection: client,
  query: async (text, values) => (await client.query(text, [...values])).rows
})

/** Runs work in a host transaction, and commits the transaction if the work succeeds. */
export const inHostTransaction = (pool: Pool) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const client = await pool.connect()
      await client.query("begin")
      return client
    }),
    (client) =>
      Effect.flatMap(
        tenants,
        (orgs) =>
          Effect.catchTag(runInHostTransaction(hostOf(client))(work, orgs), "UnsupportedTransaction", Effect.die)
      ),
    (client, exit) =>
      Effect.promise(async () => {
        await client.query(Exit.isSuccess(exit) ? "commit" : "rollback")
        client.release()
      })
  )

const tenants = Effect.contextWith((context: Context.Context<never>) => {
  const explicit = Context.getOption(context, TenantScope)
  const actorOrgs = Option.map(Context.getOption(context, Actor), ({ orgId }) => [orgId])
  return Option.getOrUndefined(Option.orElse(explicit, () => actorOrgs))
})

export const layer = (url: string) =>
  SqlStorage.layer.pipe(
    Layer.provideMerge(Layer.scoped(
      Database,
      Effect.gen(function*() {
        const ordinary = Context.get(yield* Layer.build(PostgresDatabase.layer({ url })), Database)
        const host = inHostTransaction(yield* openPool(url, 8))
        /** Starts a host transaction, unless the work already runs in one. */
        const hosted = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
          Effect.contextWithEffect((context: Context.Context<R>) =>
            getCurrentTransaction(context as Context.Context<never>) === undefined ? host(work) : work
          )
        return Database.of({
          ...ordinary,
          write: (text, values) => hosted(ordinary.write(text, values)),
          execute: (text, values) => hosted(ordinary.execute(text, values)),
          erase: (text, values) => hosted(ordinary.erase(text, values)),
          transaction: (work) => hosted(ordinary.transaction(work)),
          inOneTransaction: (work) => hosted(ordinary.inOneTransaction(work))
        })
      })
    ))
  )
