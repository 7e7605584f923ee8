/**
 * An authorization server for the conformance suite. The suite prints the URL of the consent page, and this module
 * approves the request as a signed-in owner.
 */
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../freePort.ts"
import { approve } from "../../oauth/connect.ts"
import { open } from "../../oauth/World.ts"

export interface Authorization {
  /** The suite's arguments. */
  readonly args: ReadonlyArray<string>
  /** Reads the suite's output and approves the request at the first authorization URL in it. */
  readonly answer: (printed: Readable) => void
  readonly close: () => Promise<void>
}

/**
 * Follows the redirect. The suite prints the authorization URL before it listens for the callback, so a refused
 * connection is retried.
 */
const follow = async (url: URL, attempts = 100): Promise<unknown> => {
  try {
    return await fetch(url)
  } catch (error) {
    if (attempts === 1) throw error
    await sleep(100)
    return follow(url, attempts - 1)
  }
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
    args: ["--url", world.root, "--client-id", client, "--resource", `${world.root}/mcp`, "--port", String(port)],
    answer: (printed) => {
      let output = ""
      let authorizeUrl: string | undefined
      printed.on("data", (text: string) => {
        output += text
        if (authorizeUrl !== undefined) return
        authorizeUrl = /^(http\S+\/authorize\?\S+)\n/m.exec(output)?.[1]
        // If the approval fails, the suite reports the missing callback.
        if (authorizeUrl !== undefined) {
          void approve(browser, authorizeUrl).then((back) => follow(back)).catch((error: unknown) => {
            process.stderr.write(`${String(error)}\n`)
          })
        }
      })
    },
    close: world.close
  }
}
