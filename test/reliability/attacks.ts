/**
 * Callers that exhaust the time, memory, or connections of a server, each with the ceiling that the damage must stay
 * under. The server treats each loopback address as a separate network, so attackers and guests use different local
 * addresses.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { waitedMs } from "../fairness/waited.ts"
import type { Print } from "./parts.ts"
import type { Report } from "./report.ts"
import { createOrg, type ServerProcess, startServer } from "./ServerProcess.ts"
import { sqlite } from "./Target.ts"

export interface Outcome {
  readonly attack: string
  readonly figure: string
  readonly value: number
  readonly ceiling: number
}

interface Victim {
  readonly server: ServerProcess
  readonly port: number
  /** The directory in which the server stores files. */
  readonly folder: string
  /** The API key of the attacker, and that of another outfitter. */
  readonly keys: { readonly busy: string; readonly quiet: string }
}

interface Asked {
  readonly from: string
  readonly agent?: Agent
  readonly key?: string
  readonly body?: string
}

/** Sends one request, reads the response, and returns the status, or 0 if the server closes the connection. */
const send = ({ port }: Victim, method: string, path: string, { agent, body, from, key }: Asked): Promise<number> =>
  new Promise((resolve) => {
    const sent = request({
      agent: agent ?? false,
      port,
      host: "127.0.0.1",
      localAddress: from,
      method,
      path,
      timeout: 20_000,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body)
        })
      }
    }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0))
    })
    sent.on("timeout", () => sent.destroy())
    sent.on("error", () => resolve(0))
    sent.end(body)
  })

/** Opens sockets from these addresses that send `bytes` and never read. A closed socket is reopened after 200 ms. */
const unread = async ({ port }: Victim, addresses: ReadonlyArray<string>, sockets: number, bytes: string) => {
  const opened = new Set<Socket>()
  const state = { going: true }
  const openOne = async (localAddress: string): Promise<void> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {}).pause()
    opened.add(socket)
    socket.once("close", () => {
      opened.delete(socket)
      if (state.going) setTimeout(() => state.going && void openOne(localAddress), 200)
    })
    await Promise.race([once(socket, "connect"), once(socket, "close")])
    socket.write(bytes)
  }
  for (let at = 0; at < sockets; at++) await openOne(addresses[at % addresses.length] ?? "127.0.0.2")
  return () => {
    state.going = false
    for (const socket of opened) socket.destroy()
  }
}

const maxAttempts = 3

const page = "/book/salida-river-co"

let guests = 0

/** Counts the guests, out of 20 in separate networks, that do not get the booking page. */
const guestsRefused = async (victim: Victim): Promise<number> => {
  let refused = 0
  for (let guest = 0; guest < 20; guest++) {
    const status = await send(victim, "GET", page, { from: `127.0.7.${1 + guests++ % 250}` })
    if (status !== 200) refused++
  }
  return refused
}

