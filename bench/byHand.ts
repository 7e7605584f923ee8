/**
 * The floor for bookings, reads, and read-only tool calls: a bare Hono server that reads and writes the same rows in
 * Trailbook's tables with the same driver. It makes no decisions, checks no API keys, and validates no input. A booking
 * is one transaction. On Postgres, it takes as many round trips as an unbatched booking in Trailbook.
 */
import { serve } from "@hono/node-server"
import BetterSqlite3 from "better-sqlite3"
import { Hono } from "hono"
import { type Booking, connect, madeUp, minutes, tables as schema } from "./groupCommit.ts"
import type { orderOf } from "./orders.ts"
import type { Ready } from "./server.ts"

type Order = ReturnType<typeof orderOf>
type Values = ReadonlyArray<string | number>

interface Tables {
  /** Stores a booking and returns its view as JSON. */
  readonly book: (order: Order) => string | Promise<string>
  /** Reads a booking with its offering and guest. */
  readonly find: (id: string) => object
}

/** Returns the statements. The first three take their parameters from `toFacts`, and the others from `makeRows`. */
const makeStatements = (prefix: string) => ({
  offering: `select * from ${prefix}offerings where org_id = $1 and id = $3`,
  guest: `select id from ${prefix}customers where org_id = $1 and email = $2 and erased_at is null`,
  count: `select count(*) as taken from ${prefix}bookings where org_id = $1 and offering_id = $3
    and starts_at > $4 and starts_at < $5 and (status = 'confirmed' or (status = 'held' and expires_at > $6))`,
  book: `insert into ${prefix}bookings (org_id, id, offering_id, customer_id, starts_at, ends_at, period_minutes,
      periods, quantity, total_cents, reference, handle, check_in_token, source, notes, metadata, created_at,
      confirmed_at, updated_at, idempotency_key, fingerprint, status, payment_due)
    values ($1, $2, $3, $4, $5, $6, ${minutes}, 1, 1, 0, $7, $8, $8, 'api', '', '{}', $9, $9, $9, $10,
      '${"0".repeat(64)}', 'confirmed', false)`,
  mail: `insert into ${prefix}tasks (org_id, id, kind, queue, subject_id, due_at, attempts)
    values ($1, $2 || '-mail', 'mail.confirmed', 'mail', $2, $9, 0)`,
  counter: `insert into ${prefix}event_counters as c (org_id, last) values ($1, 1)
    on conflict (org_id) do update set last = c.last + 1 returning last`,
  event: `insert into ${prefix}events (org_id, id, type, data, customer_id, created_at)
    select $1, last, 'booking.confirmed', $11, $4, $9`
})

const toFacts = (orgId: string, { customer: { email }, offering_id, starts_at }: Order): Values => {
  const startsAt = Date.parse(starts_at)
  return [orgId, email, offering_id, startsAt - minutes * 60_000, startsAt + minutes * 60_000, Date.now()]
}

const makeRows = (
  orgId: string,
  { customer, event, handle, id, offering, reference, startsAt }: Booking,
  key: string
) =>
  [
    orgId,
    id,
    offering,
    customer,
    startsAt,
    startsAt + minutes * 60_000,
    reference,
    handle,
    Date.now(),
    key,
    event
  ] satisfies Values

