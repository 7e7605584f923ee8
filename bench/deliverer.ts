/**
 * The sender under measurement, in a separate process: a worker as in `trailbook worker`, or a bare loop that only
 * posts. The parent process sends the receivers and the number of events over the IPC channel.
 */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { EventLog } from "@trailbook/core/port"
import { Webhooks } from "@trailbook/core/webhook/Webhooks"
import { buildDomainServices } from "@trailbook/server/buildDomainServices"
import { filesLayer } from "@trailbook/server/filesLayer"
import { runWorker } from "@trailbook/server/runWorker"
import { readSettings } from "@trailbook/server/setting/readSettings"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Each event is delivered to every receiver of its outfitter. */
export interface Receivers {
  readonly urls: ReadonlyArray<string>
  /** The number of outfitters that share the receivers. Each outfitter gets at most four concurrent runs. */
  readonly outfitters: number
}

/**
 * A request from the parent: register receivers, send the given number of events for each outfitter, or report the CPU
 * time so far in microseconds.
 */
export type Ask =
  | { readonly ask: "know"; readonly receivers: Receivers }
  | { readonly ask: "send"; readonly events: number }
  | { readonly ask: "cpu" }

interface Deliverer {
  readonly know: (receivers: Receivers) => Promise<void>
  readonly send: (events: number) => Promise<void>
}

const scope = Effect.runSync(Scope.make())
const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.extend(effect, scope))

/** Untyped JSON. */
type Json = ReturnType<typeof JSON.parse>

const call = (name: string, input: unknown): Effect.Effect<Json, unknown, Actor | Registry> =>
  Effect.flatMap(Registry, (registry) => registry.run(name, input))

/** The booking that all events contain. Only its size matters. */
const createBooking = Effect.gen(function*() {
  const offering = yield* call("offerings.create", { name: "Browns Canyon Half Day", kind: "class", capacity: 12 })
  const startsAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const { data: [session] } = yield* call("sessions.create", { offering_id: offering.id, starts_at: startsAt })
  yield* call("bookings.create", {
    offering_id: offering.id,
    session_id: session.id,
    quantity: 2,
    customer: { email: "guest@example.com", name: "Guest", phone: "+1 719 555 0100" }
  })
})

const startTrailbook = async (url: string): Promise<Deliverer> => {
  // The first bookings also send emails to their guests.
  const outbox = mkdtempSync(join(tmpdir(), "trailbook-bench-"))
  process.on("exit", () => rmSync(outbox, { recursive: true, force: true }))
  const flags = {
    database: url,
    "secrets-keys": KeyRing.generate(),
    "webhook-allow": "127.0.0.0/8",
    "log-level": "silent",
    outbox
  }
  const { json: _json, once: _once, ...settings } = readSettings("worker", new Map(Object.entries(flags)), {}).values
  const domain = await run(buildDomainServices({ ...settings, files: filesLayer(settings) }))
  await run(runWorker({ ...settings, log: { write: () => {}, flush: () => {} } }))
  let orgIds: ReadonlyArray<string> = []
  const createOutfitter = (urls: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const { id: orgId } = yield* (yield* Orgs).create({ name: "Bench River Co.", timezone: "America/Denver" })
      yield* Effect.provideService(createBooking, Actor, makeHostActor({ orgId }))
      const webhooks = yield* Webhooks
      yield* Effect.forEach(urls, (url) => webhooks.create({ orgId, url, events: ["*"] }))
      return orgId
    })
  return {
    know: async ({ outfitters, urls }) => {
      const groups = Array.from({ length: outfitters }, (_, at) => urls.filter((_, url) => url % outfitters === at))
      orgIds = await run(Effect.provide(Effect.forEach(groups, createOutfitter), domain))
    },
    send: (events) =>
      run(Effect.provide(
        Effect.flatMap(EventLog, (log) =>
          Effect.flatMap(
            Effect.forEach(orgIds, (orgId) => log.latest(orgId, 1)),
            (latest) => log.append(latest.flat().flatMap((event) => Array.from({ length: events }, () => event)))
          )),
        domain
      ))
  }
}

/** Creates a sender that runs one loop per receiver. Each loop posts the same text over a keep-alive connection. */
const startBare = (body: string): Deliverer => {
  const agent = new Agent({ keepAlive: true })
  let urls: ReadonlyArray<string> = []
  const post = (url: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }
      request(url, { agent, method: "POST", headers }, (response) => response.resume().once("end", resolve))
        .once("error", reject).end(body)
    })
  return {
    know: async (receivers) => {
      urls = receivers.urls
    },
    send: async (events) => {
      void Promise.all(urls.map(async (url) => {
        for (let count = 0; count < events; count++) await post(url)
      }))
    }
  }
}

const [kind = "", argument = ""] = process.argv.slice(2)
const deliverer = kind === "bare" ? startBare(argument) : await startTrailbook(argument)
const sendMessage = (message: object): void => void process.send?.(message)
process.on("SIGINT", () => process.exit(0))
process.on("message", (message: Ask) => {
  if (message.ask === "cpu") {
    const { system, user } = process.cpuUsage()
    return sendMessage({ cpu: system + user })
  }
  const completion = message.ask === "know" ? deliverer.know(message.receivers) : deliverer.send(message.events)
  void completion.then(() => sendMessage({ done: true }))
})
sendMessage({ ready: true })
