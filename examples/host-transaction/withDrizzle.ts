import { sql, sum } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { integer, pgTable, text } from "drizzle-orm/pg-core"
import type { Pool } from "pg"
import { fromDrizzle, type Outfitter } from "trailbook"
import { kitchen, NoLunch, type Order, type Sale } from "./Order.ts"

const orders = pgTable("orders", {
  bookingId: text("booking_id").primaryKey(),
  lunches: integer("lunches").notNull()
})

export const sellWithDrizzle = (outfitter: Outfitter, pool: Pool) => {
  const db = drizzle({ client: pool })
  return ({ lunches, people, ...order }: Order): Promise<Sale> =>
    db.transaction(async (tx) => {
      await tx.execute(sql`lock table ${orders} in exclusive mode`)
      const [row] = await tx.select({ promised: sum(orders.lunches).mapWith(Number) }).from(orders)
      if ((row?.promised ?? 0) + lunches > kitchen) throw new NoLunch("The kitchen has no lunches left.")

      const { id, reference } = await outfitter.within(fromDrizzle(tx)).bookings.create({
        offering_id: order.offering_id,
        starts_at: order.starts_at,
        quantity: people,
        customer: { email: order.email }
      })
      await tx.insert(orders).values({ bookingId: id, lunches })
      return { reference, lunches }
    })
}
