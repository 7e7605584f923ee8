/** Tests the engine in an Effect application: one layer, typed operations, and the test clock. */
import { hostConflict, type Refusal } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { availabilityGet } from "@trailbook/core/availability"
import { BookingCreateHook, bookingsCreate, bookingsGet, bookingsList } from "@trailbook/core/booking"
import { type Mail, Mailer } from "@trailbook/core/mail"
import { offeringsCreate, offeringsGet, offeringsUpdate } from "@trailbook/core/offering"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments, PaymentsFailed } from "@trailbook/core/payment"
import { Ids } from "@trailbook/core/port"
import { Webhooks as WebhookService } from "@trailbook/core/webhook/Webhooks"
import { Database } from "@trailbook/sql/Database"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { generate } from "@trailbook/webhook/KeyRing"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { join } from "node:path"
import { Pool } from "pg"
import {
  BookingEngine,
  BookingWorker,
  call,
  catchRefusalCode,
  OrgActor,
  type RefusalCodes,
  Webhooks,
  type WithoutCode
} from "trailbook/effect"
import { assert, describe, expect, it } from "vitest"
import { createDatabase } from "../../../../test/postgres/database.ts"
import { folder } from "../../../cli/test/program.ts"

const salida = { name: "Salida River Co.", timezone: "America/Denver" }
const start = Date.UTC(2027, 4, 1, 12)
const ada = { email: "ada@example.com", name: "Ada" }

const configured = (settings: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))

