/** Tests the host's `before.bookingCreate` rule and its writes in the booking transaction. */
import { open } from "@trailbook/sqlite/driver"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { Pool } from "pg"
import {
  type BeforeHooks,
  type BookingTransaction,
  fromPg,
  postgres,
  refuse,
  TrailbookError,
  type TrailbookOptions
} from "trailbook"
import { assert, describe, expect, it, onTestFinished } from "vitest"
import { isLong, sample } from "../../../../test/runs.ts"
import { folder } from "../../../cli/test/program.ts"
import { ada, createHostDatabase, openTrailbook, schema, trip } from "./outfit.ts"

type Rule = NonNullable<BeforeHooks["bookingCreate"]>

/** The host's own database, which also contains Trailbook's tables. */
interface Shop {
  readonly database: TrailbookOptions["database"]
  readonly sql: (text: string) => Promise<ReadonlyArray<unknown>>
}

const onFile = async (): Promise<Shop> => {
  const file = join(folder(), "shop.sqlite")
  const ask = (text: string) =>
    Effect.map(open(file), (driver) => {
      const statement = driver.prepare(text)
      if (statement.reader) return statement.all()
      statement.run()
      return []
    })
  return { database: `sqlite:${file}`, sql: (text) => Effect.runPromise(Effect.scoped(ask(text))) }
}

const onPostgres = async (): Promise<Shop & { readonly pool: Pool }> => {
  const { url } = await createHostDatabase()
  const pool = new Pool({ connectionString: url, max: 6, options: "-c search_path=shop" })
  await pool.query("create schema shop")
  onTestFinished(() => pool.end())
  return {
    pool,
    database: postgres({ pool, schema }),
    sql: async (text) => (await pool.query<object>(text)).rows
  }
}

const tables = ["create table waivers (email text primary key)", "create table promised (booking_id text primary key)"]

/** Reserves a seat in the host's table. */
const promise = (tx: BookingTransaction, id: string) => tx.query("insert into promised (booking_id) values ($1)", [id])

const requireWaiver: Rule = async ({ customer, id }, tx) => {
  await promise(tx, id)
  const [waiver] = await tx.query("select 1 from waivers where email = $1", [customer.email])
  if (waiver === undefined) throw refuse("waiver_missing", "Sign the waiver first.")
}

