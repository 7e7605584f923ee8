/** Tests operations inside the host's transaction, for each supported library. */
import { drizzle as drizzleOnPg } from "drizzle-orm/node-postgres"
import { drizzle as drizzleOnPostgres } from "drizzle-orm/postgres-js"
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from "kysely"
import { Pool, type PoolClient, types } from "pg"
import connect from "postgres"
import {
  fromDrizzle,
  fromKysely,
  fromPg,
  type HostTransaction,
  type Outfitter,
  postgres,
  TrailbookError
} from "trailbook"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { Database } from "../../../../test/postgres/database.ts"
import { sample } from "../../../../test/runs.ts"
import { ada, createHostDatabase, makeClock, openTrailbook, schema, trip } from "./outfit.ts"

let database: Database
beforeEach(async () => {
  database = await createHostDatabase()
})

const poolOf = (max = 4) => {
  const pool = new Pool({ connectionString: database.url, max, connectionTimeoutMillis: 10_000 }).on("error", () => {})
  onTestFinished(() => pool.end())
  return pool
}

/** Opens Trailbook and creates the host's table. */
const program = async (options: Parameters<typeof openTrailbook>[0] = {}) => {
  const pool = poolOf()
  await pool.query("create table orders (id text primary key)")
  const trailbook = await openTrailbook({ database: postgres({ pool, schema }), mailer: "none", ...options })
  return { pool, trailbook, place: await trip(trailbook, 4) }
}

/** Runs work in a `pg` transaction and ends it with the statement `end`. */
const inTransaction = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>, end = "commit"): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("begin")
    const result = await work(client)
    await client.query(end)
    return result
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}

const orders = async (pool: Pool) => (await pool.query("select id from orders order by id")).rows.map(({ id }) => id)
const listConfirmed = async ({ bookings }: Outfitter) => (await bookings.list({ status: "confirmed" })).data
const types_ = async (outfitter: Outfitter) =>
  (await outfitter.events.list({ limit: 100 })).data.map(({ type }) => type)

/** The transaction functions of each library. */
const libraries: Record<
  string,
  () => {
    readonly transaction: (work: (host: HostTransaction) => Promise<void>) => Promise<void>
    readonly end: () => Promise<void>
  }
> = {
  pg: () => {
    const pool = poolOf(1)
    return { transaction: (work) => inTransaction(pool, (client) => work(fromPg(client))), end: async () => {} }
  },
  "pg, with types of the program's own": () => {
    const text: number = types.builtins.TEXT
    const odd = (oid: number) => (value: string) => oid === text ? value : `<${value}>`
    const pool = new Pool({ connectionString: database.url, max: 1, types: { getTypeParser: odd } })
    return { transaction: (work) => inTransaction(pool, (client) => work(fromPg(client))), end: () => pool.end() }
  },
  Kysely: () => {
    const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: poolOf(1) }) })
    return { transaction: (work) => db.transaction().execute((trx) => work(fromKysely(trx))), end: async () => {} }
  },
  "Kysely with plugins that change what is answered": () => {
    const db = new Kysely<Record<string, never>>({
      dialect: new PostgresDialect({ pool: poolOf(1) }),
      plugins: [new ParseJSONResultsPlugin(), new CamelCasePlugin()]
    })
    return { transaction: (work) => db.transaction().execute((trx) => work(fromKysely(trx))), end: async () => {} }
  },
  "Drizzle on pg": () => {
    const db = drizzleOnPg({ client: poolOf(1) })
    return { transaction: (work) => db.transaction((tx) => work(fromDrizzle(tx))), end: async () => {} }
  },
  "Drizzle on postgres.js": () => {
    const client = connect(database.url, { max: 1, onnotice: () => {} })
    const db = drizzleOnPostgres({ client })
    return { transaction: (work) => db.transaction((tx) => work(fromDrizzle(tx))), end: () => client.end() }
  },
  "postgres.js, in a few lines": () => {
    const client = connect(database.url, { max: 1, onnotice: () => {} })
    return {
      transaction: async (work) => {
        await client.begin((sql) =>
          work({ connection: sql, query: async (text, values) => sql.unsafe(text, [...values]) })
        )
      },
      end: () => client.end()
    }
  }
}

