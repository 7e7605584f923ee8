/** Approves, refreshes, revokes, and re-approves grants under the test clock. */
import { assert, it } from "@effect/vitest"
import { coreLayer } from "@trailbook/core/layer"
import { Grants, GrantStore, toCodeChallenge } from "@trailbook/core/oauth"
import { AuditStore, StaffMembers } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"

const world = coreLayer({ batches: "none" }).pipe(
  Layer.provideMerge(Layer.mergeAll(TestIds.layer(1), FakePayments.layer, layerNone, Memory.layer))
)

const { digest } = TestIds.make(1)
const verifier = "v".repeat(43)
const redirectUri = "https://app.example.com/cb"
const request = {
  clientId: "app",
  redirectUri,
  state: undefined,
  challenge: toCodeChallenge({ digest }, verifier),
  scopes: ["read", "write"],
  resource: "https://book.example.com/mcp"
} as const
const at = Instant.make(0)
const application = { clientId: "app", name: "Assistant", redirectUris: [redirectUri], createdAt: at, readAt: at }

const fixture = Effect.gen(function*() {
  const grants = yield* Grants
  const staff = yield* StaffMembers
  const { id: orgId } = yield* createEmptyOrg
  const { id: staffId } = yield* staff.add({ orgId, email: "ann@a.co", role: "owner", by: { _tag: "Operator" } })
  const code = yield* grants.approve({
    orgId,
    staffId,
    application,
    request,
    scopes: ["read", "write"],
    personal: false
  })
  const redeem = grants.redeem({ code, clientId: "app", redirectUri, verifier })
  const refresh = (refreshToken: string, scope?: string) => grants.refresh({ refreshToken, clientId: "app", scope })
  return { grants, staff, orgId, staffId, code, redeem, refresh }
})

const codeOf = <A, E extends { readonly code: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(work), ({ code }) => code)

it.effect("limits an approved application to its org and scopes", () =>
  Effect.gen(function*() {
    const { code, grants, orgId, redeem } = yield* fixture
    const { accessToken, expiresInSeconds, refreshToken } = yield* redeem
    assert.strictEqual(expiresInSeconds, 3600)
    const [grant] = yield* grants.list(orgId)
    assert.deepStrictEqual(yield* grants.verify(accessToken), {
      _tag: "Application",
      orgId,
      scopes: new Set(["read", "write"] as const),
      grantId: grant?.id ?? "",
      personal: false
    })
    for (const text of [refreshToken, code, "", `${accessToken}x`, "tb_access_"]) {
      assert.strictEqual(yield* codeOf(grants.verify(text)), "unauthorized", text)
    }
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* codeOf(grants.verify(accessToken)), "unauthorized")
  }).pipe(Effect.provide(world)))

it.effect("revokes all tokens issued for an authorization code that is used twice", () =>
  Effect.gen(function*() {
    const { grants, orgId, redeem, refresh } = yield* fixture
    const { accessToken, refreshToken } = yield* redeem
    const later = yield* refresh(refreshToken)
    assert.strictEqual(yield* codeOf(redeem), "invalid_grant")
    for (const token of [accessToken, later.accessToken]) {
      assert.strictEqual(yield* codeOf(grants.verify(token)), "unauthorized")
    }
    assert.strictEqual(yield* codeOf(refresh(later.refreshToken)), "invalid_grant")
    assert.deepStrictEqual(yield* grants.list(orgId), [])
    const entries = yield* (yield* AuditStore).page({ orgId, before: undefined, limit: 10 })
    assert.deepStrictEqual(entries.map(({ by, what }) => [what, by._tag]), [
      ["application.withdrawn", "Service"],
      ["application.approved", "Staff"],
      ["member.added", "Operator"]
    ])
  }).pipe(Effect.provide(world)))