/** Starts the test clock on a Saturday in May. */
const run = <A, E>(program: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(
    Effect.zipRight(TestClock.setTime(start), program).pipe(Effect.provide(TestContext.TestContext))
  )

const causeOf = async <A, E>(program: Effect.Effect<A, E>): Promise<Cause.Cause<E>> =>
  run(Effect.flip(Effect.sandbox(program)))

const inMemory = BookingEngine.layer({ database: ":memory:" })
const salidaInMemory = Layer.provideMerge(OrgActor.layer(salida), inMemory)

const unknownActor = Layer.succeed(Actor, makeHostActor({ orgId: "", scopes: [] }))

const kayak = Effect.gen(function*() {
  const { id: offering_id } = yield* call(offeringsCreate, { name: "Kayak", kind: "rental", capacity: 1 })
  const { data } = yield* call(availabilityGet, { id: offering_id })
  return { offering_id, starts_at: data.at(-1)?.starts_at ?? "", customer: ada }
})

describe("the layer", () => {
  it("is built from the host's configuration, and accepts a redacted database address", async () => {
    const file = join(folder(), "bookings.sqlite")
    const engine = BookingEngine.layerConfig({ database: Config.redacted("DATABASE") }).pipe(
      Layer.provide(configured({ DATABASE: `sqlite:${file}` }))
    )
    const book = Effect.flatMap(kayak, (request) => call(bookingsCreate, request)).pipe(
      Effect.provide(Layer.provideMerge(OrgActor.layer(salida), engine))
    )
    const { id } = await run(book)
    const again = Layer.provideMerge(
      OrgActor.layer("salida-river-co"),
      BookingEngine.layer({ database: Redacted.make(`sqlite:${file}`) })
    )
    expect(await run(Effect.provide(call(bookingsGet, { id }), again))).toMatchObject({ id, status: "confirmed" })
  })

  it("rejects an invalid database address without exposing the password", async () => {
    const engine = BookingEngine.layerConfig({ database: Config.string("DATABASE") })
    for (const settings of [{}, { DATABASE: "postgres://:hunter2@/" }]) {
      const cause = await causeOf(Effect.provide(Registry, Layer.provide(engine, configured(settings))))
      const error = Option.getOrThrow(Cause.failureOption(cause))
      assert.isTrue(ConfigError.isConfigError(error))
      assert.notInclude(Cause.pretty(cause), "hunter2")
    }
    const { message } = Cause.squash(
      await causeOf(Effect.provide(Registry, BookingEngine.layer({ database: "mysql:x" })))
    ) as Error
    assert.match(message, /^database: must be sqlite:/)
  })

  it("creates IDs from its configured clock", async () => {
    const uuid = await run(Effect.provide(Effect.map(Ids, ({ uuid }) => uuid()), inMemory))
    assert.strictEqual(Number.parseInt(uuid.replace("-", "").slice(0, 12), 16), start)
  })

  it("accepts the host's payments layer, including its requirements and errors", async () => {
    class NoAccount extends Error {
      readonly _tag = "NoAccount"
    }
    const closedBank = Effect.fail(new PaymentsFailed({ message: "The bank is closed." }))
    const payments = Layer.effect(
      Payments,
      Effect.map(
        Effect.filterOrFail(Config.string("ACCOUNT"), (account) => account !== "", () => new NoAccount()),
        (account) =>
          Payments.of({
            connected: () => Effect.succeed({ provider: "bank", connection: account }),
            checkout: ({ id }, { booking }) =>
              Effect.succeed({ session: id, url: `https://pay.example.com/${account}/${booking.reference}` }),
            getCheckout: () => closedBank,
            close: () => closedBank,
            refund: () => closedBank,
            refunds: () => closedBank,
            since: () => closedBank
          })
      )
    )
    const engine = BookingEngine.layer({ database: ":memory:" }, { payments })
    const program = Effect.flatMap(kayak, (request) => call(bookingsCreate, { ...request, periods: 1 }))
    const createPriced = Effect.gen(function*() {
      const { id: offering_id } = yield* call(offeringsCreate, { name: "Raft", kind: "rental", price_cents: 5000 })
      return yield* call(bookingsCreate, { ...yield* kayak, offering_id })
    })
    const outfitter = Layer.provideMerge(OrgActor.layer({ ...salida, plan: "pro" }), engine)
    const hold = await run(Effect.provide(createPriced, Layer.provide(outfitter, configured({ ACCOUNT: "acct_1" }))))
    expect(hold).toMatchObject({ status: "held", checkout_url: `https://pay.example.com/acct_1/${hold.reference}` })
    const cause = await causeOf(Effect.provide(program, Layer.provide(outfitter, configured({ ACCOUNT: "" }))))
    assert.instanceOf(Option.getOrThrow(Cause.failureOption(cause)), NoAccount)
  })

  it("accepts a booking hook that writes in the booking's transaction", async () => {
    const gate = Layer.effect(
      BookingCreateHook,
      Effect.map(Database, ({ execute, query }) =>
        BookingCreateHook.of({
          admit: ({ booking }) =>
            Effect.gen(function*() {
              yield* execute("update offerings set location = $1 where id = $2", ["asked", booking.offeringId])
              const [row] = yield* query<{ n: number }>("select count(*) as n from bookings")
              if (row?.n === 2) return yield* hostConflict("waiver_missing", "Sign the waiver first.")
            })
        }))
    )
    const engine = BookingEngine.layer({ database: ":memory:" }, { gate })
    const program = Effect.gen(function*() {
      const { id: offering_id } = yield* call(offeringsCreate, { name: "Kayak", kind: "rental", capacity: 5 })
      const request = { ...yield* kayak, offering_id }
      yield* call(bookingsCreate, request)
      const { location } = yield* call(offeringsGet, { id: offering_id })
      yield* call(offeringsUpdate, { id: offering_id, location: "" })
      const rejection = yield* Effect.flip(call(bookingsCreate, request))
      const { data } = yield* call(bookingsList, {})
      return {
        bookings: data.length,
        code: rejection.code,
        location,
        left: yield* call(offeringsGet, { id: offering_id })
      }
    })
    expect(await run(Effect.provide(program, Layer.provideMerge(OrgActor.layer(salida), engine)))).toMatchObject({
      bookings: 1,
      code: "waiver_missing",
      location: "asked",
      left: { location: "" }
    })
  })

  it("accepts an existing pool and leaves it open", async () => {
    const database = await createDatabase()
    const pool = new Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 10_000 })
    try {
      const engine = BookingEngine.layer({ database: { pool, schema: "shop" } })
      const book = Effect.flatMap(kayak, (request) => call(bookingsCreate, request))
      expect(await run(Effect.provide(book, Layer.provideMerge(OrgActor.layer(salida), engine)))).toMatchObject({
        status: "confirmed"
      })
      expect((await pool.query("select to_regclass('shop.bookings') as name")).rows).toEqual([{
        name: "shop.bookings"
      }])
    } finally {
      await pool.end()
      await database.drop()
    }
  })

  it("reuses the only outfitter, and refuses to choose among several", async () => {
    const twice = Effect.all([Actor, Actor].map((actor) => Effect.provide(actor, OrgActor.layer(salida))))
    const [first, second] = await run(Effect.provide(twice, inMemory))
    assert.isDefined(first)
    assert.deepEqual(first, second)
    expect(first).toMatchObject({ _tag: "Host", source: "api" })
    expect([...first.scopes]).toEqual(["read", "write", "admin"])

    const guess = Effect.gen(function*() {
      const { create } = yield* Orgs
      yield* create(salida)
      yield* create(salida)
      return yield* Effect.provide(Actor, OrgActor.layer(salida))
    })
    expect(Cause.squash(await causeOf(Effect.provide(guess, inMemory)))).toMatchObject({ _tag: "SeveralOrgs" })
    const unknown = Effect.provide(Actor, OrgActor.layer("unknown-org"))
    expect(Cause.squash(await causeOf(Effect.provide(unknown, inMemory)))).toMatchObject({ code: "not_found" })
  })
})

