/**
 * Receives email over LMTP from the operator's mail server, or over SMTP from the internet. Accepts email only for
 * Trailbook's own addresses, so it is not an open relay.
 */
import { toNetwork } from "@trailbook/core/actor"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { InboundMail, maxMailBytes, type ReceiveResult } from "./InboundMail.ts"
import type { MemoryBudget } from "./MemoryBudget.ts"
import { getSenderKey } from "./parse/ParsedMail.ts"

export interface Options {
  readonly protocol: "lmtp" | "smtp"
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The host name in the greeting, which is the domain of the reply addresses. */
  readonly name: string
  readonly budget: MemoryBudget
  /** A certificate and its key in PEM format, which STARTTLS requires. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** How long connections may stay open during shutdown. Default: 10 seconds. */
  readonly graceMs?: number
}

/** The listener could not bind to its port. `code` is the system's error code, such as EADDRINUSE. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly code: string
  readonly message: string
}> {}

/** Listens until the scope closes. Returns the bound host and port. */
export const listen = (
  options: Options
): Effect.Effect<{ readonly host: string; readonly port: number }, ListenError, InboundMail | Scope.Scope> =>
  Effect.gen(function*() {
    const inbound = yield* InboundMail
    const runtime = yield* Effect.runtime<InboundMail>()
    const run = Runtime.runPromise(runtime)
    /** The client's network for each open connection, keyed by session ID. */
    const networks = new Map<string, string>()
    const server = new SMTPServer({
      ...options.tls,
      lmtp: options.protocol === "lmtp",
      name: options.name,
      banner: "Trailbook",
      size: maxMailBytes,
      rejectOversized: true,
      hideENHANCEDSTATUSCODES: false,
      // Without a certificate, the library would offer its own certificate for localhost.
      disabledCommands: options.tls === undefined ? ["AUTH", "STARTTLS"] : ["AUTH"],
      authOptional: true,
      disableReverseLookup: true,
      // A mail server can send many emails over one connection.
      maxAllowedUnauthenticatedCommands: false,
      maxClients: 50,
      maxRecipients: 20,
      socketTimeout: 60_000,
      closeTimeout: options.graceMs ?? 10_000,
      logger: false,
      onConnect: ({ id, remoteAddress }, respond) => {
        // A relay sends all of its email from one address, so the per-network limit does not apply to it.
        if (options.protocol === "lmtp") return respond()
        const network = toNetwork(remoteAddress)
        const connections = [...networks.values()].filter((each) => each === network).length
        if (connections >= maxConnectionsPerNetwork) return respond(tooManyConnections)
        networks.set(id, network)
        return respond()
      },
      onClose: ({ id }) => void networks.delete(id),
      onRcptTo: async ({ address }, _session, respond) => {
        const isKnown = await run(orUndefined(inbound.knows(address)))
        respond(isKnown === undefined ? later : isKnown ? null : noSuchAddress)
      },
      onData: async (stream, session, respond) => {
        const envelope = toEnvelope(session, options.protocol)
        const sender = getSenderKey(envelope)
        const raw = await collectMessage(stream, options.budget, sender, inbound.maxBytes(envelope.to))
        if (raw === "hung up") return
        if (raw === "no room") return respond(noRoom)
        if (raw === "too large") {
          await run(orUndefined(inbound.countRejected("too_large")))
          return respond(tooLarge)
        }
        const results = await run(orUndefined(inbound.receive(raw, envelope)))
        options.budget.give(raw.length, sender)
        if (results === undefined) return respond(later)
        if (options.protocol === "lmtp") return respond(null, results.map(toResponse))
        // SMTP allows only one response for all recipients. When the client retries, recipients that have already
        // accepted the email ignore the duplicate.
        if (results.some(({ _tag }) => _tag === "Later")) return respond(later)
        const isRefused = results.length > 0 && results.every(({ _tag }) => _tag === "Refused")
        return isRefused ? respond(notForwarded) : respond(null, "Taken")
      }
    })
    // A connection error affects only that connection. Without a listener, the error would crash the process.
    server.on("error", () => {})
    return yield* Effect.acquireRelease(startListening(server, options), () => closeServer(server))
  })

/** Logs a failure and returns `undefined`, so that the client receives a temporary error and retries. */
const orUndefined = <A>(effect: Effect.Effect<A>): Effect.Effect<A | undefined> =>
  Effect.catchAllCause(effect, (cause) => Effect.as(Effect.logError("Could not receive an email", cause), undefined))

const toEnvelope = (
  { envelope, hostNameAppearsAs, remoteAddress }: SMTPServerSession,
  protocol: Options["protocol"]
) => ({
  from: toAddress(envelope.mailFrom),
  to: envelope.rcptTo.map(({ address }) => address),
  // Over LMTP, the peer is the operator's own mail server, so the sender's client is unknown.
  ...(protocol === "lmtp" ? {} : { client: { ip: remoteAddress, helo: hostNameAppearsAs } })
})

const toAddress = (from: SMTPServerAddress | false): string => from === false ? "" : from.address

/**
 * Reads an entire email. Returns a reason instead if the email is too large, exceeds the memory budget, or is
 * incomplete. The caller must release the memory for a complete email.
 */
const collectMessage = async (
  stream: SMTPServerDataStream,
  budget: MemoryBudget,
  sender: string,
  maxBytes: number
): Promise<Buffer | "too large" | "no room" | "hung up"> => {
  const chunks: Array<Buffer> = []
  let heldBytes = 0
  let isFull = false
  let isTooLarge = false
  try {
    // The client reads the response only after it has sent everything, so read the stream to its end.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      isTooLarge ||= heldBytes + chunk.length > maxBytes
      if (isFull || isTooLarge) continue
      if (budget.take(chunk.length, sender)) {
        heldBytes += chunk.length
        chunks.push(chunk)
      } else isFull = true
    }
  } catch {
    budget.give(heldBytes, sender)
    return "hung up"
  }
  isTooLarge ||= stream.sizeExceeded
  if (!isFull && !isTooLarge) return Buffer.concat(chunks)
  budget.give(heldBytes, sender)
  return isTooLarge ? "too large" : "no room"
}

const smtpError = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

/** Returns the SMTP response for one address's result. */
const toResponse = ({ _tag }: ReceiveResult): string | Error => {
  if (_tag === "Later") return later
  return _tag === "Refused" ? notForwarded : _tag
}

const noSuchAddress = smtpError(550, "No such address")
const notForwarded = smtpError(
  550,
  "Not sent to the guest. Replies must come from the address that received this email and pass DMARC"
)
const tooLarge = smtpError(552, "Message too large. The limit is 26 MiB, or 1 MiB for a delivery report")
const tooManyConnections = smtpError(421, "Too many connections from your network. Try again later")
const noRoom = smtpError(452, "Too many concurrent messages. Try again later")
const later = smtpError(451, "Try again later")

const maxConnectionsPerNetwork = 10

const startListening = (server: SMTPServer, { host, port }: Options) =>
  Effect.async<AddressInfo, ListenError>((resume) => {
    const onListenError = (error: NodeJS.ErrnoException) =>
      resume(new ListenError({ code: error.code ?? "UNKNOWN", message: error.message }))
    server.once("error", onListenError)
    server.listen(port, host, () => {
      server.off("error", onListenError)
      resume(Effect.succeed(server.server.address() as AddressInfo))
    })
  }).pipe(Effect.map(({ address, port }) => ({ host: address, port })))

const closeServer = (server: SMTPServer): Effect.Effect<void> =>
  Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
