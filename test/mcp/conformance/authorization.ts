/**
 * The server that hands out the tokens of assistants, for the suite: it prints the address that a person is sent to, and
 * this is the browser of an owner who says yes there.
 */
import { once } from "node:events"
import { createServer } from "node:net"
import type { Readable } from "node:stream"
import { approve } from "../../oauth/connect.ts"
import { open } from "../../oauth/World.ts"

export interface Authorization {
  /** What the suite is asked with. */
  readonly asked: ReadonlyArray<string>
  /** Follows what the suite prints, and answers it once. */
  readonly answer: (printed: Readable) => void
  readonly close: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

export const start = async (basePath: string): Promise<Authorization> => {
  const world = await open({ basePath })
  const port = await freePort()
  const registered = await fetch(`${world.root}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Suite", redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  })
  const { client_id: client } = await registered.json() as { readonly client_id: string }
  const browser = await world.signedIn(world.here)
  return {
    asked: ["--url", world.root, "--client-id", client, "--resource", `${world.root}/mcp`, "--port", String(port)],
    answer: (printed) => {
      let said = ""
      let wanted: string | undefined
      printed.on("data", (text: string) => {
        said += text
        if (wanted !== undefined) return
        wanted = /^(http\S+\/authorize\?\S+)\n/m.exec(said)?.[1]
        // Where it fails, the suite says that nobody came back.
        if (wanted !== undefined) {
          void approve(browser, wanted).then((back) => fetch(back)).catch((error: unknown) => {
            process.stderr.write(`${String(error)}\n`)
          })
        }
      })
    },
    close: world.close
  }
}
