/**
 * Tests that a call over REST and the same call over MCP return the same data, or the same error with the same message.
 * Over MCP, the data is in compact form with local times. Two twins play each story, one per protocol, on both
 * databases.
 */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv"
import type { BatchOptions } from "@trailbook/core/booking"
import { operations } from "@trailbook/core/layer"
import { type Operation, toToolName } from "@trailbook/core/operation/Operation"
import type { Storage } from "@trailbook/core/storage"
import * as Postgres from "@trailbook/postgres"
import * as PostgresBatches from "@trailbook/postgres/batchOptions"
import * as Sqlite from "@trailbook/sqlite"
import * as SqliteBatches from "@trailbook/sqlite/batchOptions"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { script } from "@trailbook/testkit/generator/script"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { fieldsOf } from "../input/fields.ts"
import { wrongValues } from "../input/wrongValues.ts"
import { createDatabase } from "../postgres/database.ts"
import { asAssistant, differences, wholeDays } from "./compareAnswers.ts"
import { makeRunStep, operationOf, type Step } from "./runStep.ts"
import * as Twin from "./Twin.ts"

interface Store {
  readonly storage: Layer.Layer<Storage>
  readonly batches: BatchOptions
  readonly drop: () => Promise<void>
}

const sqlite = async (): Promise<Store> => {
  const folder = await mkdtemp(join(tmpdir(), "trailbook-"))
  return {
    storage: Layer.orDie(Sqlite.layer({ filename: join(folder, "twin.sqlite") })),
    batches: SqliteBatches.batchOptions,
    drop: () => rm(folder, { recursive: true })
  }
}

const postgres = async (): Promise<Store> => {
  const { drop, url } = await createDatabase()
  return { storage: Layer.orDie(Postgres.layer({ url })), batches: PostgresBatches.batchOptions, drop }
}

const call = (name: string, pick: Extract<Step, { _tag: "Call" }>["pick"] = {}, input: object = {}): Step => ({
  _tag: "Call",
  name,
  input: { ...input },
  pick
})

const season = { weekdays: [6], times: ["09:00"], from_date: "2027-05-01", to_date: "2027-05-31" }

/**
 * Ends each story with the operations that scripts lack, and with every GET operation that takes no ID, to compare the
 * final states.
 */