describe.each(sample([["a SQLite file", onFile], ["Postgres", onPostgres]] as const, 2))(
  "before.bookingCreate on %s",
  (_name, shopOn) => {
    /** Opens an offering with the given rule, and records the bookings that the rule receives. */
    const selling = async (rule: Rule, capacity = 12, options: Partial<TrailbookOptions> = {}) => {
      const shop = await shopOn()
      for (const text of tables) await shop.sql(text)
      const checkedIds: Array<string> = []
      const bookingCreate: Rule = (draft, tx) => {
        checkedIds.push(draft.id)
        return rule(draft, tx)
      }
      const trailbook = await openTrailbook({ database: shop.database, before: { bookingCreate }, ...options })
      const place = await trip(trailbook, capacity)
      const left = async () => ({
        promised: (await shop.sql("select booking_id from promised")).length,
        bookings: (await trailbook.bookings.list()).data.length,
        customers: (await trailbook.customers.list()).data.length
      })
      return { checkedIds, left, order: { ...place, ...ada }, place, shop, trailbook }
    }
    const noRows = { promised: 0, bookings: 0, customers: 0 }

    it("commits its writes only together with the booking", async () => {
      const { checkedIds, left, order, shop, trailbook } = await selling(requireWaiver)
      const rejection = await trailbook.try.bookings.create(order)
      expect(rejection.ok ? undefined : { ...rejection.error, message: rejection.error.message }).toMatchObject({
        code: "waiver_missing",
        status: 409,
        message: "Sign the waiver first.",
        retryable: false
      })
      await expect(trailbook.bookings.create(order)).rejects.toBeInstanceOf(TrailbookError)
      expect(await left()).toEqual(noRows)

      await shop.sql("insert into waivers (email) values ('ada@example.com')")
      const booking = await trailbook.bookings.create({ ...order, hold_minutes: 30 })
      expect(await shop.sql("select booking_id from promised")).toEqual([{ booking_id: booking.id }])
      expect(await left()).toEqual({ promised: 1, bookings: 1, customers: 1 })
      expect(checkedIds).toHaveLength(3)
    })

    it("can return a refusal instead of throwing it", async () => {
      const { left, order, trailbook } = await selling(async (draft, tx) => {
        await promise(tx, draft.id)
        return refuse("waiver_missing", "Sign the waiver first.")
      })
      const answer = await trailbook.try.bookings.create(order)
      expect(answer.ok ? undefined : answer.error.code).toBe("waiver_missing")
      expect(await left()).toEqual(noRows)
    })

    it("receives the same booking that the caller receives", async () => {
      const drafts: Array<unknown> = []
      const { order, trailbook } = await selling((draft) => void drafts.push(draft))
      expect(drafts).toEqual([])
      expect(await trailbook.bookings.create(order)).toEqual(drafts[0])
      expect(await trailbook.bookings.create({ ...order, hold_minutes: 30 })).toEqual(drafts[1])
    })

    it("returns its refusal to REST clients and assistants", async () => {
      const { checkedIds, left, order, shop, trailbook } = await selling(requireWaiver, 12, {
        http: { authorize: () => ({ scopes: ["read", "write"] }), surfaces: ["rest", "mcp"] }
      })
      const post = (path: string, body: unknown) =>
        trailbook.handler(
          new Request(`http://localhost${path}`, {
            method: "POST",
            body: JSON.stringify(body),
            headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }
          })
        )
      const assistant = () =>
        post("/mcp", {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "bookings_create", arguments: order }
        })
      const answer = await post("/v1/bookings", order)
      expect(answer.status).toBe(409)
      expect(await answer.json()).toEqual({ error: { code: "waiver_missing", message: "Sign the waiver first." } })
      const responseText = await (await assistant()).text()
      assert.include(responseText, "waiver_missing")
      assert.include(responseText, "Sign the waiver first.")
      expect(checkedIds).toHaveLength(2)
      expect(await left()).toEqual(noRows)

      await shop.sql("insert into waivers (email) values ('ada@example.com')")
      expect((await post("/v1/bookings", order)).status).toBe(201)
      await assistant()
      expect(await left()).toEqual({ promised: 2, bookings: 2, customers: 1 })
    })

    it("does not run for refused or repeated orders", async () => {
      const { checkedIds, left, order, trailbook } = await selling(({ id }, tx) => promise(tx, id), 1)
      const request = { ...order, idempotency_key: randomUUID() }
      const first = await trailbook.bookings.create(request)
      expect(await trailbook.bookings.create(request)).toEqual(first)
      expect(await trailbook.try.bookings.create({ ...request, quantity: 2 })).toMatchObject({
        error: { code: "idempotency_conflict" }
      })
      expect(await trailbook.try.bookings.create(order)).toMatchObject({ error: { code: "slot_full" } })
      expect(checkedIds).toEqual([first.id])
      expect(await left()).toEqual({ promised: 1, bookings: 1, customers: 1 })
    })

    it("writes once per sale for 32 concurrent orders", async () => {
      const { left, place, shop, trailbook } = await selling(async ({ id, quantity }, tx) => {
        await promise(tx, id)
        const [row] = await tx.query("select count(*) as seats from promised")
        if (Number(row?.["seats"]) > 8) throw refuse("promised_too_much", "More was promised than there is.")
        if (quantity === 2) throw refuse("no_pairs", "No pairs today.")
      }, 7)
      const answers = await Promise.all(Array.from({ length: 32 }, (_, at) =>
        trailbook.try.bookings.create({
          ...place,
          quantity: at % 4 === 0 ? 2 : 1,
          customer: { email: `guest${at}@example.com` }
        })))
      const bookings = answers.flatMap((answer) => answer.ok ? [answer.value] : [])
      expect(bookings).toHaveLength(7)
      const codes = new Set(answers.flatMap((answer) => answer.ok ? [] : [answer.error.code]))
      expect([...codes].sort()).toEqual(["no_pairs", "slot_full"])
      expect(await left()).toEqual({ promised: 7, bookings: 7, customers: 7 })
      const rows = await shop.sql("select booking_id as id from promised order by booking_id")
      expect(rows).toEqual(bookings.map(({ id }) => ({ id })).sort((a, b) => a.id < b.id ? -1 : 1))
      const [session] = (await trailbook.sessions.list({ offering_id: place.offering_id })).data
      expect(session?.booked).toBe(7)
    })

    it("fails the booking on an unexpected error without exposing it", async () => {
      const lines: Array<string> = []
      const ruleError = new Error("ada@example.com is not on the list")
      const { checkedIds, left, order, trailbook } = await selling(
        async ({ id }, tx) => {
          await promise(tx, id)
          throw ruleError
        },
        12,
        {
          log: (line) => lines.push(line),
          http: { authorize: () => ({ scopes: ["write"] }) }
        }
      )
      await expect(trailbook.bookings.create(order)).rejects.toBe(ruleError)
      await expect(trailbook.try.bookings.create(order)).rejects.toBe(ruleError)
      const answer = await trailbook.handler(
        new Request("http://localhost/v1/bookings", {
          method: "POST",
          body: JSON.stringify(order),
          headers: { "content-type": "application/json" }
        })
      )
      expect(answer.status).toBe(500)
      assert.notInclude(await answer.text(), "list")
      assert.include(lines.join("\n"), "before.bookingCreate")
      assert.notInclude(lines.join("\n"), "ada@example.com")
      expect(checkedIds).toHaveLength(3)
      expect(await left()).toEqual(noRows)
    })

    it("fails the booking if it throws another operation's refusal", async () => {
      const { order, trailbook } = await selling(() => {
        throw new TrailbookError({ code: "not_found", status: 404, message: "There is none.", retryable: false })
      })
      await expect(trailbook.try.bookings.create(order)).rejects.toMatchObject({
        message: "The host application's before.bookingCreate failed: TrailbookError not_found.",
        cause: { code: "not_found" }
      })
    })

    it("cannot commit the booking after a failed statement", async () => {
      let says: TrailbookError | undefined
      const { left, order, trailbook } = await selling(async ({ id }, tx) => {
        await promise(tx, id)
        await expect(promise(tx, id)).rejects.toThrow(/promised/)
        await expect(tx.query("select 1")).rejects.toThrow(/promised/)
        if (says !== undefined) throw says
      })
      const code: unknown = expect.stringMatching(/^(23505|SQLITE_CONSTRAINT_PRIMARYKEY)$/)
      await expect(trailbook.bookings.create(order)).rejects.toMatchObject({ code })
      says = refuse("promised_before", "That was promised before.")
      expect(await trailbook.try.bookings.create(order)).toMatchObject({ error: { code: "promised_before" } })
      expect(await left()).toEqual(noRows)
    })

    it("cannot use its transaction after it returns", async () => {
      let retainedTx: BookingTransaction | undefined
      const { left, order, shop, trailbook } = await selling(({ id }, tx) => {
        retainedTx = tx
        void promise(tx, id)
      })
      await trailbook.bookings.create(order)
      await expect(retainedTx?.query("insert into waivers (email) values ('late')")).rejects.toThrow(/returned/)
      expect(await shop.sql("select * from waivers")).toEqual([])
      expect(await left()).toEqual({ promised: 1, bookings: 1, customers: 1 })
    })

    it("cannot end the transaction", async () => {
      const { left, order, trailbook } = await selling(async ({ id }, tx) => {
        await promise(tx, id)
        for (const text of ["commit", " -- now\n Rollback", ";/* */end", "savepoint mine", "BEGIN", "release unit"]) {
          await expect(tx.query(text)).rejects.toThrow(/only Trailbook can start or end/)
        }
        throw refuse("not_today", "Not today.")
      })
      expect(await trailbook.try.bookings.create(order)).toMatchObject({ error: { code: "not_today" } })
      expect(await left()).toEqual(noRows)
    })

    it("accepts only strings, numbers, and null as SQL parameters", async () => {
      const rows: Array<unknown> = []
      const { order, trailbook } = await selling(async (_draft, tx) => {
        rows.push(
          ...await tx.query("select '$1 $2' as quoted, cast($2 as integer) as two, cast($1 as text) as one", [
            "it's",
            2
          ])
        )
        await tx.query("create table kinds (name text, wanted boolean, price numeric(8, 2), note text)")
        await tx.query("insert into kinds values ($1, $2, $3, $4)", ["raft", "true", 12.5, null])
        rows.push(...await tx.query("select name, note from kinds where wanted = $1", ["true"]))
        rows.push(await tx.query("select name from kinds where wanted = $1", ["false"]))
        rows.push(await tx.query("update kinds set name = 'kayak'"))
        for (const odd of [undefined, true, new Date(), {}, 1n]) {
          await expect(tx.query("select $1", [odd as unknown as string])).rejects.toThrow(/^tx: \$1 must be/)
        }
      })
      await trailbook.bookings.create(order)
      expect(rows).toEqual([{ quoted: "$1 $2", one: "it's", two: 2 }, { name: "raft", note: null }, [], []])
    })

    it.runIf(isLong)(
      "returns a retryable error if it separately books the same place",
      async () => {
        let inner: Promise<unknown> | undefined
        const rule: Rule = async ({ id }, tx) => {
          await promise(tx, id)
          if (inner !== undefined) return
          inner = trailbook.bookings.create(order)
          await inner
        }
        const { left, order, trailbook } = await selling(rule)
        const answer = await trailbook.try.bookings.create(order)
        expect(answer).toMatchObject({ error: { code: "unavailable", status: 503, retryable: true } })
        assert.include(answer.ok ? "" : answer.error.message, "before.bookingCreate")
        expect(await inner).toMatchObject({ status: "confirmed" })
        expect(await left()).toEqual({ promised: 1, bookings: 1, customers: 1 })
      }
    )
  }
)

