/**
 * Fetches documents from untrusted URLs, with the same protection as webhook deliveries. Uses `node:http`, because the
 * `HttpClient` in `@effect/platform` does not accept resolved addresses. It would repeat the DNS lookup and could
 * connect to an unchecked address.
 */
import { ClientMetadataDocuments, refuseOAuth } from "@trailbook/core/oauth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type IncomingMessage, request } from "node:http"
import type { Socket } from "node:net"
import { makeAllowedNetworks } from "./addresses.ts"
import * as Destination from "./Destination.ts"
import { makeDnsResolver } from "./DnsResolver.ts"
import { deliveryTimeout, type NetworkFunctions, type Options } from "./HttpSender.ts"
import { connectToAddresses, openConnection } from "./openConnection.ts"
import { makeSsrfGuard, resolveAllowedAddresses } from "./SsrfGuard.ts"

/**
 * Connects only to public addresses and the networks in `allow`. Follows no redirects, and sends no cookies or
 * credentials. Limits a document to 64 KiB, and its retrieval to 5 seconds.
 */
export const layer = (options: Options = {}): Layer.Layer<ClientMetadataDocuments> =>
  Layer.succeed(ClientMetadataDocuments, make(options))

export const make = (
  { allow = [], userAgent = "Trailbook" }: Options,
  seams: Partial<NetworkFunctions> = {}
): ClientMetadataDocuments["Type"] => {
  const dependencies = {
    resolve: makeDnsResolver(),
    connect: connectToAddresses,
    guard: makeSsrfGuard(makeAllowedNetworks(allow)),
    tls: {},
    ...seams
  }

  const readFrom = (destination: Destination.Destination) =>
    Effect.flatMap(resolveAllowedAddresses(destination, dependencies), (addresses) =>
      Effect.acquireUseRelease(
        Effect.interruptible(openConnection(destination, addresses, dependencies)),
        (socket) => fetchText(socket, destination, userAgent),
        (socket) => Effect.sync(() => socket.destroy())
      ))

  return ClientMetadataDocuments.of({
    read: (url) =>
      Effect.flatMap(Destination.parse(url), readFrom).pipe(
        Effect.timeoutFail({ duration: deliveryTimeout, onTimeout: () => "timeout" }),
        Effect.flatMap((text) => Effect.try({ try: (): unknown => JSON.parse(text), catch: () => "no JSON" })),
        // A specific error would reveal which internal addresses are reachable, so every failure has the same message.
        Effect.mapError(() => refuseOAuth("invalid_client", "client_id: the document at this URL cannot be read")),
        Effect.withSpan("DocumentReader.read")
      )
  })
}

const fetchText = (socket: Socket, { authority, path }: Destination.Destination, userAgent: string) =>
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
      resume(Effect.tryPromise({ try: () => readText(response), catch: () => "broken" }))
    })
    message.once("upgrade", () => resume(Effect.fail("no document")))
    message.on("error", () => resume(Effect.fail("connection")))
    message.end()
  })

/** Reads the body as text. Rejects if it is too long, incomplete, or not UTF-8. */
const readText = async (response: IncomingMessage): Promise<string> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > maxBytes) throw new Error("too long")
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const maxBytes = 64 * 1024
