import type { WebhookEvent } from "./WebhookEvent.ts"
import { WebhookSignatureError } from "./WebhookSignatureError.ts"

/**
 * Verifies that Trailbook sent this request within the last 5 minutes, and returns its event. Rejects with a
 * `WebhookSignatureError`. Rejects with a `TypeError` if the body has already been parsed or the secret is invalid.
 *
 * The event is available only from this function, so a program cannot accidentally process an unverified event. A
 * caller could ignore a boolean result, or forget to await a function that only throws. A caller that does not await
 * this function has no event to process.
 *
 * @param rawBody The body exactly as received. A body that was parsed and serialized again has different bytes.
 * @param header The value of the `Service-Signature` header.
 * @param secret The endpoint's signing secret, including `whsec_`.
 * @param now The current time in milliseconds, for tests.
 *
 * @example
 * import { verifyWebhook } from "@trailbook/receiver"
 *
 * const handler = async (request: Request): Promise<Response> => {
 *   const event = await verifyWebhook(await request.text(), request.headers.get("Service-Signature"), secret)
 *   await inbox.add(event)
 *   return new Response(null, { status: 204 })
 * }
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | ReadonlyArray<string> | null | undefined,
  secret: string,
  now: Date | number = Date.now()
): Promise<WebhookEvent> => {
  const body = await verifySignature(rawBody, header, secret, now)
  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(body))
  return event
}

/** Verifies a body's signature and returns the body as bytes. Use it for bodies that are not JSON. */
export const verifySignature = async (
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | ReadonlyArray<string> | null | undefined,
  secret: string,
  now: Date | number = Date.now()
): Promise<Uint8Array> => {
  // An unset environment variable must fail loudly, not look like a forged request.
  if (typeof secret !== "string" || !/^whsec_.{24,}$/.test(secret)) {
    throw new TypeError("secret must be the endpoint's complete signing secret, including whsec_")
  }
  const body = bytesOf(rawBody)
  const { signatures, time } = partsOf(header)
  const ageSeconds = Number(now) / 1000 - Number(time)
  // The negated comparison also rejects NaN.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookSignatureError("stale")
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookSignatureError("future")

  const prefix = encoder.encode(`${time}.`)
  const signedBytes = new Uint8Array(prefix.length + body.length)
  signedBytes.set(prefix)
  signedBytes.set(body, prefix.length)
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"])
  for (const signature of signatures) {
    // WebCrypto compares signatures in constant time.
    if (await crypto.subtle.verify("HMAC", key, signature, signedBytes)) return body
  }
  throw new WebhookSignatureError("mismatch")
}

const toleranceSeconds = 300
const mostSignatures = 5
const encoder = new TextEncoder()

const bytesOf = (rawBody: unknown): Uint8Array => {
  if (typeof rawBody === "string") return encoder.encode(rawBody)
  // `instanceof` fails here in Jest, whose tests run with a different `Uint8Array` class.
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  if (isArrayBuffer(rawBody)) return new Uint8Array(rawBody)
  throw new TypeError("rawBody must be the unparsed request body, as text or bytes")
}

const isArrayBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === "[object ArrayBuffer]"

/** Parses the header. Accepts the parts in any order and ignores unknown schemes. */
const partsOf = (header: string | ReadonlyArray<string> | null | undefined) => {
  if (header === null || header === undefined || header.length === 0) throw new WebhookSignatureError("missing")
  const parts = String(header).split(",").map((part) => part.trim().split("=", 2))
  const [time, ...times] = parts.flatMap(([name, value]) => name === "t" ? [value] : [])
  const signatures = parts.flatMap(([name, value = ""]) => name === "v1" ? [signatureOf(value)] : [])
  const isWhole = time !== undefined && /^\d{1,12}$/.test(time) && times.length === 0 &&
    signatures.length > 0 && signatures.length <= mostSignatures
  if (!isWhole) throw new WebhookSignatureError("malformed")
  return { signatures, time }
}

/** Parses a signature. Returns an empty signature, which never matches, if the text is invalid. */
const signatureOf = (hex: string) =>
  new Uint8Array(
    /^[0-9a-f]{64}$/.test(hex) ? Array.from({ length: 32 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16)) : []
  )
