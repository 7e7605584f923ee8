/**
 * Tests every transaction against `docs/concepts/lock-order.md`. A transaction must lock rows in the documented order,
 * and only in the tables that are documented for its operation.
 */
import type { Refusal } from "@trailbook/core"
import { BookingStore } from "@trailbook/core/booking"
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { ChunkSize } from "@trailbook/core/job/defineJob"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { getImagePath } from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { script, type Step as ScriptStep } from "@trailbook/testkit/generator/script"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import * as ScriptRunner from "@trailbook/testkit/law/ScriptRunner"
import { createEmptyOrg, newId } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { proposalOf } from "../../../test/proposalOf.ts"
import { isLong, runs } from "../../../test/runs.ts"
import { recordUnits, tables, type Unit, violations } from "./lockOrder.ts"

const key = () => ({ idempotency_key: newId() })

const operationOf = (step: ScriptStep): string => {
  switch (step._tag) {
    case "Call":
      return step.name
    case "Book":
    case "Repeat":
      return "bookings.create"
    case "Move":
    case "Pay":
    case "Sweep":
    case "Connect":
    case "Pass":
      return `bookings.${step._tag.toLowerCase()}`
  }
}

/** Operations that create something under the caller's idempotency key. */
const creations: ReadonlyArray<ScriptStep> = [
  { _tag: "Call", name: "webhooks.create", input: { url: "https://a.co/events", ...key() }, pick: {} },
  { _tag: "Call", name: "offerings.create", input: { name: "Rafting", kind: "class", ...key() }, pick: {} },
  {
    _tag: "Call",
    name: "sessions.create",
    input: { starts_at: { hoursFromNow: 24 }, ...key() },
    pick: { offering_id: ["class", 0] }
  },
  {
    _tag: "Call",
    name: "sessions.plan",
    input: { weekdays: [1], times: ["09:00"], from_date: "2027-06-01", to_date: "2027-06-14" },
    pick: { id: ["class", 0] }
  },
  { _tag: "Call", name: "sessions.update", input: { notes: "Guide: Ray" }, pick: { id: ["session", 0] } },
  {
    _tag: "Call",
    name: "closures.create",
    input: { from_date: "2027-03-14", to_date: "2027-04-14", reason: "High water", ...key() },
    pick: {}
  },
  { _tag: "Call", name: "discounts.create", input: { code: "SPRING", percent_bps: 1000 }, pick: {} },
  ...([0, 1, 2] as const).map((booking): ScriptStep => ({
    _tag: "Call",
    name: "bookings.update",
    input: { discount_code: "SPRING" },
    pick: { id: ["booking", booking] }
  })),
  ...([0, 1, 2] as const).flatMap((booking): ReadonlyArray<ScriptStep> => [
    {
      _tag: "Call",
      name: "payments.record",
      input: { method: "cash", amount_cents: 100, allow_overpayment: true, ...key() },
      pick: { id: ["booking", booking] }
    },
    {
      _tag: "Call",
      name: "payments.refund",
      input: { method: "cash", amount_cents: 50, reduce_price: true, ...key() },
      pick: { id: ["booking", booking] }
    },
    { _tag: "Call", name: "payments.request", input: {}, pick: { id: ["booking", booking] } }
  ])
]

/** The tables in which each operation locks rows, according to the documentation. */
const documentedTables = new Map(
  [
    ...readFileSync(new URL("../../../docs/concepts/lock-order.md", import.meta.url), "utf8")
      .matchAll(/^\| `([a-z._]+)` \| ([a-z, ]+) \|$/gm)
  ].map(([, operation = "", names = ""]) => [operation, names.split(", ")])
)

/** The tables in which each operation locked rows, across all scenarios. */
const lockedTables = new Map<string, Set<string>>()
const note = (operation: string, units: ReadonlyArray<Unit>): void => {
  const of = lockedTables.get(operation) ?? new Set()
  lockedTables.set(operation, of)
  for (const { does, table } of units.flat()) if (does !== "changes") of.add(table)
}

