import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { answer, folder, request, serving, trailbook } from "./program.ts"

const database = ["--database", "sqlite:a.sqlite"]
const anyPort = ["--port", "0"]
const org = ["org", "create", ...database, "--name", "Salida River Co.", "--timezone", "America/Denver"]
const newOffering = { method: "POST", body: JSON.stringify({ name: "Browns Canyon", kind: "class" }) }

/** An HTTP request of which half the body is sent. */
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
  // The server has begun to read it once it has answered a request that came later.
  await request(`${baseUrl}/offerings`, key)
  return { socket, received, sendRest: () => socket.write(newOffering.body.slice(10)) }
}

/** Until nobody listens any more. */
const refused = async (baseUrl: string): Promise<void> => {
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
  it("makes the database, prints one line with the address, and answers", async () => {
    const cwd = folder()
    const server = await serving(["serve", ...database, ...anyPort], { cwd })
    expect(server.said.stdout).toBe(`Trailbook is ready at ${server.baseUrl}\n`)
    expect((await fetch(new URL("/readyz", server.baseUrl))).status).toBe(200)
    expect((await request(`${server.baseUrl}/offerings`, "nonsense")).status).toBe(401)
  })

  it("org create works while it runs, and the new key opens the new org at once", async () => {
    const cwd = folder()
    const { baseUrl, said } = await serving(["serve", ...database, ...anyPort], { cwd })
    const made = await answer(org, { cwd })
    expect(Object.keys(made)).toEqual(["org_id", "slug", "api_key"])
    expect(made).toMatchObject({ slug: "salida-river-co" })
    const { body, status } = await request(`${baseUrl}/org`, made.api_key)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: made.org_id,
      name: "Salida River Co.",
      timezone: "America/Denver",
      currency: "usd"
    })
    expect((await request(`${baseUrl}/offerings`, made.api_key, newOffering)).status).toBe(201)
    expect(said.stdout.split("\n")).toHaveLength(2)
  })

  it("logs a line of JSON for each request on stderr, without the key", async () => {
    const cwd = folder()
    const { api_key } = await answer(org, { cwd })
    const { baseUrl, child, ended, said } = await serving(["serve", ...database, ...anyPort], { cwd })
    await request(`${baseUrl}/org`, api_key)
    child.kill("SIGTERM")
    await ended
    const lines = said.stderr.trim().split("\n").map((line): Record<string, unknown> => JSON.parse(line))
    expect(lines.find(({ op }) => op === "org.get")).toMatchObject({ level: "info", msg: "request", status: 200 })
    expect(said.stderr).not.toContain(String(api_key).slice(20, 50))
  })

  it("is silent when it is told to be", async () => {
    const cwd = folder()
    const { baseUrl, child, ended, said } = await serving(
      ["serve", ...database, ...anyPort, "--log-level", "silent"],
      { cwd }
    )
    await request(`${baseUrl}/org`, "nonsense")
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(said.stderr).toBe("")
  })

  it("says that a port is taken and what to do, and ends with 1", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const { code, stderr, stdout } = await trailbook(["serve", ...database], {
      cwd: folder(),
      env: { PORT: `${port}` }
    })
    other.close()
    expect(stderr).toBe(`Port ${port} is taken. Start with --port ${port + 1} or set PORT.\n`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  })
})

describe("at SIGTERM", () => {
  it("a request under way is answered, nobody else is let in, and it ends with 0", async () => {
    const cwd = folder()
    const { api_key } = await answer(org, { cwd })
    const { baseUrl, child, ended } = await serving(["serve", ...database, ...anyPort], { cwd })
    const half = await halfSent(baseUrl, api_key)
    child.kill("SIGTERM")
    await refused(baseUrl)
    half.sendRest()
    expect(await ended).toBe(0)
    expect(half.received.text).toMatch(/^HTTP\/1\.1 201 /)
  })

  it("a request that does not come to its end within the grace is cut off, and it ends with 0", async () => {
    const cwd = folder()
    const { api_key } = await answer(org, { cwd })
    const { baseUrl, child, ended } = await serving(
      ["serve", ...database, ...anyPort, "--shutdown-grace-seconds", "1"],
      { cwd }
    )
    const half = await halfSent(baseUrl, api_key)
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(half.received.text).toBe("")
  })

  it("a second one ends it at once, with 143", async () => {
    const cwd = folder()
    const { api_key } = await answer(org, { cwd })
    const { baseUrl, child, ended } = await serving(
      ["serve", ...database, ...anyPort, "--shutdown-grace-seconds", "600"],
      { cwd }
    )
    await halfSent(baseUrl, api_key)
    child.kill("SIGTERM")
    await refused(baseUrl)
    child.kill("SIGTERM")
    expect(await ended).toBe(143)
  })

  it("what was answered is there when it starts again", async () => {
    const cwd = folder()
    const { api_key } = await answer(org, { cwd })
    const first = await serving(["serve", ...database, ...anyPort], { cwd })
    const { body } = await request(`${first.baseUrl}/offerings`, api_key, newOffering)
    first.child.kill("SIGTERM")
    expect(await first.ended).toBe(0)
    const second = await serving(["serve", ...database, ...anyPort], { cwd })
    expect((await request(`${second.baseUrl}/offerings`, api_key)).body.data).toEqual([body])
  })
})
