/** Tests how an owner manages staff, keys, money, and tasks through the dashboard's operations. */
import { assert, it } from "@effect/vitest"
import { Actor, type ApiKeyActor, ApiKeys } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { PaymentConnections } from "@trailbook/core/payment"
import { ApiKeyManagement, StaffMembers, StaffSessions } from "@trailbook/core/staff"
import { TaskStore } from "@trailbook/core/task"
import * as Task from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { DeliveryQueue } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import { createEmptyOrg, newId } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestProvider from "../../../test/payments/TestProvider.ts"

const world = coreLayer({ batches: "none" }).pipe(
  Layer.provideMerge(Layer.mergeAll(FakePayments.layer, FakeWebhookSender.layer)),
  Layer.provideMerge(PaymentConnections.layer),
  Layer.provideMerge(TestProvider.layer),
  Layer.provideMerge(Layer.mergeAll(TestIds.layer(1), FakeSecrets.makeFakeSecretsLayer(), Memory.layer))
)

const by = { _tag: "Operator" } as const

/** An org with an owner and a staff member. `call` acts as the owner. */
const fixture = Effect.gen(function*() {
  const { run } = yield* Registry
  const staff = yield* StaffMembers
  const { id: orgId } = yield* createEmptyOrg
  const ann = yield* staff.add({ orgId, email: "ann@a.co", role: "owner", by })
  const bob = yield* staff.add({ orgId, email: "bob@a.co", by })
  const { actorOf } = yield* StaffSessions
  const as = (member: typeof ann) => (name: string, input: object = {}) =>
    Effect.map(Effect.provideServiceEffect(run(name, input), Actor, actorOf(member)), (answer) => answer as Answer)
  return { orgId, staff, ann, bob, as, call: as(ann) }
})

interface Answer extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const refusal = <A, R>(work: Effect.Effect<A, { readonly code: string; readonly message: string }, R>) =>
  Effect.map(Effect.flip(work), ({ code, message }) => `${code} ${message}`)

/** Returns the audit log, newest first, without the two entries that the setup creates. */
const listAudit = ({ call }: Effect.Effect.Success<typeof fixture>) =>
  Effect.map(
    call("staff.audit"),
    ({ data }) => data.slice(0, -2).map(({ by_email, name, what }) => [what, name, by_email])
  )

it.effect("shows an API key once, and accepts it until it is revoked", () =>
  Effect.gen(function*() {
    const there = yield* fixture
    const { call, orgId } = there
    const { verify } = yield* ApiKeys
    const { api_key: token, ...key } = yield* call("staff.createKey", { name: "Website", scopes: ["read", "read"] })
    assert.deepStrictEqual([...(yield* verify(String(token))).scopes], ["read"])
    assert.deepStrictEqual((yield* call("staff.keys")).data, [key])
    assert.isNotNull((yield* call("staff.revokeKey", { id: key.id }))["revoked_at"])
    yield* call("staff.revokeKey", { id: key.id })
    assert.match(yield* refusal(verify(String(token))), /^unauthorized/)
    assert.match(yield* refusal(call("staff.revokeKey", { id: "4fYk0aZ91LsQ" })), /^not_found/)
    assert.match(
      yield* refusal(call("staff.createKey", { name: "Old", expires_at: "1970-01-01T00:00:00Z" })),
      /^invalid_request expires_at/
    )
    assert.deepStrictEqual(yield* listAudit(there), [
      ["key.revoked", "Website", "ann@a.co"],
      ["key.created", "Website", "ann@a.co"]
    ])
    // Another org's owner cannot access the key.
    const other = yield* fixture
    assert.match(yield* refusal(other.call("staff.revokeKey", { id: key.id })), /^not_found/)
    assert.notStrictEqual(other.orgId, orgId)
  }).pipe(Effect.provide(world)))

