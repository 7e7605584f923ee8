import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, program, trailbook } from "./program.ts"

describe("the command line", () => {
  it("prints the version of the package", async () => {
    const manifest: { readonly version: string } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../package.json"), "utf8")
    )
    const { code, stdout } = await program(["--version"], { cwd: folder() })
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${manifest.version}\n` })
  })

  it.each([[[]], [["--help"]], [["serve", "--help"]], [["help", "keys"]], [["help", "--markdown"]]])(
    "prints help to stdout and exits with 0 for %j",
    async (args) => {
      const { code, stderr, stdout } = await trailbook(args, { cwd: folder() })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toMatch(/Examples|# Settings/)
    }
  )

  it.each([
    [["srve"], "Did you mean serve?"],
    [["serve"], "--database (or TRAILBOOK_DATABASE, DATABASE_URL) is required"],
    [["serve", "--database", "sqlite:a", "--port", "70000"], "--port must be a whole number from 0 to 65535"],
    [["serve", "--database", "mysql://h/d"], "sqlite:<file> or postgres://"],
    [
      ["org", "create", "--database", "sqlite:a", "--name", "A", "--timezone", "Denver"],
      "--timezone must be an IANA time zone name"
    ],
    [["keys"], "keys create, keys list, keys revoke"],
    [["help", "srve"], "Did you mean serve?"],
    [["doctor", "--port", "x"], "--port must be"]
  ])("exits with 2 and a reason for %j", async (args, message) => {
    const { code, stderr, stdout } = await trailbook(args, { cwd: folder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(message)
    expect(stderr).toContain("--help for usage.")
  })

  it("exits with 2 and a suggestion for a misspelled command", async () => {
    const { code, stderr, stdout } = await program(["srve"], { cwd: folder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain("Did you mean serve?")
  })

  it("warns about a variable that resembles a setting", async () => {
    const { code, stderr } = await trailbook(["migrate", "--database", "sqlite:a.sqlite"], {
      cwd: folder(),
      env: { TRAILBOOK_PROT: "1" }
    })
    expect(code).toBe(0)
    expect(stderr).toBe("trailbook: TRAILBOOK_PROT is not a setting. Did you mean TRAILBOOK_PORT?\n")
  })

  it("lists the migrations that it applies", async () => {
    const cwd = folder()
    const migrate = ["migrate", "--database", "sqlite:deep/down/a.sqlite"]
    expect((await trailbook(migrate, { cwd })).stdout).toMatch(/^deep\/down\/a\.sqlite was migrated: create/)
    expect((await trailbook(migrate, { cwd })).stdout).toContain("No migrations were pending")
    const { stdout } = await trailbook([...migrate, "--json"], { cwd })
    expect(JSON.parse(stdout)).toEqual({ database: "deep/down/a.sqlite", applied: [] })
  })
})
