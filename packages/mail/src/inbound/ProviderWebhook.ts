/** A door for mail providers: they post mails to an address that only they know. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { createHash, timingSafeEqual } from "node:crypto"
import { InboundMail, mostBytes } from "./InboundMail.ts"
import type { MemoryBudget } from "./MemoryBudget.ts"
import type { ProviderPayload } from "./parseProviderPayload.ts"

export interface Options {
  /** The last part of the path. Whoever knows it may hand mails over. */
  readonly secret: string
  readonly room: MemoryBudget
  /** What the path is below, such as `/booking`; nothing when it is left out. */
  readonly basePath?: string
}

/** Where it is, before the secret. */
export const path = "/mail/in/"

/**
 * Answers `POST /mail/in/{secret}`, and nothing else (`undefined`), after the mail is
 * stored: 200 when it was taken, dropped or refused, 404 for another secret, 400 without a mail
 * in it, 413 when it is too large, 503 when it has to be sent again.
 */
export const makeProviderWebhook = (
  { basePath = "", room, secret }: Options
): Effect.Effect<(request: Request) => Promise<Response> | undefined, never, InboundMail> =>
  Effect.gen(function*() {
    const inbound = yield* InboundMail
    const runtime = yield* Effect.runtime<InboundMail>()
    const run = Runtime.runPromise(runtime)
    const expected = digest(secret)

    const take = ({ envelope, raw }: ProviderPayload): Effect.Effect<Response> => {
      if (raw.length > mostBytes) return Effect.as(inbound.refused("too_large"), tooLarge())
      if (envelope.to.length === 0) {
        return Effect.as(inbound.refused("unknown_address"), json(200, { outcome: "dropped" }))
      }
      return Effect.map(inbound.receive(raw, envelope), (received) => {
        const all = new Set(received.map(({ _tag }) => _tag))
        if (all.has("Later")) return later()
        return json(200, { outcome: all.has("Taken") ? "taken" : all.has("Refused") ? "refused" : "dropped" })
      })
    }

    const answer = async (request: Request, url: URL): Promise<Response> => {
      const body = await bodyOf(request, room)
      if (body === "too large") return run(orLater(Effect.as(inbound.refused("too_large"), tooLarge())))
      if (body === "no room") return later()
      try {
        const provided = inbound.unpack(request.headers.get("content-type") ?? "", body, url.search)
        return await run(orLater(Effect.flatMap(provided, (mail) =>
          mail === undefined
            ? Effect.sync(() => refusal(400, "invalid_request", noMail))
            : take(mail))))
      } finally {
        room.give(body.length)
      }
    }

    return (request) => {
      const url = new URL(request.url)
      const begin = basePath + path
      if (!url.pathname.startsWith(begin)) {
        return undefined
      }
      if (!timingSafeEqual(digest(url.pathname.slice(begin.length)), expected)) {
        return Promise.resolve(refusal(404, "not_found", "Not found."))
      }
      if (request.method !== "POST") {
        return Promise.resolve(refusal(405, "method_not_allowed", "Send mails with POST."))
      }
      // Who hung up hears no answer; whatever else is wrong with a request, it may come again.
      return answer(request, url).catch(() => later())
    }
  })

const orLater = (answer: Effect.Effect<Response>): Effect.Effect<Response> =>
  Effect.catchAllCause(answer, (cause) => Effect.as(Effect.logError("Receiving a mail failed", cause), later()))

const noMail =
  "The body contains no complete mail. Post it as message/rfc822, or in the field email, body-mime, or RawEmail."

/** In the writing of a form or of JSON a mail is longer than it is. */
const mostBodyBytes = 2 * mostBytes

const bodyOf = async (request: Request, room: MemoryBudget): Promise<Buffer | "too large" | "no room"> => {
  const most = /^(?:message\/rfc822|multipart\/form-data)\b/i.test(request.headers.get("content-type") ?? "")
    ? mostBytes + 64 * 1024
    : mostBodyBytes
  if (Number(request.headers.get("content-length") ?? 0) > most) return "too large"
  if (request.body === null) return Buffer.alloc(0)
  const chunks: Array<Uint8Array> = []
  let held = 0
  const given = (refused: "too large" | "no room") => {
    room.give(held)
    return refused
  }
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      if (held + chunk.length > most) return given("too large")
      if (!room.take(chunk.length)) return given("no room")
      held += chunk.length
      chunks.push(chunk)
    }
  } catch (hungUp) {
    room.give(held)
    throw hungUp
  }
  return Buffer.concat(chunks)
}

const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest()

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const refusal = (status: number, code: string, message: string): Response => json(status, { error: { code, message } })

const tooLarge = () => refusal(413, "too_large", "The mail exceeds 26 MB.")

const later = () => json(503, { error: { code: "unavailable", message: "Retry later." } }, { "retry-after": "60" })
