/** Tests an assistant that loses responses and retries, with and without a key. */
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { connectV1, connectV2 } from "./Clients.ts"
import { type Answer, type World, world } from "./World.ts"

const lost = new Error("The answer is lost.")

/** Drops the responses to selected calls. */
const loseAnswers = (turns: ReadonlyArray<boolean>) => {
  let calls = 0
  return async (message: unknown, answer: () => Promise<Response>): Promise<Response> => {
    const isCall = typeof message === "object" && message !== null && "method" in message &&
      message.method === "tools/call"
    const response = await answer()
    if (isCall && turns[calls++ % turns.length] === true) throw lost
    return response
  }
}

type Call = (name: string, input: Record<string, unknown>) => Promise<Answer>

const caller = (client: {
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
}): Call =>
async (name, input) => {
  for (let tries = 0; tries < 10; tries++) {
    try {
      const result = await client.callTool({ name, arguments: input }) as {
        readonly content: ReadonlyArray<{ readonly text: string }>
        readonly structuredContent?: Answer
      }
      if (result.structuredContent === undefined) throw new Error(result.content[0]?.text)
      return result.structuredContent
    } catch (error) {
      if (!String(error).includes(lost.message)) throw error
    }
  }
  throw new Error("Every response was lost.")
}

const guests = ["ann", "bob", "cy"].map((name) => ({ email: `${name}@example.com`, name }))

const story = FastCheck.record({
  turns: FastCheck.array(FastCheck.boolean(), { minLength: 1, maxLength: 7 }).filter((turns) => turns.includes(false)),
  keyed: FastCheck.boolean(),
  modern: FastCheck.boolean(),
  holds: FastCheck.boolean(),
  steps: FastCheck.array(FastCheck.constantFrom("move", "cancel", "confirm"), { maxLength: 5 })
})

describe("an assistant that retries after lost responses", () => {
  it("books each order only once", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(story, async ({ holds, keyed, modern, steps, turns }) => {
        const here = await world()
        const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 5 })
        const settings = { between: loseAnswers(turns) }
        const call = caller(await (modern ? connectV2(here, settings) : connectV1(here, settings)))
        const bookings: Array<Answer> = []
        for (const customer of guests) {
          bookings.push(
            await call("bookings_create", {
              offering_id: kayak.id,
              starts_at: "2027-06-06T15:00:00Z",
              customer,
              ...(holds ? { hold_minutes: 30 } : {}),
              ...(keyed ? { idempotency_key: crypto.randomUUID() } : {})
            })
          )
        }
        assert.lengthOf((await here.call("bookings.list")).data, guests.length)
        const id = bookings[0]?.id ?? ""
        for (const [at, step] of steps.entries()) {
          const before = await here.call("bookings.get", { id })
          if (before.status === "cancelled" && step !== "cancel") continue
          const to = step === "move" ? { starts_at: `2027-06-${10 + at}T15:00:00Z` } : {}
          const after = await call(`bookings_${step}`, { id, ...to })
          const { reference, starts_at, status } = await here.call("bookings.get", { id })
          assert.deepInclude(after, { id, reference, starts_at, status })
          if (step === "move") assert.strictEqual(after.starts_at, `2027-06-${10 + at}T15:00:00.000Z`)
        }
        const { data: events } = await settle(here)
        const bookedEvents = events.filter(({ type }) => type === (holds ? "booking.held" : "booking.confirmed"))
        assert.lengthOf(bookedEvents, guests.length)
        assert.isAtMost(events.filter(({ type }) => type === "booking.cancelled").length, 1)
      }),
      { numRuns: 15 }
    )
  })

  const settle = async (here: World): Promise<Answer> => {
    await here.run(here.clock.advance(10_000))
    return here.call("events.list", { limit: 500 })
  }
})

