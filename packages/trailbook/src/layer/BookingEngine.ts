/**
 * The booking engine for Effect applications: the domain services, the operation registry, and a database's storage.
 */
import { SqlClient } from "@effect/sql/SqlClient"
import { type Refusal, unavailable } from "@trailbook/core"
import { classifyUnavailability } from "@trailbook/core/port"
import type { PostgresClient, PostgresPool } from "@trailbook/postgres"
import { engineLayer, type EnginePorts } from "@trailbook/runtime/engineLayer"
import {
  type DatabaseOpenError,
  type HostSqliteClient,
  loadAdapter,
  type StorageServices
} from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { HostTransactions, type UnsupportedTransaction } from "@trailbook/sql/HostTransactions"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { parseDatabase } from "../embed/option/parseOptions.ts"
import { type MissingKey, verifyWebhookSecrets } from "./MissingKey.ts"
import { parseConfig } from "./parseConfig.ts"

export interface Settings {
  /**
   * `sqlite:<file>`, or `postgres://…` with the parameters `schema` and `prepare`. `:memory:` keeps all data in this
   * process, for tests. Redact an address that contains a password.
   */
  readonly database: string | Redacted.Redacted
}

/**
 * Optional external services. Without `payments`, bookings are confirmed without payment. Without `webhooks`, an
 * outfitter cannot add webhooks. A gate is a custom rule that each booking must pass.
 */
export interface Ports<E1 = never, R1 = never, E2 = never, R2 = never, R3 = never>
  extends EnginePorts<E1, R1, E2, R2, R3>
{}

/** The services that the engine provides. */
export type Services = Layer.Layer.Success<ReturnType<typeof engineLayer>> | StorageServices

/**
 * Applies pending migrations and opens the database. IDs and timestamps use the layer's `Clock`, so a `TestClock`
 * works. An invalid address is a defect. For an address from the configuration, use {@link layerConfig}.
 *
 * @example
 * import { BookingEngine } from "trailbook/effect"
 *
 * const engine = BookingEngine.layer({ database: "sqlite:bookings.sqlite" })
 */
export const layer = <E1 = never, R1 = never, E2 = never, R2 = never, R3 = never>(
  settings: Settings | { readonly database: PostgresPool },
  ports: Ports<E1, R1, E2, R2, R3> = {}
): Layer.Layer<Services, DatabaseOpenError | MissingKey | E1 | E2, R1 | R2 | Exclude<R3, StorageServices>> =>
  Layer.suspend(() => buildEngine(toDatabase(settings), ports))

/**
 * Like {@link layer}, with settings from `Config`. An invalid address is a `ConfigError`.
 *
 * @example
 * import * as Config from "effect/Config"
 * import { BookingEngine } from "trailbook/effect"
 *
 * const engine = BookingEngine.layerConfig({ database: Config.redacted("DATABASE_URL") })
 */
export const layerConfig = <E1 = never, R1 = never, E2 = never, R2 = never, R3 = never>(
  config: Config.Config.Wrap<Settings>,
  ports: Ports<E1, R1, E2, R2, R3> = {}
): Layer.Layer<
  Services,
  ConfigError | DatabaseOpenError | MissingKey | E1 | E2,
  R1 | R2 | Exclude<R3, StorageServices>
> =>
  Layer.unwrapEffect(
    Effect.map(parseConfig(Config.unwrap<Settings>(config), toDatabase), (database) => buildEngine(database, ports))
  )

/**
 * Like {@link layer}, on an existing `SqliteClient` or `PgClient` from `@effect/sql`. The engine and the application
 * share its connections.
 *
 * @example
 * import * as PgClient from "@effect/sql-pg/PgClient"
 * import * as Config from "effect/Config"
 * import * as Layer from "effect/Layer"
 * import { BookingEngine } from "trailbook/effect"
 *
 * const sql = PgClient.layerConfig({ url: Config.redacted("DATABASE_URL") })
 * const engine = Layer.provideMerge(BookingEngine.layerClient({ schema: "booking" }), sql)
 */
export const layerClient = <E1 = never, R1 = never, E2 = never, R2 = never, R3 = never>(
  options: Omit<PostgresClient, "client"> = {},
  ports: Ports<E1, R1, E2, R2, R3> = {}
): Layer.Layer<
  Services,
  DatabaseOpenError | MissingKey | E1 | E2,
  SqlClient | R1 | R2 | Exclude<R3, StorageServices>
> => Layer.unwrapEffect(Effect.map(SqlClient, (client) => buildEngine(toHost(client, options), ports)))

/** Converts a client to its adapter's options. Recognizes the client by a method that only it has. */
const toHost = (client: SqlClient, options: Omit<PostgresClient, "client">): PostgresClient | HostSqliteClient => {
  if (isSqlite(client)) return { sqlite: client }
  if ("listen" in client) return { ...options, client: client as PostgresClient["client"] }
  throw new TypeError(
    "BookingEngine.layerClient: the SqlClient must be a PgClient or the SqliteClient of @effect/sql-sqlite-node"
  )
}

const isSqlite = (client: SqlClient): client is HostSqliteClient["sqlite"] => "loadExtension" in client

const toDatabase = ({ database }: Settings | { readonly database: PostgresPool }): DatabaseUrl | PostgresPool =>
  parseDatabase(Redacted.isRedacted(database) ? Redacted.value(database) : database)

const buildEngine = <E1, R1, E2, R2, R3>(
  database: DatabaseUrl | PostgresPool | PostgresClient | HostSqliteClient,
  ports: Ports<E1, R1, E2, R2, R3>
): Layer.Layer<Services, DatabaseOpenError | MissingKey | E1 | E2, R1 | R2 | Exclude<R3, StorageServices>> =>
  Layer.unwrapEffect(Effect.map(loadAdapter(database), ({ batches, storage }) => {
    const { webhooks } = ports
    const domain = engineLayer(NodeIds.layer, batches, ports).pipe(Layer.provideMerge(storage))
    // Fail at startup if a key is missing, instead of at the first webhook delivery.
    return webhooks === undefined
      ? domain
      : Layer.tap(domain, (services) => Effect.provide(verifyWebhookSecrets({ reseal: true }), services))
  }))

/**
 * Runs operations inside a transaction that the application started with `sql.withTransaction`. The operations commit
 * or roll back with the transaction. They run under a savepoint, so the transaction can continue after a caught
 * failure.
 *
 * On Postgres, the transaction must use the read committed isolation level. Run the operations last, right before the
 * commit. Until the transaction ends, they block the outfitter's other writes. On SQLite, they block all other writes.
 *
 * @example
 * import * as SqlClient from "@effect/sql/SqlClient"
 * import { bookingsConfirm } from "@trailbook/core/booking"
 * import * as Effect from "effect/Effect"
 * import { BookingEngine, call } from "trailbook/effect"
 *
 * const paid = (order: string, booking: string) =>
 *   Effect.flatMap(SqlClient.SqlClient, (sql) =>
 *     sql.withTransaction(Effect.zipRight(
 *       sql`update orders set paid = 1 where id = ${order}`,
 *       BookingEngine.runInHostTransaction(call(bookingsConfirm, { id: booking }))
 *     )))
 */
export const runInHostTransaction = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UnsupportedTransaction | Refusal<"unavailable">, R | HostTransactions> =>
  Effect.flatMap(HostTransactions, ({ join }) => join(work)).pipe(
    Effect.catchSomeCause((cause) =>
      classifyUnavailability(cause) === undefined
        ? Option.none()
        : Option.some(unavailable("The database is unavailable. Retry the transaction."))
    )
  )
