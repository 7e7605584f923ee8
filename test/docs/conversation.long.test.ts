/**
 * Runs the story on the conversations page. It sends HTTP requests to a server on a SQLite file, mail over SMTP to a
 * mail server, and the guest's replies over LMTP. At the end, no copy may contain any of the guest's data.
 */
import { ApiKeys } from "@trailbook/core/actor"
import { GuestConversations } from "@trailbook/core/conversation"
import { Orgs } from "@trailbook/core/org"
import { TenantScope } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { currentTime } from "@trailbook/core/time/currentTime"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { runWorker } from "@trailbook/server/runWorker"
import { readSettings } from "@trailbook/server/setting/readSettings"
import { startServer } from "@trailbook/server/startServer"
import * as SqliteStorage from "@trailbook/sqlite/SqliteStorage"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import PostalMime from "postal-mime"
import { assert, it, onTestFinished, vi } from "vitest"
import { jpegs } from "../../packages/core/test/file/jpegs.ts"
import { type ArrivedMail, postmaster } from "../../packages/mail/test/Postmaster.ts"
import { freePort } from "../freePort.ts"
import { proposalOf } from "../proposalOf.ts"
import { readPage } from "./Page.ts"
import { assertShows } from "./shows.ts"

const page = readPage("docs/concepts/conversations.md")
const from = page.blocks.findIndex(({ text }) => text.includes("Browns Canyon"))
const blocks = page.blocks.slice(from)

const replyDomain = "reply.salida.example"
const flags = new Map([["database", "sqlite:unused.sqlite"], ["public-url", "https://book.example"]])
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
const patient = { timeout: 60_000, interval: 50 }

/** Parses a message: header lines, an empty line, and the body. */
const lettered = (text: string) => {
  const [head = "", ...rest] = text.split("\n\n")
  const headers = new Map(head.split("\n").map((line) => line.split(": ", 2) as [string, string]))
  return { header: (name: string) => headers.get(name) ?? "", body: rest.join("\n\n").trim() }
}

const idOf = (answer: unknown): string => {
  const { data: [first] = [], id = first?.id } = Object(answer)
  return String(id)
}

