import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { connect, createServer, type Socket } from "node:net"
import { describe, expect, it, vi } from "vitest"
import { type Answer, answer, database, folder, org, outfitter, request, startServer, trailbook } from "./program.ts"

const anyPort = ["--port", "0"]
const newOffering = { method: "POST", body: JSON.stringify({ name: "Browns Canyon", kind: "class" }) }

/** Sends an HTTP request with only half of its body. */
const halfSent = async (baseUrl: string, key: unknown) => {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const received = { text: "" }
  socket.setEncoding("utf8").on("data", (text: string) => received.text += text).on("error", () => {})
  await once(socket, "connect")
  const head = [
    "POST /v1/offerings HTTP/1.1",
    `Host: ${hostname}`,
    `Authorization: Bearer ${String(key)}`,
    "Content-Type: application/json",
    `Content-Length: ${newOffering.body.length}`
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${newOffering.body.slice(0, 10)}`)
  // The server has responded to a later request, so it must have started to read this one.
  await request(`${baseUrl}/offerings`, key)
  return { socket, received, sendRest: () => socket.write(newOffering.body.slice(10)) }
}

/** Sends a request on a new connection that closes after the response. */
const onNewConnection = (url: string, key: unknown, body: string) =>
  new Promise<{ readonly status: number; readonly body: Answer | undefined }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${String(key)}`, "content-type": "application/json" }
    httpRequest(url, { method: "POST", agent: false, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => text += chunk).on("error", reject)
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    }).on("error", reject).end(body)
  })

/** Waits until the server refuses connections. */
const untilRefused = async (baseUrl: string): Promise<void> => {
  const { hostname, port } = new URL(baseUrl)
  for (;;) {
    const socket: Socket = connect(Number(port), hostname)
    const open = await new Promise((resolve) =>
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    )
    socket.destroy()
    if (open === false) return
  }
}

