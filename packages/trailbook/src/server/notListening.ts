/**
 * @since 0.1.0
 */
import type { ListenError } from "@trailbook/http/ListenError"
import { Failure } from "../command/CommandError.ts"

/**
 * Why a server could not listen, and what to do about it.
 *
 * @since 0.1.0
 * @category converting
 */
export const notListening = ({ message, port, reason }: ListenError): Failure => {
  switch (reason) {
    case "taken":
      return new Failure(`Port ${port} is taken. Start with --port ${port < 65_535 ? port + 1 : 4000} or set PORT.`)
    case "forbidden":
      return new Failure(`Port ${port} needs more rights than this process has. Start with --port 4000 or set PORT.`)
    case "unusable":
      return new Failure(`${message}. Check --host and --port.`)
  }
}
