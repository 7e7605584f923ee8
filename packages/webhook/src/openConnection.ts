import * as Effect from "effect/Effect"
import { connect, isIP, type LookupFunction, type Socket } from "node:net"
import { connect as secure, type SecureContextOptions } from "node:tls"
import type { Destination } from "./Destination.ts"
import type { Guard } from "./SsrfGuard.ts"

/**
 * Begins a connection to one of the addresses, which have been checked.
 *
 * @category models
 */
export type Connect = (destination: Destination, addresses: ReadonlyArray<string>) => Socket

/**
 * The addresses are handed to Node as the answer to its look-up, so there is no
 * second one for anybody to answer otherwise. Of several it takes the first that
 * can be reached.
 *
 * @category constructors
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

/**
 * Why there is no connection.
 *
 * @category models
 */
export type ConnectError = "blocked_address" | "connection" | "tls"

/**
 * Opens a connection, over TLS where the destination says so. Not a byte leaves
 * before the guard has seen who is at the other end. The certificate has to be
 * valid for the name, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. Interruption
 * ends the attempt.
 *
 * @category constructors
 */
export const openConnection = (
  destination: Destination,
  addresses: ReadonlyArray<string>,
  { connect, guard, tls }: {
    readonly connect: Connect
    readonly guard: Guard
    /** Authorities to trust in the place of those that Node trusts. */
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

/** The other end went away, as opposed to: it said something wrong. */
const isBroken = (error: NodeJS.ErrnoException): boolean => error.code === "ECONNRESET" || error.code === "EPIPE"
