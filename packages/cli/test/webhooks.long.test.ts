import { createHmac } from "node:crypto"
import { existsSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { answer, database, folder, outfitter, request, startCommand, startServer, trailbook } from "./program.ts"
import { type Receiver, receiver } from "./receiver.ts"

const slug = ["--org", "salida-river-co"]
const loopback = ["--webhook-allow", "127.0.0.0/8"]
const serve = ["serve", ...database, "--port", "0", ...loopback]
const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) })

/** Starts a server that delivers an outfitter's events to a receiver. */
const pushed = async (cwd: string, ...options: ReadonlyArray<string>) => {
  const { api_key } = await outfitter(cwd)
  const { baseUrl } = await startServer([...serve, ...options], { cwd })
  const receiving = await receiver()
  const { body } = await request(`${baseUrl}/webhooks`, api_key, post({ url: receiving.url }))
  const happen = async (name: string) =>
    expect((await request(`${baseUrl}/offerings`, api_key, post({ name, kind: "class" }))).status).toBe(201)
  return { key: api_key, baseUrl, receiving, id: String(body.id), secret: String(body.secret), happen }
}

const stateOf = async (cwd: string) => {
  const { data } = await answer(["webhooks", "list", ...database, ...slug], { cwd })
  return (data as ReadonlyArray<Record<string, unknown>>)[0]
}

const isSigned = ({ got: [first] }: Receiver, secret: string): boolean => {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers["service-signature"])) ?? []
  return createHmac("sha256", secret).update(`${t}.${first?.body ?? ""}`).digest("hex") === v1
}

describe("a server", () => {
  it("delivers signed events to a webhook immediately", async () => {
    const cwd = folder()
    const { happen, id, receiving, secret } = await pushed(cwd)
    await happen("Browns Canyon")
    await receiving.until(1)
    expect(isSigned(receiving, secret)).toBe(true)
    expect(receiving.got[0]?.headers["user-agent"]).toMatch(/^Trailbook\/\d/)
    expect(JSON.parse(receiving.got[0]?.body ?? "")).toMatchObject({ id: 1, type: "offering.created" })
    await vi.waitUntil(async () => (await stateOf(cwd))?.last_status === 204, { timeout: 60_000 })
    expect(await stateOf(cwd)).toMatchObject({ id, last_error: null })
    expect(readFileSync(join(cwd, "a.sqlite")).includes(secret)).toBe(false)
  })

  it("refuses a webhook URL with http or a private address", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, output } = await startServer(["serve", ...database, "--port", "0"], { cwd })
    for (const url of ["https://127.0.0.1/hook", "http://example.com/hook", "https://localhost/hook"]) {
      const { body, status } = await request(`${baseUrl}/webhooks`, api_key, post({ url }))
      expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
      expect(JSON.stringify(body)).toContain("url: ")
    }
    expect(output.stderr).not.toContain("private networks")
  })

  it("warns at startup about networks that the operator allows", async () => {
    const cwd = folder()
    const { child, ended, output } = await startServer(serve, { cwd })
    child.kill("SIGTERM")
    await ended
    expect(output.stderr).toMatch(/"level":"warn".*"networks":"127\.0\.0\.0\/8"/)
  })

  it("with --worker off, leaves delivery to a separate worker", async () => {
    const cwd = folder()
    const { happen, receiving } = await pushed(cwd, "--worker", "off")
    await happen("Browns Canyon")
    await happen("Brown's Canyon")
    const result = await answer(["worker", ...database, ...loopback, "--once"], { cwd })
    expect(result).toMatchObject({ deliveries: { delivered: 2 } })
    expect(receiving.ids()).toEqual([1, 2])
    const { stdout } = await trailbook(["worker", ...database, ...loopback, "--once"], { cwd })
    expect(stdout).toBe(
      "deliveries mail bulk money own hold-cleanup network-cleanup resumable-jobs file-cleanup automations proposals proposal-expiry payments task-cleanup call-cleanup"
        .split(
          " "
        ).map(
          (job) => `${job}: no work\n`
        ).join("")
    )

    const { child, ended, output } = await startCommand(["worker", ...database, ...loopback], { cwd })
    expect(output.stdout).toBe("Trailbook worker is ready on a.sqlite\n")
    await happen("Family Float")
    await receiving.until(3)
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(receiving.ids()).toEqual([1, 2, 3])
  })
})

