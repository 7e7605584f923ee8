import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

interface Booking {
  readonly id: string
  readonly metadata: object
}

interface Page {
  readonly data: ReadonlyArray<Booking>
  readonly next_cursor?: string
}

describe("bookings over HTTP", () => {
  let service: Service
  let slot: { readonly offering_id: string; readonly starts_at: string }
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
    const { json: offering } = await service.ask("POST", "/v1/offerings", {
      body: { name: "Guide", kind: "appointment", capacity: 50 }
    })
    const { id } = offering as { readonly id: string }
    const { json } = await service.ask("GET", `/v1/offerings/${id}/availability`)
    const [first] = (json as { readonly data: ReadonlyArray<{ readonly starts_at: string }> }).data
    assert.isDefined(first)
    slot = { offering_id: id, starts_at: first.starts_at }
  })
  afterAll(() => service.close())

  const create = async (fields: object = {}) => {
    const answer = await service.ask("POST", "/v1/bookings", {
      body: { ...slot, customer: { email: "ada@example.com" }, ...fields }
    })
    return { ...answer, booking: answer.json as Booking }
  }
  const list = async (query: string) => (await service.ask("GET", `/v1/bookings?${query}`)).json as Page

  describe("metadata", () => {
    it("is stored and returned", async () => {
      const metadata = { order: "W-1042", tags: ["vip"], nested: { n: 1.5 } }
      const { booking, status } = await create({ metadata })
      assert.deepStrictEqual([status, booking.metadata], [201, metadata])
      assert.deepStrictEqual((await service.ask("GET", `/v1/bookings/${booking.id}`)).json, booking)
    })

    it("must match when an idempotency key is reused", async () => {
      const idempotency_key = crypto.randomUUID()
      const first = await create({ idempotency_key, metadata: { a: 1, b: 2 } })
      const repeat = await create({ idempotency_key, metadata: { b: 2, a: 1 } })
      assert.strictEqual(repeat.booking.id, first.booking.id)
      const conflict = await create({ idempotency_key, metadata: { a: 1, b: 3 } })
      assert.deepStrictEqual([conflict.status, errorOf(conflict).code], [409, "idempotency_conflict"])
    })

    it("defaults to an empty object", async () => {
      const idempotency_key = crypto.randomUUID()
      const first = await create({ idempotency_key })
      assert.deepStrictEqual(first.booking.metadata, {})
      assert.strictEqual((await create({ idempotency_key, metadata: {} })).booking.id, first.booking.id)
    })

    it.each([
      ["more than 4 KiB", { a: "x".repeat(4096) }],
      ["not an object", ["a"]],
      ["null", null],
      ["text with NUL", { a: "\0" }]
    ])("is rejected if it is %s", async (_, metadata) => {
      const before = (await list("limit=500")).data.length
      const answer = await create({ metadata })
      assert.strictEqual(answer.status, 400)
      assert.match(errorOf(answer).message, /^metadata: /)
      assert.lengthOf((await list("limit=500")).data, before)
    })
  })

  describe("sort=created", () => {
    it("lists new bookings first without shifting later pages", async () => {
      const createdIds: Array<string> = []
      for (let n = 0; n < 5; n++) createdIds.unshift((await create()).booking.id)
      const first = await list("sort=created&limit=2")
      await create()
      const second = await list(`sort=created&limit=3&cursor=${first.next_cursor}`)
      assert.deepStrictEqual([...first.data, ...second.data].map(({ id }) => id), createdIds)
    })

    it.each(["order=asc", "status=held", "q=ada", "from=2027-01-01T00:00:00Z"])("rejects %s", async (filter) => {
      const answer = await service.ask("GET", `/v1/bookings?sort=created&${filter}`)
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(errorOf(answer).message, `${filter.split("=")[0]}: cannot be combined with sort=created`)
    })

    it("rejects a cursor from the list sorted by start", async () => {
      const { next_cursor } = await list("limit=1")
      const answer = await service.ask("GET", `/v1/bookings?sort=created&cursor=${next_cursor}`)
      assert.deepStrictEqual([answer.status, errorOf(answer).message.slice(0, 7)], [400, "cursor:"])
    })
  })
})