const epilogue: ReadonlyArray<Step> = [
  call("offerings.get", { id: ["offering", 0] }),
  call("offerings.get_hours", { id: ["offering", 1] }),
  call("bookings.get", { id: ["booking", 0] }),
  call("customers.get", { id: ["customer", 0] }),
  call("availability.get", { id: ["offering", 2] }),
  call("webhooks.create", {}, { url: "https://hooks.example.com/trips", events: ["booking.confirmed"] }),
  call("webhooks.create", {}, { url: "http://hooks.example.com" }),
  call("webhooks.delete", { id: ["webhook", 0] }),
  call("webhooks.create", {}, { url: "https://hooks.example.com/more" }),
  call("webhooks.delete", {}, { id: "ffffffff-ffff-7fff-8fff-ffffffffffff" }),
  call("sessions.create", { offering_id: ["class", 0] }, { starts_at: { hoursFromNow: 30 }, repeat_weeks: 2 }),
  call("sessions.plan", { id: ["class", 0] }, { ...season, dry_run: true }),
  call("sessions.update", { id: ["session", 0] }, { notes: "Two guides." }),
  call("closures.create", {}, { from_date: "2100-05-01", to_date: "2100-05-02", reason: "High water" }),
  call("closures.delete", { id: ["closure", 0] }),
  call("discounts.create", {}, { code: " spring ", percent_bps: 1000, book_until: "2100-05-01" }),
  call("discounts.create", {}, { code: "SPRING", cents: 500 }),
  call("discounts.create", {}, { code: "BOTH", cents: 500, percent_bps: 1000 }),
  call("discounts.update", { id: ["discount", 0] }, { cents: 500, max_uses: 3 }),
  call("discounts.list", {}, {}),
  call("assistants.activity", {}, { operation: "bookings.cancel" }),
  call("discounts.delete", { id: ["discount", 0] }),
  { _tag: "Book", offering: 1, slot: 0, input: { customer: { email: "last@example.com" }, hold_minutes: 30 } },
  call("bookings.confirm", { id: ["booking", 1] }),
  { _tag: "Move", booking: 0, slot: 1 },
  call("bookings.quote", { offering_id: ["offering", 0] }),
  call("bookings.update", { id: ["booking", 0] }, {
    staff_notes: "Left-handed",
    adjustments: [{ name: "Tip", cents: 5 }]
  }),
  call("bookings.quote", { booking_id: ["booking", 0] }),
  call("bookings.resend", { id: ["booking", 0] }),
  call("bookings.mark_no_show", { id: ["booking", 0] }),
  call("bookings.clear_attendance", { id: ["booking", 0] }),
  // Only a booking that starts soon can be checked in.
  call("offerings.create", {}, {
    name: "Evening raft",
    kind: "class",
    duration_minutes: 60,
    capacity: 4,
    price_cents: 3000
  }),
  call("sessions.create", { offering_id: ["class", -1] }, { starts_at: { hoursFromNow: 1 } }),
  call(
    "bookings.create",
    { offering_id: ["class", -1], session_id: ["session", -1] },
    { walk_in: true, customer: { name: "Ann" } }
  ),
  call("bookings.check_in", { id: ["booking", -1] }),
  call("bookings.clear_attendance", { id: ["booking", -1] }),
  // The story may have canceled the first booking permanently, so create another one. Only a booking with an email
  // address can get its link and a payment request.
  call(
    "bookings.create",
    { offering_id: ["class", -1], session_id: ["session", -1] },
    { walk_in: true, customer: { name: "Bo", email: "bo@example.com" } }
  ),
  call("bookings.resend", { id: ["booking", -1] }),
  call("payments.request", { id: ["booking", -1] }),
  call("bookings.cancel", { id: ["booking", -1] }),
  call("bookings.restore", { id: ["booking", -1] }),
  call("payments.record", { id: ["booking", 0] }, { method: "cash", amount_cents: 500, allow_overpayment: true }),
  call("payments.record", { id: ["booking", 0] }, { method: "card", amount_cents: 99_999_999_999 }),
  call("payments.refund", { id: ["booking", 0] }, { method: "cash", amount_cents: 200, note: "A late start" }),
  call("payments.request", { id: ["booking", 0] }),
  call("payments.void", { id: ["payment", 0] }),
  call("payments.record", { id: ["booking", 0] }, { method: "transfer", amount_cents: 500, allow_overpayment: true }),
  call("payments.void", { id: ["payment", 1] }),
  call("messages.send", { customer_id: ["customer", 0] }, { body: "Bring a towel.", subject: "Your trip" }),
  call("messages.send", { booking_id: ["booking", 1] }, { body: "See you at the put-in." }),
  call("messages.send", { customer_id: ["customer", 1] }, { body: "Likes the back seat.", kind: "note" }),
  call("messages.send", { conversation_id: ["conversation", 0], booking_id: ["booking", 0] }, { body: "To both?" }),
  call("messages.send", { conversation_id: ["conversation", 0] }, { body: "And a hat." }),
  call("messages.broadcast", { "target.session_id": ["session", 0] }, { body: "The river is high." }),
  call("messages.broadcast", { "target.offering_id": ["offering", 0] }, { body: "The river is high." }),
  call("messages.broadcast", {}, { target: {}, body: "To whom?" }),
  call("messages.draft", { conversation_id: ["conversation", 0] }),
  call("messages.list", { customer_id: ["customer", 0] }),
  call("messages.list", { booking_id: ["booking", 1] }),
  call("conversations.update", { id: ["conversation", 0] }, { snoozed_until: "2100-01-01T00:00:00Z", read: true }),
  call("conversations.update", { id: ["conversation", 1] }, { status: "done" }),
  call("conversations.get", { id: ["conversation", 0] }),
  call("conversations.list", {}, { status: "open" }),
  call("conversations.delete", { id: ["conversation", 0] }),
  call("saved_replies.create", {}, { title: "Towel", body: "{first_name}, bring a towel. {org}" }),
  call("saved_replies.create", {}, { title: "", body: "Rain is fine." }),
  call("saved_replies.create", {}, { title: "Rain", body: "We go out in rain." }),
  call("saved_replies.update", { id: ["reply", 0] }, { title: "What to bring" }),
  call("saved_replies.list", { conversation_id: ["conversation", 0] }),
  call("saved_replies.delete", { id: ["reply", 1] }),
  call("automations.update", {}, { automation: "fill", dial: "ask", settings: { full_pct: 70 } }),
  call("automations.update", {}, { automation: "reminders", settings: { full_pct: 70 } }),
  { _tag: "Propose" },
  { _tag: "Propose" },
  { _tag: "Propose", opened: 1 },
  { _tag: "Propose" },
  call("proposals.approve", { id: ["proposal", 0] }),
  call("proposals.dismiss", { id: ["proposal", 1] }),
  call("proposals.approve", { id: ["proposal", 1] }),
  call("proposals.undo", { id: ["proposal", 2] }),
  call("proposals.undo", { id: ["proposal", 0] }),
  call("bookings.cancel", { id: ["booking", 2] }),
  call("payments.record", { id: ["booking", 2] }, { method: "cash", amount_cents: 100 }),
  call("sessions.cancel", { id: ["session", 0] }),
  call("customers.upsert", {}, { email: "last@example.com", phone: "+1 719 555 0100" }),
  call("customers.list", {}, { q: "(719) 555-0100" }),
  call("bookings.list", {}, { q: "719-555-0100 LAST" }),
  call("customers.update", { id: ["customer", 0] }, { notes: "Swims" }),
  call("customers.delete", { id: ["customer", 1] }),
  call("offerings.update", { id: ["offering", 0] }, { active: false }),
  call("offerings.set_hours", { id: ["offering", 0] }, { hours: [] }),
  call("offerings.set_photos", { id: ["offering", 0] }, { photos: [] }),
  call("offerings.delete", { id: ["offering", 1] }, { cancel_bookings: true }),
  call("org.update", {}, { brief_hour: 5 }),
  ...["sales", "payments", "occupancy", "guests"].map((report) =>
    call(`reports.${report}`, {}, { from: "2027-03-01", to: "2027-12-31" })
  ),
  ...operations.filter(({ input, method }) => method === "GET" && !("id" in input.fields)).map(({ name }) => call(name))
]

