/** Tests Trailbook in a host application: operations, events, the worker, payments, and closing. */
import { open } from "@trailbook/sqlite/driver"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import process from "node:process"
import { createTrailbook, type Mail, TrailbookError, type TrailbookOptions } from "trailbook"
import { assert, describe, expect, it, onTestFinished } from "vitest"
import { isLong } from "../../../../test/runs.ts"
import { folder } from "../../../cli/test/program.ts"
import { ada, makeClock, openTrailbook, salida, start, trip } from "./outfit.ts"

const rejected = async (promise: Promise<unknown>): Promise<TrailbookError> => {
  const error = await promise.then(() => undefined, (error: unknown) => error)
  assert.instanceOf(error, TrailbookError)
  return error
}

describe("Trailbook operations", () => {
  it("are async methods with the API's input and output", async () => {
    const trailbook = await openTrailbook()
    const place = await trip(trailbook)
    const booking = await trailbook.bookings.create({ ...place, ...ada, quantity: 2 })
    expect(booking).toMatchObject({ status: "confirmed", quantity: 2, total_cents: 19_800, source: "api" })
    assert.deepEqual(await trailbook.bookings.get({ id: booking.id }), booking)
    expect((await trailbook.bookings.list()).data).toEqual([booking])
    expect((await trailbook.org.get()).slug).toBe("salida-river-co")
  })

  it("accept undefined fields and Date objects", async () => {
    const trailbook = await openTrailbook()
    const place = await trip(trailbook)
    const from: unknown = new Date(start)
    const booking = await trailbook.bookings.create({ ...place, ...ada, notes: undefined, quantity: undefined })
    expect((await trailbook.bookings.list({ from: from as string, status: undefined })).data).toEqual([booking])
  })

  it("throw refusals as errors with a code and a status", async () => {
    const trailbook = await openTrailbook()
    const place = await trip(trailbook, 1)
    await trailbook.bookings.create({ ...place, ...ada })
    expect(await rejected(trailbook.bookings.create({ ...place, ...ada }))).toMatchObject({
      code: "slot_full",
      status: 409,
      retryable: false,
      message: expect.stringMatching(/./)
    })
    expect(await rejected(trailbook.bookings.get({ id: place.session_id }))).toMatchObject({
      code: "not_found",
      status: 404
    })
    const wrong: unknown = { id: 7 }
    expect(await rejected(trailbook.bookings.get(wrong as { id: string }))).toMatchObject({
      code: "invalid_request",
      status: 400,
      message: "id: must be a UUID"
    })
  })

  it.each([["only the ID", crypto.randomUUID()], ["nothing", null], ["a list", []], ["a function", () => {}]])(
    "require an object, not %s",
    async (_, input: unknown) => {
      const trailbook = await openTrailbook()
      expect(await rejected(trailbook.bookings.get(input as { id: string }))).toMatchObject({
        code: "invalid_request",
        message: "The request must be an object with the operation's fields."
      })
    }
  )

  it("return a result object when called through `try`", async () => {
    const trailbook = await openTrailbook()
    const place = await trip(trailbook, 1)
    const first = await trailbook.try.bookings.create({ ...place, ...ada })
    assert(first.ok)
    expect(first.value.status).toBe("confirmed")
    const second = await trailbook.try.bookings.create({ ...place, ...ada })
    assert(!second.ok)
    expect(second.error).toBeInstanceOf(TrailbookError)
    expect(second.error.code).toBe("slot_full")
  })

  it("never oversell when called concurrently", async () => {
    const trailbook = await openTrailbook()
    const place = await trip(trailbook, 3)
    const wishes = await Promise.all(
      Array.from({ length: 20 }, () => trailbook.try.bookings.create({ ...place, ...ada }))
    )
    assert.lengthOf(wishes.filter(({ ok }) => ok), 3)
  })

  it("enforce the caller's scopes and record the source", async () => {
    const trailbook = await openTrailbook()
    const place = await trip(trailbook)
    const widget = trailbook.as({ source: "widget", scopes: ["read", "write"] })
    expect((await widget.bookings.create({ ...place, ...ada })).source).toBe("widget")
    expect(await rejected(widget.org.export())).toMatchObject({ code: "forbidden", status: 403 })
    expect(await rejected(widget.exported().next())).toMatchObject({ code: "forbidden", status: 403 })
    const reader = widget.as({ scopes: ["read"] })
    expect(await rejected(reader.bookings.create({ ...place, ...ada }))).toMatchObject({ code: "forbidden" })
  })

  it("reject an unknown source or scope", async () => {
    const trailbook = await openTrailbook()
    const wrong = (input: object, message: string) =>
      expect(() => trailbook.as(input)).toThrow(
        expect.objectContaining({ name: "TrailbookError", code: "invalid_request", status: 400, message })
      )
    wrong({ source: "web" }, "source: must be one of dashboard, api, mcp, widget")
    wrong({ scopes: ["reed"] }, "scopes.0: must be one of read, write, admin")
    wrong({ scopes: ["guest"] }, "scopes.0: must be one of read, write, admin")
    wrong({ scopes: "read" }, "scopes: must be a list")
    wrong({ scope: "read" }, "scope: is not a field of this request. Known fields: source, scopes.")
  })
})