describe("every transaction", () => {
  it("follows the lock order in every scenario", async () => {
    // With a chunk size of 100, all of an operation's work fits in one transaction.
    const size = FastCheck.constantFrom(1, 100)
    const tell = FastCheck.asyncProperty(script(40), FastCheck.nat(), size, (story, seed, size) => {
      const units: Array<Unit> = []
      const play = Effect.gen(function*() {
        const stage = yield* ScriptRunner.open({ orgId: newId(), script: story, seed, batches: "none" })
        for (const step of [...story.steps, ...creations]) {
          const before = units.length
          yield* stage.play(step)
          note(operationOf(step), units.slice(before))
        }
        assert.strictEqual(units.flatMap(violations).join("\n"), "")
      })
      const run = Effect.provideService(Effect.scoped(play), ChunkSize, size)
      return Effect.runPromise(Effect.provide(run, Layer.fresh(recordUnits(units))))
    })
    await FastCheck.assert(tell, { numRuns: runs(200, 10), endOnFailure: true, seed: 2 })
  })

  it("follows the lock order in operations that scenarios rarely exercise", () => {
    const units: Array<Unit> = []
    const play = (clock: SettableClock.SettableClock) =>
      Effect.gen(function*() {
        const process = yield* Effect.provide(Process.start({ seed: 1, batches: "none" }), Payments.layerNone)
        const offerings = yield* OfferingStore
        const { guests: [customer_id], orgId, places: [place, , departure] } = yield* makeOrg(process.call)
        const call = (name: string, input: object) =>
          Effect.gen(function*() {
            const before = units.length
            const answer = yield* process.call(orgId, name, input)
            note(name, units.slice(before))
            return answer as { readonly id: string; readonly offering_id: string }
          })
        const { id, offering_id } = yield* call("bookings.create", { ...place, customer_id })
        yield* call("bookings.check_in", { id })
        yield* call("bookings.clear_attendance", { id })
        const [offering] = yield* offerings.find([{ orgId, id: offering_id }])
        const photo = { id: newId(), alt: "A raft", width: 1600, height: 900 }
        yield* offerings.put(offering === undefined ? [] : [{ ...offering, photos: [photo] }])
        yield* call("offerings.set_photos", { id: offering_id, photos: [] })
        const orgs = yield* OrgStore
        const org = Option.getOrThrow(yield* orgs.find(orgId))
        yield* orgs.put({ ...org, logoUrl: getImagePath(orgId, "logo", newId()) })
        yield* call("org.update", { logo_url: null })
        for (let times = 0; times < 2; times++) yield* call("bookings.create", { ...departure, customer_id })
        yield* call("sessions.cancel", { id: Object(departure).session_id })
        const { id: code } = yield* call("discounts.create", { code: "SPRING", percent_bps: 1000 })
        yield* call("bookings.create", { ...place, customer_id, discount_code: "SPRING", hold_minutes: 5 })
        yield* call("discounts.update", { id: code, active: false })
        yield* call("discounts.delete", { id: code })
        const beforeExport = units.length
        yield* process.exportLinks.use({
          _tag: "Application",
          orgId,
          grantId: newId(),
          scopes: new Set(["admin"]),
          personal: true,
          exportLink: "0".repeat(40)
        })
        note("org.export", units.slice(beforeExport))
        yield* clock.advance(25 * 60 * 60_000)
        const before = units.length
        yield* process.bookings.sweep(10)
        note("bookings.sweep", units.slice(before))
        assert.strictEqual(units.flatMap(violations).join("\n"), "")
      })
    const beforeStart = Effect.flatMap(
      SettableClock.make(Instant.addMinutes(origin, 23 * 60)),
      (clock) => Effect.withClock(Effect.scoped(Effect.provideService(play(clock), ChunkSize, 1)), clock)
    )
    return Effect.runPromise(Effect.provide(beforeStart, Layer.fresh(recordUnits(units))))
  })

  it("follows the lock order in mixed batches", async () => {
    let mixed = 0
    let changes = 0
    const order = FastCheck.record({
      org: FastCheck.nat(1),
      place: FastCheck.nat(3),
      byId: FastCheck.boolean(),
      guest: FastCheck.nat(7),
      change: FastCheck.constantFrom("confirm" as const, "cancel" as const, "move" as const, undefined)
    })
    const sell = FastCheck.asyncProperty(
      FastCheck.array(order, { minLength: 2, maxLength: 8, size: "max" }),
      FastCheck.nat(),
      (orders, seed) => {
        const units: Array<Unit> = []
        const play = Effect.gen(function*() {
          const linger = Effect.repeatN(Effect.yieldNow(), 20)
          const batches = { concurrency: 1, maxBatchSize: 8, linger }
          const { call } = yield* Effect.provide(Process.start({ seed, batches }), Payments.layerNone)
          const orgs = yield* Effect.forEach([1, 2], () => makeOrg(call))
          units.length = 0
          const book = ({ byId, guest, org, place }: (typeof orders)[number], hold_minutes?: number) => {
            const { guests, orgId, places } = orgs[org] ?? { guests: [], orgId: "", places: [] }
            // The first four guests already exist. A new guest has no ID.
            const who = byId && guest < 4
              ? { customer_id: guests[guest] }
              : { customer: { email: `${guest}@a.co`, name: "Ann" } }
            const hold = hold_minutes === undefined ? {} : { hold_minutes }
            return Effect.either(call(orgId, "bookings.create", { ...places[place], ...who, ...hold }))
          }
          yield* Effect.forEach(orders, (order) => book(order), { concurrency: "unbounded" })
          const rows = (unit: Unit, table: string, does: string) =>
            unit.flatMap((step) => step.table === table && step.does === does ? step.rows : []).length
          if (units.some((unit) => rows(unit, "customer", "locks") > 1 && rows(unit, "customer", "adds") > 1)) mixed++

          // Runs new bookings concurrently with changes to held bookings.
          const holds = yield* Effect.forEach(orders, (order) => book(order, 30))
          yield* Effect.forEach(orders, (order, at) => {
            const { orgId, places } = orgs[order.org] ?? { orgId: "", places: [] }
            const { id } = Either.getOrThrow(holds[at] ?? Either.void) as { readonly id: string }
            const { change } = order
            if (change === undefined) return book(order)
            const { session_id } = { session_id: undefined, ...places[order.place === 2 ? 3 : 2] }
            const starts_at = Instant.format(Instant.addMinutes(origin, 25 * 60))
            const to = change !== "move" ? {} : order.place < 2 ? { starts_at } : { session_id }
            return Effect.either(call(orgId, `bookings.${change}`, { id, ...to }))
          }, { concurrency: "unbounded" })
          if (units.some((unit) => rows(unit, "booking", "locks") > 1 && rows(unit, "booking", "adds") > 0)) changes++
          assert.strictEqual(units.flatMap(violations).join("\n"), "")
        })
        const atOrigin = Effect.flatMap(
          SettableClock.make(origin),
          (clock) => Effect.withClock(Effect.scoped(play), clock)
        )
        return Effect.runPromise(Effect.provide(atOrigin, Layer.fresh(recordUnits(units))))
      }
    )
    await FastCheck.assert(sell, { numRuns: runs(100, 40), endOnFailure: true, seed: 2 })
    assert.isAbove(mixed, 10, "batches with several known and several new guests")
    assert.isAbove(changes, 10, "batches with several changes and orders")
  })
})

