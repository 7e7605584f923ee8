import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

interface Booking {
  readonly id: string
}

describe("the Idempotency-Key header", () => {
  let service: Service
  let wish: { readonly offering_id: string; readonly starts_at: string; readonly customer: { readonly email: string } }
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
    const made = await service.ask("POST", "/v1/offerings", {
      body: { name: "Guide", kind: "appointment", capacity: 50 }
    })
    const { id } = made.json as { readonly id: string }
    const { json } = await service.ask("GET", `/v1/offerings/${id}/availability`)
    const [slot] = (json as { readonly data: ReadonlyArray<{ readonly starts_at: string }> }).data
    assert.isDefined(slot)
    wish = { offering_id: id, starts_at: slot.starts_at, customer: { email: "ada@example.com" } }
  })
  afterAll(() => service.close())

  const book = (header: string | undefined, key?: unknown) =>
    service.ask("POST", "/v1/bookings", {
      body: { ...wish, ...(key === undefined ? {} : { idempotency_key: key }) },
      headers: header === undefined ? {} : { "idempotency-key": header }
    })
  const idOf = ({ json }: { readonly json: unknown }) => (json as Booking).id

  it("stands for the body's key, quoted or not", async () => {
    const key = crypto.randomUUID()
    const first = await book(key)
    assert.strictEqual(first.status, 201)
    assert.strictEqual(idOf(await book(`"${key}"`)), idOf(first))
    assert.strictEqual(idOf(await book(undefined, key)), idOf(first))
    assert.strictEqual(idOf(await book(key, key.toUpperCase())), idOf(first))
    assert.notStrictEqual(idOf(await book(crypto.randomUUID())), idOf(first))
  })

  it("and the same request, with what goes without saying said, is the same wish", async () => {
    const key = crypto.randomUUID()
    const first = await book(key)
    const spelled = await service.ask("POST", "/v1/bookings", {
      body: { ...wish, quantity: 1, notes: "", idempotency_key: key }
    })
    assert.deepStrictEqual([spelled.status, idOf(spelled)], [201, idOf(first)])
    const other = await service.ask("POST", "/v1/bookings", { body: { ...wish, quantity: 2, idempotency_key: key } })
    assert.deepStrictEqual([other.status, errorOf(other).code], [409, "idempotency_conflict"])
  })

  it.each([["another key", crypto.randomUUID()], ["no text", 5], ["null", null]])(
    "beside %s in the body it is refused",
    async (_, key) => {
      const answer = await book(crypto.randomUUID(), key)
      assert.strictEqual(answer.status, 400)
      assert.match(errorOf(answer).message, /^idempotency_key: /)
    }
  )

  it("has to be a UUID, as in the body", async () => {
    for (const key of ["1", "\"\"", "\""]) {
      const answer = await book(key)
      assert.strictEqual(answer.status, 400)
      assert.match(errorOf(answer).message, /^idempotency_key: /)
    }
  })

  it("says nothing where there is no such field", async () => {
    const answer = await service.ask("PATCH", "/v1/org", { body: {}, headers: { "idempotency-key": "1" } })
    assert.strictEqual(answer.status, 200)
  })
})
