/** Tests disaster recovery: takes a backup while guests book, deletes the database, and restores it. */
import { open } from "@trailbook/sqlite/driver"
import * as Effect from "effect/Effect"
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { guestsOf } from "./guestsOf.ts"
import { answer, database, folder, outfitter, program, request, startServer, trailbook } from "./program.ts"

const serve = ["serve", ...database, "--port", "0", "--rate-limit", "0", "--worker", "off"]

const within = <A>(file: string, look: (rows: (sql: string) => ReadonlyArray<unknown>) => A): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(Effect.map(open(file), (driver) => look((sql) => driver.prepare(sql).pluck().all())))
  )

describe("backup and restore", () => {
  it("preserve all acknowledged writes without blocking requests", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, child, ended } = await startServer(serve, { cwd })
    const guests = await guestsOf(baseUrl, api_key)
    await guests.some(40)
    const before = [...guests.acknowledged]
    const { stdout } = await program(["backup", ...database, "backups/first.sqlite", "--json"], { cwd })
    const backup = JSON.parse(stdout)
    await guests.some(guests.acknowledged.length + 10)
    await guests.stop()
    expect(guests.rejections).toEqual([])
    child.kill("SIGKILL")
    await ended

    // The backup is a single file that only its owner can read.
    expect(readdirSync(join(cwd, "backups"))).toEqual(["first.sqlite"])
    expect(statSync(join(cwd, "backups", "first.sqlite")).mode & 0o777).toBe(0o600)
    for (const name of readdirSync(cwd).filter((name) => name.startsWith("a.sqlite"))) rmSync(join(cwd, name))

    const restoreResult = await answer(["restore", ...database, "backups/first.sqlite"], { cwd })
    expect(restoreResult).toMatchObject({
      rows: backup.rows,
      newest_events: backup.newest_events,
      kept: null,
      pending: []
    })
    const again = await startServer(serve, { cwd })
    const responses = await Promise.all(before.map((id) => request(`${again.baseUrl}/bookings/${id}`, api_key)))
    expect(responses.map(({ status }) => status)).toEqual(before.map(() => 200))
    // The restored database is a consistent snapshot: events without gaps, up to the newest event that `restore`
    // reported.
    const { bookings, events } = await within(join(cwd, "a.sqlite"), (rows) => ({
      bookings: rows("select id from bookings order by id"),
      events: rows("select id from events order by id")
    }))
    expect(events).toEqual(events.map((_, at) => at + 1))
    expect(restoreResult.newest_events).toEqual({ "salida-river-co": events.length })
    expect(new Set([...guests.acknowledged, ...bookings]).size - guests.acknowledged.length).toBeLessThanOrEqual(4)
    const newGuests = await guestsOf(again.baseUrl, api_key)
    await newGuests.some(5)
    await newGuests.stop()
  })

  it("overwrite only an unused database, and only with --replace", async () => {
    const cwd = folder()
    await outfitter(cwd)
    await answer(["backup", ...database, "b.sqlite"], { cwd })
    const backupResult = await trailbook(["backup", ...database, "b.sqlite"], { cwd })
    expect(backupResult).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/b\.sqlite already exists/)
    })

    await answer(["org", "create", ...database, "--name", "Second", "--timezone", "UTC"], { cwd })
    const restoreResult = await trailbook(["restore", ...database, "b.sqlite"], { cwd })
    expect(restoreResult).toMatchObject({ code: 1, stderr: expect.stringContaining("Use --replace") })
    const orgs = (file: string) => within(join(cwd, file), (rows) => rows("select slug from orgs order by slug"))
    expect(await orgs("a.sqlite")).toEqual(["salida-river-co", "second"])

    const server = await startServer(serve, { cwd })
    const busy = await trailbook(["restore", ...database, "b.sqlite", "--replace"], { cwd })
    expect(busy).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/in use by another process\.\nFirst, stop all servers/)
    })
    server.child.kill("SIGTERM")
    await server.ended

    const { kept } = await answer(["restore", ...database, "b.sqlite", "--replace"], { cwd })
    expect(await orgs("a.sqlite")).toEqual(["salida-river-co"])
    expect(await orgs(String(kept))).toEqual(["salida-river-co", "second"])
    expect(readdirSync(cwd).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })

  it("refuse an invalid backup, and change nothing", async () => {
    const cwd = folder()
    await outfitter(cwd)
    await answer(["backup", ...database, "good.sqlite"], { cwd })
    const good = readFileSync(join(cwd, "good.sqlite"))
    // Damage the middle of the file, as a faulty disk or transfer might.
    writeFileSync(join(cwd, "damaged.sqlite"), Buffer.from(good).fill(7, 4096, 12_288))
    writeFileSync(join(cwd, "cut.sqlite"), good.subarray(0, good.length / 2))
    writeFileSync(join(cwd, "letter.sqlite"), "Dear guest, ".repeat(1000))
    copyFileSync(join(cwd, "good.sqlite"), join(cwd, "later.sqlite"))
    await within(join(cwd, "later.sqlite"), () => {})
    await Effect.runPromise(
      Effect.scoped(
        Effect.map(
          open(join(cwd, "later.sqlite")),
          (driver) => driver.exec("insert into migrations (number, name) values (999, 'later')")
        )
      )
    )
    await Effect.runPromise(
      Effect.scoped(
        Effect.map(open(join(cwd, "other.sqlite")), (driver) => driver.exec("create table notes (text)"))
      )
    )
    const before = readFileSync(join(cwd, "a.sqlite"))
    const words: ReadonlyArray<readonly [string, RegExp]> = [
      ["damaged.sqlite", /damaged|malformed/],
      ["cut.sqlite", /damaged|malformed/],
      ["letter.sqlite", /not a database/],
      ["later.sqlite", /a newer version of Trailbook migrated it/],
      ["other.sqlite", /is not a Trailbook database/],
      ["absent.sqlite", /backup absent\.sqlite does not exist/]
    ]
    for (const [name, message] of words) {
      const { code, stderr } = await trailbook(["restore", ...database, name, "--replace"], { cwd })
      expect({ code, stderr }, name).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
      expect(stderr, name).not.toMatch(/\n\s+at /)
    }
    expect(readFileSync(join(cwd, "a.sqlite"))).toEqual(before)
    expect(existsSync(join(cwd, "absent.sqlite"))).toBe(false)
    expect(readdirSync(cwd).filter((name) => /\.tmp|before-/.test(name))).toEqual([])
  })
})