it.effect("accepts an authorization code for one minute, even after failed requests", () =>
  Effect.gen(function*() {
    const { code, grants, redeem } = yield* fixture
    const input = { code, clientId: "app", redirectUri, verifier }
    for (
      const wrong of [
        { clientId: "other" },
        { redirectUri: "https://evil.example.com" },
        { verifier: "w".repeat(43) },
        { code: "tb_code_x" }
      ]
    ) assert.strictEqual(yield* codeOf(grants.redeem({ ...input, ...wrong })), "invalid_grant")
    assert.strictEqual(yield* codeOf(grants.redeem({ ...input, verifier: "short" })), "invalid_request")
    yield* redeem
    const late = yield* fixture
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* codeOf(late.redeem), "invalid_grant")
  }).pipe(Effect.provide(world)))

it.effect("allows concurrent token refreshes, and revokes the grant if a token is reused later", () =>
  Effect.gen(function*() {
    const { grants, redeem, refresh } = yield* fixture
    const { refreshToken } = yield* redeem
    const three = yield* Effect.all([1, 2, 3].map(() => refresh(refreshToken)), { concurrency: "unbounded" })
    assert.strictEqual(new Set(three.map((tokens) => tokens.refreshToken)).size, 3)
    for (const { accessToken } of three) yield* grants.verify(accessToken)
    yield* TestClock.adjust("119 seconds")
    for (let uses = 3; uses < 10; uses++) yield* refresh(refreshToken)
    assert.strictEqual(yield* codeOf(refresh(refreshToken)), "invalid_grant")
    for (const { accessToken } of three) yield* grants.verify(accessToken)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* codeOf(refresh(refreshToken)), "invalid_grant")
    for (const { accessToken, refreshToken } of three) {
      assert.strictEqual(yield* codeOf(grants.verify(accessToken)), "unauthorized")
      assert.strictEqual(yield* codeOf(refresh(refreshToken)), "invalid_grant")
    }
  }).pipe(Effect.provide(world)))

it.effect("accepts a refresh token only from its client and for its scopes", () =>
  Effect.gen(function*() {
    const { grants, redeem, refresh } = yield* fixture
    const { accessToken, refreshToken } = yield* redeem
    assert.strictEqual(
      yield* codeOf(grants.refresh({ refreshToken, clientId: "other", scope: undefined })),
      "invalid_grant"
    )
    assert.strictEqual(yield* codeOf(refresh(accessToken)), "invalid_grant")
    assert.strictEqual(yield* codeOf(refresh(refreshToken, "read admin")), "invalid_scope")
    const narrow = yield* refresh(refreshToken, "read")
    assert.deepStrictEqual((yield* grants.verify(narrow.accessToken)).scopes, new Set(["read"] as const))
    assert.strictEqual(yield* codeOf(refresh(narrow.refreshToken, "write")), "invalid_scope")
  }).pipe(Effect.provide(world)))

it.effect("rejects a revoked grant's tokens starting with the next request", () =>
  Effect.gen(function*() {
    const byStaff = yield* fixture
    const first = yield* byStaff.redeem
    const [grant] = yield* byStaff.grants.list(byStaff.orgId)
    const by = { _tag: "Staff", staffId: byStaff.staffId } as const
    assert.strictEqual(
      yield* codeOf(byStaff.grants.withdraw({ orgId: "another", id: grant?.id ?? "", by })),
      "not_found"
    )
    yield* byStaff.grants.verify(first.accessToken)
    yield* byStaff.grants.withdraw({ orgId: byStaff.orgId, id: grant?.id ?? "", by })
    assert.strictEqual(yield* codeOf(byStaff.grants.verify(first.accessToken)), "unauthorized")

    const byItself = yield* fixture
    const second = yield* byItself.redeem
    yield* byItself.grants.revoke({ token: second.refreshToken, clientId: "other" })
    yield* byItself.grants.verify(second.accessToken)
    yield* byItself.grants.revoke({ token: second.refreshToken, clientId: "app" })
    assert.strictEqual(yield* codeOf(byItself.grants.verify(second.accessToken)), "unauthorized")

    // The staff member who approved the grant has been removed.
    const otherFixture = yield* fixture
    const third = yield* otherFixture.redeem
    yield* otherFixture.staff.remove({ orgId: otherFixture.orgId, email: "ann@a.co", by: { _tag: "Operator" } })
    assert.strictEqual(yield* codeOf(otherFixture.grants.verify(third.accessToken)), "unauthorized")
    assert.strictEqual(yield* codeOf(otherFixture.refresh(third.refreshToken)), "invalid_grant")
  }).pipe(Effect.provide(world)))

