/** Runs the program in each package README and checks that it does what the README states. */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCreate } from "@trailbook/core/booking"
import { Drafter } from "@trailbook/core/conversation"
import { Files } from "@trailbook/core/file"
import { Forecast, RiverGauge } from "@trailbook/core/forecast"
import { type Mail, Mailer } from "@trailbook/core/mail"
import { offeringsCreate, offeringsGet } from "@trailbook/core/offering"
import { Secrets } from "@trailbook/core/port"
import { WebhookSender } from "@trailbook/core/webhook"
import { generate } from "@trailbook/webhook/KeyRing"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { BookingEngine, call, OrgActor } from "trailbook/effect"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import { createDatabase } from "./postgres/database.ts"

const root = join(import.meta.dirname, "..")
const readme = (name: string): string => readFileSync(join(root, "packages", name, "README.md"), "utf8")
const blocks = (name: string, language: string): ReadonlyArray<string> =>
  Array.from(
    readme(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")),
    ([, code = ""]) => code
  )
const manifest = (name: string) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"))

/** Other suites test these packages' READMEs. */
const elsewhere = new Set(["client", "create-trailbook", "linearizability", "receiver", "rules", "testkit"])
const packages = readdirSync(join(root, "packages")).filter((name) =>
  existsSync(join(root, "packages", name, "package.json"))
)
/** These packages are commands, or building blocks of packages whose README shows a program. */
const withoutProgram = new Set(["cli", "demo", "runtime"])
const documented = packages.filter((name) => !elsewhere.has(name) && !withoutProgram.has(name))

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "trailbook-readme-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Changes the working directory for the test, because some programs write to it. */
const within = (path: string): void => {
  const before = process.cwd()
  process.chdir(path)
  onTestFinished(() => process.chdir(before))
}

/** Records calls to `console.log`. */
const spyOnLog = () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return log
}

const configured = (settings: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))

const salida = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })
const inMemory = Layer.provideMerge(salida, BookingEngine.layer({ database: ":memory:" }))

const createBooking = Effect.gen(function*() {
  const { id } = yield* call(offeringsCreate, { name: "Kayak", kind: "rental" })
  const { data } = yield* call(availabilityGet, { id })
  const starts_at = data.at(-1)?.starts_at ?? ""
  return yield* call(bookingsCreate, { offering_id: id, starts_at, customer: { email: "ada@example.com" } })
})

describe("every package", () => {
  it.each(packages)("%s has a page with a description and absolute links", (name) => {
    const [title = ""] = readme(name).split("\n")
    assert.strictEqual(title.toLowerCase(), `# ${manifest(name).name}`)
    for (const [, target = ""] of readme(name).matchAll(/\]\(([^)]+)\)/g)) {
      // The registry shows the README outside the repository, so its links must be absolute.
      const [, path] = /^https:\/\/github\.com\/trailbook\/trailbook\/(?:blob|tree)\/main\/([^#]+)/.exec(target) ?? []
      assert.isDefined(path, target)
      assert.isTrue(existsSync(join(root, path)), target)
    }
  })

  it.each(documented)("%s contains the tested program and the install command", (name) => {
    const [program, ...others] = blocks(name, "ts")
    assert.lengthOf(others, 0)
    assert.strictEqual(program, readFileSync(join(import.meta.dirname, "packageReadmes", `${name}.ts`), "utf8"))
    const [install = ""] = blocks(name, "sh")
    const installed = install.trim().split(" ").slice(2).map((spec) => spec.replace(/(?<=.)@[\d.]+$/, ""))
    assert.include(installed, manifest(name).name)
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest(name)
    const required = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
    for (const peer of required) assert.include(installed, peer)
  })
})