const openSqlite = (filename: string): Tables => {
  const driver = new BetterSqlite3(filename)
  // The settings of Trailbook's writing connection.
  for (const text of ["synchronous = full", "foreign_keys = on", "secure_delete = on", "cache_size = -32000"]) {
    driver.pragma(text)
  }
  const prepare = (text: string) => {
    const { order, sent } = numberParameters(text)
    const statement = driver.prepare(sent)
    return (values: Values) => {
      const parameters = order.map((at) => values[at])
      return statement.reader ? statement.get(...parameters) : statement.run(...parameters)
    }
  }
  const texts = makeStatements("")
  const [offering, guest, count] = [prepare(texts.offering), prepare(texts.guest), prepare(texts.count)]
  const event = `${texts.event} from event_counters where org_id = $1`
  const writes = [texts.book, texts.mail, texts.counter, event].map(prepare)
  const find = prepare(`select b.*, o.name as offering_name, o.kind as offering_kind, c.name, c.email, c.phone
    from bookings b
      left join offerings o on o.org_id = b.org_id and o.id = b.offering_id
      left join customers c on c.org_id = b.org_id and c.id = b.customer_id
    where b.org_id = $1 and b.id = $2`)
  const { id: orgId } = driver.prepare<[], { id: string }>("select id from orgs").get() ?? { id: "" }
  const book = driver.transaction((order: Order) => {
    const facts = toFacts(orgId, order)
    offering(facts)
    const { id } = guest(facts) as { id: string }
    count(facts)
    const record = madeUp(orgId, order.offering_id, id, Date.parse(order.starts_at))
    const rows = makeRows(orgId, record, order.idempotency_key)
    for (const write of writes) write(rows)
    return record.event
  })
  return { book: (order) => book.immediate(order), find: (id) => find([orgId, id]) as object }
}

/** Replaces numbered parameters with positional ones, because the driver looks up numbered parameters by name. */
const numberParameters = (text: string): { readonly sent: string; readonly order: ReadonlyArray<number> } => ({
  sent: text.replace(/\$\d+/g, "?"),
  order: Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number) - 1)
})

const openPostgres = async (url: string): Promise<Tables> => {
  const client = await connect(url)
  const texts = makeStatements(`${schema}.`)
  const { rows: [key] } = await client.query<{ id: string; org_id: string }>(
    `select id, org_id from ${schema}.api_keys`
  )
  const { id: keyId, org_id: orgId } = key ?? { id: "", org_id: "" }
  // Through `execute`, a prepared statement can share a round trip with the start or the end of its transaction.
  await client.query(`prepare lock_offering (text, text, text) as ${texts.offering} for no key update`)
  await client.query(
    `prepare write_rows (text, text, text, text, bigint, bigint, text, text, bigint, text, json) as
    with booked as (${texts.book}), mail as (${texts.mail}), counter as (${texts.counter}) ${texts.event} from counter`
  )
  const formatLiterals = (values: Values): string =>
    values.map((value) => typeof value === "number" ? value : client.escapeLiteral(value)).join(", ")
  return {
    find: () => ({}),
    book: async (order) => {
      await client.query({ name: "key", text: `select * from ${schema}.api_keys where id = $1`, values: [keyId] })
      const facts = toFacts(orgId, order)
      await client.query(`begin; execute lock_offering (${formatLiterals(facts.slice(0, 3))})`)
      const { rows: [guest] } = await client.query<{ id: string }>({
        name: "facts",
        text: `select * from (${texts.guest}) as guest, (${texts.count}) as count`,
        values: [...facts]
      })
      const record = madeUp(orgId, order.offering_id, guest?.id ?? "", Date.parse(order.starts_at))
      await client.query(
        `execute write_rows (${formatLiterals(makeRows(orgId, record, order.idempotency_key))}); commit`
      )
      return record.event
    }
  }
}

/** Starts the bare server. The database must already contain an org, offerings, and guests. */
export const byHand = async (url: string): Promise<Ready> => {
  const tables = url.startsWith("sqlite:") ? openSqlite(url.slice("sqlite:".length)) : await openPostgres(url)
  const json = { "content-type": "application/json" }
  const app = new Hono()
    .get("/v1/bookings/:id", (c) => c.json(tables.find(c.req.param("id"))))
    .post("/mcp", async (c) => {
      const { id, params } = await c.req.json()
      const booking = tables.find(params.arguments.id)
      const content = [{ type: "text", text: JSON.stringify(booking) }]
      return c.json({ jsonrpc: "2.0", id, result: { content, structuredContent: booking } })
    })
    .post("/v1/bookings", async (c) => c.body(await tables.book(await c.req.json<Order>()), 201, json))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve({ port, key: "" }))
  })
}
