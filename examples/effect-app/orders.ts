import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { hostConflict } from "@trailbook/core"
import { BookingCreateHook, bookingsCreate } from "@trailbook/core/booking"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingEngine, call } from "trailbook/effect"

/** The shop's own client. Its tables and Trailbook's tables are in the same file. */
const sql = SqliteClient.layerConfig({ filename: Config.withDefault(Config.string("SHOP_FILE"), "shop.sqlite") })

/** A rule that reads one of the shop's tables in the booking's transaction. */
const requireWaiver = Layer.effect(
  BookingCreateHook,
  Effect.map(SqlClient.SqlClient, (sql) =>
    BookingCreateHook.of({
      admit: ({ customer }) =>
        Effect.gen(function*() {
          const waivers = yield* Effect.orDie(sql`select 1 from waivers where email = ${customer.email}`)
          if (waivers.length === 0) return yield* hostConflict("waiver_missing", "Sign the waiver first.")
        })
    }))
)

export const engine = Layer.provideMerge(BookingEngine.layerClient({}, { gate: requireWaiver }), sql)

/** Stores one of the shop's orders and its booking, or neither. */
export const order = ({ email, startsAt, trip }: Readonly<Record<"email" | "startsAt" | "trip", string>>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.gen(function*() {
      const [order] = yield* sql<{ readonly id: number }>`insert into orders (email) values (${email}) returning id`
      const { reference } = yield* BookingEngine.runInHostTransaction(
        call(bookingsCreate, { offering_id: trip, starts_at: startsAt, customer: { email } })
      )
      return { order: order?.id, reference }
    })))
