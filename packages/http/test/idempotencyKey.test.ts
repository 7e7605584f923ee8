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
    const response = await service.ask("POST", "/v1/offerings", {
      body: { name: "Guide", kind: "appointment", capacity: 50 }
    })
    const { id } = response.json as { readonly id: string }
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

  it("replaces the key in the body, with or without quotes", async () => {
    const key = crypto.randomUUID()
    const first = await book(key)
    assert.strictEqual(first.status, 201)
    assert.strictEqual(idOf(await book(`"${key}"`)), idOf(first))
    assert.strictEqual(idOf(await book(undefined, key)), idOf(first))
    assert.strictEqual(idOf(await book(key, key.toUpperCase())), idOf(first))
    assert.notStrictEqual(idOf(await book(crypto.randomUUID())), idOf(first))
  })

  it("treats a request with explicit default values as the same request", async () => {
    const key = crypto.randomUUID()
    const first = await book(key)
    const repeat = await service.ask("POST", "/v1/bookings", {
      body: { ...wish, quantity: 1, notes: "", idempotency_key: key }
    })
    assert.deepStrictEqual([repeat.status, idOf(repeat)], [201, idOf(first)])
    const other = await service.ask("POST", "/v1/bookings", { body: { ...wish, quantity: 2, idempotency_key: key } })
    assert.deepStrictEqual([other.status, errorOf(other).code], [409, "idempotency_conflict"])
  })

  it.each([["a different key", crypto.randomUUID()], ["a number", 5], ["null", null]])(
    "is refused if the key in the body is %s",
    async (_, key) => {
      const answer = await book(crypto.randomUUID(), key)
      assert.strictEqual(answer.status, 400)
      assert.match(errorOf(answer).message, /^idempotency_key: /)
    }
  )

  it("must be a UUID, like the key in the body", async () => {
    for (const key of ["1", "\"\"", "\""]) {
      const answer = await book(key)
      assert.strictEqual(answer.status, 400)
      assert.match(errorOf(answer).message, /^idempotency_key: /)
    }
  })

  describe.each([
    ["sessions", { starts_at: "2030-06-01T15:00:00Z", repeat_weeks: 2 }, { capacity: null }, { capacity: 3 }],
    ["offerings", { name: "Kayak", kind: "rental", metadata: { a: 1, b: 2 } }, { active: true }, { name: "Canoe" }],
    ["webhooks", { url: "https://example.com/hook" }, { events: ["*"] }, { events: ["booking.held"] }]
  ])("for creating %s", (what, input, withDefaults, changedInput) => {
    const make = async (key: string, extraFields: object = {}) => {
      const body = { ...input, ...(what === "sessions" ? { offering_id: await course() } : {}), ...extraFields }
      return service.ask("POST", `/v1/${what}`, { body, headers: { "idempotency-key": key } })
    }
    let courseId: Promise<string> | undefined
    const course = () =>
      courseId ??= service.ask("POST", "/v1/offerings", { body: { name: "Rafting", kind: "class" } }).then(idOf)
    const count = async () => {
      const { json } = await service.ask("GET", `/v1/${what}`)
      return (json as { readonly data: ReadonlyArray<unknown> }).data.length
    }

    it("returns the same resource to concurrent requests", async () => {
      await course()
      const before = await count()
      const key = crypto.randomUUID()
      const answers = await Promise.all([make(key), make(key), make(key, withDefaults)])
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 201, 201])
      assert.deepStrictEqual(answers[1]?.json, answers[0]?.json)
      assert.deepStrictEqual(answers[2]?.json, answers[0]?.json)
      assert.deepStrictEqual((await make(key)).json, answers[0]?.json)
      assert.strictEqual(await count() - before, what === "sessions" ? 2 : 1)
      const other = await make(key, changedInput)
      assert.deepStrictEqual([other.status, errorOf(other).code], [409, "idempotency_conflict"])
    })

    it("can be reused after a refusal", async () => {
      const key = crypto.randomUUID()
      const refusedFor = what === "sessions"
        ? { offering_id: crypto.randomUUID() }
        : what === "offerings"
        ? { lat: 1 }
        : { url: "http://example.com/" }
      assert.isAtLeast((await make(key, refusedFor)).status, 400)
      assert.strictEqual((await make(key)).status, 201)
    })
  })

  it("returns a conflict if the resource was deleted", async () => {
    const wishes = [
      ["offerings", { name: "Kayak", kind: "rental" }],
      ["webhooks", { url: "https://a.example" }]
    ] as const
    for (const [what, body] of wishes) {
      const headers = { "idempotency-key": crypto.randomUUID() }
      const { json } = await service.ask("POST", `/v1/${what}`, { body, headers })
      const { id } = json as Booking
      assert.strictEqual((await service.ask("DELETE", `/v1/${what}/${id}`)).status, 200)
      const again = await service.ask("POST", `/v1/${what}`, { body, headers })
      assert.deepStrictEqual([again.status, errorOf(again).code], [409, "idempotency_conflict"])
      assert.include(errorOf(again).message, `${id} was created with this idempotency_key and then deleted`)
    }
  })

  it("is ignored if the operation has no such field", async () => {
    const answer = await service.ask("PATCH", "/v1/org", { body: {}, headers: { "idempotency-key": "1" } })
    assert.strictEqual(answer.status, 200)
  })
})
