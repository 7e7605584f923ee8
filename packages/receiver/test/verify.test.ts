import { verifySignature, verifyWebhook, type WebhookEvent, WebhookSignatureError } from "@trailbook/receiver"
import { assert, describe, expectTypeOf, it } from "vitest"
import { vectors } from "./vectors.ts"

const verdictOf = (verification: Promise<unknown>): Promise<string> =>
  verification.then(
    () => "valid",
    (error: unknown) => error instanceof WebhookSignatureError ? error.reason : String(error)
  )

describe("verifySignature with the published test vectors", () => {
  it.each(vectors.received)("returns \"$verdict\" for $name", async ({ body, header, now, secret, verdict }) => {
    const bytes = Buffer.from(body, "base64")
    const copy = new Uint8Array(bytes).buffer
    assert.strictEqual(await verdictOf(verifySignature(bytes, header, secret, now * 1000)), verdict)
    assert.strictEqual(await verdictOf(verifySignature(copy, header, secret, new Date(now * 1000))), verdict)
  })

  it("returns every possible verdict at least once", () => {
    const verdicts = new Set(vectors.received.map(({ verdict }) => verdict))
    assert.deepStrictEqual([...verdicts].sort(), ["future", "malformed", "mismatch", "missing", "stale", "valid"])
  })
})

const [first] = vectors.received
assert.isDefined(first)
const { header, now, secret } = first
const body = Buffer.from(first.body, "base64").toString()
const nowMs = now * 1000

it("verifyWebhook returns the verified event", async () => {
  const event: WebhookEvent = await verifyWebhook(body, header, secret, nowMs)
  assert.deepStrictEqual<unknown>(event, {
    id: 45,
    type: "booking.held",
    created_at: "2026-11-18T10:26:40.000Z",
    data: { status: "held" }
  })
  assert.deepStrictEqual(await verifySignature(body, header, secret, nowMs), new Uint8Array(Buffer.from(body)))
})

it("verifyWebhook returns a promise, so a forgotten await exposes no event", () => {
  const event = verifyWebhook(body, "forged", secret, nowMs)
  event.catch(() => {})
  // @ts-expect-error a promise has no type
  assert.isUndefined(event.type)
})

it("verifyWebhook throws a WebhookSignatureError that contains the reason", async () => {
  const error: unknown = await verifyWebhook(`${body} `, header, secret, nowMs).catch((error: unknown) => error)
  assert.instanceOf(error, WebhookSignatureError)
  assert.strictEqual(String(error), "WebhookSignatureError: The signature does not match the body.")
  assert.strictEqual(error.reason, "mismatch")
})

it("verifyWebhook accepts an array with exactly one header", async () => {
  assert.strictEqual(await verdictOf(verifyWebhook(body, [String(header)], secret, nowMs)), "valid")
  assert.strictEqual(await verdictOf(verifyWebhook(body, [], secret, nowMs)), "missing")
  assert.strictEqual(await verdictOf(verifyWebhook(body, undefined, secret, nowMs)), "missing")
  assert.strictEqual(await verdictOf(verifyWebhook(body, [String(header), String(header)], secret, nowMs)), "malformed")
})

it("verifyWebhook uses the system clock by default", async () => {
  assert.include(["stale", "future"], await verdictOf(verifyWebhook(body, header, secret)))
  assert.strictEqual(await verdictOf(verifyWebhook(body, header, secret, Number.NaN)), "stale")
  assert.strictEqual(await verdictOf(verifyWebhook(body, header, secret, new Date("never"))), "stale")
})

it.each(["", "whsec_", secret.slice(6), `${secret}\n`])(
  "verifyWebhook throws a TypeError for the invalid secret %j",
  async (wrong) => {
    assert.match(await verdictOf(verifyWebhook(body, header, wrong, nowMs)), /^TypeError: secret /)
  }
)

it("verifyWebhook throws a TypeError if the body is already parsed", async () => {
  for (const value of [JSON.parse(body), undefined, null, 45]) {
    assert.match(await verdictOf(verifyWebhook(value, header, secret, nowMs)), /^TypeError: rawBody /)
  }
})

it("verifyWebhook accepts a body that is a slice of a longer buffer", async () => {
  const longer = Buffer.from(`x${body}x`)
  assert.strictEqual(await verdictOf(verifyWebhook(longer.subarray(1, -1), header, secret, nowMs)), "valid")
  assert.strictEqual(await verdictOf(verifyWebhook(longer, header, secret, nowMs)), "mismatch")
})

it("verifySignature rejects any change to the signature or the body", async () => {
  const text = String(header)
  const at = text.indexOf("v1=") + 3
  for (let index = at; index < text.length; index += 1) {
    const other = text[index] === "0" ? "1" : "0"
    const forgery = `${text.slice(0, index)}${other}${text.slice(index + 1)}`
    assert.strictEqual(await verdictOf(verifySignature(body, forgery, secret, nowMs)), "mismatch", forgery)
  }
  const bytes = Buffer.from(body)
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const forgery = Buffer.from(bytes)
    forgery[bit >> 3] = (forgery[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.strictEqual(await verdictOf(verifySignature(forgery, header, secret, nowMs)), "mismatch", `bit ${bit}`)
  }
})

it("WebhookEvent narrows the type of its data by the event type", () => {
  const quantityOf = (event: WebhookEvent): number => event.type === "booking.moved" ? event.data.quantity : 0
  expectTypeOf(quantityOf).parameter(0).toEqualTypeOf<WebhookEvent>()
  expectTypeOf<WebhookEvent<"offering.hours_updated">["data"]["hours"][number]["weekday"]>().toEqualTypeOf<number>()
  expectTypeOf<WebhookEvent<"org.updated">["data"]>().not.toHaveProperty("quantity")
})