describe("webhooks", () => {
  it("sends a signed test event without moving the cursor", async () => {
    const cwd = folder()
    const { id, receiving, secret } = await pushed(cwd, "--worker", "off")
    const test = ["webhooks", "test", ...database, ...slug, ...loopback, id]
    const { code, stdout } = await trailbook(test, { cwd })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/ responded with 204 after \d+ ms\.\n$/)
    })
    expect(isSigned(receiving, secret)).toBe(true)
    expect(JSON.parse(receiving.got[0]?.body ?? "")).toMatchObject({ id: 0, type: "webhook.test", data: { id } })

    receiving.answer(500)
    const failure = await trailbook([...test, "--json"], { cwd })
    expect(failure.code).toBe(1)
    expect(JSON.parse(failure.stdout)).toEqual({ ok: false, status: 500, error: "status", ms: expect.any(Number) })
    const blocked = await trailbook(["webhooks", "test", ...database, ...slug, id], { cwd })
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringContaining("failed with blocked_address") })
    expect(receiving.got).toHaveLength(2)
    expect(await stateOf(cwd)).toMatchObject({ last_status: null, last_attempt_at: null })
  })

  it("replays all events from a given event onward", async () => {
    const cwd = folder()
    const { happen, id, receiving } = await pushed(cwd)
    for (const name of ["A", "B", "C"]) await happen(name)
    await receiving.until(3)
    const replay = ["webhooks", "replay", ...database, ...slug, id, "--from"]
    expect((await trailbook([...replay, "2"], { cwd })).stdout).toContain("restart at event 2. The newest event is 3.")
    await receiving.until(5)
    expect(receiving.ids()).toEqual([1, 2, 3, 2, 3])
    expect(await trailbook([...replay, "4"], { cwd })).toEqual({
      code: 1,
      stdout: "",
      stderr: "--from must be at most 3, the ID of the newest event.\n"
    })
  })

  it("with tail, prints events as JSON lines until the user presses Ctrl-C", async () => {
    const cwd = folder()
    const { happen } = await pushed(cwd)
    for (const name of ["A", "B"]) await happen(name)
    const { child, ended, output } = await startCommand(
      ["webhooks", "tail", ...database, ...slug, "--after", "1", "--type", "offering.created"],
      { cwd }
    )
    await happen("C")
    const events = () => output.stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
    await vi.waitUntil(() => events().length >= 2, { timeout: 60_000 })
    child.kill("SIGINT")
    expect(await ended).toBe(0)
    expect(events()).toMatchObject([{ id: 2, data: { name: "B" } }, { id: 3, data: { name: "C" } }])
  })

  it.each(["test", "replay"])(
    "exits with 1 if %s names a nonexistent webhook",
    async (verb) => {
      const cwd = folder()
      await outfitter(cwd)
      const from = verb === "replay" ? ["--from", "1"] : []
      const { code, stderr } = await trailbook(["webhooks", verb, ...database, ...slug, "nothing", ...from], { cwd })
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "Salida River Co. has no webhook \"nothing\". List its webhooks with trailbook webhooks list.\n"
      })
    }
  )

  it("reports that the outfitter has no webhooks", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const { code, stderr } = await trailbook(["webhooks", "list", ...database, ...slug], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "No webhooks.\n" })
  })
})

describe("encryption keys", () => {
  const start = async (cwd: string, keys?: string) => {
    const server = await startServer(
      serve,
      keys === undefined ? { cwd } : { cwd, env: { TRAILBOOK_SECRETS_KEYS: keys } }
    )
    server.child.kill("SIGTERM")
    expect(await server.ended).toBe(0)
    return server.output.stderr
  }
  const generate = async (id: string) =>
    (await trailbook(["secrets", "generate", "--key-id", id], { cwd: folder() })).stdout.trim()

  it("are stored in a file that only its owner can read", async () => {
    const cwd = folder()
    await start(cwd)
    const path = join(cwd, "a.sqlite.keys")
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const keyFile = readFileSync(path, "utf8")
    expect(keyFile).toMatch(/^k1:[\w+/]{43}=\n$/)
    await start(cwd)
    expect(readFileSync(path, "utf8")).toBe(keyFile)
  })

  it("are required to start a server with stored secrets", async () => {
    const cwd = folder()
    const { id } = await pushed(cwd)
    const path = join(cwd, "a.sqlite.keys")
    renameSync(path, `${path}.away`)
    const { code, stderr } = await trailbook(serve, { cwd })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`secret of webhook ${id}`) })
    const report = await trailbook(["doctor", ...database, "--port", "0"], { cwd })
    expect(report).toMatchObject({ code: 3, stdout: expect.stringMatching(/FAULT +secrets/) })
    renameSync(`${path}.away`, path)
    expect((await trailbook(["doctor", ...database, "--port", "0"], { cwd })).stdout).toMatch(
      /ok +secrets +1 decrypted with k1/
    )
    await start(cwd)
  })

  it("can be rotated, because the server reseals secrets at startup", async () => {
    const cwd = folder()
    const [k1, k2] = [await generate("k1"), await generate("k2")]
    const { api_key } = await outfitter(cwd)
    const env = { TRAILBOOK_SECRETS_KEYS: k1 }
    const { baseUrl, child, ended } = await startServer(serve, { cwd, env })
    expect(existsSync(join(cwd, "a.sqlite.keys"))).toBe(false)
    const receiving = await receiver()
    const { body } = await request(`${baseUrl}/webhooks`, api_key, post({ url: receiving.url }))
    child.kill("SIGTERM")
    await ended

    expect(await start(cwd, `${k1},${k2}`)).not.toContain("re-encrypted with the first key")
    expect(await start(cwd, `${k2},${k1}`)).toContain("re-encrypted with the first key")
    expect(await start(cwd, `${k2},${k1}`)).not.toContain("re-encrypted with the first key")
    await start(cwd, k2)
    const rejection = await trailbook(serve, { cwd, env })
    expect(rejection).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("encrypted with a key named k2 that is not configured")
    })
    const test = ["webhooks", "test", ...database, ...slug, ...loopback, String(body.id)]
    expect((await trailbook(test, { cwd, env: { TRAILBOOK_SECRETS_KEYS: k2 } })).code).toBe(0)
    expect(isSigned(receiving, String(body.secret))).toBe(true)
    // This test starts ten processes one after another.
  })

  it.each([["k1", "comma-separated keys from"], ["k1:short", "comma-separated keys from"]])(
    "are rejected if invalid: %s",
    async (keys, message) => {
      const { code, stderr } = await trailbook(serve, { cwd: folder(), env: { TRAILBOOK_SECRETS_KEYS: keys } })
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
      expect(stderr).not.toContain("short")
    }
  )

  it("are rejected if two keys share an ID", async () => {
    const [one, other] = [await generate("k1"), await generate("k1")]
    const { code, stderr } = await trailbook(serve, {
      cwd: folder(),
      env: { TRAILBOOK_SECRETS_KEYS: `${one},${other}` }
    })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("duplicate key ID k1") })
    expect(stderr).not.toContain(one.slice(3, 12))
  })
})