it.each(["in the server", "separate from the server"])(
  "the documented conversation runs with a worker %s, and leaves no guest data",
  async (place) => {
    const folder = mkdtempSync(join(tmpdir(), "trailbook-story-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const filename = join(folder, "a.sqlite")
    const lmtp = await freePort()
    const guests = await postmaster({ hideDSN: true })
    onTestFinished(guests.close)
    const settings = {
      database: { _tag: "Sqlite", file: filename },
      smtpUrl: `smtp://127.0.0.1:${guests.port}`,
      mailFrom: "bookings@salida.example",
      replyDomain,
      mailListen: { protocol: "lmtp", host: "127.0.0.1", port: lmtp }
    } as const
    const isBeside = place === "separate from the server"
    const server = await startServer({ ...settings, port: 0, worker: isBeside ? "off" : "on" })
    onTestFinished(server.stop)
    if (isBeside) {
      const { json: _json, logFormat: _format, once: _once, ...defaults } = readSettings("worker", flags, {}).values
      const scope = Effect.runSync(Scope.make())
      onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
      const silent = { write: () => {}, flush: () => {} }
      await Effect.runPromise(Scope.extend(runWorker({ ...defaults, ...settings, log: silent }), scope))
    }
    /** Steps without an API operation run in this process, alongside the server and on the same file. */
    const runInService = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof around>>>) =>
      Effect.runPromise(Effect.provide(work, around(filename)))
    const { orgId, token } = await runInService(Effect.gen(function*() {
      const { id: orgId } = yield* (yield* Orgs).create({ name: "Salida River Co.", timezone: "America/Denver" })
      return { orgId, token: (yield* (yield* ApiKeys).create({ orgId, name: "story" })).token }
    }))
    const transport = createTransport({ host: "127.0.0.1", port: lmtp, lmtp: true, ignoreTLS: true })
    onTestFinished(() => transport.close())

    const ids = new Map<string, string>()
    const here = (text: string) =>
      text.replaceAll("2027-06-05", soon).replace(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? `{${name}}`)
    const request = async (text: string) => {
      const [, name] = /^# \{(\w+)\}/m.exec(text) ?? []
      const [first = "", ...rest] = here(text).split("\n").filter((line) => !line.startsWith("#"))
      const [method = "", path = ""] = first.split(" ")
      const body = rest.join("\n").trim()
      const response = await fetch(`${server.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === "" ? {} : { body })
      })
      const answer: unknown = await response.json()
      assert.isBelow(response.status, 300, `${first} ${JSON.stringify(answer)}`)
      if (name !== undefined) ids.set(name, idOf(answer))
      return answer
    }

    let readCount = 0
    let last: ArrivedMail | undefined
    const reply = async (text: string, mail: ArrivedMail) => {
      const { body, header } = lettered(text)
      const { messageId, replyTo, subject = "", text: quoted = "" } = await PostalMime.parse(mail.raw)
      const [photo] = FastCheck.sample(jpegs, { seed: 7, numRuns: 1 })
      return transport.sendMail({
        from: "Nadia Brandt <nadia@example.com>",
        to: replyTo?.[0]?.address ?? "",
        subject: `Re: ${subject}`,
        ...(messageId === undefined ? {} : { inReplyTo: messageId }),
        text: `${body}\n\nOn Saturday Salida River Co. wrote:\n${quoted.replace(/^/gm, "> ")}`,
        attachments: [{ filename: header("Attachment"), content: Buffer.from(photo?.bytes ?? []) }]
      })
    }

    const handlers: Record<string, (text: string, next: string | undefined) => Promise<unknown>> = {
      http: async (text, next) => {
        const requests = text.split(/^###\n/m)
        for (const one of requests.slice(0, -1)) await request(one)
        const lastRequest = requests.at(-1) ?? ""
        if (next === undefined) return request(lastRequest)
        // Inbound mail is processed asynchronously.
        return vi.waitFor(async () => {
          const answer = await request(lastRequest)
          assertShows(JSON.parse(here(next)), answer, lastRequest)
        }, patient)
      },
      json: async () => {},
      question: async (text) => {
        const { body, header } = lettered(text)
        const [, name = "", email = ""] = /^(.+) <(.+)>$/.exec(header("From")) ?? []
        await runInService(Effect.flatMap(GuestConversations, ({ ask }) => ask({ orgId, from: { name, email }, body })))
      },
      mail: async (text) => {
        const { body, header } = lettered(text)
        last = await vi.waitUntil(() => guests.arrived[readCount], patient)
        readCount++
        const parsedMail = await PostalMime.parse(last.raw)
        assert.deepStrictEqual(last.to, [header("To")])
        assert.include(parsedMail.subject, header("Subject"))
        assert.include(parsedMail.text, body)
      },
      reply: async (text) => {
        const delivery = await reply(text, last ?? assert.fail("no mail"))
        assert.deepStrictEqual(delivery.rejected, [])
        await runInService(propose(orgId, ids.get("booking") ?? ""))
      }
    }
    for (const [at, { language, text }] of blocks.entries()) {
      const next = blocks[at + 1]
      // The guest's data must exist until the request that deletes it.
      if (text.includes("DELETE")) {
        assert.notDeepEqual(copies(folder), [])
        assert.isNotEmpty(filesIn(join(folder, "files")))
      }
      await (handlers[language] ?? assert.fail(language))(text, next?.language === "json" ? next.text : undefined)
    }
    assert.strictEqual(readCount, 3)

    assert.deepStrictEqual(copies(folder), [])
    await vi.waitUntil(() => filesIn(join(folder, "files")).length === 0, patient)
    const rejection = await reply("Attachment: late.jpg\n\nAnd one more thing", last ?? assert.fail("no mail")).catch((
      error: unknown
    ) => error)
    assert.include(String(rejection), "550")
    assert.lengthOf(guests.arrived, 3)
  }
)

const around = (filename: string) =>
  Layer.provideMerge(engineLayer(NodeIds.layer, "none"), SqliteStorage.layer({ filename }))

/** Adds a pending ops agent proposal with a message to the guest. */
const propose = (orgId: string, booking_id: string) =>
  Effect.gen(function*() {
    const words = { subject: "A word", body: "Nadia, bring the pink helmet." }
    const proposal = proposalOf(orgId, yield* currentTime, {
      runAt: null,
      actions: [{
        kind: "remind",
        op: "messages.send",
        input: { booking_id, ...words },
        facts: { why: "before_24h", reason: "", booking_id, ...words, reworded: true }
      }]
    })
    yield* (yield* ProposalStore).add(proposal)
  }).pipe(Effect.provideService(TenantScope, [orgId]))

/** The guest's name and contact details, both sides' messages, and their normalized forms in the search index. */
const words = [
  "Nadia",
  "nadia",
  "Brandt",
  "brandt",
  "turned seven",
  "sits in the middle",
  "helmet",
  "look at it together",
  "look at it",
  "daughter"
]

const copies = (folder: string): ReadonlyArray<string> =>
  filesIn(folder).flatMap((path) => {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    return words.filter((word) => bytes.includes(word)).map((word) => `${path}: ${word}`)
  })

const filesIn = (folder: string): ReadonlyArray<string> =>
  !existsSync(folder) ? [] : readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
