import { open } from "@trailbook/sqlite/driver"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answer, database, folder, outfitter, program, request, startServer, trailbook } from "./program.ts"
import { receiver } from "./receiver.ts"

const anyPort = ["--port", "0"]
const digest = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

/**
 * Returns the rows in all tables. Comparing the files would not work, because the write check also commits, which
 * changes the file's header.
 */
const contents = (file: string) =>
  Effect.runSync(
    Effect.scoped(Effect.map(open(file), (driver) =>
      driver.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all()
        .map((name) => [name, driver.prepare(`select * from "${name}"`).all()])))
  )

interface Check {
  readonly check: string
  readonly ok: boolean
  readonly found: string
  readonly fix: string | null
}

const examine = async (args: ReadonlyArray<string>, options: Parameters<typeof trailbook>[1], run = trailbook) => {
  const { code, stdout } = await run(["doctor", ...args, "--json"], options)
  const report: { readonly ok: boolean; readonly checks: ReadonlyArray<Check> } = JSON.parse(stdout)
  return { code, ok: report.ok, checks: report.checks, faults: report.checks.filter(({ ok }) => !ok) }
}

describe("doctor", () => {
  it("finds no problem in a healthy database, and exits with 0", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const { checks, code, faults, ok } = await examine([...database, ...anyPort], { cwd })
    expect(faults).toEqual([])
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    expect(checks.map(({ check }) => check)).toEqual([
      "node",
      "zones",
      "driver",
      "clock",
      "settings",
      "port",
      "outbox",
      "files",
      "disk",
      "database",
      "integrity",
      "writing",
      "pragmas",
      "clocks",
      "outfitters",
      "secrets",
      "webhooks",
      "mails"
    ])
    const { stdout } = await trailbook(["doctor", ...database, ...anyPort], { cwd })
    expect(stdout).toMatch(/^ok {5}node/)
  })

  it("reports stopped webhooks, and key files that other users can read", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const loopback = ["--webhook-allow", "127.0.0.0/8"]
    const { baseUrl } = await startServer(["serve", ...database, ...anyPort, "--worker", "off", ...loopback], { cwd })
    const receiving = await receiver()
    receiving.answer(500)
    const post = (path: string, body: object) =>
      request(`${baseUrl}${path}`, api_key, { method: "POST", body: JSON.stringify(body) })
    const { body } = await post("/webhooks", { url: receiving.url })
    await post("/offerings", { name: "Kayak", kind: "rental" })
    await answer(["worker", ...database, ...loopback, "--once"], { cwd })
    const { checks, faults } = await examine([...database, ...anyPort], { cwd })
    const fault = { check: "webhooks", found: `1 of 1 failing: ${String(body.id)} (500)` }
    expect(faults).toMatchObject([{ ...fault, fix: expect.stringContaining("receivers") }])
    expect(checks.find(({ check }) => check === "secrets")?.found).toBe("1 decrypted with k1")
    chmodSync(join(cwd, "a.sqlite.keys"), 0o644)
    expect((await examine([...database, ...anyPort], { cwd })).faults).toMatchObject([
      { check: "secrets", fix: "Run: chmod 600 a.sqlite.keys" },
      fault
    ])
  })

  it("checks only the machine if there is no database", async () => {
    const { checks, code } = await examine(anyPort, { cwd: folder() })
    expect(code).toBe(0)
    expect(checks.map(({ check }) => check)).not.toContain("database")
  })

  it("accepts a port on which a Trailbook server listens", async () => {
    const cwd = folder()
    const { baseUrl } = await startServer(["serve", ...database, ...anyPort], { cwd })
    const { checks, code } = await examine([...database, "--port", new URL(baseUrl).port], { cwd })
    expect(code).toBe(0)
    expect(checks.find(({ check }) => check === "port")?.found).toContain("a Trailbook server is running")
  })

  it("reports a port on which another program listens", async () => {
    const other = createServer((socket) => socket.end()).listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const { code, faults } = await examine(["--port", `${port}`], { cwd: folder() })
    other.close()
    expect({ code, faults: faults.map(({ check }) => check) }).toEqual({ code: 3, faults: ["port"] })
  })

  it("reports a file that is not a database, and exits with 3", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "a.sqlite"), "This was once a database.".repeat(100))
    const { code, faults } = await examine([...database, ...anyPort], { cwd })
    expect(code).toBe(3)
    expect(faults).toMatchObject([{ check: "database", found: expect.stringContaining("not a database") }])
    const { stdout } = await trailbook(["doctor", ...database, ...anyPort], { cwd })
    expect(stdout).toMatch(/^FAULT {2}database/m)
    expect(stdout).toContain(faults[0]?.fix)
  })

  it("reports a folder to which emails cannot be written", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "mails"), "")
    const { code, faults } = await examine(["--outbox", "mails", ...anyPort], { cwd })
    expect({ code, faults: faults.map(({ check }) => check) }).toEqual({ code: 3, faults: ["outbox"] })
  })

  it("never changes the database or its folder", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const file = join(cwd, "a.sqlite")
    const snapshot = () => ({ files: readdirSync(cwd), bytes: digest(file) })
    const before = contents(file)
    expect((await examine([...database, ...anyPort], { cwd })).code).toBe(0)
    expect(readdirSync(cwd)).toEqual(["a.sqlite"])
    expect(contents(file)).toEqual(before)

    await Effect.runPromise(
      Effect.scoped(
        Effect.map(
          open(file),
          (driver) => driver.exec("delete from migrations where number = (select max(number) from migrations)")
        )
      )
    )
    const older = snapshot()
    const { code, faults } = await examine([...database, ...anyPort], { cwd })
    expect(code).toBe(3)
    expect(faults).toMatchObject([{ check: "database", fix: expect.stringContaining("run trailbook migrate") }])
    expect(faults[0]?.found).toMatch(/has pending migrations: \w+$/)
    expect(snapshot()).toEqual(older)

    writeFileSync(join(cwd, "empty.sqlite"), "")
    expect((await examine(["--database", "sqlite:empty.sqlite", ...anyPort], { cwd })).code).toBe(3)
    expect(readFileSync(join(cwd, "empty.sqlite"), "utf8")).toBe("")
    expect((await examine(["--database", "sqlite:absent/b.sqlite", ...anyPort], { cwd })).code).toBe(3)
    expect(readdirSync(cwd)).not.toContain("absent")
  })

  describe("a driver without its native binary", () => {
    /**
     * Makes the program fail the same way it does without the driver's binary: `bindings` lists every path that it
     * tried.
     */
    const withoutBinary = (cwd: string) => {
      const preload = join(cwd, "preload.cjs")
      writeFileSync(
        preload,
        `const Module = require("node:module")
        const load = Module._load
        Module._load = (request, ...rest) => request === "bindings"
          ? () => load(request, ...rest)({ bindings: "not_built.node", module_root: ${JSON.stringify(cwd)} })
          : load(request, ...rest)`
      )
      return { NODE_OPTIONS: `--require ${preload}` }
    }

    it.each([["demo", ...anyPort], ["serve", ...database, ...anyPort], ["migrate", ...database]])(
      "is reported by %s with a repair command",
      async (...args) => {
        const cwd = folder()
        const { code, stderr, stdout } = await program(args, { cwd, env: withoutBinary(cwd) })
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
        expect(stderr.trim().split("\n")).toEqual([
          "The SQLite driver better-sqlite3 does not work: its native binary is not installed.",
          expect.stringMatching(/^Run: npm rebuild better-sqlite3 /)
        ])
      }
    )

    it("is reported by doctor even without a database", async () => {
      const cwd = folder()
      const env = withoutBinary(cwd)
      writeFileSync(join(cwd, "a.sqlite"), "")
      for (const args of [anyPort, [...database, ...anyPort]]) {
        const { code, faults } = await examine(args, { cwd, env }, program)
        expect({ code, faults }).toMatchObject({
          code: 3,
          faults: [{ check: "driver", fix: expect.stringContaining("npm rebuild better-sqlite3") }]
        })
      }
    })
  })

  it("reports unknown variables and invalid values as problems, and continues", async () => {
    const env = { TRAILBOOK_PROT: "1", TRAILBOOK_OUTBOX: "", PORT: "http" }
    const { code, faults } = await examine([], { cwd: folder(), env })
    expect(code).toBe(3)
    expect(faults.map(({ found }) => found)).toContain("TRAILBOOK_PROT is not a setting. Did you mean TRAILBOOK_PORT?")
    expect(faults.map(({ found }) => found)).toContain(
      "PORT must be a whole number from 0 to 65535, but is \"http\"."
    )
  })
})