describe("serve", () => {
  it("creates the database, prints the address on the first line, and answers requests", async () => {
    const cwd = folder()
    const server = await startServer(["serve", ...database, ...anyPort], { cwd })
    expect(server.output.stdout.split("\n", 1)).toEqual([`Trailbook is ready at ${server.baseUrl}`])
    expect((await fetch(new URL("/readyz", server.baseUrl))).status).toBe(200)
    expect((await request(`${server.baseUrl}/offerings`, "nonsense")).status).toBe(401)
  })

  // A process that cannot write to files behaves as it would on a full disk.
  it.runIf(process.platform === "linux")("is ready only while it can write to its SQLite file", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, child } = await startServer(["serve", ...database, ...anyPort, "--worker", "off"], { cwd })
    const maxFileSize = (size: string) => execFileSync("prlimit", [`--pid=${child.pid}`, `--fsize=${size}:`])
    const ready = async () => (await fetch(new URL("/readyz", baseUrl))).status
    expect(await ready()).toBe(200)
    maxFileSize("1")
    const { body, status } = await request(`${baseUrl}/offerings`, api_key, newOffering)
    expect({ status, body }).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } })
    await expect.poll(ready).toBe(503)
    expect((await request(`${baseUrl}/offerings`, api_key)).status).toBe(200)
    maxFileSize("unlimited")
    await expect.poll(ready).toBe(200)
    expect((await request(`${baseUrl}/offerings`, api_key, newOffering)).status).toBe(201)
  })

  it("accepts the key of a new org without a restart", async () => {
    const cwd = folder()
    const { baseUrl, output } = await startServer(["serve", ...database, ...anyPort], { cwd })
    const createdOrg = await answer(org, { cwd })
    expect(Object.keys(createdOrg)).toEqual(["org_id", "slug", "api_key"])
    expect(createdOrg).toMatchObject({ slug: "salida-river-co" })
    const { body, status } = await request(`${baseUrl}/org`, createdOrg.api_key)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: createdOrg.org_id,
      name: "Salida River Co.",
      timezone: "America/Denver",
      currency: "usd"
    })
    expect((await request(`${baseUrl}/offerings`, createdOrg.api_key, newOffering)).status).toBe(201)
    expect(output.stdout).not.toContain(String(createdOrg.api_key))
  })

  it("logs each request as one JSON line, without the key", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, child, ended, output } = await startServer(["serve", ...database, ...anyPort], { cwd })
    await request(`${baseUrl}/org`, api_key)
    child.kill("SIGTERM")
    await ended
    const lines = output.stderr.trim().split("\n").map((line): Record<string, unknown> => JSON.parse(line))
    expect(lines.find(({ op }) => op === "org.get")).toMatchObject({ level: "info", msg: "request", status: 200 })
    expect(output.stderr).not.toContain(String(api_key).slice(20, 50))
  })

  it("logs nothing if logging is off", async () => {
    const cwd = folder()
    const { baseUrl, child, ended, output } = await startServer(
      ["serve", ...database, ...anyPort, "--log-level", "silent"],
      { cwd }
    )
    await request(`${baseUrl}/org`, "nonsense")
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(output.stderr).toBe("")
  })

  it("exits with 1 if the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const { code, stderr, stdout } = await trailbook(["serve", ...database], {
      cwd: folder(),
      env: { PORT: `${port}` }
    })
    other.close()
    expect(stderr).toBe(
      `Port ${port} is in use by another program.\n` +
        `To use another port: the same command with --port ${port + 1}, or set PORT=${port + 1}\n`
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  })

  it("suggests another port if a Trailbook server uses the port", async () => {
    const { baseUrl } = await startServer(["serve", ...database, ...anyPort], { cwd: folder() })
    const { host, port } = new URL(baseUrl)
    const next = Number(port) + 1
    const portInUse = `Port ${port} is in use by a running Trailbook server: http://${host}/reference\n`
    expect(await trailbook(["demo", "--port", port], { cwd: folder(), env: { npm_lifecycle_event: "start" } })).toEqual(
      {
        code: 1,
        stdout: "",
        stderr: `${portInUse}To use another port: npm start -- --port ${next}\n`
      }
    )
  })

  it("logs JSON by default if stderr is not a terminal", async () => {
    const logOf = async (...format: ReadonlyArray<string>) => {
      const { baseUrl, child, ended, output } = await startServer(["serve", ...database, ...anyPort, ...format], {
        cwd: folder()
      })
      await fetch(`${baseUrl}/nowhere/ada@example.com?key=secret`)
      child.kill("SIGTERM")
      await ended
      return output.stderr
    }
    expect(JSON.parse(await logOf())).toMatchObject({
      msg: "request",
      method: "GET",
      path: "/v1/nowhere/…",
      status: 404
    })
    expect(await logOf("--log-format", "text")).toMatch(
      /^\d\d:\d\d:\d\d warn GET \/v1\/nowhere\/… 404 \d+ ms not_found\n$/
    )
  })
})

