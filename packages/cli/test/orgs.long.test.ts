import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { answer, folder, request, startServer, trailbook } from "./program.ts"

const database = ["--database", "sqlite:a.sqlite"]
const create = (name: string) => ["org", "create", ...database, "--name", name, "--timezone", "America/Denver"]

describe("org list", () => {
  it("prints every outfitter, oldest first, as text and as JSON", async () => {
    const cwd = folder()
    await answer(create("Salida River Co."), { cwd })
    const { org_id } = await answer(create("Green River"), { cwd })
    const { stdout } = await trailbook(["org", "list", ...database], { cwd })
    expect(stdout).toMatch(/^SLUG +NAME +TIME ZONE +CREATED +ID\nsalida-river-co +Salida River Co\. .*\ngreen-river /)
    expect(await answer(["org", "list", ...database], { cwd })).toMatchObject({
      data: [{ slug: "salida-river-co", timezone: "America/Denver", currency: "usd" }, {
        slug: "green-river",
        id: org_id
      }]
    })
  })

  it("explains how to create the first outfitter", async () => {
    const cwd = folder()
    await trailbook(["migrate", ...database], { cwd })
    const { code, stderr, stdout } = await trailbook(["org", "list", ...database], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stderr).toContain("To create an outfitter, run trailbook org create")
    const mistyped = await trailbook(["org", "list", "--database", "sqlite:b.sqlite"], { cwd })
    expect(mistyped).toMatchObject({ code: 1, stderr: expect.stringContaining("The database b.sqlite does not exist") })
    expect(readdirSync(cwd)).toEqual(["a.sqlite"])
  })
})

describe("org update", () => {
  it("changes the plan without a server restart", async () => {
    const cwd = folder()
    const { api_key, org_id } = await answer(create("Salida River Co."), { cwd })
    const { baseUrl } = await startServer(["serve", ...database, "--port", "0"], { cwd })
    expect((await request(`${baseUrl}/billing`, api_key)).body).toMatchObject({ plan: "free" })
    const result = await trailbook(["org", "update", ...database, "--plan", "pro"], { cwd })
    expect(result).toEqual({ code: 0, stdout: "salida-river-co is on the pro plan.\n", stderr: "" })
    expect((await request(`${baseUrl}/billing`, api_key)).body).toMatchObject({ plan: "pro" })
    expect(await answer(["org", "update", ...database, "--org", "salida-river-co", "--plan", "free"], { cwd })).toEqual(
      { org_id, slug: "salida-river-co", plan: "free" }
    )
  })

  it("requires a plan", async () => {
    const cwd = folder()
    await answer(create("Salida River Co."), { cwd })
    const { code, stderr } = await trailbook(["org", "update", ...database], { cwd })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("--plan") })
  })
})

describe("--org", () => {
  const commands = [
    ["keys", "list"],
    ["keys", "create"],
    ["webhooks", "list"]
  ]

  it("is optional if the database has one outfitter", async () => {
    const cwd = folder()
    await answer(create("Salida River Co."), { cwd })
    for (const command of commands) {
      expect(await trailbook([...command, ...database], { cwd }), command.join(" ")).toMatchObject({ code: 0 })
    }
  })

  it("is required if the database has two outfitters", async () => {
    const cwd = folder()
    await answer(create("Salida River Co."), { cwd })
    await answer(create("Green River"), { cwd })
    for (const command of [["webhooks", "list"], ["keys", "revoke", "abcdefghijkl"]]) {
      const { code, stderr } = await trailbook([...command, ...database], { cwd })
      expect({ code, stderr }, command.join(" ")).toEqual({
        code: 1,
        stderr:
          "The database has several outfitters. Choose one with --org. Outfitters: salida-river-co, green-river.\n"
      })
    }
  })

  it("suggests org create if the database has no outfitter", async () => {
    const cwd = folder()
    const empty = ["--database", "sqlite:empty.sqlite"]
    await trailbook(["migrate", ...empty], { cwd })
    expect((await trailbook(["keys", "list", ...empty], { cwd })).stderr).toContain(
      "To create an outfitter, run trailbook org create"
    )
  })
})

describe("a mistyped path", () => {
  it("makes serve report that it created a new database", async () => {
    const cwd = folder()
    const { baseUrl, child, ended, output } = await startServer([
      "serve",
      "--database",
      "sqlite:my trips.sqlite",
      "--port",
      "0"
    ], {
      cwd
    })
    expect(output.stdout.split("\n", 2)[1]).toMatch(/^my trips\.sqlite did not exist, so it was created/)
    const command = /^ {2}npx trailbook (org create .*)$/m.exec(output.stdout)?.[1] ?? ""
    expect(command).toContain("--database 'sqlite:my trips.sqlite'")
    // Split the printed command the way a shell does.
    const args = Array.from(command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? "")
    const { api_key } = await answer(args, { cwd })
    expect((await request(`${baseUrl}/org`, api_key)).body).toMatchObject({ name: "Your Outfitter" })
    child.kill("SIGTERM")
    await ended

    const again = await startServer(["serve", "--database", "sqlite:my trips.sqlite", "--port", "0"], { cwd })
    expect(again.output.stdout).toBe(`Trailbook is ready at ${again.baseUrl}\n`)
  })

  it("is also reported by org create and worker", async () => {
    const cwd = folder()
    expect((await trailbook(create("A"), { cwd })).stderr).toContain(
      "a.sqlite did not exist, so it was created."
    )
    expect((await trailbook(create("B"), { cwd })).stderr).not.toContain("was created")
    const worker = await trailbook(["worker", "--database", "sqlite:b.sqlite", "--once"], { cwd })
    expect(worker.stderr).toMatch(
      /^b\.sqlite did not exist, so it was created\. Check --database if you expected existing data\.$/m
    )
    const { output } = await startServer(["serve", "--database", "sqlite:b.sqlite", "--port", "0"], { cwd })
    expect(output.stdout).toContain("b.sqlite has no outfitters.")
  })
})