it.effect("limits the number of active keys", () =>
  Effect.gen(function*() {
    const { call } = yield* fixture
    const { id } = yield* call("staff.createKey", { name: "First" })
    for (let at = 1; at < 200; at++) yield* call("staff.createKey", { name: `${at}` })
    assert.match(yield* refusal(call("staff.createKey", { name: "More" })), /at most 200/)
    yield* call("staff.revokeKey", { id })
    yield* call("staff.createKey", { name: "More" })
  }).pipe(Effect.provide(world)))

it.effect("adds and emails an invited person immediately, and rejects a second invitation", () =>
  Effect.gen(function*() {
    const there = yield* fixture
    const { call, orgId, staff } = there
    const eve = yield* call("staff.invite", { email: "Eve@A.co", role: "owner", name: "Eve" })
    assert.include(eve, { email: "eve@a.co", role: "owner", name: "Eve", notify: true })
    assert.deepStrictEqual((yield* staff.list(orgId)).map(({ email }) => email), ["ann@a.co", "bob@a.co", "eve@a.co"])
    const mailTasks = yield* (yield* TaskStore).claim({
      queue: "mail",
      exceptOrgs: [],
      now: Instant.make(0),
      limit: 5,
      leaseMs: 1
    })
    assert.deepStrictEqual(mailTasks.map(({ kind, subjectId }) => [kind, subjectId.split(" ")[0]]), [
      ["mail.invitation", eve.id]
    ])
    assert.match(yield* refusal(call("staff.invite", { email: "eve@a.co" })), /^invalid_request email: already belongs/)
    assert.deepStrictEqual(yield* listAudit(there), [["member.added", "owner", "ann@a.co"]])
  }).pipe(Effect.provide(world)))

it.effect("refuses to remove or demote the only owner", () =>
  Effect.gen(function*() {
    const there = yield* fixture
    const { ann, as, bob, call } = there
    const logins = yield* StaffSessions
    const { secret } = yield* logins.start({ member: bob, way: "link", device: "" })
    const last = /^invalid_request \w+: at least one owner is required\. Make another staff member an owner first\./
    assert.match(yield* refusal(call("staff.removeMember", { id: ann.id })), last)
    assert.match(yield* refusal(call("staff.changeMember", { id: ann.id, role: "staff" })), last)
    yield* call("staff.changeMember", { id: ann.id, name: "Ann", notify: false })
    yield* call("staff.changeMember", { id: bob.id, role: "owner" })
    yield* as({ ...bob, role: "owner" })("staff.removeMember", { id: ann.id })
    // This happens when two owners remove each other concurrently. The second removal would leave no owner.
    assert.match(yield* refusal(call("staff.removeMember", { id: bob.id })), last)
    yield* logins.verify(secret)
    const eve = yield* as({ ...bob, role: "owner" })("staff.invite", { email: "eve@a.co", role: "owner" })
    yield* call("staff.removeMember", { id: bob.id })
    assert.match(yield* refusal(logins.verify(secret)), /^unauthorized/)
    assert.deepStrictEqual((yield* call("staff.members")).data.map(({ id }) => id), [eve.id])
  }).pipe(Effect.provide(world)))

it.effect("rejects owner-only operations from other staff members", () =>
  Effect.gen(function*() {
    const { as, bob } = yield* fixture
    for (const name of ["staff.keys", "staff.members", "staff.audit", "staff.payments", "staff.tasks"]) {
      assert.match(yield* refusal(as(bob)(name)), /^forbidden/)
    }
  }).pipe(Effect.provide(world)))

it.effect("lists the audit log in pages, without the names of former staff members", () =>
  Effect.gen(function*() {
    const { bob, call } = yield* fixture
    yield* TestClock.adjust("1 minute")
    yield* call("staff.removeMember", { id: bob.id })
    const first = yield* call("staff.audit", { limit: 1 })
    assert.deepInclude(first.data[0], { what: "member.removed", subject: bob.id, subject_email: "", by: "staff" })
    const rest = yield* call("staff.audit", { limit: 5, cursor: first["next_cursor"] })
    assert.sameMembers(rest.data.map(({ subject_email }) => subject_email), ["ann@a.co", ""])
    assert.isUndefined(rest["next_cursor"])
  }).pipe(Effect.provide(world)))