describe("outfitters", () => {
  it("are isolated from each other", async () => {
    const trailbook = await openTrailbook({ org: undefined })
    const { slug: first } = await trailbook.orgs.create(salida)
    const { id: second } = await trailbook.orgs.create({ name: "Nordfjord", timezone: "Europe/Oslo", currency: "nok" })
    const [rafts, kayaks] = [await trailbook.forOrg(first), await trailbook.forOrg(second)]
    const place = await trip(rafts)
    const booking = await rafts.bookings.create({ ...place, ...ada })
    expect(await rejected(kayaks.bookings.get({ id: booking.id }))).toMatchObject({ code: "not_found" })
    expect((await kayaks.bookings.list()).data).toEqual([])
    expect((await trailbook.orgs.list()).map(({ slug }) => slug)).toEqual(["salida-river-co", "nordfjord"])
    expect(await rejected(trailbook.forOrg("nobody"))).toMatchObject({ code: "not_found", status: 404 })
    await expect(trailbook.org.get()).rejects.toThrow("org: is required because no default outfitter is configured")
  })

  it("are reused after a restart if only one exists", async () => {
    const database = `sqlite:${join(folder(), "a.sqlite")}`
    const first = await openTrailbook({ database })
    const { id } = await first.org.get()
    await first.org.update({ name: "Arkansas River Co." })
    await first.close()
    const again = await openTrailbook({ database, clock: makeClock(start + 1) })
    expect(await again.org.get()).toMatchObject({ id, name: "Arkansas River Co." })
    expect(await (await openTrailbook({ database, org: "salida-river-co" })).org.get()).toMatchObject({ id })
    await again.orgs.create({ name: "Nordfjord", timezone: "Europe/Oslo" })
    await expect((await openTrailbook({ database })).org.get()).rejects.toThrow(/several outfitters.*salida-river-co/)
  })

  it("cannot be created with invalid settings", async () => {
    const trailbook = await openTrailbook()
    expect(await rejected(trailbook.orgs.create({ name: "", timezone: "UTC" }))).toMatchObject({
      message: "name: must be 1 to 80 characters long"
    })
    expect(await rejected(trailbook.orgs.create({ name: "A", timezone: "Mars/Olympus" }))).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^timezone: /)
    })
  })

  it("have staff members, who are identified by email address", async () => {
    const trailbook = await openTrailbook({ org: undefined })
    const { slug } = await trailbook.orgs.create({ ...salida, email: " Ann@Example.com" })
    const { slug: other } = await trailbook.orgs.create({ name: "Nordfjord", timezone: "Europe/Oslo" })
    const [ann] = await trailbook.staff.list({ org: slug })
    const createdAt = new Date(start).toISOString()
    expect(ann).toMatchObject({ email: "ann@example.com", name: "", notify: true, created_at: createdAt })
    const updated = await trailbook.staff.add({ org: slug, email: "ANN@example.com", name: "Ann", notify: false })
    expect(updated).toEqual({ ...ann, name: "Ann", notify: false })
    expect(await trailbook.staff.list({ org: other })).toEqual([])
    const key = { org: other, email: "ann@example.com" }
    expect(await rejected(trailbook.staff.remove(key))).toMatchObject({ code: "not_found", status: 404 })
    expect(await trailbook.staff.remove({ org: slug, email: "ann@example.com" })).toEqual(updated)
    expect(await trailbook.staff.list({ org: slug })).toEqual([])
    expect(await rejected(trailbook.staff.add({ org: slug, email: "ann" }))).toMatchObject({
      message: "email: must be one email address of at most 254 characters"
    })
    expect(await rejected(trailbook.staff.add({ org: "nobody", email: "a@b.co" }))).toMatchObject({ code: "not_found" })
  })

  it("have staff members who can sign in with a link", async () => {
    const publicUrl = "https://book.example.com"
    const trailbook = await openTrailbook({ publicUrl, http: { basePath: "/booking", surfaces: ["dashboard"] } })
    await trailbook.staff.add({ email: "ann@example.com" })
    const link = await trailbook.staff.signInLink({ email: "ANN@example.com" })
    assert.match(link, /^https:\/\/book\.example\.com\/booking\/sign-in\/[\w-]+$/)
    const page = await trailbook.handler(new Request(link))
    assert.strictEqual(page.status, 200)
    expect(await rejected(trailbook.staff.signInLink({ email: "bo@example.com" }))).toMatchObject({ code: "not_found" })
    const withoutUrl = await openTrailbook()
    await expect(withoutUrl.staff.signInLink({ email: "ann@example.com" })).rejects.toThrow(/^publicUrl: is required/)
  })

  it("have at most 50 staff members", async () => {
    const trailbook = await openTrailbook()
    for (let at = 0; at < 50; at++) await trailbook.staff.add({ email: `${at}@example.com` })
    expect(await rejected(trailbook.staff.add({ email: "ann@example.com" }))).toMatchObject({
      message: "email: at most 50 staff members are allowed. Remove a staff member first."
    })
    expect(await trailbook.staff.add({ email: "7@example.com", name: "Ann" })).toMatchObject({ name: "Ann" })
  })

  it("have API keys that are shown only once and can be revoked", async () => {
    const trailbook = await openTrailbook()
    const { api_key, ...key } = await trailbook.keys.create({ name: "Website", scopes: ["read"] })
    assert.match(api_key, /^tb_live_/)
    expect(await trailbook.keys.list()).toEqual([key])
    const ask = () => {
      const headers = { authorization: `Bearer ${api_key}` }
      return trailbook.handler(new Request("http://localhost/v1/org", { headers }))
    }
    expect((await ask()).status).toBe(200)
    await trailbook.keys.revoke({ id: key.id })
    expect((await ask()).status).toBe(401)
    const late = { name: "Late", expires_at: new Date(start).toISOString() }
    expect(await rejected(trailbook.keys.create(late))).toMatchObject({ code: "invalid_request" })
  })
})

