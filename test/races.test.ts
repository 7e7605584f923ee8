/**
 * Sixty-four concurrent callers send HTTP requests to a server on a SQLite file while a poller reads the feed. The
 * tests check the final database content.
 */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Answer, parallel, tally } from "./served/Client.ts"
import { poll, type Poller } from "./served/poll.ts"
import { serve, type TestServer } from "./served/serve.ts"

const callers = 64

const dayAhead = (days: number, hour: number): string => {
  const date = new Date(Date.now() + days * 86_400_000)
  return `${date.toISOString().slice(0, 10)}T${String(hour).padStart(2, "0")}:00:00.000Z`
}

const guest = (at: number) => ({ email: `guest${at}@example.com`, name: `Guest ${at}` })

/** Creates a class with one session that has this many seats. */
const classWith = async ({ api }: TestServer, seats: number) => {
  const offering = await api.post("/offerings", { name: "Browns Canyon", kind: "class", capacity: seats })
  const response = await api.post("/sessions", { offering_id: offering.body.id, starts_at: dayAhead(3, 15) })
  return { offeringId: offering.body.id, sessionId: response.body.data[0].id }
}

const openAllDay = async ({ api }: TestServer, offering: Record<string, unknown>) => {
  const response = await api.post("/offerings", offering)
  const hours = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start_time: "00:00", end_time: "24:00" }))
  await api.send("PUT", `/offerings/${response.body.id}/hours`, JSON.stringify({ hours }))
  return String(response.body.id)
}

const races = (name: string, run: (served: () => TestServer) => void, options?: Parameters<typeof serve>[0]) =>
  describe(name, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await serve(options)
    })
    afterAll(() => server.close())
    run(() => server)
  })

const bookLastSeat = async (server: TestServer): Promise<ReadonlyArray<Answer>> => {
  const { offeringId, sessionId } = await classWith(server, 1)
  return parallel(
    callers,
    (at) => server.api.post("/bookings", { offering_id: offeringId, session_id: sessionId, customer: guest(at) })
  )
}

races("with 64 concurrent callers, the server", (getServer) => {
  let poller: Poller
  beforeAll(() => {
    poller = poll(getServer().api)
  })

  it("sells the last seat once", async () => {
    assert.deepStrictEqual(tally(await bookLastSeat(getServer())), { 201: 1, "409 slot_full": callers - 1 })
  })

  it("never exceeds the capacity with overlapping appointments", async () => {
    const offeringId = await openAllDay(getServer(), {
      name: "Fly fishing guide",
      kind: "appointment",
      capacity: 2,
      duration_minutes: 120,
      slot_interval_minutes: 30,
      buffer_minutes: 15
    })
    const starts = await getServer().api.get(
      `/offerings/${offeringId}/availability?from=${dayAhead(4, 0).slice(0, 10)}`
    )
    const answers = await parallel(callers, (at) =>
      getServer().api.post("/bookings", {
        offering_id: offeringId,
        starts_at: starts.body.data[at % 12].starts_at,
        quantity: 3,
        customer: guest(at)
      }))
    assert.isAbove(tally(answers)["201"] ?? 0, 2)
    assert.isAbove(tally(answers)["409 slot_full"] ?? 0, 2)
  })

  it("never rents out an item of stock twice", async () => {
    const offeringId = await openAllDay(getServer(), { name: "Kayak", kind: "rental", capacity: 5 })
    const starts = await getServer().api.get(
      `/offerings/${offeringId}/availability?from=${dayAhead(5, 0).slice(0, 10)}`
    )
    const answers = await parallel(callers, (at) =>
      getServer().api.post("/bookings", {
        offering_id: offeringId,
        starts_at: starts.body.data[at % 4].starts_at,
        periods: 1 + (at % 3),
        quantity: 1 + (at % 2),
        customer: guest(at)
      }))
    assert.isAbove(tally(answers)["201"] ?? 0, 2)
    assert.isAbove(tally(answers)["409 slot_full"] ?? 0, 20)
  })

  it("creates only one booking per idempotency key", async () => {
    const { offeringId, sessionId } = await classWith(getServer(), 100)
    const request = {
      offering_id: offeringId,
      session_id: sessionId,
      idempotency_key: randomUUID(),
      customer: guest(0)
    }
    const answers = await parallel(callers, () => getServer().api.post("/bookings", request))
    assert.deepStrictEqual(tally(answers), { 201: callers })
    assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1)
    const other = await getServer().api.post("/bookings", { ...request, quantity: 2 })
    assert.strictEqual(other.body.error.code, "idempotency_conflict")
    const response = await getServer().api.get(`/bookings?session_id=${sessionId}`)
    assert.strictEqual(response.body.data.length, 1)
  })

  it("leaves a hold canceled after concurrent requests to confirm and cancel it", async () => {
    const { offeringId, sessionId } = await classWith(getServer(), 5)
    const hold = await getServer().api.post("/bookings", {
      offering_id: offeringId,
      session_id: sessionId,
      customer: guest(1),
      hold_minutes: 30
    })
    const { id } = hold.body
    const answers = await parallel(
      callers,
      (at) => getServer().api.post(`/bookings/${id}/${at % 2 === 0 ? "confirm" : "cancel"}`)
    )
    const counts = tally(answers)
    assert.isAtLeast(counts["200"] ?? 0, callers / 2)
    assert.strictEqual((counts["200"] ?? 0) + (counts["409 booking_cancelled"] ?? 0), callers)
    assert.strictEqual((await getServer().api.get(`/bookings/${id}`)).body.status, "cancelled")
  })

  it("leaves no active booking in a canceled session", async () => {
    const { offeringId, sessionId } = await classWith(getServer(), 1000)
    const answers = await parallel(callers, (at) =>
      at === callers / 2
        ? getServer().api.post(`/sessions/${sessionId}/cancel`)
        : getServer().api.post("/bookings", { offering_id: offeringId, session_id: sessionId, customer: guest(at) }))
    const counts = tally(answers)
    assert.strictEqual((counts["201"] ?? 0) + (counts["409 session_cancelled"] ?? 0) + (counts["200"] ?? 0), callers)
    const response = await getServer().api.get(`/bookings?session_id=${sessionId}&limit=500`)
    assert.isTrue(response.body.data.every((booking: { status: string }) => booking.status === "cancelled"))
    assert.strictEqual(response.body.data.length, counts["201"] ?? 0)
  })

  it("records every event once and in order", async () => {
    const exported = await getServer().api.get("/org/export")
    const last = exported.body.events.at(-1)?.id
    const seenIds = await poller.until(Number(last))
    assert.deepStrictEqual(seenIds, Array.from({ length: seenIds.length }, (_, at) => at + 1))
    assert.deepStrictEqual(await getServer().violations(), [])
  })
})

races("without the lock, the server", (getServer) => {
  it("control: sells the last seat several times, and the checker reports it", async () => {
    const answers = await bookLastSeat(getServer())
    assert.isAbove(tally(answers)["201"] ?? 0, 1)
    assert.notDeepEqual(await getServer().violations(), [])
  })
}, { guarded: false })
