import * as Data from "effect/Data"

/** The error that occurs if the server cannot listen on an address. `message` is intended for the operator. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly reason: "taken" | "forbidden" | "unusable"
  readonly host: string
  readonly port: number
  readonly message: string
}> {}

export const toListenError = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): ListenError => {
  switch (code) {
    case "EADDRINUSE":
      return new ListenError({ reason: "taken", host, port, message: `Port ${port} on ${host} is already in use.` })
    case "EACCES":
      return new ListenError({
        reason: "forbidden",
        host,
        port,
        message: `No permission to use port ${port} on ${host}.`
      })
    default:
      return new ListenError({
        reason: "unusable",
        host,
        port,
        message: `Cannot listen on ${host}:${port}: ${message}`
      })
  }
}