it.effect("deletes expired tokens", () =>
  Effect.gen(function*() {
    const { orgId, redeem, refresh } = yield* fixture
    const { accessToken, refreshToken } = yield* redeem
    yield* TestClock.adjust("2 hours")
    yield* refresh(refreshToken)
    const store = yield* GrantStore
    assert.strictEqual((yield* store.lockToken(digest(accessToken)))._tag, "None")
    assert.strictEqual((yield* store.lockToken(digest(refreshToken)))._tag, "Some")
    assert.strictEqual((yield* store.list(orgId)).length, 1)
  }).pipe(Effect.provide(world)))

it.effect("removes the admin scope from a demoted staff member's application", () =>
  Effect.gen(function*() {
    const { grants, orgId, staff, staffId } = yield* fixture
    const by = { _tag: "Operator" } as const
    yield* staff.add({ orgId, email: "bo@a.co", role: "owner", by })
    const scopes = ["read", "write", "admin"] as const
    const approve = () => grants.approve({ orgId, staffId, application, request, scopes, personal: true })
    const redeem = (code: string) => grants.redeem({ code, clientId: "app", redirectUri, verifier })
    const refresh = (refreshToken: string, scope?: string) => grants.refresh({ refreshToken, clientId: "app", scope })
    const scopesOf = (accessToken: string) =>
      Effect.map(grants.verify(accessToken), (actor) => [...actor.scopes].toSorted())
    const before = yield* redeem(yield* approve())
    assert.deepStrictEqual(yield* scopesOf(before.accessToken), ["admin", "read", "write"])
    const unusedCode = yield* approve()

    yield* staff.change({ orgId, id: staffId, role: "staff", by })
    assert.deepStrictEqual(yield* scopesOf(before.accessToken), ["read", "write"])
    assert.deepStrictEqual((yield* redeem(unusedCode)).scopes, ["read", "write"])
    assert.strictEqual(yield* codeOf(refresh(before.refreshToken, "admin")), "invalid_scope")
    const after = yield* refresh(before.refreshToken)
    assert.deepStrictEqual(after.scopes, ["read", "write"])
    assert.deepStrictEqual(yield* scopesOf(after.accessToken), ["read", "write"])

    // A promotion adds no permissions to existing tokens, or to tokens that the grant issues later.
    yield* staff.change({ orgId, id: staffId, role: "owner", by })
    assert.deepStrictEqual(yield* scopesOf(after.accessToken), ["read", "write"])
    assert.deepStrictEqual((yield* refresh(after.refreshToken)).scopes, ["read", "write"])
  }).pipe(Effect.provide(world)))

it.effect("rejects a grant if the staff member's role allows none of its scopes", () =>
  Effect.gen(function*() {
    const { grants, orgId, staff, staffId } = yield* fixture
    const by = { _tag: "Operator" } as const
    yield* staff.add({ orgId, email: "bo@a.co", role: "owner", by })
    const approve = () => grants.approve({ orgId, staffId, application, request, scopes: ["admin"], personal: true })
    const redeem = (code: string) => grants.redeem({ code, clientId: "app", redirectUri, verifier })
    const { accessToken, refreshToken } = yield* redeem(yield* approve())
    const unusedCode = yield* approve()
    yield* staff.change({ orgId, id: staffId, role: "staff", by })
    assert.strictEqual(yield* codeOf(grants.verify(accessToken)), "unauthorized")
    assert.strictEqual(
      yield* codeOf(grants.refresh({ refreshToken, clientId: "app", scope: undefined })),
      "invalid_grant"
    )
    assert.strictEqual(yield* codeOf(redeem(unusedCode)), "invalid_grant")
  }).pipe(Effect.provide(world)))
