/**
 * Starts the demo the way a user does: in a separate process and its own folder, on SQLite, with the test payment
 * provider. It trusts `X-Forwarded-For` from loopback, so that several guests do not share one rate limit.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "../../../..")
/** Runs from source, so no build is needed. */
const program = [
  "--conditions=@trailbook/source",
  "--import",
  pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href,
  join(root, "packages/cli/src/cli.ts")
]

export interface Demo {
  /** The origin, such as `http://127.0.0.1:41234`. */
  readonly origin: string
  /** The booking page's URL. */
  readonly book: string
  /** The outfitter's API key. */
  readonly key: string
  /** The owner's sign-in link. */
  readonly signIn: string
  /** Calls the API with the outfitter's key. */
  readonly call: <A>(path: string, body?: object) => Promise<A>
  readonly close: () => Promise<void>
}

interface DemoAnswer {
  readonly api_key: string
  readonly base_url: string
  readonly booking_url: string
  readonly sign_in_url: string
}

export const start = async (): Promise<Demo> => {
  const cwd = mkdtempSync(join(tmpdir(), "trailbook-"))
  const cleanEnv = Object.entries(process.env).filter(([name]) => !/^(TRAILBOOK_|npm_|DATABASE_URL$|PORT$)/.test(name))
  const child = spawn(process.execPath, [...program, "demo", "--port", "0", "--json", "--trust-proxy", "loopback"], {
    cwd,
    env: { ...Object.fromEntries(cleanEnv), TSX_TSCONFIG_PATH: join(root, "packages/web/tsconfig.src.json") },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  let complained = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => complained += text)
  const exit = once(child, "close")
  const close = async () => {
    child.kill("SIGKILL")
    await exit
    rmSync(cwd, { recursive: true, force: true })
  }
  const ready = new Promise<void>((resolve) =>
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (output.includes("\n")) resolve()
    })
  )
  await Promise.race([ready, exit])
  if (child.exitCode !== null) {
    await close()
    throw new Error(`The demo did not get ready: ${complained}`)
  }
  const { api_key: key, base_url: url, booking_url: book, sign_in_url: signIn } = JSON.parse(output) as DemoAnswer
  return {
    origin: new URL(url).origin,
    book,
    key,
    signIn,
    close,
    call: async <A>(path: string, body?: object) => {
      const response = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
      return await response.json() as A
    }
  }
}