const residentMegabytes = ({ server }: Victim): number => {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

/** The total CPU time of the server. Linux counts it in hundredths of a second. */
const cpuMs = ({ server }: Victim): number => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** The total CPU time of the thread that serves requests. */
const requestThreadMs = ({ server: { pid } }: Victim): number => {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** Starts 4 clients in a separate process that post a body without a pause. Returns a function that stops them. */
const posting = async ({ port }: Victim, key: string, body: string): Promise<() => Promise<void>> => {
  const child = spawn(process.execPath, ["-e", poster, String(port), key], { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(body)
  await once(child.stdout, "data")
  return async () => {
    child.kill("SIGKILL")
    await once(child, "exit")
  }
}

const poster = `
const { request } = require("node:http")
const [port, key] = process.argv.slice(1)
const body = require("node:fs").readFileSync(0)
const headers = { authorization: "Bearer " + key, "content-type": "application/json", "content-length": body.length }
const post = () => {
  let isOver = false
  const next = () => {
    if (isOver) return
    isOver = true
    process.stdout.write(".")
    setImmediate(post)
  }
  request({ port, host: "127.0.0.1", localAddress: "127.0.4.1", method: "POST", path: "/v1/bookings", headers }, (answer) => {
    answer.resume().on("close", next)
  }).on("error", next).end(body)
}
for (let client = 0; client < 4; client++) post()
`

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const referenceRequests = async (victim: Victim): Promise<ReadonlyArray<Outcome>> => {
  const outcomes: Array<Outcome> = []
  for (const [at, path] of ["/reference", "/reference/ui.js", "/v1/openapi.json"].entries()) {
    const from = `127.0.2.${1 + at}`
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    await send(victim, "GET", path, { from: "127.0.2.200" })
    const before = cpuMs(victim)
    const statuses = await Promise.all(Array.from({ length: 100 }, () => send(victim, "GET", path, { agent, from })))
    const value = (cpuMs(victim) - before) / statuses.filter((status) => status === 200).length
    outcomes.push({ attack: `GET ${path} on 4 connections`, figure: "CPU ms each", value, ceiling: 2 })
    const more = await Promise.all(Array.from({ length: 100 }, () => send(victim, "GET", path, { agent, from })))
    const answered = more.filter((status) => status === 200).length
    // The limit of 120 a minute refills while the attack runs.
    outcomes.push({ attack: `GET ${path} on 4 connections`, figure: "answers after 100", value: answered, ceiling: 50 })
    agent.destroy()
  }
  return outcomes
}

const deafSockets = async (victim: Victim): Promise<ReadonlyArray<Outcome>> => {
  const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const networks = (count: number) => Array.from({ length: count }, (_, at) => `127.0.3.${1 + at}`)
  const attacks = [
    ["950 sockets that never read", networks(1), 950, line(page)],
    // Each network stays under the limit per address. One response fits into the kernel's socket buffers, ten do not.
    ["950 sockets of 200 networks that never read", networks(200), 950, line("/reference/ui.js").repeat(10)],
    ["400 sockets of 200 networks with 40 requests each", networks(200), 400, line(page).repeat(40)]
  ] as const
  const outcomes: Array<Outcome> = []
  for (const [attack, addresses, sockets, bytes] of attacks) {
    const end = await unread(victim, addresses, sockets, bytes)
    outcomes.push(
      { attack, figure: "guests without the booking page, of 20", value: await guestsRefused(victim), ceiling: 0 },
      { attack, figure: "resident MB", value: residentMegabytes(victim), ceiling: 400 }
    )
    end()
  }
  return outcomes
}

const bodiesOfUnknownFields = async (victim: Victim): Promise<ReadonlyArray<Outcome>> => {
  const { keys: { busy, quiet } } = victim
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const waits = async (count: number): Promise<number> => {
    const times: Array<number> = []
    for (let at = 0; at < count; at++) {
      const before = waitedMs(victim.server.pid)
      const begun = performance.now()
      await send(victim, "GET", "/v1/org", { agent, from: "127.0.0.1", key: quiet })
      // Subtract the time in which the server was ready to run but other programs had the cores.
      times.push(Math.max(0, performance.now() - begun - (waitedMs(victim.server.pid) - before)))
    }
    return median(times)
  }
  await waits(50)
  const outcomes: Array<Outcome> = []
  for (const bytes of [1_000_000, 65_000]) {
    const names = Array.from({ length: Math.floor(bytes / 13) }, (_, at) => `"k${at.toString(36).padStart(6, "0")}":1`)
    const nested = `{"offering_id":{${names.join(",").slice(0, bytes - 20).replace(/,[^,]*$/, "")}}}`
    for (const [name, body] of [["", `{${names.join(",")}}`], [" below a known one", nested]] as const) {
      const measure = async (attempt: number): Promise<Outcome> => {
        const idle = await waits(60)
        const end = await posting(victim, busy, body)
        const value = await waits(60)
        await end()
        const attack = `${bytes} bytes of unknown fields${name}, 4 connections`
        // Allow twice the idle time, or 8 ms more than it, because the scheduler of a loaded machine can add that.
        const outcome = { attack, figure: "p50 of other reads, ms", value, ceiling: Math.max(2 * idle, idle + 8) }
        // Other programs share the machine, so a figure over its ceiling is measured again.
        return value <= outcome.ceiling || attempt === maxAttempts ? outcome : measure(attempt + 1)
      }
      outcomes.push(await measure(1))
    }
  }
  agent.destroy()
  return outcomes
}

interface Start {
  readonly starts_at: string
}

/** Creates a booking at the quiet outfitter and returns the path of its guest page. */
const bookedPage = async ({ keys: { quiet }, port }: Victim): Promise<string> => {
  const ask = async (
    path: string,
    body?: object
  ): Promise<Record<"id" | "handle", string> & { data: Array<Start> }> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      headers: { authorization: `Bearer ${quiet}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json() as Record<"id" | "handle", string> & { data: Array<Start> }
  }
  const { id } = await ask("/offerings", { name: `Kayak ${guests++}`, kind: "rental", capacity: 10 })
  const { data: [start] } = await ask(`/offerings/${id}/availability`)
  const customer = { email: "ada@example.com", name: "Ada" }
  return `/b/${(await ask("/bookings", { offering_id: id, starts_at: start?.starts_at, customer })).handle}`
}

const boundary = "boundary"

const messageForm = (key: number, files: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([
    ...Object.entries({ key: `0199aaaa-0000-7000-8000-${String(key).padStart(12, "0")}`, body: `Message ${key}` }).map(
      ([name, value]) =>
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    ),
    ...files.flatMap((file) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n`),
      file,
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--\r\n`)
  ])

/** Sends a form and returns the status, or 0 if the server closes the connection. */
const sendForm = ({ port }: Victim, path: string, from: string, form: Buffer): Promise<number> =>
  new Promise((resolve) => {
    const sent = request({
      agent: false,
      port,
      host: "127.0.0.1",
      localAddress: from,
      method: "POST",
      path,
      headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": form.length }
    }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0))
    })
    sent.on("error", () => resolve(0))
    sent.end(form)
  })

const storedMegabytes = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(names.map(async (name) => {
    const found = await stat(join(folder, name))
    return found.isFile() ? found.size : 0
  }))
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20
}

const pdf = Buffer.alloc(10 * 1024 * 1024, 32)
pdf.write("%PDF-1.4\n%%EOF\n")

const guestForms = async (victim: Victim): Promise<ReadonlyArray<Outcome>> => {
  const files = join(victim.folder, "files")
  const five = Array.from({ length: 5 }, () => pdf)
  const outcomes: Array<Outcome> = []
  const path = `${await bookedPage(victim)}/messages`
  // Send one form before measuring, because the first form loads the page's code.
  await sendForm(victim, `${await bookedPage(victim)}/messages`, "127.0.5.1", messageForm(0, [pdf.subarray(0, 1000)]))
  const before = requestThreadMs(victim)
  const first = await sendForm(victim, path, "127.0.5.1", messageForm(0, five))
  if (first !== 303) throw new Error(`Expected status 303 for the first form, got ${first}.`)
  outcomes.push({
    attack: "a form of 50 MB",
    figure: "CPU ms of the request thread",
    value: requestThreadMs(victim) - before,
    ceiling: 400
  })
  for (let n = 0; n < 5; n++) await sendForm(victim, path, "127.0.5.1", messageForm(0, five))
  outcomes.push({
    attack: "5 files of 10 MB with one form key, 6 times",
    figure: "MB stored",
    value: await storedMegabytes(files),
    ceiling: 51
  })
  for (let n = 1; n <= 6; n++) await sendForm(victim, path, "127.0.5.1", messageForm(n, five))
  outcomes.push({
    attack: "5 files of 10 MB with a new form key, 6 times",
    figure: "MB stored",
    value: await storedMegabytes(files),
    ceiling: 151
  })
  const noisy = `${await bookedPage(victim)}/messages`
  const statuses: Array<number> = []
  for (let n = 100; n < 180; n++) statuses.push(await sendForm(victim, noisy, `127.0.5.${n}`, messageForm(n, [])))
  const accepted = statuses.filter((status) => status === 303).length
  outcomes.push({ attack: "80 messages in a minute", figure: "messages stored", value: accepted, ceiling: 51 })
  return outcomes
}

/** Starts forms and uploads that stall, while a guest of another network sends a photo. */
const stalledUploads = async (victim: Victim): Promise<ReadonlyArray<Outcome>> => {
  const path = `${await bookedPage(victim)}/messages`
  const other = `${await bookedPage(victim)}/messages`
  const head = (target: string, bytes: number, more = "") =>
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n` +
    `Content-Length: ${bytes}\r\n${more}\r\n--${boundary}\r\n` +
    `Content-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nx`
  const key = `Authorization: Bearer ${victim.keys.busy}\r\n`
  const attacks = [
    ["33 stalled forms of 50 MB", head(path, 50 * 2 ** 20), 33],
    ["33 stalled uploads of one key", head("/v1/attachments", 10 * 2 ** 20, key), 33]
  ] as const
  const outcomes: Array<Outcome> = []
  for (const [at, [attack, bytes, sockets]] of attacks.entries()) {
    const end = await unread(victim, ["127.0.6.1", "127.0.6.2"], sockets, bytes)
    let refused = 0
    for (let n = 0; n < 5; n++) {
      const form = messageForm(200 + 10 * at + n, [pdf.subarray(0, 1_000_000)])
      if (await sendForm(victim, other, `127.0.7.${n + 1}`, form) !== 303) refused++
    }
    outcomes.push({ attack, figure: "photos of other guests refused, of 5", value: refused, ceiling: 0 })
    end()
  }
  return outcomes
}

/** Groups that run on one server each. The sockets have their own, so that no earlier garbage counts as their memory. */
const groups = [[referenceRequests, bodiesOfUnknownFields, guestForms, stalledUploads], [deafSockets]]

/** Runs all attacks on servers with default limits. */
export const attack = async (print: Print): Promise<ReadonlyArray<Outcome>> => {
  const outcomes: Array<Outcome> = []
  for (const parts of groups) {
    const target = await sqlite()
    try {
      const { key: quiet } = await createOrg(target.url)
      const { key: busy } = await createOrg(target.url)
      const server = await startServer(target.url, target.folder, { rateLimit: 100 })
      try {
        const victim = { server, folder: target.folder, port: Number(new URL(server.url).port), keys: { busy, quiet } }
        await guestsRefused(victim)
        for (const part of parts) {
          for (const outcome of await part(victim)) {
            print(sentence(outcome))
            outcomes.push(outcome)
          }
        }
      } finally {
        await server.kill()
      }
    } finally {
      await target.close()
    }
  }
  return outcomes
}

const sentence = ({ attack, ceiling, figure, value }: Outcome): string =>
  `${attack}: ${figure}: ${value.toFixed(1)}, at most ${ceiling.toFixed(1)}`

/** Returns a sentence for each outcome over its ceiling. */
export const broken = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<string> =>
  outcomes.filter(({ ceiling, value }) => !(value <= ceiling)).map(sentence)

export const attacks = async (print: Print): Promise<Report> => {
  const outcomes = await attack(print)
  return {
    titles: ["attack", "figure", "measured", "at most"],
    rows: outcomes.map(({ attack, ceiling, figure, value }) => [attack, figure, value.toFixed(1), ceiling.toFixed(1)]),
    findings: broken(outcomes)
  }
}