describe("a call", () => {
  it("returns the API's result, or fails with a declared code", async () => {
    const program = Effect.gen(function*() {
      const request = yield* kayak
      const booking = yield* call(bookingsCreate, request)
      const { code } = yield* Effect.flip(call(bookingsCreate, request))
      const { data } = yield* call(bookingsList, { limit: 5 })
      return { booking, code, data }
    })
    const { booking, code, data } = await run(Effect.provide(program, salidaInMemory))
    expect(booking).toMatchObject({ status: "confirmed", source: "api", customer: ada })
    expect(code).toBe("slot_full")
    expect(data).toEqual([booking])
  })

  it("fails with errors that can be caught by code", async () => {
    const program = Effect.gen(function*() {
      const request = yield* kayak
      yield* call(bookingsCreate, request)
      const full = yield* call(bookingsCreate, request).pipe(
        catchRefusalCode("slot_full", ({ code }) => Effect.succeed(code))
      )
      const other = yield* call(bookingsCreate, request).pipe(
        catchRefusalCode("offering_paused", () => Effect.succeed("paused")),
        Effect.flip
      )
      const left: "offering_paused" extends RefusalCodes<typeof other> ? true : false = false
      const none: WithoutCode<Refusal<"slot_full"> | Error, "slot_full"> = new Error("left")
      // @ts-expect-error: bookings.get cannot fail with slot_full
      const impossible = call(bookingsGet, { id: "" }).pipe(catchRefusalCode("slot_full", () => Effect.void))
      return { full, other: other.code, left, none: none.message, impossible: Effect.isEffect(impossible) }
    })
    expect(await run(Effect.provide(program, salidaInMemory))).toEqual({
      full: "slot_full",
      other: "slot_full",
      left: false,
      none: "left",
      impossible: true
    })
  })

  it("is limited by the actor's scopes, and records its source", async () => {
    const widget = OrgActor.layer(salida, { scopes: ["read"], source: "widget" })
    const program = Effect.gen(function*() {
      const request = yield* kayak
      const { code } = yield* Effect.provide(Effect.flip(call(bookingsCreate, request)), widget)
      const seller = OrgActor.layer(salida, { source: "widget" })
      const { source } = yield* Effect.provide(call(bookingsCreate, request), seller)
      return { code, source }
    })
    expect(await run(Effect.provide(program, salidaInMemory))).toEqual({ code: "forbidden", source: "widget" })
  })

  it("does not compile for an unknown source", async () => {
    const wrong = OrgActor.layer(salida, { source: "web" as "widget" })
    expect(await run(Effect.provide(Effect.flip(Layer.build(wrong)).pipe(Effect.scoped), inMemory))).toMatchObject({
      code: "invalid_request",
      message: "source: must be one of dashboard, api, mcp, widget"
    })
  })

  it("expires a hold according to the test clock", async () => {
    const program = Effect.gen(function*() {
      const request = yield* kayak
      yield* call(bookingsCreate, { ...request, hold_minutes: 15 })
      const meanwhile = yield* Effect.either(call(bookingsCreate, request))
      yield* TestClock.adjust("15 minutes")
      const afterwards = yield* Effect.either(call(bookingsCreate, request))
      return [meanwhile._tag, afterwards._tag]
    })
    expect(await run(Effect.provide(program, salidaInMemory))).toEqual(["Left", "Right"])
  })

  it("reports an outage as retryable and a bug as a defect", async () => {
    let calls = 0
    const registry = (defect: unknown) =>
      Layer.succeed(
        Registry,
        Registry.of({
          operations: [],
          run: () => Effect.suspend(() => ++calls < 3 ? Effect.die(defect) : Effect.succeed({ data: [] })),
          stream: () => Effect.void
        })
      )
    const list = Effect.provide(
      call(bookingsList, {}),
      unknownActor
    )
    const retried = Effect.retry(list, { while: ({ kind }) => kind === "unavailable", schedule: Schedule.recurs(5) })
    const away = registry(new DatabaseUnavailable({ cause: new Error("ECONNREFUSED") }))
    expect(await run(Effect.provide(retried, away))).toEqual({ data: [] })
    expect(calls).toBe(3)
    calls = 0
    const cause = await causeOf(Effect.provide(retried, registry(new Error("broken"))))
    assert.isTrue(Cause.isDie(cause))
    expect(calls).toBe(1)
  })

  it("runs in a span with its operation's name", async () => {
    const span = Layer.succeed(
      Registry,
      Registry.of({
        operations: [],
        run: () => Effect.orDie(Effect.map(Effect.currentSpan, ({ name }) => name)),
        stream: () => Effect.void
      })
    )
    expect(await run(Effect.provide(call(bookingsList, {}), Layer.merge(span, unknownActor)))).toBe("bookings.list")
  })
})