describe("event streams", () => {
  it("yield each event once and in order, after 2 seconds", async () => {
    const clock = makeClock()
    const trailbook = await openTrailbook({ clock })
    const place = await trip(trailbook)
    const types: Array<string> = []
    const stop = new AbortController()
    const subscription = (async () => {
      for await (const { type } of trailbook.events({ signal: stop.signal, intervalMs: 5 })) types.push(type)
    })()
    clock.at += 2000
    await expect.poll(() => types.length).toBeGreaterThan(0)
    const before = types.length
    await trailbook.bookings.create({ ...place, ...ada })
    clock.at += 1999
    expect((await trailbook.events.list({ after: 0 })).data).toHaveLength(before)
    clock.at += 1
    await expect.poll(() => types).toContain("booking.confirmed")
    stop.abort()
    await subscription
    expect(types).toEqual((await trailbook.events.list()).data.map(({ type }) => type))
  })

  it("resume after a cursor, across pages or for one type", async () => {
    const clock = makeClock()
    const trailbook = await openTrailbook({ clock })
    const place = await trip(trailbook, 300)
    for (let guest = 0; guest < 120; guest++) await trailbook.bookings.create({ ...place, ...ada })
    clock.at += 2000
    const ids: Array<number> = []
    for await (const { id } of trailbook.events({ type: "booking.confirmed", after: 5 })) {
      ids.push(id)
      if (ids.length === 110) break
    }
    const eventPage = await trailbook.events.list({ type: "booking.confirmed", after: 5, limit: 110 })
    expect(ids).toEqual(eventPage.data.map(({ id }) => id))
  })

  it("fail immediately for an unknown event type", async () => {
    const trailbook = await openTrailbook()
    const misspelled: string = "booking.confrimed"
    const events = trailbook.events({ type: misspelled as "booking.confirmed" })
    await expect(events.next()).rejects.toThrow(/^type: must be one of booking\.held, /)
  })

  it("end when Trailbook is closed", async () => {
    const trailbook = await openTrailbook()
    const subscription = (async () => {
      for await (const _ of trailbook.events());
    })()
    await trailbook.org.get()
    await trailbook.close()
    await subscription
    await expect(trailbook.org.get()).rejects.toThrow("Trailbook is closed.")
  })
})

