/**
 * An in-memory outfitter with one resource of each kind, and three paths through which any actor can run operations.
 */
import { Actor, makeHostActor, type Scope } from "@trailbook/core/actor"
import { BookingStore } from "@trailbook/core/booking"
import { deriveEmailLinkSecret } from "@trailbook/core/booking/GuestAccess"
import { GuestConversations } from "@trailbook/core/conversation"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { type Operation, toToolName } from "@trailbook/core/operation/Operation"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { EventLog, Ids } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { ApiKeyManagement, StaffMembers, type StaffRole, StaffSessions } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import { noBody } from "@trailbook/http/request/noBody"
import * as Reply from "@trailbook/http/response/Reply"
import type { AnyRoute } from "@trailbook/http/Route"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import { makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeDrafter, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { mcpAnswer, restAnswer, toRestRequest } from "../mcp/Twin.ts"
import { openedSession, proposalOf } from "../proposalOf.ts"
import { everyScope, guestsBooking } from "./kinds.ts"

type Input = Readonly<Record<string, unknown>>
type Any = Actor["Type"]

/** Runs an operation and returns its error code, or undefined if it succeeded. `overrides` is merged into its input. */
export type Ask<Op = Operation.Any> = (actor: Any, operation: Op, overrides?: Input) => Promise<string | undefined>

export interface World {
  readonly orgId: string
  /** Page actions run only in core. */
  readonly surfaces: { readonly core: Ask<Pick<Operation.Any, "name">> } & Readonly<Record<"REST" | "MCP", Ask>>
  /** Signs in a new staff member of an org with or without `staff_may_refund`, and returns the actor. */
  readonly signIn: (role: StaffRole, staff_may_refund: boolean) => Promise<Any>
  /**
   * Requests a route that requires the scope and is not an operation. Returns the error code, or undefined if the
   * request succeeded.
   */
  readonly route: (actor: Any, scope: Scope) => Promise<string | undefined>
  /** Returns the names of the tools in an assistant's complete list. */
  readonly shown: (actor: Any) => Promise<ReadonlyArray<string>>
  /** Returns the text of the OpenAPI document. */
  readonly described: () => Promise<string>
  /** Returns the ID of the org's newest event. */
  readonly head: () => Promise<number>
  /** Returns all tables. The object stays the same until a write replaces it. */
  readonly tables: () => Promise<object>
  /** Restores the tables that `open` filled. */
  readonly reset: () => Promise<void>
}

const now = Instant.parse("2027-05-01T14:00:00Z") ?? Instant.min

/** A booking whose guests are checked in. */
const startedBooking = "0199aaaa-0000-7000-8000-000000000002"

const engine = coreLayer({ batches: "none" }).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Payments.layerNone,
      FakeWebhookSender.layer,
      FakeSecrets.makeFakeSecretsLayer(),
      TestIds.layer(1),
      FakeDrafter.layer
    )
  ),
  Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer))
)

/** One route for each scope. */
const routes = everyScope.map((scope): AnyRoute => ({
  method: "GET",
  path: `/own/${scope}`,
  name: `own.${scope}`,
  caller: { scope },
  body: noBody,
  answer: () => Effect.succeed(Reply.json(200, {}))
}))

