import * as Data from "effect/Data"

/** The error that occurs if the server cannot listen on an address. `message` is intended for the operator. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly reason: "taken" | "forbidden" | "unusable"
  readonly host: string
  readonly port: number
  readonly message: string
}> {}

export const toListenError = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): ListenError => {
  const fail = (reason: ListenError["reason"], message: string) => new ListenError({ reason, host, port, message })
  switch (code) {
    case "EADDRINUSE":
      return fail("taken", `Port ${port} on ${host} is already in use.`)
    case "EACCES":
      return fail("forbidden", `No permission to use port ${port} on ${host}.`)
    default:
      return fail("unusable", `Cannot listen on ${host}:${port}: ${message}`)
  }
}