/** Returns the stored errors of failed tasks. */
const lastErrors = (file: string): Promise<ReadonlyArray<unknown>> =>
  Effect.runPromise(Effect.scoped(Effect.map(
    open(file, { readonly: true }),
    (driver) => driver.prepare("select last_error from tasks").pluck().all()
  )))

describe("the worker", () => {
  it("sends emails through the host's mailer, and retries failures", async () => {
    const clock = makeClock()
    const mails: Array<Mail> = []
    const lines: Array<string> = []
    let works = false
    const file = join(folder(), "a.sqlite")
    const trailbook = await openTrailbook({
      clock,
      database: `sqlite:${file}`,
      publicUrl: "https://book.example.com/",
      log: (line) => lines.push(line),
      mailer: {
        send: async (mail) => {
          if (!works) throw Object.assign(new Error("550 ada@example.com is unknown"), { code: "EENVELOPE" })
          mails.push(mail)
        }
      }
    })
    const place = await trip(trailbook)
    await trailbook.bookings.create({ ...place, ...ada })
    expect((await trailbook.worker.runOnce()).mail).toEqual({ postponed: 1 })
    assert.notInclude(lines.join(), "ada@example.com")
    expect(await lastErrors(file)).toEqual(["The host application's mailer failed: Error EENVELOPE."])
    works = true
    clock.at += 60_000
    expect((await trailbook.worker.runOnce()).mail).toEqual({ done: 1 })
    expect(mails.map(({ to }) => to)).toEqual([{ name: "Ada", email: "ada@example.com" }])
    assert.include(mails[0]?.text, "https://book.example.com/b/")
    // The attachment is the QR code.
    expect(mails[0]?.attachments.map(({ type }) => type)).toEqual(["image/png"])
  })

  it("runs until it is stopped, and can start again", async () => {
    const mails: Array<string> = []
    const mailer = { send: async ({ to }: Mail) => mails.push(to.email) }
    const trailbook = await openTrailbook({ mailer, publicUrl: "https://book.example.com" })
    const place = await trip(trailbook)
    await trailbook.worker.start()
    await trailbook.worker.start()
    await trailbook.bookings.create({ ...place, ...ada })
    await expect.poll(() => mails).toEqual(["ada@example.com"])
    await trailbook.worker.stop()
    await trailbook.bookings.create({ ...place, ...ada })
    expect((await trailbook.worker.runOnce()).mail).toEqual({ done: 1 })
    await trailbook.worker.start()
    await trailbook.bookings.create({ ...place, ...ada })
    await expect.poll(() => mails.length).toBe(3)
  })

  it("requires a mailer, and requires encryption keys if webhooks exist", async () => {
    const database = `sqlite:${join(folder(), "a.sqlite")}`
    const keys = `k1:${Buffer.alloc(32, 7).toString("base64")}`
    const silent = await openTrailbook({ database })
    await expect(silent.worker.start()).rejects.toThrow(/^mailer: /)
    await expect(silent.worker.runOnce()).rejects.toThrow(/^mailer: /)
    const url = "https://198.51.100.7/hook"
    expect(await rejected(silent.webhooks.create({ url }))).toMatchObject({ code: "invalid_request" })
    const pushing = await openTrailbook({ database, mailer: "none", webhooks: { keys, allow: ["198.51.100.0/24"] } })
    await pushing.webhooks.create({ url })
    await pushing.worker.runOnce()
    await expect((await openTrailbook({ database, mailer: "none" })).worker.start()).rejects.toThrow(/^webhooks: /)
    const other = { keys: `k2:${Buffer.alloc(32, 8).toString("base64")}` }
    await expect((await openTrailbook({ database, webhooks: other })).org.get()).rejects.toThrow(
      /was encrypted with a key named k1/
    )
  })
})