export const open = async (): Promise<World> => {
  const clock = await Effect.runPromise(SettableClock.make(now))
  const runtime = ManagedRuntime.make(Layer.provide(engine, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>): Promise<A> =>
    runtime.runPromise(Effect.withClock(work, clock))

  const { orgId, requests } = await run(setup)
  const initialTables = await run(Effect.flatMap(MemoryDatabase, ({ read }) => read((tables) => tables)))
  const makeInput = ({ name }: Pick<Operation.Any, "name">, overrides: Input = {}): Input => {
    const input = requests[name]
    if (input === undefined) throw new Error(`Say in test/actors/world.ts with what ${name} can be done.`)
    return { ...input, ...overrides }
  }

  let actor: Any = makeHostActor({ orgId })
  const handler = await run(Effect.gen(function*() {
    const mounts = [yield* makeMcpMount(undefined, undefined, "never")]
    const authorize = () => Effect.succeed({ id: "any", actor })
    return yield* Handler.make({ authorize, mounts, routes, rateLimit: { perSecond: 0 } })
  }))
  const send = async (as: Any, method: string, path: string, body: string | undefined) => {
    actor = as
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" }
    const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    return JSON.parse(await (await handler(request)).text())
  }
  const callRpc = (as: Any, method: string, params: object) =>
    send(as, "POST", "/mcp?list=all", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))

  return {
    orgId,
    surfaces: {
      core: (as, operation, overrides) =>
        run(
          Effect.flatMap(Registry, (registry) => registry.run(operation.name, makeInput(operation, overrides))).pipe(
            Effect.provideService(Actor, as),
            Effect.match({ onFailure: ({ code }): string | undefined => code, onSuccess: () => undefined })
          )
        ),
      REST: async (as, operation, overrides) => {
        const { body, path } = toRestRequest(operation, makeInput(operation, overrides))
        return findCode(restAnswer(await send(as, operation.method, path, body)))
      },
      MCP: async (as, operation, overrides) => {
        const call = { name: toToolName(operation), arguments: makeInput(operation, overrides) }
        return findCode(mcpAnswer(await callRpc(as, "tools/call", call)))
      }
    },
    signIn: (role, staff_may_refund) =>
      run(Effect.gen(function*() {
        const registry = yield* Registry
        yield* Effect.provideService(registry.run("org.update", { staff_may_refund }), Actor, makeHostActor({ orgId }))
        const by = { _tag: "Host" } as const
        const member = yield* (yield* StaffMembers).add({ orgId, role, email: `${role}@example.com`, by })
        const sessions = yield* StaffSessions
        const { secret } = yield* sessions.start({ member, way: "link", device: "" })
        return (yield* sessions.verify(secret)).actor
      })),
    route: async (as, scope) => findCode(restAnswer(await send(as, "GET", `/own/${scope}`, undefined))),
    shown: async (as) => {
      const { result } = await callRpc(as, "tools/list", {})
      return result.tools.map(({ name }: { readonly name: string }) => name)
    },
    described: async () => (await handler(new Request("http://127.0.0.1/v1/openapi.json"))).text(),
    head: () =>
      run(Effect.map(
        Effect.flatMap(EventLog, ({ heads }) => heads([orgId])),
        ([row]) => row?.head ?? 0
      )),
    tables: () => run(Effect.flatMap(MemoryDatabase, ({ read }) => read((tables) => tables))),
    reset: () => run(Effect.flatMap(MemoryDatabase, ({ write }) => write(() => initialTables)))
  }
}

const findCode = (answer: object): string | undefined =>
  "refused" in answer ? (answer.refused as { readonly code: string }).code : undefined

/**
 * For each operation, an input that succeeds in this world, so an operation can fail only because of the actor.
 */
