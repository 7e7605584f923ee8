/**
 * The baseline on Postgres: a booking the way most systems make it, with six sequential statements in one transaction
 * on Trailbook's tables.
 *
 * It is optimized: the offering is locked before its bookings are counted, an idempotency key books at most once, the
 * org counter is updated last, and statements stay prepared. It books appointments for guests by email address. It
 * skips the checks for opening hours and changed names, which makes it faster.
 */
import { notFound, refuse } from "@trailbook/core"
import {
  type BookingRecord,
  BookingStore,
  bookingView,
  BookingWriter,
  type CreateBookingRefusal,
  type CreateBookingRequest
} from "@trailbook/core/booking"
import type { Span } from "@trailbook/core/offering"
import { Ids } from "@trailbook/core/port"
import { makeIdempotencyConflict } from "@trailbook/core/port/idempotency"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Pool, type PoolClient, type QueryResultRow } from "pg"

const connections = 16
const tables = "trailbook"

const statements = {
  lock: `select name, duration_minutes::int, capacity::int, price_cents::int
    from ${tables}.offerings where org_id = $1 and id = $2 and deleted_at is null for update`,
  count: `select count(*)::int as taken from ${tables}.bookings
    where org_id = $1 and offering_id = $2 and starts_at > $3 and starts_at < $4 and ends_at > $5
      and (status = 'confirmed' or (status = 'held' and expires_at > $6))`,
  findGuest:
    `select id, name, email, phone from ${tables}.customers where org_id = $1 and email = $2 and erased_at is null`,
  addGuest: `insert into ${tables}.customers (org_id, id, email, name, phone, notes, metadata, created_at)
    values ($1, $2, $3, $4, $5, '', '{}', $6)
    on conflict (org_id, email) where erased_at is null do update set email = excluded.email
    returning id, name, email, phone`,
  book:
    `insert into ${tables}.bookings (org_id, id, offering_id, customer_id, starts_at, ends_at, period_minutes, periods,
      quantity, total_cents, reference, handle, check_in_token, source, notes, metadata, created_at, confirmed_at, updated_at,
      idempotency_key, fingerprint, status, payment_due)
    values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $11, $12, $13, '{}', $14, $14, $14, $15, $16, 'confirmed', false)
    on conflict (org_id, idempotency_key) do nothing returning id`,
  mail: `insert into ${tables}.tasks (org_id, id, kind, queue, subject_id, due_at, attempts)
    values ($1, $2, 'mail.confirmed', 'mail', $3, $4, 0)`,
  tell: `with counter as (
      insert into ${tables}.event_counters as c (org_id, last) values ($1, 1)
      on conflict (org_id) do update set last = c.last + 1 returning last
    )
    insert into ${tables}.events (org_id, id, type, data, customer_id, created_at)
    select $1, last, 'booking.confirmed', $2, $3, $4 from counter`
}

type Row = QueryResultRow

interface Guest extends Row {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly phone: string
}

interface Place extends Row {
  readonly name: string
  readonly duration_minutes: number
  readonly capacity: number
  readonly price_cents: number
}

const askWith = (client: PoolClient) => async <R extends Row>(name: keyof typeof statements, values: Array<unknown>) =>
  (await client.query<R>({ name, text: statements[name], values })).rows

type Ask = ReturnType<typeof askWith>

/** Returns `undefined` if the idempotency key was already used. */
const sellSeat = async (
  ask: Ask,
  order: CreateBookingRequest,
  ids: Ids["Type"]
): Promise<Effect.Effect<BookingRecord, CreateBookingRefusal> | undefined> => {
  const { offeringId, orgId } = order
  const startsAt = requireValue(order.startsAt)
  const [offering] = await ask<Place>("lock", [orgId, offeringId])
  if (offering === undefined) return notFound("offering", offeringId)
  const now = Instant.make(Date.now())
  const endsAt = Instant.addMinutes(startsAt, offering.duration_minutes)
  // All of an offering's appointments have the same duration, so one that starts at or before this time cannot overlap.
  const earliestStart = Instant.addMinutes(startsAt, -offering.duration_minutes)
  const [count] = await ask<{ taken: number }>("count", [orgId, offeringId, earliestStart, endsAt, startsAt, now])
  const remaining = offering.capacity - (count?.taken ?? 0)
  if (remaining < 1) return refuse("slot_full", 1, remaining)
  const guest = await findOrCreateGuest(ask, order, ids, now)
  const record = recordOf(order, { startsAt, endsAt }, offering, guest, ids, now)
  return await write(ask, record, ids) ? Effect.succeed(record) : undefined
}

