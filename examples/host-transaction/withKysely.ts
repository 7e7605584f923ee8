import { Kysely, PostgresDialect, sql } from "kysely"
import type { Pool } from "pg"
import { fromKysely, type Outfitter } from "trailbook"
import { kitchen, NoLunch, type Order, type Sale } from "./Order.ts"

interface Tables {
  orders: { booking_id: string; lunches: number }
}

export const sellWithKysely = (outfitter: Outfitter, pool: Pool) => {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return ({ lunches, people, ...order }: Order): Promise<Sale> =>
    db.transaction().execute(async (trx) => {
      await sql`lock table orders in exclusive mode`.execute(trx)
      const { promised } = await trx.selectFrom("orders")
        .select(({ fn }) => fn.coalesce(fn.sum("lunches"), sql<number>`0`).as("promised"))
        .executeTakeFirstOrThrow()
      if (Number(promised) + lunches > kitchen) throw new NoLunch("The kitchen has no lunches left.")

      const { id, reference } = await outfitter.within(fromKysely(trx)).bookings.create({
        offering_id: order.offering_id,
        starts_at: order.starts_at,
        quantity: people,
        customer: { email: order.email }
      })
      await trx.insertInto("orders").values({ booking_id: id, lunches }).execute()
      return { reference, lunches }
    })
}
