import { createServer } from "node:net"
import { isTrailbookServer } from "../server/isTrailbookServer.ts"
import { listenUrl } from "../server/listenUrl.ts"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Whether a server could listen; it may well be that one of ours does already. */
export const portFree = async (host: string, port: number): Promise<Finding> => {
  const error = await tried(host, port)
  const place = `${host}:${port}`
  if (error === undefined) return makePassed("port", `${place} is free`)
  switch (error.code) {
    case "EADDRINUSE":
      return await isTrailbookServer(listenUrl({ host, port }))
        ? makePassed("port", `a Trailbook server answers on ${place}`)
        : fault("port", `${place} is taken`, "End what listens there, or choose another port with --port or PORT.")
    case "EACCES":
      return fault("port", `${place} needs more rights`, "Choose a port above 1023 with --port or PORT.")
    default:
      return fault("port", `cannot listen on ${place}: ${error.message}`, "Correct --host and --port.")
  }
}

const tried = (host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
