import { get } from "node:http"

/**
 * Returns whether a Trailbook server listens at an address. Recognizes the server by its 401 response. Does not use
 * `fetch`, because its promise can stay pending if the peer closes the connection.
 */
export const isTrailbookServer = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = get(`${origin}/v1/org`, { timeout: 1000 }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part
        // Another program could send an endless response.
        if (text.length > 10_000) probe.destroy()
      })
      answer.once("close", () => resolve(answer.statusCode === 401 && text.includes("Authorization: Bearer <key>")))
    })
    probe.once("timeout", () => probe.destroy())
    probe.once("error", () => resolve(false))
  })
