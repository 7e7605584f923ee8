/** Tests that new staff members get an email with a sign-in link. */
import { assert, it } from "@effect/vitest"
import { TaskHandlers } from "@trailbook/core/handler"
import { coreLayer } from "@trailbook/core/layer"
import { ensureFinalPeriod } from "@trailbook/core/org"
import { StaffMembers, StaffSessions } from "@trailbook/core/staff"
import { Tasks } from "@trailbook/core/task"
import { layerNone } from "@trailbook/core/webhook"
import * as MemoryStorage from "@trailbook/memory"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles, FakeMailer } from "@trailbook/testkit/fakes"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"

const world = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(
  Layer.provideMerge(coreLayer({ batches: "none" })),
  Layer.provideMerge(
    Layer.mergeAll(
      MemoryStorage.layer,
      TestIds.layer(1),
      FakeFiles.layer,
      FakeMailer.layer,
      FakePayments.layer,
      layerNone
    )
  )
)

const run = Effect.flatMap(Tasks, (tasks) => tasks.run(100))
const by = { _tag: "Operator" } as const

const invited = Effect.gen(function*() {
  const { id: orgId } = yield* createEmptyOrg
  const member = yield* (yield* StaffMembers).invite({ orgId, email: "eve@a.co", name: "Eve", by })
  return { orgId, member }
})

const linkIn = (text: string) => /\/sign-in\/(\w+)/.exec(text)?.[1] ?? ""

it.effect("an invitation creates its single-use sign-in link when it is sent", () =>
  Effect.gen(function*() {
    const { member } = yield* invited
    // Even an email sent late must contain a valid link.
    yield* TestClock.adjust("1 hour")
    yield* run
    const [mail, ...others] = yield* (yield* FakeMailer).sent
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(mail?.to, { name: "Eve", email: "eve@a.co" })
    assert.include(mail?.text ?? "", "https://book.example/sign-in/")
    assert.include(mail?.html ?? "", "https://book.example/sign-in/")
    const logins = yield* StaffSessions
    const signedIn = yield* logins.spend({ secret: linkIn(mail?.text ?? ""), device: "" })
    assert.strictEqual(signedIn.member.id, member.id)
  }).pipe(Effect.provide(world)))

it.effect("an invitation names the inviter and is valid for 7 days", () =>
  Effect.gen(function*() {
    const { id: orgId, name } = yield* createEmptyOrg
    const staff = yield* StaffMembers
    const owner = yield* staff.add({ orgId, email: "dana@a.co", name: "Dana Whitlock", role: "owner", by })
    const member = yield* staff.invite({ orgId, email: "eve@a.co", by: { _tag: "Staff", staffId: owner.id } })
    yield* run
    const [mail] = yield* (yield* FakeMailer).sent
    const text = mail?.text ?? ""
    assert.include(
      text,
      `Dana Whitlock added you as a staff member of ${ensureFinalPeriod(name)} Use this link to sign in:`
    )
    assert.include(text, "The link works once and expires in 7 days.")
    assert.include(mail?.html ?? "", `<a href="https://book.example/sign-in">https://book.example/sign-in</a>`)
    yield* TestClock.adjust("167 hours")
    const signedIn = yield* (yield* StaffSessions).spend({ secret: linkIn(text), device: "" })
    assert.strictEqual(signedIn.member.id, member.id)
  }).pipe(Effect.provide(world)))

it.effect("an invitation is sent when its task is retried after a failed attempt", () =>
  Effect.gen(function*() {
    yield* invited
    const mailbox = yield* FakeMailer
    yield* mailbox.refuse(true)
    yield* run
    yield* mailbox.refuse(false)
    yield* TestClock.adjust("5 minutes")
    yield* run
    assert.strictEqual((yield* mailbox.sent).length, 1)
  }).pipe(Effect.provide(world)))

it.effect("an invitation is not sent to a person who was removed", () =>
  Effect.gen(function*() {
    const { member } = yield* invited
    yield* (yield* StaffMembers).remove({ ...member, by })
    yield* run
    assert.deepStrictEqual(yield* (yield* FakeMailer).sent, [])
  }).pipe(Effect.provide(world)))