describe("on SIGTERM", () => {
  it("completes a request in progress, and exits with 0", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, child, ended } = await startServer(["serve", ...database, ...anyPort], { cwd })
    const half = await halfSent(baseUrl, api_key)
    child.kill("SIGTERM")
    await untilRefused(baseUrl)
    half.sendRest()
    expect(await ended).toBe(0)
    expect(half.received.text).toMatch(/^HTTP\/1\.1 201 /)
  })

  it("aborts a request that outlasts the grace period", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, child, ended } = await startServer(
      ["serve", ...database, ...anyPort, "--shutdown-grace-seconds", "1"],
      { cwd }
    )
    const half = await halfSent(baseUrl, api_key)
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(half.received.text).toBe("")
  })

  it.each([[64, 10], [32, 3], [8, 1]])(
    "exits in time with %i clients and a grace period of %i s",
    async (clients, grace) => {
      const cwd = folder()
      const { api_key } = await outfitter(cwd)
      const flags = ["--shutdown-grace-seconds", `${grace}`, "--rate-limit", "0", "--log-level", "warn"]
      const { baseUrl, child, ended, output } = await startServer(["serve", ...database, ...anyPort, ...flags], { cwd })
      const createdIds: Array<unknown> = []
      const statuses = new Set<number>()
      const state = { over: false }
      const client = async (): Promise<void> => {
        while (!state.over) {
          const { body, status } = await onNewConnection(`${baseUrl}/offerings`, api_key, newOffering.body)
            .catch(() => ({ status: 0, body: undefined }))
          if (status === 0) continue
          statuses.add(status)
          if (status === 201) createdIds.push(body?.id)
        }
      }
      const all = Promise.all(Array.from({ length: clients }, client))
      await vi.waitUntil(() => createdIds.length > 2 * clients, { timeout: 60_000 })
      const toldAt = performance.now()
      child.kill("SIGTERM")
      expect(await ended).toBe(0)
      const tookMillis = performance.now() - toldAt
      state.over = true
      await all
      // In addition to the grace period, the process has 1 second to start the shutdown and 1 second to complete it.
      expect(tookMillis).toBeLessThan(grace * 1000 + 2000)
      // No client may get an error just because the database is closing.
      expect([...statuses]).toEqual([201])
      expect(output.stderr).toBe("")
      const again = await startServer(["serve", ...database, ...anyPort, "--rate-limit", "0"], { cwd })
      for (const id of createdIds) {
        expect((await request(`${again.baseUrl}/offerings/${String(id)}`, api_key)).status).toBe(200)
      }
    }
  )

  it("exits immediately with 143 on a second signal", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const { baseUrl, child, ended } = await startServer(
      ["serve", ...database, ...anyPort, "--shutdown-grace-seconds", "600"],
      { cwd }
    )
    await halfSent(baseUrl, api_key)
    child.kill("SIGTERM")
    await untilRefused(baseUrl)
    child.kill("SIGTERM")
    expect(await ended).toBe(143)
  })

  it("preserves all acknowledged writes for the next start", async () => {
    const cwd = folder()
    const { api_key } = await outfitter(cwd)
    const first = await startServer(["serve", ...database, ...anyPort], { cwd })
    const { body } = await request(`${first.baseUrl}/offerings`, api_key, newOffering)
    first.child.kill("SIGTERM")
    expect(await first.ended).toBe(0)
    const second = await startServer(["serve", ...database, ...anyPort], { cwd })
    expect((await request(`${second.baseUrl}/offerings`, api_key)).body.data).toEqual([body])
  })
})

describe("behind a proxy", () => {
  /**
   * Sends requests with an invalid key from a client address, as reported by a local proxy. Returns the last status.
   */
  const wrong = async (baseUrl: string, from: string, times: number): Promise<number> => {
    let status = 0
    for (let at = 0; at < times; at++) {
      const headers = { authorization: "Bearer nonsense", "x-forwarded-for": `198.51.100.1, ${from}` }
      status = (await fetch(`${baseUrl}/org`, { headers })).status
    }
    return status
  }

  /** More invalid keys than one address may send in a minute. */
  const many = 60

  it.each(["loopback", "127.0.0.1/32", "1"])(
    "with --trust-proxy %s, counts each caller's invalid keys separately",
    async (trusted) => {
      const { baseUrl } = await startServer(["serve", ...database, ...anyPort, "--trust-proxy", trusted], {
        cwd: folder()
      })
      expect(await wrong(baseUrl, "203.0.113.1", many)).toBe(429)
      expect(await wrong(baseUrl, "203.0.113.2", 1)).toBe(401)
      // Addresses that the client put in the header itself are ignored.
      expect(await wrong(baseUrl, "203.0.113.9, 203.0.113.1", 1)).toBe(429)
    }
  )

  it.each([["none", []], ["another", ["--trust-proxy", "10.0.0.0/8"]]])(
    "ignores a forged address if the trusted proxy is %s",
    async (_, flags) => {
      const { baseUrl } = await startServer(["serve", ...database, ...anyPort, ...flags], { cwd: folder() })
      expect(await wrong(baseUrl, "203.0.113.1", many)).toBe(429)
      expect(await wrong(baseUrl, "203.0.113.2", 1)).toBe(429)
    }
  )

  it("warns once about an untrusted proxy", async () => {
    const { baseUrl, child, ended, output } = await startServer(["serve", ...database, ...anyPort], { cwd: folder() })
    await wrong(baseUrl, "203.0.113.1", 3)
    child.kill("SIGTERM")
    await ended
    const lines = output.stderr.split("\n").filter((line) => line.includes("--trust-proxy"))
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: "warn" }])
    expect(output.stderr).not.toContain("203.0.113.1")
  })
})
