/** The CLI the way users run it, on a separate database with two outfitters, and a server on that database. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const cli = join(import.meta.dirname, "../../cli/bin/trailbook.js")

/** The environment without the developer's own Trailbook settings. */
export const env: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] =>
    entry[1] !== undefined && !/^(TRAILBOOK_|DATABASE_URL$|PORT$)/.test(entry[0])
  )
)

export interface Outfitter {
  readonly org_id: string
  readonly slug: string
  readonly api_key: string
}

export interface RunningServer {
  readonly origin: string
  /** The log so far. */
  readonly log: { readonly text: string }
  readonly stop: () => Promise<void>
}

export interface Installation extends RunningServer {
  readonly folder: string
  readonly database: string
  readonly outfitter: Outfitter
  readonly neighbor: Outfitter
  /** A read-only API key for the outfitter. */
  readonly readKey: string
}

export const serve = async (
  database: string,
  extraEnv: Readonly<Record<string, string>> = {}
): Promise<RunningServer> => {
  const child = spawn(process.execPath, [cli, "serve", "--database", database, "--port", "0", "--json"], {
    env: { ...env, ...extraEnv }
  })
  const log = { text: "" }
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => log.text += chunk)
  const [line] = await once(child.stdout, "data")
  const { base_url } = JSON.parse(String(line))
  return {
    origin: base_url.slice(0, -"/v1".length),
    log,
    stop: async () => {
      child.kill("SIGTERM")
      await once(child, "close")
    }
  }
}

export const install = async (): Promise<Installation> => {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-mcp-"))
  const database = `sqlite:${join(folder, "a.sqlite")}`
  const trailbook = (...args: ReadonlyArray<string>) =>
    JSON.parse(
      execFileSync(process.execPath, [cli, ...args, "--database", database, "--json"], { env, encoding: "utf8" })
    )
  const outfitter = trailbook("org", "create", "--name", "Salida River Co.", "--timezone", "America/Denver")
  const neighbor = trailbook("org", "create", "--name", "Nordfjord", "--timezone", "Europe/Oslo")
  const { api_key: readKey } = trailbook("keys", "create", "--org", outfitter.slug, "--scopes", "read")
  const server = await serve(database)
  return {
    ...server,
    folder,
    database,
    outfitter,
    neighbor,
    readKey,
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
