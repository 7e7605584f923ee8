import { assert, it } from "@effect/vitest"
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import * as Message from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import { layer, truncateWal } from "@trailbook/sqlite"
import { newPasskey, newSignInLink, newStaffSession } from "@trailbook/testkit/law/sampleRows"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { existsSync, readFileSync } from "node:fs"
import { booking, createOutfit, event, newId, noon, putBookings } from "./sample.ts"
import { temporaryFile } from "./temporaryFile.ts"

const canary = "Canary-4711"
/**
 * The strings that identify the erased guest. The search index stores the name's words and the phone number's digits.
 */
const traces = [canary, "canary", "4711"]

/** Returns the suffixes of the database files that contain a trace, in used or free pages. */
const filesWithTraces = (filename: string): ReadonlyArray<string> =>
  ["", "-wal", "-journal"].filter((end) => {
    if (!existsSync(filename + end)) return false
    const bytes = readFileSync(filename + end)
    return traces.some((trace) => bytes.includes(trace))
  })

const longTexts = (length: number) => Array.from({ length }, (_, n) => `${canary} `.repeat(1 + n % 300))

it.scoped("erasing a guest removes the guest's data from the database files", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const customers = yield* CustomerStore
      const log = yield* EventLog
      const { run } = yield* UnitOfWork
      const guest = yield* createOutfit
      const { customer, customerId, orgId } = guest
      const guestBookings = longTexts(200).map((notes) => ({ ...booking(guest), notes, metadata: { canary } }))
      // Store enough other guests' rows in between that guests share pages and the trees split.
      yield* customers.put([{
        ...customer,
        name: canary,
        email: `${canary}@example.com`,
        phone: "+1 719 555 4711",
        notes: canary
      }])
      for (const [at, guestBooking] of guestBookings.entries()) {
        // After this checkpoint, the earlier data is in the database file and the later data is only in the log.
        if (at === 100) yield* truncateWal
        yield* run(Effect.gen(function*() {
          yield* putBookings([guestBooking, booking(guest)])
          yield* log.append([event(orgId, { person: customerId, data: guestBooking }), event(orgId)])
        }))
      }
      assert.deepStrictEqual(filesWithTraces(filename), ["", "-wal"])

      yield* run(Effect.gen(function*() {
        yield* customers.put([{ ...customer, email: "", name: "", phone: "", notes: "", erasedAt: noon }])
        yield* putBookings(guestBookings.map((guestBooking) => ({ ...guestBooking, notes: "", metadata: {} })))
        const events = yield* log.about(orgId, customerId, 0, 1000)
        yield* log.rewrite(orgId, events.map(({ id }) => ({ id, data: {} })))
      }))
      assert.deepStrictEqual(filesWithTraces(filename), [])
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scoped("erasing conversations removes their text from the database files", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const conversations = yield* ConversationStore
      const messages = yield* MessageStore
      const { run } = yield* UnitOfWork
      const { orgId } = yield* createOutfit
      const conversationFrom = (fromEmail: string, at: number) =>
        Conversation.make({
          id: newId(),
          orgId,
          token: newId(),
          createdAt: noon,
          fromName: fromEmail,
          fromEmail: `${at}${fromEmail}`
        })
      const makeMessage = (conversationId: string, body: string) =>
        Message.make({
          id: newId(),
          orgId,
          conversationId,
          customerId: null,
          direction: "to_outfitter",
          subject: body.slice(0, 200),
          body,
          cut: body,
          sentBy: "guest",
          channel: "email",
          fromName: body.slice(0, 100),
          createdAt: noon
        })
      const guestMessages = longTexts(200).map((body, at) => {
        const conversation = { ...conversationFrom(`${canary}@example.com`, at), subject: canary }
        return { conversation, message: makeMessage(conversation.id, body) }
      })
      // Store enough other guests' words in between that guests share pages and the trees split.
      for (const [at, { conversation, message }] of guestMessages.entries()) {
        if (at === 100) yield* truncateWal
        const other = conversationFrom("bo@example.com", at)
        yield* run(Effect.zipRight(
          conversations.put([conversation, other]),
          messages.put([message, makeMessage(other.id, "Are wetsuits included?".repeat(1 + at % 20))])
        ))
      }
      assert.deepStrictEqual(filesWithTraces(filename), ["", "-wal"])

      yield* run(Effect.zipRight(
        messages.erase(guestMessages.map(({ message }) => ({ ...Message.redactMessage(message), fromName: null }))),
        conversations.erase(
          guestMessages.map(({ conversation }) => ({ ...conversation, fromName: "", fromEmail: "", subject: "" }))
        )
      ))
      assert.deepStrictEqual(filesWithTraces(filename), [])
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scoped("changing or removing a staff member clears the old data from the database files", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const { put, remove } = yield* StaffStore
      const role = "staff" as const
      const { orgId } = yield* createOutfit
      const member = {
        id: "1",
        orgId,
        email: `${canary}@example.com`,
        name: canary,
        role,
        notify: true,
        createdAt: noon
      }
      yield* put(member)
      assert.isNotEmpty(filesWithTraces(filename))
      yield* put({ ...member, email: "ann@example.com", name: "Ann" })
      assert.isEmpty(filesWithTraces(filename))
      yield* put(member)
      yield* remove(member)
      assert.isEmpty(filesWithTraces(filename))
      const logins = yield* StaffSessionStore
      yield* logins.put({ ...newStaffSession(orgId), staffId: "1", device: canary })
      yield* logins.putLink({ ...newSignInLink(orgId), staffId: "1", next: canary })
      const passkeys = yield* PasskeyStore
      yield* passkeys.put({ ...newPasskey(orgId), staffId: "1", name: canary })
      assert.isNotEmpty(filesWithTraces(filename))
      yield* logins.removeOf(member)
      yield* passkeys.removeOf(member)
      assert.isEmpty(filesWithTraces(filename))
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scoped("an erasure that is rolled back keeps all data", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const log = yield* EventLog
      const { run } = yield* UnitOfWork
      const { customerId, orgId } = yield* createOutfit
      yield* log.append([event(orgId, { person: customerId, data: { canary } })])
      yield* Effect.flip(run(Effect.zipRight(log.rewrite(orgId, [{ id: 1, data: {} }]), Effect.fail("refused"))))
      assert.deepStrictEqual((yield* log.latest(orgId, 1)).map(({ data }) => data), [{ canary }])
    }).pipe(Effect.provide(layer({ filename })))
  }))

