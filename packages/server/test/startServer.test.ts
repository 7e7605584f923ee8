import { accountsLayer, createOrg, type DatabaseUrl, OperatorError } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { folder, request } from "../../cli/test/program.ts"

const databaseIn = (path: string): DatabaseUrl => ({ _tag: "Sqlite", file: join(path, "a.sqlite") })

const start = async (options: Parameters<typeof startServer>[0]) => {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(server.stop)
  return server
}

const orgIn = (database: DatabaseUrl) =>
  Effect.runPromise(Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database)))

describe("an in-process server", () => {
  it("releases its database when it stops", async () => {
    const database = databaseIn(folder())
    const first = await start({ database })
    const { token } = await orgIn(database)
    expect((await request(`${first.baseUrl}/org`, token)).status).toBe(200)
    await first.stop()
    await expect(fetch(first.baseUrl)).rejects.toThrow("fetch failed")
    const second = await start({ database })
    expect((await request(`${second.baseUrl}/org`, token)).status).toBe(200)
  })

  it("links its start page to its only outfitter's booking page", async () => {
    const database = databaseIn(folder())
    const { baseUrl, origin } = await start({ database })
    const page = async (path = "/") => (await fetch(origin + path, { headers: { accept: "text/html" } })).text()
    expect(await page()).toContain("trailbook org create")
    await orgIn(database)
    const [, link = ""] = /href="(\/book\/[^"]+)"/.exec(await page()) ?? []
    expect(link).toBe("/book/salida")
    expect((await fetch(origin + link)).status).toBe(200)
    expect(await page("/v1")).toContain("Trailbook API")
    expect((await fetch(baseUrl)).status).toBe(404)
    await orgIn(database)
    expect(await page()).not.toContain("salida")
  })

  it("emails a confirmation with links to the guest pages", async () => {
    const path = folder()
    const database = databaseIn(path)
    const { baseUrl } = await start({
      database,
      publicUrl: "https://book.example.com",
      mailFrom: "trips@example.com"
    })
    const { token } = await orgIn(database)
    const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) })
    const { body: offering } = await request(
      `${baseUrl}/offerings`,
      token,
      post({ name: "Kayak", kind: "rental", capacity: 3 })
    )
    const { body: slots } = await request(`${baseUrl}/offerings/${String(offering.id)}/availability`, token)
    const { status } = await request(
      `${baseUrl}/bookings`,
      token,
      post({
        offering_id: offering.id,
        starts_at: slots.data?.at(-1)?.starts_at,
        customer: { email: "guest@example.com", name: "Guest" }
      })
    )
    expect(status).toBe(201)

    const outbox = join(path, "outbox")
    const [mail = ""] = await vi.waitUntil(() => {
      const mails = readdirSync(path).includes("outbox")
        ? readdirSync(outbox).filter((name) => name.endsWith(".eml"))
        : []
      return mails.length > 0 && mails
    }, { timeout: 60_000 })
    const text = readFileSync(join(outbox, mail), "utf8")
    expect(text).toContain("To: Guest <guest@example.com>")
    expect(text).toContain("<trips@example.com>")
    expect(text).toContain("https://book.example.com/b/")
  })

  it("explains why it cannot start", async () => {
    const path = folder()
    const { origin } = await start({ database: databaseIn(path) })
    const port = Number(new URL(origin).port)
    const database = databaseIn(folder())
    await expect(startServer({ database, port })).rejects.toThrow(
      new OperatorError(
        `Port ${port} is in use by a running Trailbook server: ${origin}/reference`,
        `Choose another port, such as ${port + 1}.`
      )
    )
    await expect(startServer({ database: { _tag: "Sqlite", file: path }, port: 0 })).rejects.toThrow(/Cannot open/)
    await expect(startServer({ database, host: "203.0.113.1", port: 0 })).rejects.toThrow(/Check --host and --port/)
  })

  it("limits each key's requests per second, unless the setting is 0", async () => {
    const database = databaseIn(folder())
    const [limited, free] = [
      await start({ database, rateLimitPerSecond: 1 }),
      await start({ database, rateLimitPerSecond: 0 })
    ]
    const { token } = await orgIn(database)
    const statuses = async (baseUrl: string) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => request(`${baseUrl}/org`, token)))
      return new Set(answers.map(({ status }) => status))
    }
    expect(await statuses(limited.baseUrl)).toEqual(new Set([200, 429]))
    expect(await statuses(free.baseUrl)).toEqual(new Set([200]))
  })

  it("logs through the given writer at the requested level", async () => {
    const lines: Array<string> = []
    const log = { write: (line: string) => lines.push(line), flush: () => {} }
    const { baseUrl } = await start({ database: databaseIn(folder()), log, logLevel: "warn" })
    await fetch(new URL("/livez", baseUrl))
    await request(`${baseUrl}/org`, "nonsense")
    const entries = lines.map((line): Record<string, unknown> => JSON.parse(line))
    expect(entries.map(({ level, status }) => ({ level, status }))).toEqual([{ level: "warn", status: 401 }])
  })
})
