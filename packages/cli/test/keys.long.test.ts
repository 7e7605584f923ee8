import { describe, expect, it } from "vitest"
import { answer, database, folder, org, outfitter, request, startServer, trailbook } from "./program.ts"

const slug = ["--org", "salida-river-co"]

describe("keys", () => {
  it("creates and revokes a key, effective immediately on a running server", async () => {
    const cwd = folder()
    const { org_id } = await outfitter(cwd)
    const { baseUrl } = await startServer(["serve", ...database, "--port", "0"], { cwd })
    const key = await answer(["keys", "create", ...database, ...slug, "--name", "Website", "--scopes", "read"], {
      cwd
    })
    expect(key).toMatchObject({ name: "Website", mode: "live", scopes: ["read"], expires_at: null, revoked_at: null })
    expect(key.api_key).toMatch(/^tb_live_[0-9A-Za-z]{50}$/)

    expect((await request(`${baseUrl}/org`, key.api_key)).body.id).toBe(org_id)
    const write = { method: "POST", body: JSON.stringify({ name: "A", kind: "class" }) }
    expect((await request(`${baseUrl}/offerings`, key.api_key, write)).status).toBe(403)

    const revokedKey = await answer(["keys", "revoke", ...database, ...slug, String(key.id)], { cwd })
    expect(revokedKey).toMatchObject({ id: key.id, revoked_at: expect.any(String) })
    expect((await request(`${baseUrl}/org`, key.api_key)).status).toBe(401)
    expect(await answer(["keys", "revoke", ...database, ...slug, String(key.id)], { cwd })).toEqual(revokedKey)
  })

  it("shows whether a key is a test key, and when it expires", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const expires = ["--expires", "2099-01-01T00:00:00+01:00"]
    const key = await answer(["keys", "create", ...database, ...slug, "--test", ...expires], { cwd })
    expect(key.api_key).toMatch(/^tb_test_/)
    expect(key.expires_at).toBe("2098-12-31T23:00:00.000Z")
  })

  it("lists every key as text and JSON, but never a secret", async () => {
    const cwd = folder()
    const { api_key, org_id } = await outfitter(cwd)
    const { api_key: second } = await answer(["keys", "create", ...database, ...slug, "--name", "Website"], { cwd })
    const byId = ["keys", "list", ...database, "--org", String(org_id)]
    const { stdout } = await trailbook(byId, { cwd })
    const list = await answer(byId, { cwd })
    expect(list.data).toMatchObject([{ name: "First key" }, { name: "Website" }])
    for (const key of [String(api_key), String(second)]) {
      // A key is `tb_live_`, 12 characters that identify the key, and the secret.
      expect(stdout).toContain(key.slice(8, 20))
      expect(stdout + JSON.stringify(list)).not.toContain(key.slice(20, 30))
    }
  })

  it("without --json, prints only the key and its label to stdout", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const { stderr, stdout } = await trailbook(["keys", "create", ...database, ...slug], { cwd })
    expect(stdout).toMatch(/^API key: tb_live_[0-9A-Za-z]{50}\n$/)
    expect(stderr).toContain("cannot be shown again")
  })

  it.each([
    [["keys", "list", ...database, "--org", "nobody"], "Unknown outfitter \"nobody\". Outfitters: salida-river-co."],
    [["keys", "revoke", ...database, ...slug, "abcdefghijkl"], "The API key abcdefghijkl does not exist."],
    [
      ["keys", "create", ...database, ...slug, "--expires", "2020-01-01T00:00:00Z"],
      "--expires is in the past."
    ]
  ])("exits with 1 and a reason for %j", async (args, message) => {
    const cwd = folder()
    await outfitter(cwd)
    expect(await trailbook(args, { cwd })).toEqual({ code: 1, stdout: "", stderr: `${message}\n` })
  })

  it("does not find another org's key", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    await answer([...org.slice(0, -3), "Green River", "--timezone", "America/Denver"], { cwd })
    const id = String(api_key).slice(8, 20)
    expect((await trailbook(["keys", "revoke", ...database, "--org", "green-river", id], { cwd })).code).toBe(1)
  })

  it("does not create a missing database", async () => {
    const cwd = folder()
    const { code, stderr } = await trailbook(["keys", "list", ...database, ...slug], { cwd })
    expect({ code, isExplained: stderr.includes("The database a.sqlite does not exist") }).toEqual({
      code: 1,
      isExplained: true
    })
    expect((await trailbook(["doctor", ...database, "--port", "0"], { cwd })).code).toBe(3)
  })
})
