import * as Effect from "effect/Effect"
import { connect, isIP, type LookupFunction, type Socket } from "node:net"
import { connect as secure, type SecureContextOptions } from "node:tls"
import type { Destination } from "./Destination.ts"
import type { SsrfGuard } from "./SsrfGuard.ts"

/** Opens a TCP connection to one of the checked addresses. */
export type SocketConnector = (destination: Destination, addresses: ReadonlyArray<string>) => Socket

/**
 * Passes the checked addresses to Node as the lookup result, so Node does not resolve the name again. Node uses the
 * first reachable address.
 */
export const connectToAddresses: SocketConnector = ({ host, port }, addresses) => {
  const lookup: LookupFunction = (_name, _options, answer) =>
    answer(null, addresses.map((address) => ({ address, family: isIP(address) })))
  return connect({
    host,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1000,
    noDelay: true
  })
}

/** Why a connection failed. */
export type ConnectError = "blocked_address" | "connection" | "tls"

/**
 * Opens a connection, with TLS if the destination uses `https`. The guard checks the remote address before the first
 * byte is sent. The certificate must match the name, even if `NODE_TLS_REJECT_UNAUTHORIZED` is 0. Interruption cancels
 * the attempt.
 */
export const openConnection = (
  destination: Destination,
  addresses: ReadonlyArray<string>,
  { connect, guard, tls }: {
    readonly connect: SocketConnector
    readonly guard: SsrfGuard
    /** Replaces the default certificate authorities. */
    readonly tls: Pick<SecureContextOptions, "ca">
  }
): Effect.Effect<Socket, ConnectError> =>
  Effect.async((resume) => {
    const plain = connect(destination, addresses)
    let socket = plain
    const settle = (outcome: Effect.Effect<Socket, ConnectError>, unwanted: boolean) => {
      if (unwanted) socket.destroy()
      resume(outcome)
    }
    plain.once("error", () => settle(Effect.fail("connection"), true))
    plain.once("connect", () => {
      if (!guard.connected(plain.remoteAddress ?? "", destination)) {
        return settle(Effect.fail("blocked_address"), true)
      }
      if (!destination.secure) return settle(Effect.succeed(plain), false)
      const name = isIP(destination.host) === 0 ? destination.host : ""
      const encrypted = secure({
        ...tls,
        socket: plain,
        host: destination.host,
        servername: name,
        rejectUnauthorized: true
      })
      socket = encrypted
      encrypted.once("error", (error) => settle(Effect.fail(isBroken(error) ? "connection" : "tls"), true))
      encrypted.once("secureConnect", () => settle(Effect.succeed(encrypted), false))
    })
    return Effect.sync(() => {
      socket.destroy()
      plain.destroy()
    })
  })

/** Whether the error means a closed connection rather than a TLS failure. */
const isBroken = (error: NodeJS.ErrnoException): boolean => error.code === "ECONNRESET" || error.code === "EPIPE"
