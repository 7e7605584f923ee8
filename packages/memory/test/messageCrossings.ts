/**
 * Message races that occur only on a database with row locks, because the transactions wait for each other's
 * conversations.
 */
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import { EventLog } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { race, runConcurrently, type TwoServerFixture } from "../../../test/laws/race/TwoServerFixture.ts"

const WithId = Schema.Struct({ id: Schema.String })

const customer = ({ call }: TwoServerFixture, email: string) =>
  Effect.map(
    Effect.flatMap(call("customers.upsert", { email }), (json) => Effect.orDie(Schema.decodeUnknown(WithId)(json))),
    ({ id }) => id
  )

const listMessages = (orgId: string) =>
  Effect.flatMap(MessageStore, ({ list }) =>
    list({
      orgId,
      conversationId: undefined,
      bookingId: undefined,
      customerId: undefined,
      after: undefined,
      limit: 100
    }))

const conversationsOf = (orgId: string) => Effect.flatMap(ConversationStore, ({ all }) => all(orgId, undefined, 100))

const mail = (token: string, email: string, mailKey: string) => ({
  purpose: "reply" as const,
  token,
  mailKey,
  messageId: null,
  from: { name: "", email },
  subject: "",
  body: "Is there parking?",
  quotedText: "",
  files: [],
  automatic: false
})

/** Delays every third result of `findByEmail`, as a remote server would. */
export const lateQuestions = (storage: Layer.Layer<Storage>): Layer.Layer<Storage> =>
  Layer.map(storage, (context) => {
    const store = Context.get(context, ConversationStore)
    let calls = 0
    return Context.add(context, ConversationStore, {
      ...store,
      findByEmail: (keys) =>
        Effect.tap(
          store.findByEmail(keys),
          Effect.suspend(() => Effect.repeatN(Effect.yieldNow(), calls++ % 3 === 0 ? 2000 : 0))
        )
    })
  })

export const messageCrossings = [
  race(
    "races/broadcast-and-mails",
    "sends a broadcast while guests write, and skips guests whose addresses failed",
    function*(fixture, round) {
      const { ahead, behind, call, offer, orgId } = fixture
      const offering_id = yield* offer({ kind: "appointment", capacity: 100 })
      const slot = (yield* fixture.slots(offering_id)).at(-1)
      const guests = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, at) => `g${at}@a.co`),
        (email) =>
          Effect.gen(function*() {
            const { customer_id } = yield* fixture.book({ offering_id, ...slot, customer: { email } })
            yield* call("messages.send", { customer_id, body: "Welcome." })
            const [conversation] = yield* (yield* ConversationStore).findByCustomer([{ orgId, id: customer_id }])
            return { email, customer_id, token: conversation?.token ?? "" }
          })
      )
      for (const [at, { bounceToken }] of (yield* listMessages(orgId)).entries()) {
        if (at % 2 === 1) {
          continue
        }
        yield* ahead.inbox.recordReport({ bounceToken: bounceToken ?? "", outcome: "failed", failure: "5.1.1" })
      }
      // The guests that the broadcast reaches last keep sending messages.
      const mails = Array.from({ length: 30 }, (_, at) => {
        const { email, token } = guests[guests.length - 1 - at % 4] ?? { email: "", token: "" }
        const arrives = behind.inbox.acceptReply(mail(token, email, `${at}`))
        return Effect.zipRight(Effect.repeatN(Effect.yieldNow(), 20 * at), arrives)
      })
      const { won } = yield* runConcurrently<unknown, never>(round, [
        call("messages.broadcast", { target: { offering_id }, body: "Bring a coat." }),
        ...mails
      ])
      assert.deepInclude(won, { sent: 6, skipped: 0, failed: 6 })
      const messages = yield* listMessages(orgId)
      assert.lengthOf(messages, 54)
      assert.lengthOf(
        messages.filter(({ failedAt }) => failedAt !== null),
        12
      )
      const sentEvents = (yield* (yield* EventLog).latest(orgId, 100)).filter(({ type }) => type === "message.sent")
      assert.lengthOf(sentEvents, 24)
    }
  ),

  race(
    "races/answers-to-a-question",
    "stores all messages with the customer when staff reply to a question and to the customer concurrently",
    function*(fixture, round) {
      const { ahead, call, orgId } = fixture
      yield* ahead.inbox.ask({ orgId, from: { name: "", email: "ann@a.co" }, body: "1" })
      const [question] = yield* conversationsOf(orgId)
      const customer_id = yield* customer(fixture, "ann@a.co")
      const toThread = call("messages.send", { conversation_id: question?.id, body: "2" })
      const toCustomer = call("messages.send", { customer_id, body: "3" })
      yield* runConcurrently(round, [toCustomer, toThread, toCustomer, toThread, toCustomer])
      const messages = yield* listMessages(orgId)
      assert.lengthOf(messages, 6)
      assert.deepStrictEqual([...new Set(messages.map(({ customerId }) => customerId))], [customer_id])
    }
  ),

  race(
    "races/asks-again",
    "stores no new question with an erased customer when a person asks again while being erased",
    function*(fixture, round) {
      const { ahead, behind, call, orgId } = fixture
      const ask = (side: TwoServerFixture["ahead"], body: string) =>
        side.inbox.ask({ orgId, from: { name: "", email: "ann@a.co" }, body })
      yield* ask(ahead, "1")
      const comesAndGoes = Effect.gen(function*() {
        const id = yield* customer(fixture, "ann@a.co")
        yield* call("messages.send", { customer_id: id, body: "Hello." })
        yield* call("customers.delete", { id })
        return id
      })
      const questions = Array.from({ length: 6 }, (_, at) => ask(behind, `again ${at}`))
      const { codes, won } = yield* runConcurrently<unknown, never>(round, [...questions, comesAndGoes])
      assert.deepStrictEqual(codes, [])
      assert.lengthOf(won, 7)
      const messages = yield* listMessages(orgId)
      assert.deepStrictEqual(messages.filter(({ body, customerId }) => customerId !== null && body !== ""), [])
    }
  )
]