describe("webhooks", () => {
  const withKeys = (file: string, keys: string) =>
    BookingEngine.layer(
      { database: `sqlite:${file}` },
      {
        webhooks: Webhooks.layerConfig({ keys: Config.redacted("KEYS"), allow: Config.succeed(["10.0.0.0/8"]) }).pipe(
          Layer.provide(configured({ KEYS: keys }))
        )
      }
    )
  const addWebhook = Effect.gen(function*() {
    const { id } = yield* (yield* Orgs).create(salida)
    yield* (yield* WebhookService).create({ orgId: id, url: "https://10.1.2.3/hook", events: ["*"] })
  })
  const silent = Layer.succeed(Mailer, Mailer.of({ send: () => Effect.succeed({ reportRequested: false }) }))

  it("require the keys that encrypted their secrets", async () => {
    const file = join(folder(), "bookings.sqlite")
    const keys = generate("k1")
    await run(Effect.provide(addWebhook, withKeys(file, keys)))
    await run(Effect.provide(Effect.void, withKeys(file, keys)))
    const missingKey = { _tag: "MissingKey", message: expect.stringContaining("k1") }
    expect(Cause.squash(await causeOf(Effect.provide(Effect.void, withKeys(file, generate("k2")))))).toMatchObject(
      missingKey
    )

    const worker = BookingWorker.layer({ publicUrl: "https://book.example.com" }).pipe(
      Layer.provide(silent),
      Layer.provide(BookingEngine.layer({ database: `sqlite:${file}` }))
    )
    expect(Cause.squash(await causeOf(Effect.provide(Effect.void, worker)))).toMatchObject(missingKey)
  })

  it("reject invalid keys without exposing them", async () => {
    const cause = await causeOf(Effect.provide(Effect.void, withKeys(":memory:", "k1:hunter2")))
    assert.isTrue(ConfigError.isConfigError(Option.getOrThrow(Cause.failureOption(cause))))
    assert.notInclude(Cause.pretty(cause), "hunter2")
  })
})

