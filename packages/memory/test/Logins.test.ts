/** Tests sign-in, sign-out, and the removal of staff members, under the test clock. */
import { assert, it } from "@effect/vitest"
import type { Refusal } from "@trailbook/core"
import type { Scope } from "@trailbook/core/actor"
import { OrgStore } from "@trailbook/core/org"
import { AuditStore, StaffSessionStore } from "@trailbook/core/staff"
import * as Memory from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"

const world = Layer.provideMerge(FakePayments.layer, Memory.layer)

const by = { _tag: "Operator" } as const

const fixture = Effect.gen(function*() {
  const { logins, staff } = yield* Process.start({ seed: 1, batches: "none" })
  const { id: orgId } = yield* createEmptyOrg
  const ann = yield* staff.add({ orgId, email: "ann@a.co", role: "owner", by })
  const bob = yield* staff.add({ orgId, email: "bob@a.co", by })
  return { logins, staff, orgId, ann, bob }
})

const signIn = ({ logins, orgId }: Effect.Effect.Success<typeof fixture>, staffId: string) =>
  Effect.flatMap(
    logins.link({ orgId, staffId, next: "/dashboard" }),
    (secret) => logins.spend({ secret, device: "Firefox" })
  )

const code = <A, R>(effect: Effect.Effect<A, Refusal, R>) => Effect.map(Effect.flip(effect), ({ code }) => code)

it.scoped("accepts a sign-in link once within its lifetime", () =>
  Effect.gen(function*() {
    const { ann, logins, orgId } = yield* fixture
    const secret = yield* logins.link({ orgId, staffId: ann.id, next: "/dashboard" })
    assert.deepStrictEqual(yield* logins.previewLink(secret), ann)
    yield* logins.previewLink(secret)
    const { actor, next, secret: cookie } = yield* logins.spend({ secret, device: "" })
    assert.strictEqual(next, "/dashboard")
    assert.deepStrictEqual(actor, {
      _tag: "Staff",
      orgId,
      staffId: ann.id,
      scopes: new Set<Scope>(["read", "write", "admin", "dashboard", "refund", "staff"])
    })
    assert.strictEqual(yield* code(logins.spend({ secret, device: "" })), "unauthorized")
    assert.strictEqual(yield* code(logins.previewLink(secret)), "unauthorized")
    assert.strictEqual((yield* logins.verify(cookie)).member.email, "ann@a.co")
    // A link secret and a session secret are not interchangeable.
    assert.strictEqual(yield* code(logins.verify(secret)), "unauthorized")
    assert.strictEqual(yield* code(logins.spend({ secret: cookie, device: "" })), "unauthorized")

    const late = yield* logins.link({ orgId, staffId: ann.id })
    yield* TestClock.adjust("15 minutes")
    assert.strictEqual(yield* code(logins.spend({ secret: late, device: "" })), "unauthorized")
  }).pipe(Effect.provide(world)))

it.scoped("rejects a sign-in session after it ends", () =>
  Effect.gen(function*() {
    const world = yield* fixture
    const { ann, bob, logins, orgId } = world
    const { login, secret } = yield* signIn(world, ann.id)
    const other = yield* signIn(world, bob.id)
    yield* TestClock.adjust("2 hours")
    yield* logins.verify(secret)
    assert.strictEqual((yield* logins.list(orgId)).length, 2)
    yield* logins.end({ orgId, id: login.id, by })
    yield* logins.end({ orgId, id: login.id, by })
    assert.strictEqual(yield* code(logins.verify(secret)), "unauthorized")
    yield* logins.verify(other.secret)
    assert.deepStrictEqual((yield* logins.list(orgId)).map(({ id }) => id), [other.login.id])
    assert.strictEqual(yield* code(logins.end({ orgId: "another", id: login.id, by })), "not_found")

    yield* TestClock.adjust("15 days")
    assert.strictEqual(yield* code(logins.verify(other.secret)), "unauthorized")

    const { page } = yield* AuditStore
    const entries = yield* page({ orgId, before: undefined, limit: 10 })
    assert.deepStrictEqual(
      entries.map(({ by, subject, what }) => [what, by._tag, subject]),
      [
        ["login.ended", "Operator", login.id],
        ["login.started", "Staff", other.login.id],
        ["login.started", "Staff", login.id],
        ["member.added", "Operator", bob.id],
        ["member.added", "Operator", ann.id]
      ]
    )
  }).pipe(Effect.provide(world)))

it.scoped("deletes a removed staff member's sign-in sessions and links", () =>
  Effect.gen(function*() {
    const world = yield* fixture
    const { ann, bob, logins, orgId, staff } = world
    const { secret } = yield* signIn(world, bob.id)
    const link = yield* logins.link({ orgId, staffId: bob.id })
    yield* staff.remove({ ...bob, by })
    assert.strictEqual(yield* code(logins.verify(secret)), "unauthorized")
    assert.strictEqual(yield* code(logins.spend({ secret: link, device: "" })), "unauthorized")
    const store = yield* StaffSessionStore
    assert.deepStrictEqual(yield* store.list(orgId), [])
    assert.deepStrictEqual(yield* store.links({ orgId, staffId: bob.id }), [])
    // A new staff member with the same email is a different person.
    yield* staff.add({ orgId, email: bob.email, by })
    assert.strictEqual(yield* code(logins.verify(secret)), "unauthorized")
    assert.strictEqual((yield* staff.list(orgId)).length, 2)
    assert.strictEqual(ann.role, "owner")
  }).pipe(Effect.provide(world)))

it.scoped("requires an owner in each org that has staff members", () =>
  Effect.gen(function*() {
    const { ann, bob, orgId, staff } = yield* fixture
    assert.strictEqual(yield* code(staff.remove({ ...ann, by })), "invalid_request")
    assert.strictEqual(yield* code(staff.add({ orgId, email: ann.email, role: "staff", by })), "invalid_request")
    yield* staff.add({ orgId, email: bob.email, role: "owner", by })
    yield* staff.add({ orgId, email: ann.email, role: "staff", by })
    yield* staff.remove({ ...ann, by })
    // The last staff member can be removed, even if they are the only owner.
    yield* staff.remove({ ...bob, by })
    assert.deepStrictEqual(yield* staff.list(orgId), [])
  }).pipe(Effect.provide(world)))

it.scoped("applies the current role and org settings to each request", () =>
  Effect.gen(function*() {
    const world = yield* fixture
    const { bob, logins, orgId, staff } = world
    const { secret } = yield* signIn(world, bob.id)
    assert.deepStrictEqual((yield* logins.verify(secret)).actor.scopes, new Set(["read", "write", "dashboard"]))
    const orgs = yield* OrgStore
    for (const staffMayRefund of [true, false]) {
      yield* Effect.flatMap(orgs.find(orgId), (org) => orgs.put({ ...Option.getOrThrow(org), staffMayRefund }))
      assert.strictEqual((yield* logins.verify(secret)).actor.scopes.has("refund"), staffMayRefund)
    }
    yield* staff.add({ orgId, email: bob.email, role: "owner", by })
    assert.isTrue((yield* logins.verify(secret)).actor.scopes.has("staff"))
  }).pipe(Effect.provide(world)))
