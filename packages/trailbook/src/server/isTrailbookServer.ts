import { get } from "node:http"

/**
 * Whether a Trailbook server answers at an address: asks for something that only
 * ours answers so. Not with `fetch`, which may never settle when it is hung up on.
 */
export const isTrailbookServer = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get(`${origin}/v1/org`, { timeout: 1000 }, (answer) => {
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