describe("the worker", () => {
  /** Returns a mailer, and the first email that it sends. */
  const mailbox = () => {
    const first = Effect.runSync(Deferred.make<Mail>())
    const mailer = Layer.succeed(
      Mailer,
      Mailer.of({ send: (mail) => Effect.as(Deferred.succeed(first, mail), { reportRequested: false }) })
    )
    return { mailer, first: Deferred.await(first) }
  }

  it("emails public links to guests through the host's mailer", async () => {
    const { first, mailer } = mailbox()
    const worker = BookingWorker.layerConfig({ publicUrl: Config.string("PUBLIC_URL") }).pipe(
      Layer.provide(mailer),
      Layer.provide(configured({ PUBLIC_URL: "https://book.example.com/" }))
    )
    const program = Effect.gen(function*() {
      yield* call(bookingsCreate, yield* kayak)
      return yield* first
    })
    const mail = await Effect.runPromise(
      Effect.provide(program, Layer.provideMerge(worker, Layer.provideMerge(OrgActor.layer(salida), inMemory)))
    )
    expect(mail.to.email).toBe(ada.email)
    expect(mail.text).toContain("https://book.example.com/")
    assert.notInclude(mail.text, "example.com//")
    // The attachment is the QR code.
    expect(mail.attachments.map(({ type }) => type)).toEqual(["image/png"])
  })

  it("fails with a configuration error if the public address is missing", async () => {
    const worker = BookingWorker.layerConfig({ publicUrl: Config.succeed("book.example.com") }).pipe(
      Layer.provide(Layer.merge(mailbox().mailer, inMemory))
    )
    const cause = await causeOf(Effect.provide(Effect.void, worker))
    assert.isTrue(ConfigError.isConfigError(Option.getOrThrow(Cause.failureOption(cause))))
    expect(Cause.pretty(cause)).toContain("publicUrl")
  })

  it("serves every outfitter in the database", async () => {
    const { first, mailer } = mailbox()
    const database = await createDatabase()
    try {
      const engine = BookingEngine.layer({ database: database.url })
      const program = Effect.gen(function*() {
        const orgs = yield* Orgs
        const ownOrg = yield* orgs.create(salida)
        const other = yield* orgs.create({ name: "Nordfjord", timezone: "Europe/Oslo" })
        const neighbor = Effect.provide(
          Effect.flatMap(kayak, (request) => call(bookingsCreate, request)),
          OrgActor.layer(other.slug)
        )
        const worker = Layer.launch(
          Layer.provide(BookingWorker.layer({ publicUrl: "https://book.example.com" }), mailer)
        )
        // Provide the actor to all effects, as a host application would.
        return yield* Effect.provide(
          Effect.raceFirst(worker, Effect.zipRight(neighbor, first)),
          OrgActor.layer(ownOrg.slug)
        )
      })
      expect(await Effect.runPromise(Effect.provide(program, engine))).toMatchObject({ from: { name: "Nordfjord" } })
    } finally {
      await database.drop()
    }
  })
})