describe("online payments", () => {
  it("use the host's provider for checkouts, payments, and refunds", async () => {
    const refunds: Array<string> = []
    const trailbook = await openTrailbook({
      mailer: "none",
      org: { ...salida, plan: "pro" },
      payments: {
        checkout: async ({ reference }, { slug }) => `https://pay.example.com/${slug}/${reference}`,
        refund: async ({ id, payment_intent_id }) => refunds.push(`${id} ${payment_intent_id}`)
      }
    })
    const place = await trip(trailbook)
    const hold = await trailbook.bookings.create({ ...place, ...ada })
    expect(hold).toMatchObject({
      status: "held",
      checkout_url: `https://pay.example.com/salida-river-co/${hold.reference}`
    })
    expect(await trailbook.paid({ id: hold.id, payment_intent_id: "pi_1" })).toMatchObject({ status: "confirmed" })
    await trailbook.bookings.cancel({ id: hold.id })
    await trailbook.worker.runOnce()
    expect(refunds).toEqual([`${hold.id} pi_1`])
  })

  it("call the provider only for bookings that need payment", async () => {
    const calls: Array<string> = []
    let isAsked = () => {}
    let answers: (takesMoney: boolean) => void = () => {}
    const { orgs, ...trailbook } = await openTrailbook({
      mailer: "none",
      org: undefined,
      payments: {
        connected: (orgId) => {
          calls.push(orgId)
          isAsked()
          return new Promise((resolve) => {
            answers = resolve
          })
        },
        checkout: async () => "https://pay.example.com",
        refund: async () => {}
      }
    })
    const [slow, pro, free] = await Promise.all((["pro", "pro", "free"] as const).map(async (plan, at) => {
      const { id } = await orgs.create({ ...salida, name: `Org ${at}`, plan })
      const outfitter = await trailbook.forOrg(id)
      return { id, outfitter, place: await trip(outfitter) }
    }))
    if (slow === undefined || pro === undefined || free === undefined) throw new Error("An outfitter is missing.")
    const isWaiting = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const pendingBooking = slow.outfitter.bookings.create({ ...slow.place, ...ada })
    await isWaiting

    // None of these bookings needs the provider: one on the free plan, one for a free offering, and one that the
    // outfitter makes.
    await pro.outfitter.offerings.update({ id: pro.place.offering_id, price_cents: 0 })
    expect(await free.outfitter.bookings.create({ ...free.place, ...ada })).toMatchObject({ status: "confirmed" })
    expect(await pro.outfitter.bookings.create({ ...pro.place, ...ada })).toMatchObject({ status: "confirmed" })
    const desk = slow.outfitter.as({ source: "dashboard" })
    expect(await desk.bookings.create({ ...slow.place, ...ada })).toMatchObject({ status: "confirmed" })
    expect(calls).toEqual([slow.id])

    answers(true)
    expect(await pendingBooking).toMatchObject({ status: "held", checkout_url: "https://pay.example.com" })
  })
})