it.effect("connects and disconnects a payment account, and never shows its key", () =>
  Effect.gen(function*() {
    const there = yield* fixture
    const { call } = there
    assert.deepStrictEqual(
      { ...(yield* call("staff.payments")) },
      { can_connect: true, connected: null, data: [] } as never
    )
    const { key } = TestProvider.access
    const connection = yield* call("staff.connectPayments", { key })
    assert.notInclude(JSON.stringify(connection), key)
    assert.deepStrictEqual((yield* call("staff.payments"))["connected"], connection)
    assert.match(yield* refusal(call("staff.connectPayments", { key: "nobody's" })), /^invalid_request key:/)
    yield* call("staff.disconnectPayments")
    assert.isNull((yield* call("staff.payments"))["connected"])
    assert.match(yield* refusal(call("staff.disconnectPayments")), /^not_found/)
    assert.deepStrictEqual((yield* listAudit(there)).map(([what]) => what), [
      "payments.disconnected",
      "payments.connected"
    ])
  }).pipe(Effect.provide(world)))

it.effect("lists and restarts a failed task only for its own org", () =>
  Effect.gen(function*() {
    const { call, orgId } = yield* fixture
    const other = yield* fixture
    const tasks = yield* TaskStore
    const at = Instant.make(0)
    const id = newId()
    yield* tasks.add([Task.make({ id, orgId, kind: "refund", subjectId: newId(), dueAt: at })])
    const [claimedTask] = yield* tasks.claim({ queue: "money", exceptOrgs: [], now: at, limit: 1, leaseMs: 1000 })
    assert.isDefined(claimedTask)
    assert.match(yield* refusal(call("staff.retryTask", { id })), /^not_found/)
    if (claimedTask !== undefined) yield* tasks.giveUp({ ...claimedTask, attempts: 3, lastError: "no", givenUpAt: at })
    assert.deepStrictEqual((yield* other.call("staff.tasks")).data, [])
    assert.match(yield* refusal(other.call("staff.retryTask", { id })), /^not_found/)
    const [failedTask] = (yield* call("staff.tasks")).data
    assert.deepInclude(failedTask, { id, kind: "refund", attempts: 3, last_error: "no" })
    yield* call("staff.retryTask", { id })
    assert.deepStrictEqual((yield* call("staff.tasks")).data, [])
  }).pipe(Effect.provide(world)))

it.effect("tests a webhook and replays its events from a given event", () =>
  Effect.gen(function*() {
    const { call } = yield* fixture
    const other = yield* fixture
    const { id } = yield* call("webhooks.create", { url: "https://example.com/hook" })
    yield* call("offerings.create", { name: "Raft", kind: "class" })
    assert.isBoolean((yield* call("staff.testWebhook", { id }))["ok"])
    assert.deepStrictEqual(
      { ...(yield* call("staff.replayWebhook", { id, from: 1 })) },
      { from: 1, newest: 1 } as never
    )
    assert.match(
      yield* refusal(call("staff.replayWebhook", { id, from: 2 })),
      /^invalid_request from: must be at most 1, /
    )
    for (const name of ["staff.testWebhook", "staff.replayWebhook"]) {
      const input = name === "staff.testWebhook" ? { id } : { id, from: 1 }
      assert.match(yield* refusal(other.call(name, input)), /^not_found/)
    }
  }).pipe(Effect.provide(world)))

