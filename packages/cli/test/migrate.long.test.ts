/** Tests migrations for operators who apply them with their own tool. */
import { open } from "@trailbook/sqlite/driver"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answer, folder, trailbook } from "./program.ts"

const migrate = ["migrate", "--database", "sqlite:a.sqlite"]

describe("migrate on SQLite", () => {
  it("with --check, exits with 1 until all migrations are applied", async () => {
    const cwd = folder()
    const check = await trailbook([...migrate, "--check"], { cwd })
    expect(check).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/not up to date\. Pending migrations: create\b/)
    })
    expect(readdirSync(cwd)).toEqual([])
    await trailbook(migrate, { cwd })
    expect(await trailbook([...migrate, "--check"], { cwd })).toMatchObject({
      code: 0,
      stdout: "a.sqlite is up to date.\n"
    })
    expect(await answer([...migrate, "--check"], { cwd })).toEqual({ database: "a.sqlite", pending: [] })
  })

  it("with --print, prints the SQL, and changes nothing", async () => {
    const cwd = folder()
    const { code, stdout } = await trailbook([...migrate, "--print"], { cwd })
    expect(code).toBe(0)
    expect(readdirSync(cwd)).toEqual([])
    const run = Effect.map(open(join(cwd, "a.sqlite")), (driver) => driver.exec(`begin;\n${stdout}\ncommit`))
    await Effect.runPromise(Effect.scoped(run))
    expect((await trailbook([...migrate, "--check"], { cwd })).code).toBe(0)
    const again = await trailbook([...migrate, "--print"], { cwd })
    expect(again).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("No migrations are pending") })
    expect((await trailbook(migrate, { cwd })).stdout).toContain("No migrations were pending")
  })

  it("refuses --check together with --print", async () => {
    const { code, stderr } = await trailbook([...migrate, "--check", "--print"], { cwd: folder() })
    expect(code).toBe(2)
    expect(stderr).toContain("Use either --check or --print")
  })
})
