/**
 * @since 0.1.0
 */
import { get } from "node:http"
import { createServer } from "node:net"
import { originOf } from "../server/originOf.ts"
import { fault, type Finding, well } from "./Finding.ts"

/**
 * Whether a server could listen; it may well be that one of ours does already.
 *
 * @since 0.1.0
 * @category checks
 */
export const portFree = async (host: string, port: number): Promise<Finding> => {
  const error = await tried(host, port)
  const place = `${host}:${port}`
  if (error === undefined) return well("port", `${place} is free`)
  switch (error.code) {
    case "EADDRINUSE":
      return await isOurs(originOf({ host, port }))
        ? well("port", `a Trailbook server answers on ${place}`)
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

/** Asks for something that only our server answers so. Not with `fetch`, which may never settle when it is hung up on. */
const isOurs = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get(`${origin}/v1/org`, { timeout: 2000 }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part
        // Somebody else may go on for ever.
        if (text.length > 10_000) asked.destroy()
      })
      answer.once("close", () => resolve(answer.statusCode === 401 && text.includes("Authorization: Bearer <key>")))
    })
    asked.once("timeout", () => asked.destroy())
    asked.once("error", () => resolve(false))
  })