describe("closing Trailbook", () => {
  it("completes calls in progress and rejects later calls", async () => {
    const database = `sqlite:${join(folder(), "a.sqlite")}`
    const first = await openTrailbook({ database })
    const startedCalls = [first.org.get(), first.orgs.list(), first.keys.list(), first.migrate(), first.worker.stop()]
    const answer = first.handler(new Request("http://localhost/v1/org"))
    const shutdown = first.close()
    const late = [
      first.org.get(),
      first.orgs.list(),
      first.keys.list(),
      first.forOrg("salida-river-co"),
      first.migrate()
    ]
    for (const call of late) await expect(call).rejects.toThrow("Trailbook is closed.")
    await Promise.all(startedCalls)
    expect((await answer).status).toBe(401)
    await shutdown

    const trailbook = await openTrailbook({
      database,
      http: { authorize: () => ({ scopes: ["read"] }) },
      mailer: "none"
    })
    const place = await trip(trailbook, 30)
    const wishes = Array.from({ length: 20 }, () => trailbook.try.bookings.create({ ...place, ...ada }))
    const pendingResponse = trailbook.handler(new Request("http://localhost/v1/org"))
    const worked = trailbook.worker.start()
    await trailbook.close()
    expect((await Promise.all(wishes)).map(({ ok }) => ok)).not.toContain(false)
    expect((await pendingResponse).status).toBe(200)
    await worked
  })
})

describe("an embedded Trailbook's database", () => {
  it("fails the first call if it cannot be opened", async () => {
    const path = folder()
    const trailbook = await openTrailbook({ database: `sqlite:${path}` })
    await expect(trailbook.org.get()).rejects.toThrow(/Cannot open the database/)
    await trailbook.close()
    await expect(trailbook.org.get()).rejects.toThrow("Trailbook is closed.")
  })

  it("causes only retryable errors while it is unavailable", async () => {
    const trailbook = await openTrailbook({ database: "postgres://shop@127.0.0.1:1/shop" })
    for (const call of [() => trailbook.org.get(), () => trailbook.migrate()]) {
      expect(await rejected(call())).toMatchObject({ code: "unavailable", status: 503, retryable: true })
    }
    const unopenable = await openTrailbook({ database: `sqlite:${folder()}` })
    await expect(unopenable.migrate()).rejects.toMatchObject({ name: "CannotOpen" })
  })

  it("is migrated only by the host in manual mode", async () => {
    const database = `sqlite:${join(folder(), "a.sqlite")}`
    const trailbook = await openTrailbook({ database, migrations: "manual" })
    await expect(trailbook.org.get()).rejects.toThrow(/not up to date. Pending migrations: create\b.*migrate\(\)/)
    expect(await trailbook.migrate()).toContain("create")
    expect(await trailbook.migrate()).toEqual([])
    expect((await trailbook.org.get()).slug).toBe("salida-river-co")
  })

  it.each(
    [
      ["database: must be sqlite:<file>", { database: "mysql://db" }],
      ["http.basePath: must start with a slash", { http: { basePath: "booking" } }],
      ["publicUrl: is required with a mailer", { mailer: { send: async () => {} } }],
      ["publicUrl: must be", { publicUrl: "book.example.com" }],
      ["webhooks.keys: entry 1", { webhooks: { keys: "k1" } }]
    ] as const
  )("is not opened with an invalid option: %s", async (message, options) => {
    await expect(createTrailbook({ database: ":memory:", ...options })).rejects.toThrow(message)
  })

  // In a TypeScript host, these mistakes would be compile errors.
  it.each<[string, Readonly<Record<string, unknown>> | undefined]>([
    ["createTrailbook: requires options", undefined],
    ["database: must be a URL such as", {}],
    ["database: must be a URL such as", { database: null }],
    ["database: pool must be a pg Pool", { database: { pool: {} } }],
    ["database: must have a schema name", { database: { pool: { connect: () => {} }, schema: "Odd Name" } }],
    ["mail: is not an option. Valid options: database, org,", { mail: "none" }],
    ["before.bookingcreate: is not an option. Valid options: bookingCreate", { before: { bookingcreate: () => {} } }],
    ["before: must be an object", { before: () => {} }],
    ["before.bookingCreate: must be a function", { before: { bookingCreate: true } }],
    ["org: must be an outfitter's slug", { org: 7 }],
    ["clock: must be a function or an object with now()", { clock: 5 }],
    ["log: must be a function", { log: console }],
    ["logLevel: must be one of debug,", { logLevel: "loud" }],
    ["migrations: must be one of automatic, manual", { migrations: "auto" }],
    ["mailer: must be \"none\" or an object with send()", { mailer: {} }],
    ["mailer: must be \"none\" or an object with send()", { mailer: "smtp://mail.example.com" }],
    ["payments: must be an object with checkout()", { payments: { refund: () => {} } }],
    ["payments.connected: must be", { payments: { checkout: () => {}, refund: () => {}, connected: true } }],
    ["webhooks.keys: must be a string", { webhooks: { keys: undefined } }],
    ["webhooks.allow: intranet must be a network", { webhooks: { keys: "k1:", allow: ["intranet"] } }],
    ["http.path: is not an option. Valid options: basePath,", { http: { path: "/booking" } }],
    ["http.basePath: must be a string", { http: { basePath: 4 } }],
    ["http.authorize: must be a function", { http: { authorize: "staff" } }],
    ["http.surfaces: widget requires pages", { http: { surfaces: ["rest", "widget"] } }],
    ["http.surfaces: must be an array of rest, mcp, pages, widget", { http: { surfaces: ["REST"] } }],
    ["http.trustedOrigins: must be an array of origins", { http: { trustedOrigins: ["app.example.com"] } }],
    ["http.rateLimitPerSecond: must be", { http: { rateLimitPerSecond: -1 } }]
  ])("is not opened with a missing, wrong, or unknown option: %s", async (message, options) => {
    const input: unknown = options !== undefined && Object.keys(options).length > 0
      ? { database: ":memory:", ...options }
      : options
    const error = await createTrailbook(input as TrailbookOptions).then(() => undefined, (error: unknown) => error)
    assert.instanceOf(error, TypeError)
    assert.isTrue(error.message.startsWith(message), error.message)
  })

  it("is opened if an option is a class instance", async () => {
    class Mails {
      async send(): Promise<void> {}
    }
    await openTrailbook({ mailer: new Mails(), publicUrl: "https://book.example.com" })
  })
})

