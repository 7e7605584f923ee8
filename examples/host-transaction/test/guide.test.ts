/** Checks that the code in the guide is part of a program that runs. */
import { Bookings } from "@trailbook/core/booking"
import { type HostTransaction, layer, runInHostTransaction } from "@trailbook/postgres/HostTransaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Pool } from "pg"
import postgresJs from "postgres"
import { createTrailbook, fromPg, postgres } from "trailbook"
import { engineLayer, NodeIds } from "trailbook/effect"
import { assert, it, onTestFinished } from "vitest"
import { createDatabase } from "../../../test/postgres/database.ts"

const flat = (code: string): string => code.replace(/\s+/g, " ").trim()

it("the guide contains only code from the example or from this test", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/how-to/book-in-your-transaction.md"), "utf8")
  const blocks = Array.from(guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = ""]) => flat(code))
  const sources = ["..", "."].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => flat(readFileSync(join(import.meta.dirname, folder, name), "utf8")))
  )
  assert.lengthOf(blocks, 3)
  for (const block of blocks) assert.isTrue(sources.some((source) => source.includes(block)), block)
})

it("a hold can be confirmed in a postgres.js or pg transaction", async () => {
  const database = await createDatabase()
  const pool = new Pool({ connectionString: database.url, max: 2 })
  const sql = postgresJs(database.url, { max: 1, onnotice: () => {} })
  const outfitter = await createTrailbook({
    database: postgres({ pool }),
    org: { name: "Salida River Co.", timezone: "America/Denver" }
  })
  onTestFinished(async () => {
    await outfitter.close()
    await Promise.all([sql.end(), pool.end()])
    await database.drop()
  })
  const { id: offering_id, org_id } = await outfitter.offerings.create({ name: "Kayak", kind: "rental", capacity: 2 })
  const { data: times } = await outfitter.availability.get({ id: offering_id })
  const { starts_at } = times.at(-1) ?? assert.fail("nothing is open")
  const hold = async () => {
    const order = { offering_id, starts_at, customer: { email: "ada@example.com" }, hold_minutes: 15 }
    return (await outfitter.bookings.create(order)).id
  }
  const [id, other] = [await hold(), await hold()]

  await sql.begin((sql) =>
    outfitter
      .within({ connection: sql, query: async (text, values) => sql.unsafe(text, [...values]) })
      .bookings.confirm({ id })
  )
  const client = await pool.connect()
  try {
    await client.query("begin")
    await Effect.runPromise(Effect.provide(confirm(fromPg(client), org_id, other), direct))
    await client.query("commit")
  } finally {
    client.release()
  }
  const { data } = await outfitter.bookings.list({ status: "confirmed" })
  assert.sameMembers(data.map(({ id }) => id), [id, other])
})

const direct = engineLayer(NodeIds.layer, "none").pipe(Layer.provide(layer({})))

const confirm = (transaction: HostTransaction, orgId: string, id: string) =>
  runInHostTransaction(transaction)(Effect.flatMap(Bookings, ({ confirm }) => confirm({ orgId, id })), [orgId])
