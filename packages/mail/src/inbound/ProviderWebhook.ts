/** Receives email from providers that post each email to a secret URL. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { createHash, timingSafeEqual } from "node:crypto"
import { InboundMail, maxMailBytes } from "./InboundMail.ts"
import type { MemoryBudget } from "./MemoryBudget.ts"
import type { ProviderPayload } from "./parseProviderPayload.ts"

export interface Options {
  /** The last path segment, which authorizes the provider. */
  readonly secret: string
  readonly budget: MemoryBudget
  /** The path prefix, such as `/booking`. Default: none. */
  readonly basePath?: string
}

/** The request path up to the secret. */
export const pathPrefix = "/mail/in/"

/**
 * Responds to `POST /mail/in/{secret}` once the email is stored, and returns `undefined` for any other path. Status
 * codes:
 * - 200: the email was accepted, dropped, or refused.
 * - 400: the request contains no email.
 * - 404: the secret is wrong.
 * - 413: the email is too large.
 * - 503: the provider must send the email again.
 */
export const makeProviderWebhook = (
  { basePath = "", budget, secret }: Options
): Effect.Effect<(request: Request) => Promise<Response> | undefined, never, InboundMail> =>
  Effect.gen(function*() {
    const inbound = yield* InboundMail
    const runtime = yield* Effect.runtime<InboundMail>()
    const run = Runtime.runPromise(runtime)
    const secretDigest = digest(secret)

    const receiveMail = ({ envelope, raw }: ProviderPayload): Effect.Effect<Response> => {
      if (raw.length > maxMailBytes) return Effect.as(inbound.countRejected("too_large"), tooLargeResponse())
      if (envelope.to.length === 0) {
        return Effect.as(inbound.countRejected("unknown_address"), toJsonResponse(200, { outcome: "dropped" }))
      }
      return Effect.map(inbound.receive(raw, envelope), (results) => {
        const outcomes = new Set(results.map(({ _tag }) => _tag))
        if (outcomes.has("Later")) return retryLaterResponse()
        return toJsonResponse(200, {
          outcome: outcomes.has("Taken") ? "taken" : outcomes.has("Refused") ? "refused" : "dropped"
        })
      })
    }

    const respond = async (request: Request, url: URL): Promise<Response> => {
      const receivedBody = await collectBody(request, budget)
      if (receivedBody === "too large") {
        return run(orRetryLater(Effect.as(inbound.countRejected("too_large"), tooLargeResponse())))
      }
      if (receivedBody === "no room") return retryLaterResponse()
      try {
        const payload = inbound.unpack(request.headers.get("content-type") ?? "", receivedBody, url.search)
        return await run(orRetryLater(Effect.flatMap(payload, (mail) =>
          mail === undefined
            ? Effect.sync(() => errorResponse(400, "invalid_request", noMail))
            : receiveMail(mail))))
      } finally {
        budget.give(receivedBody.length)
      }
    }

    return (request) => {
      const url = new URL(request.url)
      const prefix = basePath + pathPrefix
      if (!url.pathname.startsWith(prefix)) {
        return undefined
      }
      if (!timingSafeEqual(digest(url.pathname.slice(prefix.length)), secretDigest)) {
        return Promise.resolve(errorResponse(404, "not_found", "Not found."))
      }
      if (request.method !== "POST") {
        return Promise.resolve(errorResponse(405, "method_not_allowed", "Send emails with POST."))
      }
      // The provider must retry after any unexpected error. If the provider has disconnected, no response is sent.
      return respond(request, url).catch(() => retryLaterResponse())
    }
  })

const orRetryLater = (response: Effect.Effect<Response>): Effect.Effect<Response> =>
  Effect.catchAllCause(
    response,
    (cause) => Effect.as(Effect.logError("Could not receive an email", cause), retryLaterResponse())
  )

const noMail =
  "The body contains no complete email. Post the email as message/rfc822 or in the email, body-mime, or RawEmail field."

/** Form or JSON encoding can double the size of an email. */
const maxEncodedBytes = 2 * maxMailBytes

const collectBody = async (request: Request, budget: MemoryBudget): Promise<Buffer | "too large" | "no room"> => {
  const maxBytes = /^(?:message\/rfc822|multipart\/form-data)\b/i.test(request.headers.get("content-type") ?? "")
    ? maxMailBytes + 64 * 1024
    : maxEncodedBytes
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return "too large"
  if (request.body === null) return Buffer.alloc(0)
  const chunks: Array<Uint8Array> = []
  let heldBytes = 0
  const release = (reason: "too large" | "no room") => {
    budget.give(heldBytes)
    return reason
  }
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      if (heldBytes + chunk.length > maxBytes) return release("too large")
      if (!budget.take(chunk.length)) return release("no room")
      heldBytes += chunk.length
      chunks.push(chunk)
    }
  } catch (cause) {
    budget.give(heldBytes)
    throw cause
  }
  return Buffer.concat(chunks)
}

const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest()

const toJsonResponse = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const errorResponse = (status: number, code: string, message: string): Response =>
  toJsonResponse(status, { error: { code, message } })

const tooLargeResponse = () => errorResponse(413, "too_large", "The email exceeds 26 MiB.")

const retryLaterResponse = () =>
  toJsonResponse(503, { error: { code: "unavailable", message: "Retry later." } }, { "retry-after": "60" })