it.scopedLive("an erasure cleans the database files once running snapshots end", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.gen(function*() {
      const log = yield* EventLog
      const { run, snapshot } = yield* UnitOfWork
      const { customerId, orgId } = yield* createOutfit
      yield* log.append([event(orgId, { person: customerId, data: { canary } })])
      const hasBegun = yield* Deferred.make<void>()
      const isErased = yield* Deferred.make<void>()
      const reader = yield* Effect.fork(snapshot(
        Effect.andThen(log.latest(orgId, 1), (before) =>
          Deferred.succeed(hasBegun, undefined).pipe(
            Effect.zipRight(Deferred.await(isErased)),
            Effect.zipRight(log.latest(orgId, 1)),
            Effect.map((after) => assert.deepStrictEqual(after, before))
          ))
      ))
      yield* Deferred.await(hasBegun)
      // If the writers waited for the snapshot, this would block forever.
      yield* run(log.rewrite(orgId, [{ id: 1, data: {} }]))
      yield* run(log.append([event(orgId)]))
      yield* Deferred.succeed(isErased, undefined)
      yield* Fiber.join(reader)
      yield* Effect.suspend(() => filesWithTraces(filename).length === 0 ? Effect.void : Effect.fail("not yet")).pipe(
        Effect.retry(Schedule.intersect(Schedule.spaced("10 millis"), Schedule.recurs(500)))
      )
    }).pipe(Effect.provide(layer({ filename })))
  }))