describe("before.bookingCreate in Postgres transactions", () => {
  it("is rolled back and retried after a conflict", async () => {
    const shop = await onPostgres()
    await shop.sql(tables[1] ?? "")
    let calls = 0
    const trailbook = await openTrailbook({
      database: shop.database,
      before: {
        bookingCreate: async ({ id }, tx) => {
          await promise(tx, `${id} ${++calls}`)
          if (calls === 1) await tx.query("do $$ begin raise exception 'lost' using errcode = '40P01'; end $$")
        }
      }
    })
    const { id } = await trailbook.bookings.create({ ...await trip(trailbook), ...ada })
    expect(await shop.sql("select booking_id from promised")).toEqual([{ booking_id: `${id} 2` }])
  })

  it("does not block the sale of other places", async () => {
    const shop = await onPostgres()
    const grace = { email: "grace@example.com" }
    let elsewhere: Awaited<ReturnType<typeof trip>> | undefined
    const trailbook = await openTrailbook({
      database: shop.database,
      before: {
        bookingCreate: async ({ customer }, tx) => {
          if (elsewhere === undefined || customer.email === grace.email) return
          // Send the buffered writes first, so that their locks are held during the nested calls.
          await tx.query("select 1")
          await trailbook.customers.upsert({ email: "lin@example.com" })
          await trailbook.bookings.create({ ...elsewhere, customer: grace })
        }
      }
    })
    const place = await trip(trailbook)
    elsewhere = await trip(trailbook)
    await trailbook.bookings.create({ ...place, ...ada })
    expect((await trailbook.bookings.list()).data).toHaveLength(2)
    expect((await trailbook.customers.list()).data).toHaveLength(3)
  })

  it.runIf(isLong)(
    "is committed or rolled back with a host transaction",
    async () => {
      const shop = await onPostgres()
      for (const text of tables) await shop.sql(text)
      const rule: Rule = async (draft, tx) => {
        if (draft.notes === "wait") await tx.query("select pg_sleep(60)")
        await requireWaiver(draft, tx)
      }
      const trailbook = await openTrailbook({ database: shop.database, before: { bookingCreate: rule } })
      const order = { ...await trip(trailbook), ...ada }
      const within = async (end: "commit" | "rollback") => {
        const client = await shop.pool.connect()
        try {
          await client.query("begin")
          const { bookings } = trailbook.within(fromPg(client)).try
          const slow = await bookings.create({ ...order, notes: "wait" })
          const unsigned = await bookings.create(order)
          await client.query("insert into waivers (email) values ('ada@example.com')")
          const signedBooking = await bookings.create(order)
          await client.query(end)
          return [slow, unsigned, signedBooking].map((answer) => answer.ok ? answer.value.status : answer.error.code)
        } finally {
          client.release()
        }
      }
      const countRows = async () => [
        (await shop.sql("select * from waivers")).length,
        (await shop.sql("select * from promised")).length,
        (await trailbook.bookings.list()).data.length
      ]
      expect(await within("rollback")).toEqual(["unavailable", "waiver_missing", "confirmed"])
      expect(await countRows()).toEqual([0, 0, 0])
      expect(await within("commit")).toEqual(["unavailable", "waiver_missing", "confirmed"])
      expect(await countRows()).toEqual([1, 1, 1])
    }
  )

  it("parses column values in the same way as the host's pool", async () => {
    const shop = await onPostgres()
    const rows: Array<unknown> = []
    const prepared: Array<unknown> = []
    const trailbook = await openTrailbook({
      database: shop.database,
      before: {
        bookingCreate: async (_draft, tx) => {
          const text =
            "select 12.50 as price, 12345678901234567890 as large, '{1,2}'::int[] as list, '[3]'::jsonb as json"
          rows.push(await tx.query(text), await shop.sql(text))
          for (let at = 0; at < 50; at++) await tx.query(`select ${at} as dynamic_text`)
          prepared.push(
            ...await tx.query("select statement from pg_prepared_statements where statement like '%dynamic_text%'")
          )
        }
      }
    })
    await trailbook.bookings.create({ ...await trip(trailbook), ...ada })
    expect(rows[0]).toEqual(rows[1])
    expect(prepared).toEqual([])
  })
})

describe("refuse", () => {
  it.each([
    "slot_full",
    "not_found",
    "invalid_request",
    "webhook_limit",
    "internal",
    "timeout",
    "method_not_allowed"
  ])("rejects %s, a code reserved for Trailbook", (code) => {
    expect(() => refuse(code, "No.")).toThrow(TypeError)
    expect(() => refuse(code, "No.")).toThrow(/is reserved for Trailbook/)
  })

  it.each(["", "Waiver", "waiver-missing", "1st", "a".repeat(65), "wäiver"])(
    "rejects the invalid code %j",
    (code) => {
      expect(() => refuse(code, "No.")).toThrow(TypeError)
    }
  )

  it("requires a message, and accepts any other valid code", () => {
    expect(() => refuse("waiver_missing", " ")).toThrow(/message/)
    expect(refuse("a".repeat(64), "No.")).toMatchObject({ code: "a".repeat(64), status: 409, message: "No." })
  })
})

it("the before.bookingCreate option must be a function", async () => {
  const before = { bookingCreate: "no" as unknown as Rule }
  await expect(openTrailbook({ before })).rejects.toThrow(/^before\.bookingCreate: /)
})
