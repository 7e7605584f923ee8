/**
 * A door for mail servers: LMTP behind one of the operator's own, or SMTP to the
 * world. It takes mail to our addresses alone, so it relays nothing.
 */
import { toNetwork } from "@trailbook/core/actor/toNetwork"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { InboundMail, mostBytes, type ReceiveResult } from "./InboundMail.ts"
import type { MemoryBudget } from "./MemoryBudget.ts"
import { quotaKey } from "./quotaKey.ts"

export interface Options {
  readonly protocol: "lmtp" | "smtp"
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** What it calls itself: the domain of our addresses. */
  readonly name: string
  readonly room: MemoryBudget
  /** A certificate of its own, with its key, both as PEM; without one STARTTLS is not offered. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** How long those under way may take when it ends. */
  readonly graceMs?: number
}

/** It could not listen: `code` is that of the system, such as EADDRINUSE. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly code: string
  readonly message: string
}> {}

/** Listens until the scope closes, and says where. */
export const listen = (
  options: Options
): Effect.Effect<{ readonly host: string; readonly port: number }, ListenError, InboundMail | Scope.Scope> =>
  Effect.gen(function*() {
    const inbound = yield* InboundMail
    const runtime = yield* Effect.runtime<InboundMail>()
    const run = Runtime.runPromise(runtime)
    /** The networks of open connections, by session. */
    const networks = new Map<string, string>()
    const server = new SMTPServer({
      ...options.tls,
      lmtp: options.protocol === "lmtp",
      name: options.name,
      banner: "Trailbook",
      size: mostBytes,
      rejectOversized: true,
      hideENHANCEDSTATUSCODES: false,
      // Without a certificate of ours the library would offer one that is made out to localhost.
      disabledCommands: options.tls === undefined ? ["AUTH", "STARTTLS"] : ["AUTH"],
      authOptional: true,
      disableReverseLookup: true,
      // A mail server sends one mail after the other over a connection.
      maxAllowedUnauthenticatedCommands: false,
      maxClients: 50,
      maxRecipients: 20,
      socketTimeout: 60_000,
      closeTimeout: options.graceMs ?? 10_000,
      logger: false,
      onConnect: ({ id, remoteAddress }, answer) => {
        // All mail of a relay comes from one address.
        if (options.protocol === "lmtp") return answer()
        const network = toNetwork(remoteAddress)
        const connections = [...networks.values()].filter((each) => each === network).length
        if (connections >= maxConnectionsPerNetwork) return answer(tooManyConnections)
        networks.set(id, network)
        return answer()
      },
      onClose: ({ id }) => void networks.delete(id),
      onRcptTo: async ({ address }, _session, answer) => {
        const isKnown = await run(orLater(inbound.knows(address)))
        answer(isKnown === undefined ? later : isKnown ? null : noSuchAddress)
      },
      onData: async (stream, session, answer) => {
        const envelope = envelopeOf(session, options.protocol)
        const sender = quotaKey(envelope)
        const raw = await collected(stream, options.room, sender, inbound.maxBytes(envelope.to))
        if (raw === "hung up") return
        if (raw === "no room") return answer(noRoom)
        if (raw === "too large") {
          await run(orLater(inbound.refused("too_large")))
          return answer(tooLarge)
        }
        const received = await run(orLater(inbound.receive(raw, envelope)))
        options.room.give(raw.length, sender)
        if (received === undefined) return answer(later)
        if (options.protocol === "lmtp") return answer(null, received.map(answerTo))
        // One answer is for all addresses. What some have taken is known again when it comes once more.
        if (received.some(({ _tag }) => _tag === "Later")) return answer(later)
        const isRefused = received.length > 0 && received.every(({ _tag }) => _tag === "Refused")
        return isRefused ? answer(notTaken) : answer(null, "Taken")
      }
    })
    // One connection that breaks is nobody else's fault. Without a listener the process would end.
    server.on("error", () => {})
    return yield* Effect.acquireRelease(listening(server, options), () => closed(server))
  })

/** `undefined` when it cannot be said now. */
const orLater = <A>(effect: Effect.Effect<A>): Effect.Effect<A | undefined> =>
  Effect.catchAllCause(effect, (cause) => Effect.as(Effect.logError("Receiving a mail failed", cause), undefined))

const envelopeOf = (
  { envelope, hostNameAppearsAs, remoteAddress }: SMTPServerSession,
  protocol: Options["protocol"]
) => ({
  from: addressOf(envelope.mailFrom),
  to: envelope.rcptTo.map(({ address }) => address),
  // Behind a server of the operator's the other end is that server.
  ...(protocol === "lmtp" ? {} : { client: { ip: remoteAddress, helo: hostNameAppearsAs } })
})

const addressOf = (from: SMTPServerAddress | false): string => from === false ? "" : from.address

/** The whole mail, for which the room is taken and has to be given back; or why it is not here. */
const collected = async (
  stream: SMTPServerDataStream,
  room: MemoryBudget,
  sender: string,
  maxBytes: number
): Promise<Buffer | "too large" | "no room" | "hung up"> => {
  const chunks: Array<Buffer> = []
  let held = 0
  let isFull = false
  let isTooLarge = false
  try {
    // What is sent has to be read to its end, also when it is thrown away, or the answer would not be heard.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      isTooLarge ||= held + chunk.length > maxBytes
      if (isFull || isTooLarge) continue
      if (room.take(chunk.length, sender)) {
        held += chunk.length
        chunks.push(chunk)
      } else isFull = true
    }
  } catch {
    room.give(held, sender)
    return "hung up"
  }
  isTooLarge ||= stream.sizeExceeded
  if (!isFull && !isTooLarge) return Buffer.concat(chunks)
  room.give(held, sender)
  return isTooLarge ? "too large" : "no room"
}

const answered = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

/** What a mail server is told of a mail for one address. */
const answerTo = ({ _tag }: ReceiveResult): string | Error => {
  if (_tag === "Later") return later
  return _tag === "Refused" ? notTaken : _tag
}

const noSuchAddress = answered(550, "No such address")
const notTaken = answered(
  550,
  "Not sent to the guest: answer from the address that this mail came to, at a domain that vouches for its mail (DMARC)"
)
const tooLarge = answered(552, "Too large: 26 MiB at most, 1 MiB for a report")
const tooManyConnections = answered(421, "Too many connections from your network, try again later")
const noRoom = answered(452, "Too much mail at once, try again")
const later = answered(451, "Try again later")

const maxConnectionsPerNetwork = 10

const listening = (server: SMTPServer, { host, port }: Options) =>
  Effect.async<AddressInfo, ListenError>((resume) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resume(new ListenError({ code: error.code ?? "UNKNOWN", message: error.message }))
    server.once("error", failed)
    server.listen(port, host, () => {
      server.off("error", failed)
      resume(Effect.succeed(server.server.address() as AddressInfo))
    })
  }).pipe(Effect.map(({ address, port }) => ({ host: address, port })))

const closed = (server: SMTPServer): Effect.Effect<void> =>
  Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