describe.each(sample(Object.entries(libraries), 3))("a host transaction with %s", (_, library) => {
  it("supports every operation and commits atomically", async () => {
    const { transaction, end } = library()
    onTestFinished(end)
    const { place, trailbook } = await program()
    let id = ""
    await transaction(async (host) => {
      const { bookings, customers, offerings, try: tryApi } = trailbook.within(host)
      const booking = await bookings.create({ ...place, ...ada, quantity: 3, notes: `{"quoted": "'$1'"}` })
      id = booking.id
      expect(await bookings.get({ id })).toEqual(booking)
      expect(booking).toMatchObject({ quantity: 3, total_cents: 3 * 9900, notes: `{"quoted": "'$1'"}`, metadata: {} })
      expect(await tryApi.bookings.create({ ...place, ...ada, quantity: 2 })).toMatchObject({
        ok: false,
        error: { code: "slot_full", status: 409, retryable: false }
      })
      await expect(bookings.create({ ...place, ...ada, quantity: 2 })).rejects.toBeInstanceOf(TrailbookError)
      expect((await customers.list({ q: "ADA" })).data).toHaveLength(1)
      await offerings.update({
        id: place.offering_id,
        metadata: { guide: ["Jo", null], n: 1.5, deep: { x: "\u2028" } },
        lat: 38.53,
        lon: -105.99
      })
      // The booking is not visible outside the transaction yet.
      expect((await trailbook.bookings.list()).data).toEqual([])
    })
    expect(await trailbook.bookings.get({ id })).toMatchObject({ status: "confirmed", quantity: 3 })
    expect(await trailbook.offerings.get({ id: place.offering_id })).toMatchObject({
      metadata: { guide: ["Jo", null], n: 1.5, deep: { x: "\u2028" } },
      lat: 38.53
    })

    const undone = new Error("The card was refused.")
    await expect(transaction(async (host) => {
      await trailbook.within(host).bookings.cancel({ id })
      await trailbook.within(host).bookings.create({ ...place, ...ada, quantity: 4 })
      throw undone
    })).rejects.toBe(undone)
    expect((await listConfirmed(trailbook)).map(({ id }) => id)).toEqual([id])
  })
})

