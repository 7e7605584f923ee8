import { isTrailbookServer } from "@trailbook/server/isTrailbookServer"
import { listenUrl } from "@trailbook/server/listenUrl"
import { createServer } from "node:net"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Checks that a server can listen on the port. The check also passes if a Trailbook server already uses the port. */
export const portFree = async (host: string, port: number): Promise<Finding> => {
  const error = await tryPort(host, port)
  const place = `${host}:${port}`
  if (error === undefined) return makePassed("port", `${place} is free`)
  switch (error.code) {
    case "EADDRINUSE":
      return await isTrailbookServer(listenUrl({ host, port }))
        ? makePassed("port", `a Trailbook server is running on ${place}`)
        : fault(
          "port",
          `${place} is in use`,
          "Stop the program that is using the port, or choose another port with --port or PORT."
        )
    case "EACCES":
      return fault("port", `no permission to listen on ${place}`, "Choose a port above 1023 with --port or PORT.")
    default:
      return fault("port", `cannot listen on ${place}: ${error.message}`, "Check --host and --port.")
  }
}

const tryPort = (host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