it.runIf(isLong)(
  "an embedded Trailbook adds no signal handlers or warnings to the process",
  () => {
    const program = `
    import { createTrailbook } from "trailbook"
    const warned = []
    process.on("warning", ({ name }) => warned.push(name))
    const before = JSON.stringify(process.eventNames())
    const read = []
    process.env = new Proxy(process.env, { get: (env, name) => (read.push(String(name)), env[name]) })
    const trailbook = await createTrailbook({
      database: ":memory:",
      org: { name: "Salida", timezone: "America/Denver" },
      mailer: "none"
    })
    await trailbook.offerings.create({ name: "Kayak", kind: "rental", capacity: 3 })
    await trailbook.worker.start()
    const pages = Array.from({ length: 12 }, () => trailbook.events({ after: 100 }).next())
    // After these requests, each stream has sent its first query and is waiting for events.
    for (let asked = 0; asked < 24; asked++) await trailbook.events.list()
    const heard = JSON.stringify(process.eventNames())
    await trailbook.close()
    await Promise.all(pages)
    // Warnings are emitted in a separate turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    const ours = read.filter((name) => /^(TRAILBOOK_|DATABASE|PORT$)/.test(name))
    console.log(JSON.stringify({ ours, same: before === heard, warned }))
  `
    const tsx = createRequire(import.meta.url).resolve("tsx")
    const args = ["--conditions=@trailbook/source", "--import", tsx, "--input-type=module", "--eval", program]
    const env = {
      ...process.env,
      TRAILBOOK_DATABASE: "postgres://nobody@localhost:1/nothing",
      TRAILBOOK_LOG_LEVEL: "x"
    }
    const output = execFileSync(process.execPath, args, {
      cwd: import.meta.dirname,
      env,
      encoding: "utf8",
      timeout: 30_000
    })
    expect(JSON.parse(output)).toEqual({ ours: [], same: true, warned: [] })
  }
)

it("two instances in one process share no state", async () => {
  const [one, other] = [
    await openTrailbook(),
    await openTrailbook({ org: { name: "Nordfjord", timezone: "Europe/Oslo" } })
  ]
  expect([(await one.org.get()).slug, (await other.org.get()).slug]).toEqual(["salida-river-co", "nordfjord"])
  await one.close()
  onTestFinished(() => other.close())
  expect((await other.org.get()).slug).toBe("nordfjord")
})