describe("an assistant's repeated request", () => {
  const order = (kayak: Answer, rest: object = {}) => ({
    offering_id: kayak.id,
    starts_at: "2027-06-06T15:00:00Z",
    customer: { email: "ann@example.com" },
    ...rest
  })
  const raw = async (here: World) => {
    const client = await connectV1(here)
    return async (input: Record<string, unknown>) => {
      const { content, structuredContent } = await client.callTool({ name: "bookings_create", arguments: input })
      return {
        content: content as ReadonlyArray<{ readonly text: string }>,
        structuredContent: structuredContent as Answer
      }
    }
  }

  it("returns the first booking if neither request has an idempotency key", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 5 })
    const book = await raw(here)
    const first = await book(order(kayak))
    assert.notProperty(first.structuredContent, "note")
    await here.run(here.clock.advance(3_600_000))
    const again = await book({
      ...order(kayak, { starts_at: "2027-06-06T09:00:00.000-06:00" }),
      customer: { email: " Ann@Example.com" }
    })
    assert.strictEqual(again.structuredContent.id, first.structuredContent.id)
    const { note } = again.structuredContent
    assert.match(String(note), /^Nothing new was created: .* call again with a new idempotency_key\.$/)
    assert.include(again.content[0]?.text, String(note))
    const another = await book(order(kayak, { idempotency_key: crypto.randomUUID() }))
    assert.notStrictEqual(another.structuredContent.id, first.structuredContent.id)
    assert.notProperty(another.structuredContent, "note")
  })

  it("is marked as a possible duplicate without an idempotency key", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 9 })
    const book = await raw(here)
    const guestFields = { customer: { email: "ann@example.com", name: "Ann Lee" }, notes: "Left-handed" }
    const first = await book(order(kayak, { ...guestFields, idempotency_key: crypto.randomUUID() }))
    assert.notProperty(first.structuredContent, "possible_duplicate")
    await here.run(here.clock.advance(59 * 60_000))
    for (const retry of [guestFields, {}, { notes: "Left-handed", hold_minutes: 30 }]) {
      const { content, structuredContent } = await book(order(kayak, retry))
      assert.deepInclude(structuredContent, { id: first.structuredContent.id, possible_duplicate: true })
      assert.match(String(structuredContent.note), /^Nothing new was created: .* with a new idempotency_key\.$/)
      assert.include(content[0]?.text, "possible_duplicate true")
    }
    const second = await book(order(kayak, { idempotency_key: crypto.randomUUID() }))
    assert.notStrictEqual(second.structuredContent.id, first.structuredContent.id)
    assert.notProperty(second.structuredContent, "possible_duplicate")
  })

  it("creates one booking for concurrent calls", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 5 })
    const [old, new_] = [await connectV1(here), await connectV2(here)]
    const ask = (at: number) =>
      (at % 2 === 0 ? old : new_).callTool({ name: "bookings_create", arguments: order(kayak) })
    const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => ask(at)))
    assert.strictEqual(new Set(answers.map(({ structuredContent }) => (structuredContent as Answer).id)).size, 1)
    assert.lengthOf((await here.call("bookings.list")).data, 1)
  })

  it("creates one new booking after each cancellation", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental" })
    const book = await raw(here)
    const ids: Array<string> = []
    for (let time = 0; time < 3; time++) {
      const [one, two] = await Promise.all([book(order(kayak)), book(order(kayak))])
      const { id, status } = one.structuredContent
      assert.deepStrictEqual([status, two.structuredContent.id], ["confirmed", id])
      ids.push(id)
      await here.call("bookings.cancel", { id })
      await here.run(here.clock.advance(1000))
    }
    assert.strictEqual(new Set(ids).size, 3)
  })

  it("returns the canceled booking for the same idempotency key", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental" })
    const book = await raw(here)
    const keyedOrder = order(kayak, { idempotency_key: crypto.randomUUID() })
    const { structuredContent: { id } } = await book(keyedOrder)
    await here.call("bookings.cancel", { id })
    await here.run(here.clock.advance(1000))
    const again = await book(keyedOrder)
    assert.deepStrictEqual([again.structuredContent.id, again.structuredContent.status], [id, "cancelled"])
    assert.match(String(again.structuredContent.note), /in its current state, cancelled\./)
  })

  it("creates no duplicate session or offering", async () => {
    const here = await world()
    const client = await connectV1(here)
    const rafting = await here.call("offerings.create", { name: "Rafting", kind: "class" })
    const make = async (name: string, input: object) => {
      const { structuredContent } = await client.callTool({ name, arguments: { ...input } })
      await here.run(here.clock.advance(1000))
      return structuredContent as Answer
    }
    for (const key of [{}, { idempotency_key: crypto.randomUUID() }]) {
      const week = { offering_id: rafting.id, starts_at: "2027-07-06T15:00:00Z", repeat_weeks: 2, ...key }
      const first = await make("sessions_create", week)
      const again = await make("sessions_create", { ...week, starts_at: "2027-07-06T09:00:00-06:00" })
      assert.deepStrictEqual(again.data, first.data)
      assert.match(String(again.note), /^Nothing new was created/)
      for (const { id } of first.data) await here.call("sessions.cancel", { id })
      const anew = await make("sessions_create", week)
      assert.strictEqual(anew.data[0]?.id === first.data[0]?.id, "idempotency_key" in key)
      for (const { id } of anew.data) await here.call("sessions.cancel", { id })
    }
    const kayak = { name: "Kayak", kind: "rental" }
    const first = await make("offerings_create", kayak)
    assert.strictEqual((await make("offerings_create", { ...kayak, capacity: 1 })).id, first.id)
    await here.call("offerings.delete", { id: first.id })
    assert.notStrictEqual((await make("offerings_create", kayak)).id, first.id)
  })

  it("reports that the first booking's hold has expired", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental" })
    const book = await raw(here)
    await book(order(kayak, { hold_minutes: 5 }))
    await here.run(here.clock.advance(5 * 60_000))
    const again = await book(order(kayak, { hold_minutes: 5 }))
    assert.match(String(again.structuredContent.note), /in its current state, an expired hold/)
  })

  it("counts as separate if the guest, start, or quantity differs", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 5 })
    const book = await raw(here)
    const ids = [
      await book(order(kayak)),
      await book(order(kayak, { customer: { email: "bob@example.com" } })),
      await book(order(kayak, { starts_at: "2027-06-07T15:00:00Z" })),
      await book(order(kayak, { quantity: 2 }))
    ].map(({ structuredContent }) => structuredContent.id)
    assert.strictEqual(new Set(ids).size, 4)
  })

  it("creates a second booking if sent through the API", async () => {
    const here = await world()
    const kayak = await here.call("offerings.create", { name: "Kayak", kind: "rental", capacity: 5 })
    const [one, other] = [
      await here.call("bookings.create", order(kayak)),
      await here.call("bookings.create", order(kayak))
    ]
    assert.notStrictEqual(one?.id, other?.id)
  })
})