/** An org with four guests, and the inputs that book four places: two appointments and two sessions of a class. */
const makeOrg = (call: Process.ServerProcess["call"]) =>
  Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    const create = (name: string, input: object): Effect.Effect<string, Refusal> =>
      Effect.map(call(orgId, name, input), (answer) => {
        const { data, id } = answer as { readonly id: string; readonly data?: ReadonlyArray<{ readonly id: string }> }
        return data?.[0]?.id ?? id
      })
    const offer = (kind: string) =>
      create("offerings.create", { name: "Rafting", kind, capacity: 20, min_notice_minutes: 0 })
    const starts_at = Instant.format(Instant.addMinutes(origin, 24 * 60))
    const course = yield* offer("class")
    const spans = yield* Effect.forEach([1, 2], () => offer("appointment"))
    const sessions = yield* Effect.forEach([1, 2], () => create("sessions.create", { offering_id: course, starts_at }))
    const hours = Array.from({ length: 7 }, (_, weekday) => ({ weekday, start_time: "00:00", end_time: "24:00" }))
    yield* Effect.forEach(spans, (id) => call(orgId, "offerings.set_hours", { id, hours }))
    const guests = yield* Effect.forEach(
      [0, 1, 2, 3],
      (guest) => create("customers.upsert", { email: `${guest}@a.co` })
    )
    const places = [
      ...spans.map((offering_id) => ({ offering_id, starts_at })),
      ...sessions.map((session_id) => ({ offering_id: course, session_id }))
    ]
    return { orgId, guests, places }
  })