const requireValue = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("The baseline supports only appointments for guests with an email address.")
  return value
}

const findOrCreateGuest = async (
  ask: Ask,
  { contact, orgId }: CreateBookingRequest,
  ids: Ids["Type"],
  now: Instant.Instant
): Promise<Guest> => {
  const { email, name = "", phone = "" } = requireValue(contact)
  const [existing] = await ask<Guest>("findGuest", [orgId, email])
  if (existing !== undefined) return existing
  const [customer] = await ask<Guest>("addGuest", [orgId, ids.uuid(), email, name, phone, now])
  return requireValue(customer)
}

const recordOf = (
  { idempotency, notes, offeringId, orgId, quantity, source }: CreateBookingRequest,
  span: Span,
  offering: Place,
  customer: Guest,
  ids: Ids["Type"],
  now: Instant.Instant
): BookingRecord => ({
  booking: {
    ...span,
    id: ids.uuid(),
    orgId,
    offeringId,
    customerId: customer.id,
    sessionId: null,
    periodMinutes: offering.duration_minutes,
    periods: 1,
    quantity: quantity ?? 1,
    totalCents: offering.price_cents,
    currency: "usd",
    deskCents: 0,
    keepCents: null,
    price: null,
    cancellationPolicy: null,
    onlineCents: null,
    staffNotes: "",
    reference: ids.reference(),
    handle: ids.handle(),
    checkInToken: ids.handle(),
    source,
    notes,
    metadata: {},
    createdAt: now,
    confirmedAt: now,
    updatedAt: now,
    paidAt: null,
    paymentIntentId: null,
    refund: null,
    dispute: null,
    attendance: null,
    tapsFrom: now,
    previous: null,
    unproven: null,
    resentAt: null,
    contact: null,
    idempotency,
    status: "confirmed"
  },
  offering: { id: offeringId, name: offering.name, kind: "appointment" },
  customer
})

/** Returns whether the idempotency key was unused. */
const write = async (ask: Ask, record: BookingRecord, ids: Ids["Type"]): Promise<boolean> => {
  const { booking } = record
  const rows = await ask("book", [
    booking.orgId,
    booking.id,
    booking.offeringId,
    booking.customerId,
    booking.startsAt,
    booking.endsAt,
    booking.periodMinutes,
    booking.quantity,
    booking.totalCents,
    booking.reference,
    booking.handle,
    booking.source,
    booking.notes,
    booking.createdAt,
    booking.idempotency.key,
    booking.idempotency.fingerprint
  ])
  if (rows.length === 0) return false
  await ask("mail", [booking.orgId, ids.uuid(), booking.id, booking.createdAt])
  await ask("tell", [booking.orgId, JSON.stringify(bookingView(record)), booking.customerId, booking.createdAt])
  return true
}

/** Rolls back if the work fails. */
const withTransaction = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  let hasFailed = true
  try {
    await client.query("begin")
    const answer = await work(client)
    await client.query(answer === undefined ? "rollback" : "commit")
    hasFailed = false
    return answer
  } finally {
    client.release(hasFailed)
  }
}

export const layer = (url: string) =>
  Layer.scoped(
    BookingWriter,
    Effect.gen(function*() {
      const store = yield* BookingStore
      const ids = yield* Ids
      const { update } = yield* BookingWriter
      // Each connection sets its row-level security scope to all orgs once, so a booking needs no additional statement.
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new Pool({ connectionString: url, max: connections, options: "-c trailbook.orgs=*" })),
        (pool) => Effect.promise(() => pool.end())
      )
      const findRepeated = ({ idempotency: { fingerprint, key }, orgId }: CreateBookingRequest) =>
        Effect.flatMap(store.findByIdempotencyKey([{ orgId, key }]), ([record]) => {
          if (record === undefined) {
            return Effect.dieMessage("The idempotency key was already used, but its booking does not exist.")
          }
          return record.booking.idempotency.fingerprint === fingerprint
            ? Effect.succeed(record)
            : makeIdempotencyConflict()
        })
      return BookingWriter.of({
        update,
        create: (order) =>
          Effect.flatMap(
            Effect.promise(() => withTransaction(pool, (client) => sellSeat(askWith(client), order, ids))),
            (answer) => answer ?? findRepeated(order)
          )
      })
    })
  ).pipe(Layer.provide(BookingWriter.layer("none")))
