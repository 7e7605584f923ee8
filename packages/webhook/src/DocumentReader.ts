/**
 * Fetches documents from untrusted URLs, with the same protection as deliveries. Deliveries and documents use node:http,
 * because an `HttpClient` of `@effect/platform` resolves the host name itself: it cannot be restricted to the addresses
 * that were checked.
 */
import { ClientMetadataDocuments } from "@trailbook/core/oauth/ClientMetadataDocuments"
import { refuseOAuth } from "@trailbook/core/oauth/OAuthRefusal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type IncomingMessage, request } from "node:http"
import type { Socket } from "node:net"
import { allowNetworks } from "./addresses.ts"
import { deadline } from "./deadline.ts"
import * as Destination from "./Destination.ts"
import type { Options, Seams } from "./HttpSender.ts"
import { connectTo, openConnection } from "./openConnection.ts"
import { resolveAllowed } from "./resolveAllowed.ts"
import { resolver } from "./Resolver.ts"
import { ssrfGuard } from "./SsrfGuard.ts"

/**
 * Connects only to public addresses and those in `allow`, follows no redirects, sends no cookies and no credentials,
 * and is limited to 5 seconds and 64 kB.
 */
export const layer = (options: Options = {}): Layer.Layer<ClientMetadataDocuments> =>
  Layer.succeed(ClientMetadataDocuments, make(options))

export const make = (
  { allow = [], userAgent = "Trailbook" }: Options,
  seams: Partial<Seams> = {}
): ClientMetadataDocuments["Type"] => {
  const through = { resolve: resolver(), connect: connectTo, guard: ssrfGuard(allowNetworks(allow)), tls: {}, ...seams }

  const read = (destination: Destination.Destination) =>
    Effect.flatMap(resolveAllowed(destination, through), (addresses) =>
      Effect.acquireUseRelease(
        Effect.interruptible(openConnection(destination, addresses, through)),
        (socket) => asked(socket, destination, userAgent),
        (socket) => Effect.sync(() => socket.destroy())
      ))

  return ClientMetadataDocuments.of({
    read: (url) =>
      Effect.flatMap(Destination.parse(url), read).pipe(
        Effect.timeoutFail({ duration: deadline, onTimeout: () => "timeout" }),
        Effect.flatMap((text) => Effect.try({ try: (): unknown => JSON.parse(text), catch: () => "no JSON" })),
        // The reason is not returned, because it would reveal which internal addresses can be reached.
        Effect.mapError(() => refuseOAuth("invalid_client", "client_id: cannot read the document at this URL")),
        Effect.withSpan("DocumentReader.read")
      )
  })
}

const asked = (socket: Socket, { authority, path }: Destination.Destination, userAgent: string) =>
  Effect.async<string, string>((resume) => {
    const message = request({
      createConnection: () => socket,
      method: "GET",
      path,
      headers: { Host: authority, Accept: "application/json", "User-Agent": userAgent, Connection: "close" },
      maxHeaderSize: 16_384
    })
    message.once("response", (response) => {
      const type = response.headers["content-type"] ?? ""
      if (response.statusCode !== 200 || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
        return resume(Effect.fail("no document"))
      }
      textOf(response, (text) => resume(text === undefined ? Effect.fail("broken") : Effect.succeed(text)))
    })
    message.once("upgrade", () => resume(Effect.fail("no document")))
    message.on("error", () => resume(Effect.fail("connection")))
    message.end()
  })

/** Reads the body as text. Returns undefined if it is too long, interrupted, or not text. */
const textOf = (response: IncomingMessage, then: (text: string | undefined) => void): void => {
  const chunks: Array<Buffer> = []
  let length = 0
  response.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) response.destroy(new Error("too long"))
    else chunks.push(chunk)
  })
  response.on("error", () => then(undefined))
  response.on("end", () => {
    try {
      then(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)))
    } catch {
      then(undefined)
    }
  })
}

const maxBytes = 64 * 1024