it.effect("returns the delivery status of each event: delivered, failed, or pending", () =>
  Effect.gen(function*() {
    const { call, orgId } = yield* fixture
    const queue = yield* DeliveryQueue
    yield* TestClock.setTime(1_800_000_000_000)
    yield* call("org.update", { name: "Before it" })
    yield* TestClock.adjust("1 second")
    const { id } = yield* call("webhooks.create", { url: "https://example.com/hook", events: ["org.updated"] })
    for (const name of ["A", "B", "C"]) yield* call("org.update", { name })
    yield* call("offerings.create", { name: "Raft", kind: "class" })
    yield* TestClock.adjust("1 minute")
    const claimedDelivery = Option.getOrThrow(
      yield* queue.claim({ leaseMs: 9000, exceptOrgs: [], exceptStoppedOf: [] })
    )
    assert.strictEqual(claimedDelivery.webhook.orgId, orgId)
    yield* queue.recordSuccess(claimedDelivery, 2, 200, 9000)
    yield* queue.recordFailure({ ...claimedDelivery, cursor: 2 }, { status: 0, fault: "dns", retryMs: 9000 })
    const webhook = yield* call("staff.webhook", { id })
    assert.deepInclude(webhook, { stopped: true, waiting: 2, next_before: null })
    assert.deepStrictEqual(webhook.data.map(({ event_id, state }) => [event_id, state]), [
      [4, "waiting"],
      [3, "failed"],
      [2, "taken"]
    ])
    const other = yield* fixture
    assert.match(yield* refusal(other.call("staff.webhook", { id })), /^not_found/)
  }).pipe(Effect.provide(world)))

it.scoped("logs the actor of each export, erasure, and configuration change", () =>
  Effect.gen(function*() {
    const there = yield* fixture
    const { call, orgId } = there
    const { run } = yield* Registry
    const { key, token } = yield* (yield* ApiKeyManagement).create({ orgId, name: "Sync", by })
    const actor: ApiKeyActor = { _tag: "Key", orgId, keyId: key.id, scopes: new Set(key.scopes), source: "api" }
    const asKey = (name: string, input: object = {}) =>
      Effect.map(Effect.provideService(run(name, input), Actor, actor), (answer) => answer as Answer)

    yield* asKey("org.update", { name: "Salida Rafting", refund_ceiling_cents: 5000 })
    yield* asKey("org.update", { name: "Salida Rafting" })
    const { id: webhookId } = yield* asKey("webhooks.create", { url: "https://hooks.example.com/secret-path" })
    yield* asKey("webhooks.delete", { id: webhookId })
    assert.include(yield* refusal(asKey("webhooks.delete", { id: webhookId })), "not_found")
    yield* asKey("automations.update", { automation: "brief", dial: "ask", settings: { see_you: false } })
    yield* asKey("automations.update", { automation: "brief", dial: "ask", settings: { see_you: false } })
    const guest = yield* call("customers.upsert", { email: "guest@a.co", name: "Gwen" })
    yield* call("customers.delete", { id: guest.id })
    yield* call("customers.delete", { id: guest.id })
    yield* call("org.export")

    const { data } = yield* call("staff.audit")
    const name = `Sync …${token.slice(-4)}`
    assert.deepStrictEqual(
      data.map((entry) => [entry["what"], entry["subject"], entry["name"], entry["by_email"], entry["by_name"]]).slice(
        0,
        -3
      ),
      [
        ["org.exported", orgId, "", "ann@a.co", ""],
        ["customer.erased", guest.id, "", "ann@a.co", ""],
        ["automation.settings_changed", "brief", "", "", name],
        ["automation.dial_changed", "brief", "ask", "", name],
        ["webhook.deleted", webhookId, "hooks.example.com", "", name],
        ["webhook.created", webhookId, "hooks.example.com", "", name],
        ["org.changed", orgId, "name,refund_ceiling_cents", "", name]
      ]
    )
    assert.notMatch(JSON.stringify(data), /Gwen|guest@a|secret-path|Salida/)
  }).pipe(Effect.provide(world)))
