/** Somebody who is put on the staff is mailed a link that signs them in. */
import { assert, it } from "@effect/vitest"
import * as TaskHandlers from "@trailbook/core/handler/TaskHandlers"
import * as Core from "@trailbook/core/operation/layer"
import { Logins } from "@trailbook/core/staff/Logins"
import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import { Tasks } from "@trailbook/core/task/Tasks"
import { withoutWebhooks } from "@trailbook/core/webhook/withoutWebhooks"
import * as MemoryStorage from "@trailbook/memory"
import { Mailbox } from "@trailbook/testkit/fake/Mailbox"
import { Shelf } from "@trailbook/testkit/fake/Shelf"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { Till } from "@trailbook/testkit/fake/Till"
import { openOrg } from "@trailbook/testkit/law/settle"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"

const world = TaskHandlers.layer({ publicUrl: "https://book.example" }).pipe(
  Layer.provideMerge(Core.layer({ desk: "direct" })),
  Layer.provideMerge(
    Layer.mergeAll(MemoryStorage.layer, TestIds.layer(1), Shelf.layer, Mailbox.layer, Till.layer, withoutWebhooks)
  )
)

const run = Effect.flatMap(Tasks, (tasks) => tasks.run(100))
const by = { _tag: "Operator" } as const

const invited = Effect.gen(function*() {
  const { id: orgId } = yield* openOrg
  const member = yield* (yield* StaffMembers).invite({ orgId, email: "eve@a.co", name: "Eve", by })
  return { orgId, member }
})

const linkIn = (text: string) => /\/sign-in\/(\w+)/.exec(text)?.[1] ?? ""

it.effect("with a link that signs in once, made when the mail leaves", () =>
  Effect.gen(function*() {
    const { member } = yield* invited
    // A mail that waits for long brings a link that is good.
    yield* TestClock.adjust("1 hour")
    yield* run
    const [mail, ...others] = yield* (yield* Mailbox).sent
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(mail?.to, { name: "Eve", email: "eve@a.co" })
    assert.include(mail?.text ?? "", "https://book.example/sign-in/")
    assert.include(mail?.html ?? "", "https://book.example/sign-in/")
    const logins = yield* Logins
    const signedIn = yield* logins.spend({ secret: linkIn(mail?.text ?? ""), device: "" })
    assert.strictEqual(signedIn.member.id, member.id)
  }).pipe(Effect.provide(world)))

it.effect("and again with another link where it did not leave", () =>
  Effect.gen(function*() {
    yield* invited
    const mailbox = yield* Mailbox
    yield* mailbox.refuse(true)
    yield* run
    yield* mailbox.refuse(false)
    yield* TestClock.adjust("5 minutes")
    yield* run
    assert.strictEqual((yield* mailbox.sent).length, 1)
  }).pipe(Effect.provide(world)))

it.effect("who was removed meanwhile is mailed nothing", () =>
  Effect.gen(function*() {
    const { member } = yield* invited
    yield* (yield* StaffMembers).remove({ ...member, by })
    yield* run
    assert.deepStrictEqual(yield* (yield* Mailbox).sent, [])
  }).pipe(Effect.provide(world)))