describe("the README programs", () => {
  it("the core program uses the system clock", async () => {
    const log = spyOnLog()
    const { departures } = await import("./packageReadmes/core.ts")
    assert.deepEqual(departures, ["2027-03-06T16:00:00.000Z", "2027-03-13T16:00:00.000Z", "2027-03-20T15:00:00.000Z"])
    const [, printed = ""] = /The output is (.*) in UTC/.exec(readme("core")) ?? []
    assert.deepEqual(log.mock.calls, [[departures]])
    assert.deepEqual(printed.split(/, (?:and )?/), departures.map((at) => at.slice(11, 16)))
  })

  it("the memory program creates an outfitter", async () => {
    assert.strictEqual((await import("./packageReadmes/memory.ts")).slug, "salida-river-co")
  })

  it("the sql program updates offerings through the stores", async () => {
    const { moveBoats } = await import("./packageReadmes/sql.ts")
    const program = Effect.gen(function*() {
      const { id } = yield* call(offeringsCreate, { name: "Boat", kind: "rental", location: "Salida" })
      const movedBoats = yield* moveBoats("Salida", "Buena Vista")
      return [movedBoats, yield* call(offeringsGet, { id }), id] as const
    })
    const [movedRows, { location }, id] = await Effect.runPromise(Effect.provide(program, inMemory))
    assert.deepEqual(movedRows, [{ id }])
    assert.strictEqual(location, "Buena Vista")
  })

  it("the sqlite program lists the outfitters in a file", async () => {
    const { slugs } = await import("./packageReadmes/sqlite.ts")
    const file = join(folder(), "bookings.sqlite")
    const readSlugs = Effect.provide(slugs, configured({ BOOKINGS_FILE: file }))
    assert.deepEqual(await Effect.runPromise(readSlugs), [])
    const outfitter = Layer.provide(salida, BookingEngine.layer({ database: `sqlite:${file}` }))
    await Effect.runPromise(Effect.provide(Actor, outfitter))
    assert.deepEqual(await Effect.runPromise(readSlugs), ["salida-river-co"])
  })

  it("the postgres program lists the outfitters in a schema", async () => {
    const { slugs } = await import("./packageReadmes/postgres.ts")
    const database = await createDatabase()
    try {
      const readSlugs = Effect.provide(slugs, configured({ BOOKINGS_URL: database.url }))
      assert.deepEqual(await Effect.runPromise(readSlugs), [])
      const url = new URL(database.url)
      url.searchParams.set("schema", "booking")
      const outfitter = Layer.provide(salida, BookingEngine.layer({ database: url.href }))
      await Effect.runPromise(Effect.provide(Actor, outfitter))
      assert.deepEqual(await Effect.runPromise(readSlugs), ["salida-river-co"])
    } finally {
      await database.drop()
    }
  })

  it("the http program serves the reference and the API", async () => {
    const { layer } = await import("./packageReadmes/http.ts")
    const lines: Array<string> = []
    const recordLogs = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void lines.push(String(message)))
    )
    await Effect.runPromise(
      Effect.gen(function*() {
        yield* Layer.build(Layer.provide(layer, recordLogs))
        const [reference = ""] = lines
        for (const path of ["", "/v1/openapi.json", "/livez", "/readyz"]) {
          const { status } = yield* Effect.promise(() => fetch(path === "" ? reference : new URL(path, reference)))
          assert.strictEqual(status, 200, path)
        }
        const { status } = yield* Effect.promise(() => fetch(new URL("/v1/offerings", reference)))
        assert.strictEqual(status, 401)
      }).pipe(Effect.scoped)
    )
  })

  it("the web program serves the guest pages", async () => {
    const { layer } = await import("./packageReadmes/web.ts")
    const lines: Array<string> = []
    const recordLogs = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void lines.push(String(message)))
    )
    await Effect.runPromise(
      Effect.gen(function*() {
        yield* Layer.build(Layer.provide(layer, recordLogs))
        // The outfitter in the example does not exist, so the server returns its 404 page.
        const answer = yield* Effect.promise(() => fetch(lines[0] ?? ""))
        assert.strictEqual(answer.status, 404)
        assert.match(yield* Effect.promise(() => answer.text()), /^<!doctype html>/)
      }).pipe(Effect.scoped)
    )
  })

  it("the mail program writes files and sends email", async () => {
    const { mailer, smtp } = await import("./packageReadmes/mail.ts")
    const outbox = join(folder(), "outbox")
    const mail: Mail = {
      id: "0197a1b2-0000-7000-8000-000000000001",
      from: { name: "Salida River Co." },
      to: { name: "Ada", email: "ada@example.com" },
      replyTo: null,
      subject: "Booking confirmed",
      text: "Hi Ada",
      html: "<p>Hi Ada</p>",
      calendar: { method: "PUBLISH", ics: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" },
      thread: null,
      automatic: "generated",
      attachments: [],
      bounceToken: null
    }
    const sendTwice = Effect.flatMap(Mailer, ({ send }) => Effect.zipRight(send(mail), send(mail)))
    await Effect.runPromise(Effect.provide(sendTwice, Layer.provide(mailer, configured({ OUTBOX: outbox }))))
    assert.lengthOf(readdirSync(outbox), 1)
    assert.match(readdirSync(outbox).join(), /\.eml$/)
    // No server is listening on this port. The program must at least try to connect.
    const refusal = Effect.flip(
      Effect.provide(sendTwice, Layer.provide(smtp, configured({ SMTP_URL: "smtp://127.0.0.1:1" })))
    )
    assert.deepInclude(await Effect.runPromise(refusal), { reason: "unreachable", permanent: false })
  })

  it("the forecast program provides the Forecast and RiverGauge ports", async () => {
    const { sources } = await import("./packageReadmes/forecast.ts")
    const ports = Effect.all([Forecast, RiverGauge])
    assert.lengthOf(await Effect.runPromise(Effect.provide(ports, sources)), 2)
  })

  it("the drafter program connects only on first use", async () => {
    const { hostedDrafter, localDrafter } = await import("./packageReadmes/drafter.ts")
    for (const layer of [hostedDrafter, localDrafter]) {
      assert.isFunction((await Effect.runPromise(Effect.provide(Drafter, layer))).draft)
    }
  })

  it("the stripe program connects only when it runs", async () => {
    const { account } = await import("./packageReadmes/stripe.ts")
    assert.isTrue(Effect.isEffect(account("sk_test_a")))
  })

  it("the files program stores files", async () => {
    const { inBucket, inFolder } = await import("./packageReadmes/files.ts")
    const directory = join(folder(), "files")
    const putPhoto = Effect.flatMap(Files, ({ put }) => put("org/file", Buffer.from("photo")))
    await Effect.runPromise(Effect.provide(putPhoto, Layer.provide(inFolder, configured({ FILES: directory }))))
    assert.strictEqual(readFileSync(join(directory, "org", "file"), "utf8"), "photo")
    const settings = {
      BUCKET: "http://127.0.0.1:1/files",
      BUCKET_REGION: "auto",
      BUCKET_KEY_ID: "a",
      BUCKET_SECRET: "b"
    }
    await Effect.runPromise(Effect.provide(Files, Layer.provide(inBucket, configured(settings))))
  })

  it("the worker program emails a guest", async () => {
    const { layer } = await import("./packageReadmes/worker.ts")
    const path = folder()
    within(path)
    const outbox = join(path, "outbox")
    const program = Effect.zipRight(
      createBooking,
      Effect.promise(async () => {
        while (!existsSync(outbox) || !readdirSync(outbox).some((name) => name.endsWith(".eml"))) await wait(20)
      })
    )
    await Effect.runPromise(Effect.provide(program, Layer.provideMerge(layer, inMemory)))
  })

  it("the webhook program seals secrets and blocks private addresses", async () => {
    const { webhooks } = await import("./packageReadmes/webhook.ts")
    const place = { table: "webhooks", orgId: "a", id: "b" } as const
    const program = Effect.gen(function*() {
      const { open, seal } = yield* Secrets
      const { findUrlProblem } = yield* WebhookSender
      const sealedSecret = yield* seal("whsec_1", place)
      assert.notInclude(sealedSecret, "whsec_1")
      return [yield* open(sealedSecret, place), yield* findUrlProblem("https://127.0.0.1/hook")] as const
    })
    const [openedSecret, objection] = await Effect.runPromise(Effect.provide(program, webhooks(generate())))
    assert.strictEqual(openedSecret, "whsec_1")
    assert.isString(objection)
    assert.throws(() => webhooks("k1"), TypeError)
  })

  it("the mcp program responds to an assistant's tool call", async () => {
    const { mcp } = await import("./packageReadmes/mcp.ts")
    const program = Effect.gen(function*() {
      const { orgId } = yield* Actor
      const answer = yield* mcp
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "offerings_list", arguments: {} } }
      const request = new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(body)
      })
      const response = yield* answer(request, makeHostActor({ orgId }))
      assert.strictEqual(response.headers.get("content-type"), "application/json")
      return yield* Effect.promise(() => response.json())
    })
    const { result } = await Effect.runPromise(Effect.provide(program, inMemory))
    assert.deepEqual(result.structuredContent.data, [])
  })

  it("the trailbook program prints the output shown on its page", async () => {
    within(folder())
    const log = spyOnLog()
    await import("./packageReadmes/trailbook.ts")
    const [, printed] = /The output is `(\w+)`/.exec(readme("trailbook")) ?? []
    assert.deepEqual(log.mock.calls, [[printed]])
  })

  it("the server program serves the API", async () => {
    within(folder())
    const log = spyOnLog()
    const { server } = await import("./packageReadmes/server.ts")
    onTestFinished(server.stop)
    assert.deepEqual(log.mock.calls, [[server.baseUrl]])
    const { status } = await fetch(`${server.baseUrl}/org`)
    assert.strictEqual(status, 401)
  })

  it("the trailbook commands create an outfitter and serve it", async () => {
    const path = folder()
    const node = ["--conditions=@trailbook/source", "--import", createRequire(import.meta.url).resolve("tsx")]
    const cli = [...node, join(root, "packages/cli/src/cli.ts")]
    const [, commands = ""] = blocks("trailbook", "sh")
    const [create = [], serve = []] = commands.trim().split("\n").map((line) =>
      Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quotedWord, word = ""]) => quotedWord ?? word).slice(2)
    )
    const output = execFileSync(process.execPath, [...cli, ...create], { cwd: path, encoding: "utf8" })
    const key = /tb_live_\w+/.exec(output)?.[0]
    assert.strictEqual(serve.at(-1), "4000")
    const server = spawn(process.execPath, [...cli, ...serve.slice(0, -1), "0"], {
      cwd: path,
      stdio: ["ignore", "pipe", "ignore"]
    })
    onTestFinished(async () => {
      server.kill()
      await once(server, "exit")
    })
    const line = await createInterface(server.stdout)[Symbol.asyncIterator]().next()
    const [url] = /http:\S+/.exec(String(line.value)) ?? []
    const answer = await fetch(`${url}/org`, { headers: { authorization: `Bearer ${key}` } })
    assert.strictEqual((await answer.json()).name, "Your Outfitter")
  })
})