const setup = Effect.gen(function*() {
  const org = yield* (yield* Orgs).create({ name: "Salida River Co.", timezone: "America/Denver" })
  const { id: orgId } = org
  const registry = yield* Registry
  const call = (name: string, input: Input, field = "id") =>
    Effect.map(
      Effect.provideService(registry.run(name, input), Actor, makeHostActor({ orgId })),
      // If the response contains several IDs, use the first.
      (output) => JSON.stringify(output).match(new RegExp(`"${field}":"([^"]+)"`))?.[1] ?? ""
    )
  const raft = yield* call("offerings.create", { name: "Raft", kind: "class" })
  const kayak = yield* call("offerings.create", { name: "Kayak", kind: "rental", capacity: 5 })
  const session = yield* call("sessions.create", { offering_id: raft, starts_at: "2027-06-01T15:00:00Z" })
  const later = yield* call("sessions.create", { offering_id: raft, starts_at: "2027-06-02T15:00:00Z" })
  const guest = yield* call("customers.upsert", { email: "ada@example.com" })
  const order = { session_id: session, offering_id: raft, customer_id: guest }
  const booking = yield* call("bookings.create", order)
  const hold = yield* call("bookings.create", { ...order, hold_minutes: 60 })
  const fee = [{ name: "Late return", cents: 500 }]
  const owing = yield* call("bookings.create", { ...order, session_id: later, adjustments: fee })
  const deskPayment = { id: hold, method: "cash", allow_overpayment: true }
  const payment = yield* call("payments.record", { ...deskPayment, amount_cents: 200 })
  yield* call("org.update", { guest_changes_hours: 0 })
  const bookings = yield* BookingStore
  let mailed = ""
  for (const record of yield* bookings.find([{ orgId, id: booking }])) {
    mailed = deriveEmailLinkSecret(yield* Ids, org, { ...record.booking, id: guestsBooking })
    const guestFields = {
      id: guestsBooking,
      reference: "0GUEST01",
      handle: "the-page-of-a-guest-of-ours",
      checkInToken: "the-code-of-a-guest-of-ours"
    }
    yield* bookings.put([
      { ...record.booking, ...guestFields, idempotency: { key: guestsBooking, fingerprint: "" } },
      {
        ...record.booking,
        id: startedBooking,
        reference: "STARTED1",
        handle: startedBooking,
        checkInToken: startedBooking,
        startsAt: Instant.addMinutes(now, -60),
        attendance: { status: "checked_in", arrived: 1, at: now, by: { kind: "key", id: null, name: "" } },
        idempotency: { key: startedBooking, fingerprint: "" }
      }
    ])
  }
  const message = { customer_id: guest, body: "Bring a towel." }
  const conversation = yield* call("messages.send", message, "conversation_id")
  const inquiry = { orgId, from: { name: "Bob", email: "bob@example.org" }, body: "Is it cold?" }
  const { conversationId: question } = yield* Effect.orDie((yield* GuestConversations).ask(inquiry))
  const reply = yield* call("saved_replies.create", { title: "Towel", body: "Bring a towel." })
  const closure = yield* call("closures.create", {
    from_date: "2099-06-08",
    to_date: "2099-06-09",
    reason: "High water"
  })
  const discount = yield* call("discounts.create", { code: "SPRING", percent_bps: 1000 })
  const webhook = yield* call("webhooks.create", { url: "https://example.com/hook" })
  const newSession = yield* call("sessions.create", { offering_id: raft, starts_at: "2027-06-09T15:00:00Z" })
  const by = { _tag: "Host" } as const
  const member = yield* Effect.orDie((yield* StaffMembers).add({ orgId, email: "ann@example.com", by }))
  const { key } = yield* Effect.orDie((yield* ApiKeyManagement).create({ orgId, name: "Website", by }))
  const store = yield* ProposalStore
  const proposals = [
    proposalOf(orgId, now),
    proposalOf(orgId, now),
    proposalOf(orgId, now, openedSession(newSession))
  ] as const
  for (const proposal of proposals) yield* store.add(proposal)
  const requests: Readonly<Record<string, Input>> = {
    "offerings.list": {},
    "offerings.get": { id: raft },
    "offerings.create": { name: "Walk", kind: "class" },
    "offerings.update": { id: raft, name: "Rafts" },
    "offerings.delete": { id: raft, cancel_bookings: true },
    "offerings.set_hours": { id: kayak, hours: [{ weekday: 1, start_time: "09:00", end_time: "10:00" }] },
    "offerings.set_photos": { id: kayak, photos: [] },
    "offerings.get_hours": { id: kayak },
    "availability.get": { id: kayak },
    "sessions.list": {},
    "sessions.create": { offering_id: raft, starts_at: "2027-06-03T15:00:00Z" },
    "sessions.update": { id: session, capacity: 9 },
    "sessions.plan": { id: raft, weekdays: [1], times: ["09:00"], from_date: "2099-06-01", to_date: "2099-06-08" },
    "sessions.cancel": { id: session },
    "bookings.list": {},
    "bookings.get": { id: booking },
    "bookings.create": order,
    "bookings.quote": { offering_id: raft, session_id: session },
    "bookings.cancel": { id: booking },
    "bookings.restore": { id: booking },
    "bookings.confirm": { id: hold },
    "bookings.move": { id: booking, session_id: later },
    "bookings.update": { id: booking, notes: "Window seat" },
    "bookings.resend": { id: booking },
    "bookings.check_in": { id: startedBooking },
    "bookings.mark_no_show": { id: startedBooking },
    "bookings.clear_attendance": { id: startedBooking },
    "payments.list": {},
    "payments.record": { id: booking, method: "cash", amount_cents: 100, allow_overpayment: true },
    "payments.refund": { id: hold, method: "cash", amount_cents: 50 },
    "payments.request": { id: owing },
    "payments.void": { id: payment },
    "reports.sales": { from: "2027-05-01", to: "2027-05-31" },
    "reports.payments": { from: "2027-05-01", to: "2027-05-31" },
    "reports.occupancy": { from: "2027-05-01", to: "2027-05-31" },
    "reports.guests": { from: "2027-05-01", to: "2027-05-31" },
    "customers.list": {},
    "customers.upsert": { email: "bob@example.com" },
    "customers.get": { id: guest },
    "customers.update": { id: guest, name: "Ada" },
    "customers.delete": { id: guest },
    "conversations.list": {},
    "conversations.get": { id: conversation },
    "conversations.update": { id: conversation, status: "done" },
    "conversations.delete": { id: question },
    "messages.list": {},
    "messages.send": message,
    "messages.broadcast": { target: { session_id: session }, body: "The river is high." },
    "messages.draft": { conversation_id: conversation },
    "closures.list": {},
    "closures.create": { from_date: "2099-06-08", to_date: "2099-06-09", reason: "Smoke" },
    "closures.delete": { id: closure },
    "assistants.activity": {},
    "discounts.list": {},
    "discounts.create": { code: "FALL", cents: 500 },
    "discounts.update": { id: discount, active: false },
    "discounts.delete": { id: discount },
    "saved_replies.list": {},
    "saved_replies.create": { title: "Rain", body: "We go out in rain." },
    "saved_replies.update": { id: reply, title: "What to bring" },
    "saved_replies.delete": { id: reply },
    "automations.list": {},
    "forecast.get": {},
    "automations.update": { automation: "fill", dial: "ask" },
    "proposals.list": {},
    "proposals.approve": { id: proposals[0].id },
    "proposals.dismiss": { id: proposals[1].id },
    "proposals.undo": { id: proposals[2].id },
    "org.get": {},
    "org.update": { name: "Nordfjord" },
    "org.export": {},
    "events.list": {},
    "webhooks.list": {},
    "webhooks.create": { url: "https://example.com/other" },
    "webhooks.delete": { id: webhook },
    "billing.get": {},
    "guest.get": {},
    "guest.availability": {},
    "guest.move": { session_id: later },
    "guest.cancel": {},
    "guest.write": { body: "Can we park there?" },
    "guest.sent": {},
    "guest.read": {},
    "guest.file": { id: guest },
    "guest.link": {},
    "guest.open": { link: "nobody-was-mailed-this" },
    "guest.prove": { link: mailed },
    "guest.checkout": {},
    "guest.calendar": { page: "https://book.example.com/b/x" },
    "visit.page": {},
    "visit.availability": { id: kayak },
    "visit.quote": { offering_id: raft, session_id: later },
    "visit.book": {
      offering_id: raft,
      session_id: later,
      name: "Grace",
      email: "grace@example.com",
      idempotency_key: "0199aaaa-0000-4000-8000-000000000001"
    },
    "visit.ask": {
      name: "Grace",
      email: "grace@example.com",
      body: "May dogs come?",
      idempotency_key: "0199aaaa-0000-4000-8000-000000000002"
    },
    "visit.request_proof": { email: "grace@example.com" },
    "visit.prove": { link: "0" },
    "dashboard.departures": { from: "2027-05-01T00:00:00Z", to: "2027-07-01T00:00:00Z", named: true },
    "dashboard.departure": { id: session },
    "dashboard.closure": { id: closure },
    "dashboard.today": {
      from: "2027-05-01T00:00:00Z",
      to: "2027-07-01T00:00:00Z",
      unreached_to: "2027-07-01T00:00:00Z",
      collected_from: "2027-04-30T00:00:00Z"
    },
    "dashboard.thread": { id: conversation, rows: 10 },
    "dashboard.unreached": { booking_ids: [], session_ids: [session] },
    "dashboard.unreached_within": { from: "2027-05-01T00:00:00Z", to: "2027-07-01T00:00:00Z" },
    "dashboard.addressees": { target: { session_id: session } },
    "dashboard.previewAutomations": {},
    "dashboard.add_photo": { id: kayak, attachment_id: crypto.randomUUID(), alt: "A raft" },
    "staff.addImage": { attachment_id: crypto.randomUUID(), kind: "logo" },
    "staff.applications": {},
    "staff.withdraw": { id: guest },
    "staff.logins": {},
    "staff.endLogin": { id: guest },
    "staff.keys": {},
    "staff.createKey": { name: "Website" },
    "staff.revokeKey": { id: key.id },
    "staff.members": {},
    "staff.invite": { email: "bo@example.com" },
    "staff.changeMember": { id: member.id, role: "owner" },
    "staff.removeMember": { id: member.id },
    "staff.audit": {},
    "staff.payments": {},
    "staff.connectPayments": { key: "sk_test_1" },
    "staff.disconnectPayments": {},
    "staff.tasks": {},
    "staff.retryTask": { id: guest },
    "staff.testWebhook": { id: webhook },
    "staff.replayWebhook": { id: webhook, from: 1 },
    "staff.webhook": { id: webhook }
  }
  return { orgId, requests }
})
