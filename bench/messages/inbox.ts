/**
 * Measures an inbox of 20,000 threads with 50,000 messages. Compares a page of threads with a page of the same number
 * of guests. Also compares a full-text search of all messages with a bare statement that scans the same text and
 * returns a count.
 */
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import * as Message from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { UnitOfWork } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { formatCount, type Line, median } from "../report.ts"
import type { Outfitter } from "./outfitter.ts"

export const threads = 20_000
const messages = 50_000
const batch = 1000
const turns = 15
const pages = 100
const mostTimes = 3
/** A measurement of at most this many milliseconds passes regardless of its baseline. */
const nothingMs = 1
const mostMs = 250

const subjects = ["the shuttle", "your waiver", "lunch", "the weather", "a child of nine", "parking", "the put-in"]
const makeWords = (at: number): string =>
  `Hello, I have a question about ${subjects[at % subjects.length]}. We are ${2 + at % 7} guests and live ` +
  `${at % 40} hours away. Is there anything we should know before Saturday? ${
    at % 50 === 0 ? "Are wetsuits included?" : "Thank you!"
  }`

/** Returns a message in a thread. The thread's row stores the ID of its newest message. */
const makeMessages = (thread: Conversation.Conversation | undefined, at: number): ReadonlyArray<Message.Message> =>
  thread === undefined ? [] : [Message.make({
    id: (at < threads ? thread.lastMessageId : null) ?? randomUUID(),
    orgId: thread.orgId,
    conversationId: thread.id,
    customerId: thread.customerId,
    direction: "to_outfitter",
    body: makeWords(at),
    sentBy: "guest",
    channel: "email",
    createdAt: thread.createdAt
  })]

/** Stores the threads and their messages. */
export const storeThreads = ({ orgId }: Pick<Outfitter, "orgId">) =>
  Effect.gen(function*() {
    const now = yield* currentTime
    const stores = {
      conversations: yield* ConversationStore,
      customers: yield* CustomerStore,
      messages: yield* MessageStore
    }
    const { run } = yield* UnitOfWork
    const conversations: Array<Conversation.Conversation> = []
    for (let from = 0; from < threads; from += batch) {
      const chunk = Array.from({ length: batch }, (_, offset) => {
        const at = from + offset
        const createdAt = Instant.addMinutes(now, -at - 1)
        const email = `inbox${at}@example.com`
        const customer = Customer.make({ id: randomUUID(), orgId, email, name: `Ann Bell ${at}`, createdAt })
        const conversation: Conversation.Conversation = {
          ...Conversation.make({ id: randomUUID(), orgId, token: randomUUID(), customerId: customer.id, createdAt }),
          lastMessageId: randomUUID(),
          lastAt: createdAt,
          lastBy: at % 3 === 0 ? "guest" : "outfitter",
          guestAt: createdAt
        }
        return { conversation, customer }
      })
      yield* run(Effect.zipRight(
        stores.customers.put(chunk.map(({ customer }) => customer)),
        stores.conversations.put(chunk.map(({ conversation }) => conversation))
      ))
      conversations.push(...chunk.map(({ conversation }) => conversation))
    }
    for (let from = 0; from < messages; from += batch) {
      const chunk = Array.from({ length: batch }, (_, offset) =>
        makeMessages(conversations[(from + offset) % threads], from + offset))
      yield* run(stores.messages.put(chunk.flat()))
    }
  })

const measureTime = <E, R>(effect: Effect.Effect<unknown, E, R>) =>
  Effect.suspend(() => {
    const from = performance.now()
    return Effect.map(effect, () => performance.now() - from)
  })

/**
 * Alternates between the effects, so that other load on the machine affects all of them equally, and returns the median
 * time of each.
 */
const measureTimes = <E, R>(times: number, ...effects: ReadonlyArray<Effect.Effect<unknown, E, R>>) =>
  Effect.map(
    Effect.replicateEffect(Effect.forEach(effects, measureTime), times),
    (turns) => effects.map((_, at) => median(turns.map((turn) => turn[at] ?? 0)))
  )

export const inbox = (storage: string, outfitter: Outfitter, settle: Effect.Effect<void>) =>
  Effect.gen(function*() {
    yield* storeThreads(outfitter)
    yield* settle
    const { dialect, query } = yield* Database
    const bareQuery = query(
      `select count(*) as n from ${
        dialect.table("messages")
      } where org_id = '${outfitter.orgId}' and words like '% wetsuit%'`
    )
    const { data } = yield* outfitter.call("conversations.list", { q: "wetsuit", limit: 50 })
    if (data.length !== 50) throw new Error(`The search found ${data.length} conversations. Expected 50.`)
    const [list = 0, guests = 0] = yield* measureTimes(
      pages,
      outfitter.call("conversations.list", { limit: 50 }),
      outfitter.call("customers.list", { limit: 50 })
    )
    const [search = 0, scan = 0] = yield* measureTimes(
      turns,
      outfitter.call("conversations.list", { q: "wetsuit", limit: 50 }),
      bareQuery
    )
    const lines: ReadonlyArray<Line> = [
      {
        what: `${storage}: time for a page of 50 conversations and for a page of 50 guests`,
        figure: `${list.toFixed(1)} ms, ${guests.toFixed(1)} ms`
      },
      {
        what: `${storage}: time for a page of conversations.list compared with customers.list`,
        figure: `${(list / guests).toFixed(2)} times`,
        promise: {
          text: `at most ${mostTimes} times, or at most ${nothingMs} ms`,
          kept: list <= Math.max(mostTimes * guests, nothingMs)
        }
      },
      {
        what: `${storage}: time for a search of ${formatCount(messages)} messages`,
        figure: `${search.toFixed(0)} ms`,
        promise: { text: `at most ${mostMs} ms`, kept: search <= mostMs }
      },
      {
        what: `${storage}: time for a search of all messages compared with a scan of their text`,
        figure: `${(search / scan).toFixed(2)} times`
      }
    ]
    return lines
  })
