import * as Effect from "effect/Effect"
import { connect, isIP, type LookupFunction, type Socket } from "node:net"
import { connect as secure, type SecureContextOptions } from "node:tls"
import type { Destination } from "./Destination.ts"
import type { Guard } from "./SsrfGuard.ts"

/** Opens a connection to one of the checked addresses. */
export type Connect = (destination: Destination, addresses: ReadonlyArray<string>) => Socket

/**
 * Passes the addresses to Node as the result of its lookup, so that no second lookup can return others. Node uses the
 * first reachable one.
 */
export const connectTo: Connect = ({ host, port }, addresses) => {
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

/** The reason why a connection failed. */
export type ConnectError = "blocked_address" | "connection" | "tls"

/**
 * Opens a connection, with TLS if the destination requires it. No byte is sent before the guard has checked the remote
 * address. The certificate must be valid for the name, regardless of `NODE_TLS_REJECT_UNAUTHORIZED`. Interruption
 * cancels the attempt.
 */
export const openConnection = (
  destination: Destination,
  addresses: ReadonlyArray<string>,
  { connect, guard, tls }: {
    readonly connect: Connect
    readonly guard: Guard
    /** Trusted certificate authorities, instead of the default ones. */
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

/** The connection was closed, as opposed to a protocol error. */
const isBroken = (error: NodeJS.ErrnoException): boolean => error.code === "ECONNRESET" || error.code === "EPIPE"