describe("the host transaction", () => {
  it("keeps its session settings and commits durably", async () => {
    const { place, pool, trailbook } = await program()
    const names = ["lock_timeout", "statement_timeout", "enable_seqscan", "plan_cache_mode", `${schema}.orgs`]
    await inTransaction(pool, async (client) => {
      const set = async () => {
        const { rows: [row] } = await client.query(
          `select ${names.map((name, at) => `coalesce(current_setting('${name}', true), '') as s${at}`).join(", ")}`
        )
        return row
      }
      await client.query(
        "select set_config('lock_timeout', '123ms', true), set_config('statement_timeout', '77s', false)"
      )
      await client.query("set synchronous_commit = off")
      const before = await set()
      expect(before).toMatchObject({ s0: "123ms", s1: "77s", s2: "on" })
      const { bookings, try: tryApi } = trailbook.within(fromPg(client))
      await bookings.create({ ...place, ...ada })
      expect(await set()).toEqual(before)
      expect((await tryApi.bookings.create({ ...place, ...ada, quantity: 9 })).ok).toBe(false)
      expect((await tryApi.bookings.get({ id: place.session_id })).ok).toBe(false)
      expect(await set()).toEqual(before)
      expect((await client.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: "on" }])
    })
  })

  it("must be open, intact, READ COMMITTED, and in Trailbook's schema", async () => {
    const { place, pool, trailbook } = await program()
    const book = (client: PoolClient, of: Outfitter = trailbook) =>
      of.within(fromPg(client)).bookings.create({ ...place, ...ada })
    const client = await pool.connect()
    try {
      await expect(book(client)).rejects.toThrow(/^within: the connection is not in a transaction/)
      for (const level of ["repeatable read", "serializable"]) {
        await client.query(`begin isolation level ${level}`)
        await expect(book(client)).rejects.toThrow(
          `within: the transaction's isolation level is ${level}, but Trailbook requires read committed`
        )
        await client.query("insert into orders values ('kept')")
        await client.query("commit")
        expect(await orders(pool)).toEqual(["kept"])
        await pool.query("truncate orders")
      }
      await client.query("begin")
      await expect(client.query("select 1/0")).rejects.toThrow("division by zero")
      await expect(book(client)).rejects.toThrow(/^within: the transaction has already failed/)
      await client.query("rollback")
      await client.query("begin read only")
      await expect(book(client)).rejects.toThrow(/^within: the transaction is read-only/)
      await client.query("rollback")
      const elsewhere = await openTrailbook({
        database: postgres({ pool, schema: "never_made" }),
        org: "salida-river-co"
      })
      await client.query("begin")
      await expect(book(client, elsewhere)).rejects.toThrow(/^within: the tables are missing/)
      expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }])
      await client.query("commit")
    } finally {
      client.release()
    }
    expect(await listConfirmed(trailbook)).toEqual([])
    const pool_: unknown = pool
    expect(() => fromPg(pool_ as PoolClient)).toThrow(/^fromPg: pass the client/)
    const kysely: unknown = new Kysely({ dialect: new PostgresDialect({ pool }) })
    expect(() => fromKysely(kysely as Parameters<typeof fromKysely>[0])).toThrow(/^fromKysely: pass the transaction/)
    const drizzle: unknown = drizzleOnPg({ client: pool })
    expect(() => fromDrizzle(drizzle as Parameters<typeof fromDrizzle>[0])).toThrow(
      /^fromDrizzle: pass the transaction/
    )
    const onSqlite = await openTrailbook()
    expect(() => onSqlite.within({ query: async () => [] })).toThrow(/^within: requires Postgres/)
    await trailbook.close()
    await expect(trailbook.within({ query: async () => [] }).bookings.list()).rejects.toThrow("Trailbook is closed.")
  })

  it("cannot be committed by the host during a Trailbook call", async () => {
    const { place, pool, trailbook } = await program()
    const ends: Array<string> = []
    for (let at = 1; ends.length === at - 1; at++) {
      const client = await pool.connect()
      let calls = 0
      const impatient: HostTransaction = {
        connection: client,
        query: async (text, values) => {
          if (++calls === at) {
            await client.query("insert into orders values ($1)", [String(at)])
            ends.push(await client.query("commit").then(() => "committed", ({ constraint }) => constraint))
          }
          return (await client.query(text, [...values])).rows
        }
      }
      await client.query("begin")
      const creation = trailbook.within(impatient).bookings.create({ ...place, ...ada })
      if (calls < at) await creation.catch(() => {})
      await client.query("rollback")
      client.release()
      if (ends.length < at) break
      await expect(creation).rejects.toThrow(/^within: /)
      // If the early commit succeeded, only the host's row exists. If it failed, the host's row was also rolled back.
      const empty = ends[at - 1] === "committed" ? [String(at)] : []
      expect(await orders(pool)).toEqual(empty)
      await pool.query("truncate orders")
      expect(await listConfirmed(trailbook)).toEqual([])
      expect((await trailbook.customers.list()).data).toEqual([])
    }
    const cut = ends.filter((end) => end !== "committed")
    expect(new Set(cut)).toEqual(new Set(["await_trailbook_before_commit"]))
    expect(cut.length).toBeGreaterThan(8)
  })

  it("can be a class instance, but its queries must return rows", async () => {
    const { place, pool, trailbook } = await program()
    class Session {
      readonly client: PoolClient
      constructor(client: PoolClient) {
        this.client = client
      }
      async query(text: string, values: ReadonlyArray<unknown>) {
        return (await this.client.query(text, [...values])).rows
      }
    }
    await inTransaction(pool, async (client) => {
      await trailbook.within(new Session(client)).bookings.create({ ...place, ...ada })
      const unwrapped: unknown = client
      const { bookings } = trailbook.within(unwrapped as HostTransaction)
      await expect(bookings.create({ ...place, ...ada })).rejects.toThrow(/^within: query must return rows.*fromPg/)
      const noHost: unknown = undefined
      expect(() => trailbook.within(noHost as HostTransaction)).toThrow(/^within: .*fromPg/)
    })
    expect(await listConfirmed(trailbook)).toHaveLength(1)
  })

  it("runs concurrent calls one after another", async () => {
    const { place, pool, trailbook } = await program()
    await inTransaction(pool, async (client) => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => trailbook.within(fromPg(client)).try.bookings.create({ ...place, ...ada }))
      )
      expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true, false, false])
    })
    expect(await listConfirmed(trailbook)).toHaveLength(4)
  })

  it("can use the pool's only connection", async () => {
    const { place } = await program()
    const pool = poolOf(1)
    const fresh = await openTrailbook({ database: postgres({ pool, schema }), org: "salida-river-co" })
    await inTransaction(pool, (client) => fresh.within(fromPg(client)).bookings.create({ ...place, ...ada }))
    expect(await listConfirmed(fresh)).toHaveLength(1)
    const reopened = await openTrailbook({ database: postgres({ pool, schema }) })
    await inTransaction(pool, (client) => reopened.within(fromPg(client)).bookings.create({ ...place, ...ada }))
    expect(await listConfirmed(reopened)).toHaveLength(2)
  })

  it("does not create the outfitter", async () => {
    const pool = poolOf(1)
    const database = postgres({ pool, schema: "nobody_yet" })
    const trailbook = await openTrailbook({ database })
    await trailbook.migrate()
    await inTransaction(pool, async (client) => {
      await expect(trailbook.within(fromPg(client)).offerings.list()).rejects.toThrow(
        /^org: the database has no outfitter yet/
      )
    })
    expect(await trailbook.org.get()).toMatchObject({ name: "Salida River Co." })
    await inTransaction(pool, async (client) => {
      expect((await trailbook.within(fromPg(client)).offerings.list()).data).toEqual([])
    })
  })

  it("works with a role that has only table grants", async () => {
    const { place, trailbook } = await program()
    const superuser = new Pool({ connectionString: database.superuserUrl, max: 1 })
    const role = "trailbook_test_shop"
    await superuser.query(`create role ${role} login password 'oars'`)
    await superuser.query(`grant usage on schema ${schema} to ${role}`)
    await superuser.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
    const url = new URL(database.url)
    url.username = role
    url.password = "oars"
    const pool = new Pool({ connectionString: url.href, max: 1 })
    onTestFinished(async () => {
      await pool.end()
      await superuser.query(`drop owned by ${role}`)
      await superuser.query(`drop role ${role}`)
      await superuser.end()
    })
    await inTransaction(pool, async (client) => {
      await trailbook.within(fromPg(client)).bookings.create({ ...place, ...ada })
      expect((await client.query(`select id from ${schema}.bookings`)).rows).toEqual([])
    })
    expect(await listConfirmed(trailbook)).toHaveLength(1)
  })

  it("publishes events only after its commit, without ID gaps", async () => {
    const clock = makeClock()
    const { place, pool, trailbook } = await program({ clock })
    clock.at += 3000
    const count = (await types_(trailbook)).length
    const book = (client: PoolClient) => trailbook.within(fromPg(client)).bookings.create({ ...place, ...ada })
    await expect(inTransaction(pool, async (client) => {
      await book(client)
      throw new Error("no")
    })).rejects.toThrow("no")
    await inTransaction(pool, async (client) => {
      await book(client)
      expect(await trailbook.worker.runOnce()).toMatchObject({ mail: {} })
      expect(await types_(trailbook)).toHaveLength(count)
    })
    clock.at += 3000
    const { data } = await trailbook.events.list({ limit: 100 })
    expect(data.map(({ id }) => id)).toEqual(data.map((_, at) => at + 1))
    expect(data.slice(count).map(({ type }) => type)).toEqual(["customer.updated", "booking.confirmed"])
  })

  it("can continue after a call times out on a lock", async () => {
    const { place, pool, trailbook } = await program()
    const db = drizzleOnPg({ client: pool })
    await inTransaction(pool, async (client) => {
      await trailbook.within(fromPg(client)).bookings.create({ ...place, ...ada })
      await db.transaction(async (tx) => {
        const rejection = await trailbook.within(fromDrizzle(tx)).try.bookings.create({ ...place, ...ada })
        // Drizzle's own error message contains the statement's values.
        expect(JSON.stringify(rejection)).not.toContain("ada@example.com")
        expect(rejection).toMatchObject({ ok: false, error: { code: "unavailable", status: 503, retryable: true } })
        await tx.execute("insert into orders values ('went on')")
      })
    })
    expect(await orders(pool)).toEqual(["went on"])
    expect(await listConfirmed(trailbook)).toHaveLength(1)
  })
})

