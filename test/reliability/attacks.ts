/**
 * Callers that take the time, memory, or connections of a server, each with the ceiling that it must stay under. Every
 * address of loopback is a network of its own, so an attacker and a guest differ by their local address.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
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
  /** The key of the attacker, and one of another outfitter. */
  readonly keys: { readonly busy: string; readonly quiet: string }
}

interface Asked {
  readonly from: string
  readonly agent?: Agent
  readonly key?: string
  readonly body?: string
}

/** Sends one request, reads its answer, and returns the status; 0 if the server closes the connection. */
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

/** Keeps sockets open from these addresses that send their bytes and never read. One that is closed is opened again. */
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

/** How many of 20 guests, each in a network of their own, do not get the booking page. */
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

/** The CPU time of the server so far. Linux counts it in hundredths of a second. */
const cpuMs = ({ server }: Victim): number => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** 4 clients in a process of their own, which post a body without a pause. Returns a function that ends them. */
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
    // 120 a minute, so some come back during the attack.
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
    // So few of each network that none of them reaches the limit of its address.
    // One answer fits into the buffers of the kernel; ten do not.
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
      // The server could have continued in that time, but other programs had the cores.
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
        // Twice as long, but no less than the scheduler of a loaded machine takes.
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

/** Runs all attacks on one server with the limits that it has by default. */
export const attack = async (print: Print): Promise<ReadonlyArray<Outcome>> => {
  const target = await sqlite()
  try {
    const { key: quiet } = await createOrg(target.url)
    const { key: busy } = await createOrg(target.url)
    const server = await startServer(target.url, target.folder, { rateLimit: 100 })
    try {
      const victim = { server, port: Number(new URL(server.url).port), keys: { busy, quiet } }
      await guestsRefused(victim)
      const outcomes: Array<Outcome> = []
      for (const part of [referenceRequests, bodiesOfUnknownFields, deafSockets]) {
        for (const outcome of await part(victim)) {
          print(sentence(outcome))
          outcomes.push(outcome)
        }
      }
      return outcomes
    } finally {
      await server.kill()
    }
  } finally {
    await target.close()
  }
}

const sentence = ({ attack, ceiling, figure, value }: Outcome): string =>
  `${attack}: ${figure}: ${value.toFixed(1)}, at most ${ceiling.toFixed(1)}`

/** The outcomes that are over their ceiling. */
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
