/** A server that is killed again and again while a guest's mails come in: none that it took is lost, and none is there twice. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { createTransport } from "nodemailer"
import PostalMime from "postal-mime"
import { assert, onTestFinished, test, vi } from "vitest"

const cli = join(import.meta.dirname, "../../trailbook/dist/cli.js")
const replyDomain = "reply.pine.example"

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:TRAILBOOK_|npm_|NODE_OPTIONS$|DATABASE_URL$|PORT$)/.test(name))
)

test("what was acknowledged is there once, through kill -9", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "trailbook-mail-"))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const [port, lmtp] = [await freePort(), await freePort()]
  const database = ["--database", "sqlite:a.sqlite"]
  const begin = (args: ReadonlyArray<string>): ChildProcess =>
    spawn(process.execPath, [cli, ...args], { cwd, env: environment, stdio: ["ignore", "pipe", "ignore"] })

  const made = begin(["org", "create", ...database, "--name", "Pine River", "--timezone", "America/Denver", "--json"])
  let said = ""
  made.stdout?.on("data", (chunk) => void (said += String(chunk)))
  await once(made, "close")
  const { api_key: key } = JSON.parse(said)

  let server: ChildProcess | undefined
  onTestFinished(() => void server?.kill("SIGKILL"))
  const serve = async () => {
    const listening = ["--port", String(port), "--mail-listen", `lmtp://127.0.0.1:${lmtp}`]
    server = begin(["serve", ...database, ...listening, "--reply-domain", replyDomain, "--log-level", "silent"])
    await vi.waitUntil(() => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok, () => false), {
      timeout: 30_000,
      interval: 50
    })
  }
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return response.json()
  }

  await serve()
  const { id } = await call("POST", "/customers", { email: "ada@example.com", name: "Ada" })
  await call("POST", "/messages", { customer_id: id, body: "Shall we say Saturday?" })
  const outbox = join(cwd, "outbox")
  const file = await vi.waitUntil(
    () => existsSync(outbox) && readdirSync(outbox).find((name) => name.endsWith(".eml")),
    { timeout: 30_000 }
  )
  const { replyTo } = await PostalMime.parse(readFileSync(join(outbox, file)))
  const to = replyTo?.[0]?.address ?? ""

  const count = 60
  const transport = createTransport({ host: "127.0.0.1", port: lmtp, lmtp: true, ignoreTLS: true })
  onTestFinished(() => transport.close())
  const send = async (n: number): Promise<void> => {
    const raw =
      `From: ada@example.com\r\nMessage-ID: <${n}@mail.example.com>\r\nSubject: Re: Your trip\r\n\r\nAnswer ${n}.`
    // As a mail server does: again until it is taken.
    for (;;) {
      const taken = await transport.sendMail({ envelope: { from: "ada@example.com", to: [to] }, raw }).then(
        ({ rejected }) => rejected.length === 0,
        () => false
      )
      if (taken) return
      await wait(20)
    }
  }
  const left = new Set([0, 1, 2])
  const sending = Promise.all([...left].map(async (lane) => {
    for (let n = lane; n < count; n += 3) await send(n)
    left.delete(lane)
  }))
  let kills = 0
  while (left.size > 0 && kills < 20) {
    await wait(40 + 30 * (kills % 5))
    server?.kill("SIGKILL")
    await (server && once(server, "exit"))
    kills++
    await serve()
  }
  await sending
  assert.isAbove(kills, 2)

  const { data } = await call("GET", `/messages?customer_id=${id}&limit=500`)
  const heard = (data as ReadonlyArray<{ direction: string; body: string }>)
    .filter(({ direction }) => direction === "to_outfitter").map(({ body }) => body)
  assert.deepEqual(heard.toSorted(), Array.from({ length: count }, (_, n) => `Answer ${n}.`).toSorted())
}, 180_000)