describe("conversations", () => {
  /** The operations, by their names in the documented table. */
  const operations: Readonly<Record<string, string>> = {
    ask: "questions.ask",
    mail: "mails.accept",
    send: "messages.send",
    note: "messages.send",
    answer: "messages.send",
    session: "messages.broadcast",
    offering: "messages.broadcast",
    date: "messages.broadcast",
    read: "conversations.update",
    look: "conversations.get",
    report: "mails.report",
    erase: "customers.delete",
    forget: "conversations.delete",
    approve: "proposals.approve",
    dial: "automations.update",
    void: "payments.void"
  }
  const someone = FastCheck.nat(3)
  const action = FastCheck.record({
    what: FastCheck.constantFrom(
      "ask",
      "mail",
      "send",
      "note",
      "answer",
      "session",
      "offering",
      "date",
      "read",
      "look",
      "report",
      "erase",
      "forget",
      "approve",
      "dial",
      "void"
    ),
    who: someone
  })

  it("follow the lock order in any sequence of operations", async () => {
    const tell = FastCheck.asyncProperty(
      FastCheck.array(action, { minLength: 5, maxLength: 25 }),
      FastCheck.nat(),
      FastCheck.constantFrom(1, 100),
      (steps, seed, size) => {
        const units: Array<Unit> = []
        const play = Effect.gen(function*() {
          const process = yield* Effect.provide(Process.start({ seed, batches: "none" }), Payments.layerNone)
          const { guests, orgId, places } = yield* makeOrg(process.call)
          const conversations = yield* ConversationStore
          const messages = yield* MessageStore
          const proposals = yield* ProposalStore
          const call = (name: string, input: object) => Effect.either(process.call(orgId, name, input))
          const idOf = (answer: Either.Either<unknown, Refusal>) =>
            (Either.getOrThrow(answer) as { readonly id: string }).id
          const payments: Array<string> = []
          for (const [at, place] of places.entries()) {
            const id = idOf(yield* call("bookings.create", { ...place, customer_id: guests[at] }))
            const money = { id, method: "cash", amount_cents: 100, allow_overpayment: true }
            payments.push(idOf(yield* call("payments.record", money)))
          }
          const [, , place] = places
          const email = (who: number) => `${who}@a.co`
          const all = Effect.map(conversations.all(orgId, undefined, 100), (rows) => rows)
          const pick = (who: number) => Effect.map(all, (rows) => rows[who % Math.max(1, rows.length)])
          const bookingOf = (who: number) =>
            Effect.map(
              Effect.either(process.call(orgId, "bookings.list", { customer_id: guests[who] })),
              (answer) =>
                Either.isRight(answer)
                  ? (answer.right as { readonly data: ReadonlyArray<{ readonly id: string }> }).data[0]?.id
                  : undefined
            )
          const act: Record<
            (typeof steps)[number]["what"],
            (who: number, at: number) => Effect.Effect<unknown, unknown, Storage>
          > = {
            // Some senders are existing guests.
            ask: (who, at) =>
              process.inbox.ask({ orgId, from: { name: "Ann", email: email(who * 2) }, body: `Question ${at}` }),
            mail: (who, at) =>
              Effect.flatMap(pick(who), (row) =>
                process.inbox.acceptReply({
                  purpose: "reply",
                  token: row?.token ?? "",
                  mailKey: `mail ${at}`,
                  messageId: null,
                  from: { name: "Ann", email: row?.fromEmail ?? email(guests.indexOf(row?.customerId ?? "")) },
                  subject: "",
                  body: `Mail ${at}`,
                  quotedText: "",
                  files: [],
                  automatic: false
                })),
            send: (who, at) => call("messages.send", { customer_id: guests[who], body: `Message ${at}` }),
            note: (who, at) => call("messages.send", { customer_id: guests[who], body: `Note ${at}`, kind: "note" }),
            answer: (who, at) =>
              Effect.flatMap(
                pick(who),
                (row) => call("messages.send", { conversation_id: row?.id ?? newId(), body: `Answer ${at}` })
              ),
            session: (_, at) =>
              call("messages.broadcast", {
                target: { session_id: (place as { readonly session_id: string }).session_id },
                body: `To all ${at % 3}`
              }),
            offering: (who, at) =>
              call("messages.broadcast", {
                target: { offering_id: places[who]?.offering_id },
                body: `To all ${at % 3}`
              }),
            date: (_, at) =>
              call("messages.broadcast", {
                target: { date: Instant.format(Instant.addMinutes(origin, 24 * 60)).slice(0, 10) },
                body: `To all ${at % 3}`
              }),
            read: (who) =>
              Effect.flatMap(
                pick(who),
                (row) => call("conversations.update", { id: row?.id ?? newId(), read: true })
              ),
            look: (who) => Effect.flatMap(pick(who), (row) => call("conversations.get", { id: row?.id ?? newId() })),
            report: (who, at) =>
              Effect.gen(function*() {
                const row = yield* pick(who)
                const [newest] = row === undefined ? [] : yield* messages.latest(row, 1)
                const outcome = at % 2 === 0 ? "failed" as const : "delivered" as const
                yield* process.inbox.recordReport({ bounceToken: newest?.bounceToken ?? "", outcome, failure: "550" })
              }),
            erase: (who) => call("customers.delete", { id: guests[who] }),
            forget: (who) =>
              Effect.flatMap(pick(who), (row) => call("conversations.delete", { id: row?.id ?? newId() })),
            approve: (who, at) =>
              Effect.gen(function*() {
                const booking_id = (yield* bookingOf(who)) ?? newId()
                const words = { subject: "Soon", body: `Own ${at}` }
                const proposal = proposalOf(orgId, origin, {
                  expiresAt: Instant.addMinutes(origin, 24 * 60),
                  runAt: at % 2 === 0 ? origin : null,
                  actions: [{
                    kind: "remind",
                    op: "messages.send",
                    input: { booking_id, ...words },
                    facts: {
                      why: "before_24h",
                      reason: "",
                      booking_id,
                      ...words,
                      ...(at % 2 === 0 ? { reworded: true } : {})
                    }
                  }]
                })
                yield* proposals.add(proposal)
                if (at % 2 === 1) yield* call("proposals.approve", { id: proposal.id, draft: { body: "Own words" } })
              }),
            dial: () => call("automations.update", { automation: "fill", dial: "ask" }),
            void: (who) => call("payments.void", { id: payments[who] })
          }
          // Bob sends more messages than an erasure chunk can hold.
          for (const body of ["One?", "Two?", "Three?"]) {
            yield* Effect.exit(process.inbox.ask({ orgId, from: { name: "Bob", email: "bob@a.co" }, body }))
          }
          units.length = 0
          for (const [at, { what, who }] of steps.entries()) {
            const before = units.length
            yield* Effect.exit(act[what]?.(who, at) ?? Effect.void)
            const errors = units.slice(before).flatMap(violations)
            assert.strictEqual(errors.map((line) => `${what}: ${line}`).join("\n"), "")
            note(operations[what] ?? what, units.slice(before))
          }
        })
        const atOrigin = Effect.flatMap(
          SettableClock.make(origin),
          (clock) => Effect.withClock(Effect.scoped(Effect.provideService(play, ChunkSize, size)), clock)
        )
        return Effect.runPromise(Effect.provide(atOrigin, Layer.fresh(recordUnits(units))))
      }
    )
    await FastCheck.assert(tell, { numRuns: runs(150, 8), endOnFailure: true, seed: 2 })
  })

  it("take only the locks that the decision record lists for the operation", () => {
    for (const [operation, of] of lockedTables) {
      assert.includeMembers([...documentedTables.get(operation) ?? []], [...of], operation)
    }
    // A short run might not reach every operation.
    if (!isLong) return
    const inOrder = [...lockedTables].map(([operation, of]) =>
      [operation, tables.filter((table) => of.has(table))] as const
    )
    const sortedLines = (rows: Iterable<readonly [string, ReadonlyArray<string>]>) =>
      [...rows].map(([operation, of]) => `${operation}: ${of.join(", ")}`).sort()
    assert.deepStrictEqual(sortedLines(inOrder.filter(([, of]) => of.length > 0)), sortedLines(documentedTables))
  })
})

