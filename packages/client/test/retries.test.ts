import { TrailbookError } from "@trailbook/client"
import { assert, describe, it } from "vitest"
import { maxRetryAfterSeconds } from "../src/sendWithRetry.ts"
import { follow, refusal, type Step } from "./Script.ts"

const id = "0197c0de-0000-7000-8000-000000000000"
const ok: Step = { status: 200, body: { id } }
const booking = { offering_id: id, starts_at: "2027-05-01T15:00:00Z", customer: { email: "ada@example.com" } }

/** Returns the error that the call rejects with. */
const failure = async (call: Promise<unknown>): Promise<TrailbookError> => {
  const error: unknown = await call.then(() => undefined, (error: unknown) => error)
  assert.instanceOf(error, TrailbookError)
  return error
}

const passing: ReadonlyArray<{ readonly name: string; readonly step: Step }> = [
  { name: "a lost response", step: "lost" },
  { name: "429 rate_limited", step: refusal(429, "rate_limited", { "retry-after": "0" }) },
  { name: "502 from a proxy", step: { status: 502, body: "<html>" } },
  { name: "503", step: refusal(503, "unavailable", { "retry-after": "1" }) },
  { name: "504 from a proxy", step: { status: 504, body: "" } }
]

describe.each(passing)("after $name, the client", ({ step }) => {
  it("retries a read", async () => {
    const { client, sent } = follow([step, step, ok])
    assert.strictEqual((await client.bookings.get({ id })).id, id)
    assert.lengthOf(sent, 3)
  })

  it("retries a write that is safe to repeat", async () => {
    const { client, sent } = follow([step, ok])
    await client.bookings.cancel({ id })
    assert.lengthOf(sent, 2)
  })

  it("retries a booking with the same idempotency key", async () => {
    const { client, sent } = follow([step, step, step, { status: 201, body: { id } }])
    await client.bookings.create(booking)
    const keys = new Set(sent.map(({ body }) => body.idempotency_key))
    assert.lengthOf(sent, 4)
    assert.strictEqual(keys.size, 1)
    assert.match(String([...keys][0]), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("retries every other create operation with the same idempotency key", async () => {
    for (
      const call of [
        (scripted: ReturnType<typeof follow>) => scripted.client.offerings.create({ name: "Raft", kind: "class" }),
        (scripted: ReturnType<typeof follow>) =>
          scripted.client.sessions.create({ offering_id: id, starts_at: "2027-06-06T15:00:00Z" }),
        (scripted: ReturnType<typeof follow>) => scripted.client.webhooks.create({ url: "https://a.example" })
      ]
    ) {
      const scripted = follow([step, { status: 201, body: { id } }])
      await call(scripted)
      assert.lengthOf(scripted.sent, 2)
      assert.strictEqual(new Set(scripted.sent.map(({ body }) => body.idempotency_key)).size, 1)
      assert.isString(scripted.sent[0]?.body.idempotency_key)
    }
  })

  it("does not retry a write that is unsafe to repeat", async () => {
    for (
      const call of [
        (scripted: ReturnType<typeof follow>) => scripted.client.bookings.resend({ id }),
        (scripted: ReturnType<typeof follow>) => scripted.client.webhooks.delete({ id })
      ]
    ) {
      const scripted = follow([step, ok])
      await failure(call(scripted))
      assert.lengthOf(scripted.sent, 1)
    }
  })

  it("retries up to the configured limit", async () => {
    for (const retries of [0, 1, 5]) {
      const { client, sent } = follow([step], { retries })
      await failure(client.org.get())
      assert.lengthOf(sent, retries + 1)
    }
  })
})

describe("the client does not retry a call after it receives the response", () => {
  it.each([
    refusal(400, "invalid_request"),
    refusal(401, "unauthorized"),
    refusal(404, "not_found"),
    refusal(409, "slot_full"),
    refusal(429, "resend_limited"),
    refusal(500, "internal"),
    { status: 301, headers: { location: "https://elsewhere.example.com" } },
    { status: 200, body: "<html>" },
    { status: 200, body: "" }
  ])("%j", async (step) => {
    const { client, sent } = follow([step, ok])
    await failure(client.org.get())
    assert.lengthOf(sent, 1)
  })
})

describe("booking idempotency keys", () => {
  it("differ between two calls", async () => {
    const { client, sent } = follow([{ status: 201, body: { id } }])
    await client.bookings.create(booking)
    await client.bookings.create(booking)
    assert.notStrictEqual(sent[0]?.body.idempotency_key, sent[1]?.body.idempotency_key)
  })

  it("are added only if the input has none", async () => {
    const { client, sent } = follow(["lost", { status: 201, body: { id } }])
    const input = Object.freeze({ ...booking, idempotency_key: id })
    await client.bookings.create(input)
    assert.deepStrictEqual(sent.map(({ body }) => body.idempotency_key), [id, id])
    await client.bookings.create(Object.freeze({ ...booking, idempotency_key: undefined }))
    assert.isString(sent[2]?.body.idempotency_key)
  })
})

describe("the delays between attempts", () => {
  it("double up to 5 seconds, with random jitter", async () => {
    const lengths = async (random: () => number) => {
      const { client, waits } = follow(["lost"], { retries: 7, random })
      await failure(client.org.get())
      return waits
    }
    assert.deepStrictEqual(await lengths(() => 0), [100, 200, 400, 800, 1600, 2500, 2500])
    assert.deepStrictEqual((await lengths(() => 0.999_999)).map(Math.round), [200, 400, 800, 1600, 3200, 5000, 5000])
  })

  it("are never shorter than the server's Retry-After header", async () => {
    const { client, waits } = follow([refusal(429, "rate_limited", { "retry-after": "7" }), ok], { random: () => 0 })
    await client.org.get()
    assert.deepStrictEqual(waits, [7100])
  })

  it("never exceed the limit, because a longer Retry-After fails the call", async () => {
    const waitSeconds = String(maxRetryAfterSeconds + 1)
    const { client, sent } = follow([refusal(503, "unavailable", { "retry-after": waitSeconds }), ok])
    assert.strictEqual((await failure(client.org.get())).retryAfterSeconds, maxRetryAfterSeconds + 1)
    assert.lengthOf(sent, 1)
  })
})

describe("a failed call's error", () => {
  it("contains the server's message, code, and request ID", async () => {
    const { client } = follow([refusal(409, "slot_full")])
    const error = await failure(client.bookings.create(booking))
    assert.strictEqual(String(error), "TrailbookError: It is slot_full.")
    const { code, requestId, retryable, status } = error
    assert.deepStrictEqual({ code, requestId, retryable, status }, {
      code: "slot_full",
      requestId: "r-1",
      retryable: false,
      status: 409
    })
  })

  it("has status 0 if there was no response", async () => {
    const { client } = follow(["lost"], { retries: 0 })
    const error = await failure(client.org.get())
    assert.strictEqual(error.code, "unreachable")
    assert.strictEqual(error.status, 0)
    assert.instanceOf(error.cause, TypeError)
  })

  it("has the code \"unexpected\" if another server responded", async () => {
    const { client } = follow([{ status: 404, body: "<html>" }])
    assert.strictEqual((await failure(client.org.get())).code, "unexpected")
  })

  it("is returned, not thrown, by client.try", async () => {
    const { client } = follow([refusal(409, "slot_full"), { status: 201, body: { id } }])
    const rejection = await client.try.bookings.create(booking)
    assert.strictEqual(rejection.ok || rejection.error.code, "slot_full")
    const result = await client.try.bookings.create(booking)
    assert.strictEqual(result.ok && result.value.id, id)
    const reason = new Error("never mind")
    const call = client.try.org.get({}, { signal: AbortSignal.abort(reason) })
    assert.strictEqual(await call.catch((error: unknown) => error), reason)
  })
})

describe("an error is retryable only if the caller can send the request again", () => {
  it.each(
    [
      ["a read without a response", "lost", "read", true],
      ["a read that failed on the server", refusal(500, "internal"), "read", true],
      ["a read that the server refused", refusal(404, "not_found"), "read", false],
      ["a write that was rate limited", refusal(429, "rate_limited"), "resend", true],
      ["a write that may have taken effect", "lost", "resend", false],
      ["a write that may have failed midway", refusal(503, "unavailable"), "resend", false],
      ["a booking with the caller's idempotency key", "lost", "book", true],
      ["a booking with an idempotency key from the client, which the caller does not know", "lost", "wish", false]
    ] as const
  )("after %s", async (_, step, what, retryable) => {
    const { client } = follow([step], { retries: 1 })
    const error = await failure({
      read: () => client.org.get(),
      resend: () => client.bookings.resend({ id }),
      book: () => client.bookings.create({ ...booking, idempotency_key: id }),
      wish: () => client.bookings.create(booking)
    }[what]())
    assert.strictEqual(error.retryable, retryable)
  })
})