/**
 * Adds a new idempotency key to each call that lacks one. Without a key, two identical calls create two bookings over
 * REST, but only one over MCP, which derives the key from the request.
 */
const makeKeyAdder = () => {
  let calls = 0
  return ({ input: { fields } }: Operation.Any, input: Parameters<Twin.Call>[1]): typeof input =>
    "idempotency_key" in fields
      ? { idempotency_key: `00000000-0000-4000-9000-${String(++calls).padStart(12, "0")}`, ...input }
      : input
}

/** Returns a valid value for each path parameter: the first value of an enum, or a random ID. */
const addressOf = (operation: Operation.Any): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fieldsOf(operation).filter((field) => field.in === "path").map(({ path: [name = ""], schema: { enum: names } }) => {
      const first = names?.[0]
      return [name, typeof first === "string" ? first : randomUUID()]
    })
  )

let stories = 0

const ajv = new AjvJsonSchemaValidator()

let compiled: Promise<ReadonlyMap<string, ReturnType<typeof ajv.getValidator>>> | undefined

/**
 * Returns the output schemas that clients use to validate results, keyed by operation. The schemas are compiled once.
 */
const schemas = (twin: Twin.Twin) => compiled ??= compile(twin)

const compile = async ({ list }: Twin.Twin) =>
  new Map((await list()).map(({ name, outputSchema }) => {
    const operation = operations.find((operation) => toToolName(operation) === name)
    return [operation?.name ?? name, ajv.getValidator(outputSchema)] as const
  }))

