/**
 * The ceiling on Postgres: the throughput on the same tables without business logic or responses. Two connections write
 * 64 bookings per transaction in as few statements as possible over plain `pg`. The generated bookings are written to
 * the same tables, with the same indexes, checks, and row-level security. Each booking has an event of the usual size
 * and a queued email. Guests and reused idempotency keys, which the engine does handle, are left out.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { Client, type QueryResultRow } from "pg"
import { drive, type LoadResult } from "./load.ts"
import type { Places } from "./orders.ts"

const lanes = 2
const batch = 64
export const tables = "trailbook"
export const minutes = 60

const statements = {
  lock: `select id from ${tables}.offerings where org_id = $1 and id = any ($2::text[]) order by id for no key update`,
  count: `select taken.count from unnest($2::text[], $3::bigint[]) as asked (offering_id, starts_at)
    cross join lateral (
      select count(*) from ${tables}.bookings b
      where b.org_id = $1 and b.offering_id = asked.offering_id
        and b.starts_at > asked.starts_at - ${minutes * 60_000} and b.starts_at < asked.starts_at + ${minutes * 60_000}
        and (b.status = 'confirmed' or (b.status = 'held' and b.expires_at > $4))
    ) as taken`,
  book:
    `insert into ${tables}.bookings (org_id, id, offering_id, customer_id, starts_at, ends_at, period_minutes, periods,
      quantity, total_cents, reference, handle, check_in_token, source, notes, metadata, created_at, confirmed_at, updated_at,
      idempotency_key, fingerprint, status, payment_due)
    select $1, id, offering_id, customer_id, starts_at, starts_at + ${minutes * 60_000}, ${minutes}, 1, 1, 0, reference,
      handle, handle, 'api', '', '{}', $2, $2, $2, key, repeat('0', 64), 'confirmed', false
    from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[])
      as given (id, offering_id, customer_id, starts_at, reference, handle, key)`,
  queue: `insert into ${tables}.tasks (org_id, id, kind, queue, subject_id, due_at, attempts)
    select $1, id || '-mail', 'mail.confirmed', 'mail', id, $2, 0 from unnest($3::text[]) as given (id)`,
  tell: `with counter as (
      insert into ${tables}.event_counters as c (org_id, last) values ($1, ${batch})
      on conflict (org_id) do update set last = c.last + ${batch} returning last
    )
    insert into ${tables}.events (org_id, id, type, data, customer_id, created_at)
    select $1, last - ${batch} + at, 'booking.confirmed', data, customer_id, $2
    from counter, unnest($3::json[], $4::text[]) with ordinality as given (data, customer_id, at)`
}

const pick = <A>(values: ReadonlyArray<A>): A => {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error("Cannot pick from an empty list.")
  return value
}

export interface Booking {
  readonly id: string
  readonly offering: string
  readonly customer: string
  readonly startsAt: number
  readonly reference: string
  readonly handle: string
  readonly key: string
  readonly event: string
}

/** The constant fields of a booking view. They are as long as in a real event. */
const rest = JSON.stringify({
  session_id: null,
  quantity: 1,
  total_cents: 0,
  status: "confirmed",
  source: "api",
  notes: "",
  metadata: {},
  cancelled_at: null,
  expires_at: null,
  checkout_url: null,
  paid_at: null,
  payment_intent_id: null,
  offering: { name: "Hot spring soak", kind: "appointment" },
  customer: { name: "Guest", email: "guest123@example.com", phone: "" }
}).slice(1)

/**
 * Generates a booking. IDs and handles increase with time, as in the engine, so that a batch's rows are stored next to
 * each other.
 */
export const madeUp = (orgId: string, offering: string, customer: string, startsAt: number): Booking => {
  const now = Date.now().toString(16).padStart(12, "0")
  const id = `${now.slice(0, 8)}-${now.slice(8)}-7${randomUUID().slice(15)}`
  const handle = now + randomBytes(13).toString("base64url")
  // The reference is as long as the engine's references, but has a larger alphabet, because a duplicate would abort the
  // run.
  const reference = randomBytes(6).toString("base64url")
  const times = [startsAt, startsAt + minutes * 60_000, Date.now()].map((at) => new Date(at).toISOString())
  const event = `{"id":"${id}","org_id":"${orgId}","offering_id":"${offering}","customer_id":"${customer}",` +
    `"starts_at":"${times[0]}","ends_at":"${times[1]}","created_at":"${times[2]}","reference":"${reference}",` +
    `"handle":"${handle}",${rest}`
  return { id, offering, customer, startsAt, reference, handle, key: randomUUID(), event }
}

interface Lane {
  readonly client: Client
  readonly ask: (name: keyof typeof statements, values: Array<unknown>) => Promise<ReadonlyArray<QueryResultRow>>
}

/** Connects with the engine's planner settings, which are set once per connection. */
export const connect = async (url: string): Promise<Client> => {
  const settings = { "trailbook.orgs": "*", enable_seqscan: "off", plan_cache_mode: "force_generic_plan", jit: "off" }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`).join(" ")
  const client = new Client({ connectionString: url, options })
  await client.connect()
  return client
}

const open = async (url: string): Promise<Lane> => {
  const client = await connect(url)
  return {
    client,
    ask: async (name, values) => (await client.query({ name, text: statements[name], values })).rows
  }
}

const commitBookings = async (
  { ask, client }: Lane,
  orgId: string,
  bookings: ReadonlyArray<Booking>
): Promise<void> => {
  const listColumn = <Name extends keyof Booking>(name: Name) => bookings.map((booking) => booking[name])
  await client.query("begin")
  await ask("lock", [orgId, [...new Set(listColumn("offering"))]])
  const now = Date.now()
  const counts = await ask("count", [orgId, listColumn("offering"), listColumn("startsAt"), now])
  if (counts.length !== batch) throw new Error("The count query did not return a row per booking.")
  await ask("book", [
    orgId,
    now,
    listColumn("id"),
    listColumn("offering"),
    listColumn("customer"),
    listColumn("startsAt"),
    listColumn("reference"),
    listColumn("handle"),
    listColumn("key")
  ])
  await ask("queue", [orgId, now, listColumn("id")])
  await ask("tell", [orgId, now, listColumn("event"), listColumn("customer")])
  await client.query("commit")
}

/** Writes the bookings. The guests must already exist from previous bookings. */
export const groupCommits = async (
  url: string,
  orgId: string,
  { places, seconds }: { readonly places: Places; readonly seconds?: number }
): Promise<LoadResult> => {
  const free = await Promise.all(Array.from({ length: lanes }, () => open(url)))
  const connections = [...free]
  try {
    const guests = await connections[0]?.client.query<{ id: string }>(
      `select id from ${tables}.customers where org_id = $1`,
      [
        orgId
      ]
    )
    const customers = guests?.rows.map(({ id }) => id) ?? []
    const starts = places.starts.map(Date.parse)
    const batches = await drive({ clients: lanes, ...(seconds === undefined ? {} : { seconds }) }, async () => {
      const lane = free.pop()
      if (lane === undefined) throw new Error("More commits are running than there are connections.")
      await commitBookings(
        lane,
        orgId,
        Array.from({ length: batch }, () => madeUp(orgId, pick(places.offerings), pick(customers), pick(starts)))
      )
      free.push(lane)
      return 201
    })
    const count = batches.calls * batch
    return { ...batches, calls: count, perSecond: batches.perSecond * batch, statuses: { 201: count } }
  } finally {
    await Promise.all(connections.map(({ client }) => client.end()))
  }
}