describe("the lock order check", () => {
  type Each = Effect.Effect.Success<typeof seedOneOfEachResource>
  const violationsOf = async (work: (each: Each, other: Each) => Effect.Effect<unknown, never, Storage>) => {
    const units: Array<Unit> = []
    const both = Effect.gen(function*() {
      const [one, two] = [yield* seedOneOfEachResource, yield* seedOneOfEachResource]
      const { run } = yield* UnitOfWork
      yield* run(work(one, two))
    })
    await Effect.runPromise(Effect.provide(both, Layer.fresh(recordUnits(units))))
    return units.flatMap(violations).map((violation) => violation.replaceAll(/ [\da-f-]{36}/g, ""))
  }
  const lockBooking = ({ booking }: Each) => Effect.flatMap(BookingStore, ({ lock }) => lock([booking]))
  const lockOffering = ({ offering }: Each) => Effect.flatMap(OfferingStore, ({ lock }) => lock([offering]))
  const lockGuest = ({ customer }: Each) => Effect.flatMap(CustomerStore, ({ lock }) => lock([customer]))
  const append = ({ org }: Each) =>
    Effect.flatMap(
      EventLog,
      ({ append }) => append([{ orgId: org.id, type: "org.updated", data: {}, person: null, createdAt: origin }])
    )
  const putGuests = ({ org }: Each, ...emails: ReadonlyArray<string>) =>
    Effect.flatMap(
      CustomerStore,
      ({ put }) => put(emails.map((email) => Customer.make({ id: newId(), orgId: org.id, email, createdAt: origin })))
    )

  it("reports a booking locked before its offering", async () => {
    assert.deepStrictEqual(await violationsOf((each) => Effect.zip(lockBooking(each), lockOffering(each))), [
      "locks offering rows after booking rows"
    ])
  })

  it("reports rows of one table locked in two statements", async () => {
    assert.deepStrictEqual(await violationsOf((one, two) => Effect.zip(lockGuest(one), lockGuest(two))), [
      "locks customer rows in two statements"
    ])
  })

  it("reports a row changed without a lock", async () => {
    assert.deepStrictEqual(
      await violationsOf(({ customer }) =>
        Effect.flatMap(CustomerStore, ({ put }) => put([{ ...customer, name: "Ann" }]))
      ),
      ["changes customer without its lock"]
    )
  })

  it("reports new guests added out of order", async () => {
    assert.deepStrictEqual(await violationsOf((each) => putGuests(each, "bob@a.co", "ben@a.co")), [
      "adds customer rows in the order bob@a.co, ben@a.co"
    ])
    assert.deepStrictEqual(await violationsOf((each) => Effect.zip(putGuests(each, "ben@a.co"), lockGuest(each))), [
      "locks customer rows after customer rows"
    ])
  })

  it("reports a write after the events are appended", async () => {
    assert.deepStrictEqual(await violationsOf((each) => Effect.zip(append(each), putGuests(each, "ben@a.co"))), [
      "adds customer rows after its events, which come last",
      "adds customer rows after counter rows"
    ])
  })
})