describe.each([["SQLite", sqlite, 25], ["Postgres", postgres, 8]] as const)("on %s", (_, make, runs) => {
  let one: Store
  let other: Store
  const scope = Effect.runSync(Scope.make())
  const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) => Effect.runPromise(Scope.extend(effect, scope))
  let storages: readonly [Layer.Layer<Storage>, Layer.Layer<Storage>]
  beforeAll(async () => {
    ;[one, other] = await Promise.all([make(), make()])
    // All stories share one connection pool per storage.
    storages = await run(Effect.all([
      Effect.map(Layer.build(one.storage), Layer.succeedContext),
      Effect.map(Layer.build(other.storage), Layer.succeedContext)
    ]))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await Promise.all([one.drop(), other.drop()])
  })

  const twins = async (script: { readonly timezone: string; readonly plan: "free" | "pro" }) => {
    const options = { batches: one.batches, orgId: randomUUID(), script: script, seed: ++stories }
    const twin = (storage: Layer.Layer<Storage>) =>
      Effect.gen(function*() {
        const clock = yield* SettableClock.make(origin)
        return { clock, twin: yield* Effect.provide(Twin.open({ ...options, clock }), storage) }
      })
    return run(Effect.all({ rest: twin(storages[0]), mcp: twin(storages[1]) }))
  }

  it("a scenario produces the same results over REST and through tools", async () => {
    const [seenCodes, calledOperations, succeeded] = [new Set<string>(), new Set<string>(), new Set<string>()]
    await FastCheck.assert(
      FastCheck.asyncProperty(script(40), async (script) => {
        const { mcp, rest } = await twins(script)
        const [programs, assistants] = [makeKeyAdder(), makeKeyAdder()]
        const callRest: Twin.Call = async (operation, rawInput) => {
          calledOperations.add(operation.name)
          const input = programs(operation, rawInput)
          const answer = await rest.twin.rest(operation, asAssistant(operation.name, operation.input.fields, input))
          if ("answer" in answer) succeeded.add(operation.name)
          return operation.name === "availability.get" && "answer" in answer
            ? { answer: wholeDays(answer.answer) }
            : answer
        }
        const calledNames: Array<string> = []
        const callMcp: Twin.Call = async (operation, input) => {
          const keyedInput = assistants(operation, input)
          // Without a limit, a page with long rows is shorter over MCP.
          const limit = "limit" in operation.input.fields ? { limit: 20 } : {}
          const answer = await mcp.twin.mcp(operation, { ...limit, ...keyedInput })
          calledNames.push(operation.name)
          if ("answer" in answer) {
            const { errorMessage, valid } = validators.get(operation.name)?.(answer.answer) ??
              assert.fail(operation.name)
            assert.isTrue(valid, `${operation.name}: ${errorMessage}`)
          }
          return answer
        }
        const validators = await schemas(mcp.twin)
        const [program, assistant] = [
          makeRunStep(callRest, rest.twin.propose, rest.clock),
          makeRunStep(callMcp, mcp.twin.propose, mcp.clock)
        ]
        for (const [at, step] of [...script.steps, ...epilogue].entries()) {
          const answers = await program(step)
          calledNames.length = 0
          const others = await assistant(step)
          const where = `step ${at}: ${JSON.stringify(step)}`
          assert.lengthOf(others, answers.length, where)
          for (const [nth, answer] of answers.entries()) {
            const other = others[nth] ?? assert.fail(where)
            seenCodes.add("refused" in answer ? answer.refused.code : "answer")
            // An export must be identical over both protocols.
            if ("refused" in answer || "refused" in other || calledNames[nth] === "org.export") {
              assert.deepStrictEqual(other, answer, where)
            } else assert.deepStrictEqual(differences(answer.answer, other.answer), [], where)
          }
        }
      }),
      { numRuns: runs }
    )
    // Guards against stories in which every call fails.
    assert.includeMembers([...seenCodes], ["answer", "not_found", "invalid_request"])
    assert.sameMembers([...calledOperations], operations.map(({ name }) => name))
    // The only conversations that can be deleted are questions from the website, which no API client can ask. Only a
    // booking that has started can be marked as a no-show, and a story may not have one.
    succeeded.add("conversations.delete").add("bookings.mark_no_show")
    assert.deepStrictEqual([...calledOperations].filter((name) => !succeeded.has(name)), [])
  }, 300_000)

  it("an invalid request returns the same message over REST and through tools", async () => {
    const { mcp: { twin: assistant }, rest: { twin: program } } = await twins({
      timezone: "America/Denver",
      plan: "free"
    })
    let compared = 0
    for (const operation of operations) {
      for (const field of fieldsOf(operation)) {
        if (field.in !== "body" || field.path.length > 1) continue
        const [name = ""] = field.path
        const pathValues = addressOf(operation)
        for (const value of wrongValues(field.schema)) {
          const body = `{"${name}":${value}}`
          const path = `/v1${operation.path.replaceAll(/:(\w+)/g, (_, name: string) => pathValues[name] ?? "")}`
          const before = Object.entries(pathValues).map(([name, at]) => `"${name}":"${at}",`).join("")
          const input = `{${before}"${name}":${value}}`
          assert.deepStrictEqual(
            await assistant.mcpText(operation, input),
            await program.restText(operation, path, body),
            `${operation.name} ${input}`
          )
          compared++
        }
      }
      const surprise = await assistant.mcp(operation, { surprise: 1 })
      const knownFields = Object.keys(operation.input.fields)
      const message = `surprise: is not a field of this request. ${
        knownFields.length === 0 ? "The request has no fields." : `Known fields: ${knownFields.join(", ")}.`
      }`
      assert.deepStrictEqual(surprise, { refused: { code: "invalid_request", message } }, operation.name)
    }
    assert.isAbove(compared, 300)
  })

  it("another outfitter's resources are hidden from an assistant", async () => {
    const { mcp: { twin: foreignTwin } } = await twins({ timezone: "Europe/Oslo", plan: "free" })
    const { mcp: { twin: ownTwin } } = await twins({ timezone: "America/Denver", plan: "free" })
    const response = await foreignTwin.mcp(operationOf("offerings.create"), { name: "Fjord Kayak", kind: "rental" })
    const { id } = ("answer" in response ? response.answer : {}) as { id: string }
    for (const operation of operations.filter(({ input }) => "id" in input.fields)) {
      const answer = await ownTwin.mcp(operation, {
        id,
        ...(operation.name === "offerings.set_hours" ? { hours: [] } : {}),
        ...(operation.name === "offerings.set_photos" ? { photos: [] } : {}),
        ...(operation.name === "bookings.move" ? { starts_at: "2027-05-01T15:00:00Z" } : {}),
        ...(operation.name === "sessions.plan" ? season : {}),
        ...(/^payments\.(record|refund)$/.test(operation.name) ? { method: "cash", amount_cents: 100 } : {})
      })
      assert.deepInclude(answer, {
        refused: { code: "not_found", message: "refused" in answer ? answer.refused.message : "" }
      })
    }
    const offerings = await ownTwin.mcp(operationOf("offerings.list"), {})
    assert.deepStrictEqual(offerings, { answer: { data: [], note: "No offerings at all." } })
  })
})