it("a host transaction creates no checkout until it commits", async () => {
  const statements: Array<string> = []
  const { place, pool, trailbook } = await program({
    org: { name: "Salida River Co.", timezone: "America/Denver", plan: "pro" },
    payments: { checkout: async ({ id }) => `https://pay.example/${statements.push(id) && id}`, refund: async () => {} }
  })
  const order = { ...place, ...ada, idempotency_key: "0b0f0c5e-9c0e-4b7b-9d2f-3a4b5c6d7e8f" }
  const hold = await inTransaction(pool, (client) => trailbook.within(fromPg(client)).bookings.create(order))
  expect(hold).toMatchObject({ status: "held", checkout_url: null })
  expect(statements).toEqual([])
  expect(await trailbook.bookings.create(order)).toMatchObject({
    id: hold.id,
    status: "held",
    checkout_url: `https://pay.example/${hold.id}`
  })
})

it("a host transaction checks for online payment before it locks a place", async () => {
  let seats = 0
  const { place, pool, trailbook } = await program({
    org: { name: "Salida River Co.", timezone: "America/Denver", plan: "pro" },
    payments: {
      connected: () =>
        inTransaction(pool, async (client) => {
          await client.query("select set_config($1, '*', true)", [`${schema}.orgs`])
          const { rowCount } = await client.query(`select from ${schema}.sessions for update nowait`)
          seats += rowCount ?? 0
          return true
        }),
      checkout: async () => "https://pay.example",
      refund: async () => {}
    }
  })
  const hold = await inTransaction(
    pool,
    (client) => trailbook.within(fromPg(client)).bookings.create({ ...place, ...ada })
  )
  expect(hold).toMatchObject({ status: "held" })
  expect(seats).toBe(1)
})
