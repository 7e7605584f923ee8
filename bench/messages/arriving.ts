/**
 * Compares inbound emails, which are parsed in a worker thread and stored, with messages sent through the API. Also
 * compares a one-megabyte email with an email of a few lines. The relay provides the DMARC result, so no DNS queries
 * are sent.
 */
import { ConversationStore } from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import type { LoadResult } from "../load.ts"
import type { Line } from "../report.ts"
import { leave, replyDomain } from "./leaving.ts"
import { type Outfitter, runCalls } from "./outfitter.ts"

const small = 400
const large = 60
const megabyte = 1024 * 1024
const leastPerSecond = 40
const mostMs = 500

const photo = Buffer.alloc(megabyte * 3 / 4, "a photo ").toString("base64").replace(/.{76}/g, "$&\r\n")

const makeMail = (from: string, to: string, isLarge: boolean): Buffer =>
  Buffer.from(
    [
      `From: Elena <${from}>`,
      `To: <${to}>`,
      "Subject: Re: Your trip",
      `Message-ID: <${randomUUID()}@mail.example.com>`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=part",
      "",
      "--part",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Are wetsuits included?",
      "",
      `On Friday Bench River Co. <${to}> wrote:`,
      "> Bring a coat.",
      ...(isLarge
        ? [
          "--part",
          "Content-Type: application/octet-stream; name=a.bin",
          "Content-Transfer-Encoding: base64",
          "Content-Disposition: attachment; filename=a.bin",
          "",
          photo
        ]
        : []),
      "--part--",
      ""
    ].join("\r\n")
  )

export const measureArriving = (storage: string, outfitter: Outfitter, sentPerSecond: number) =>
  Effect.gen(function*() {
    const { receive } = yield* InboundMail
    const { customers } = yield* outfitter.book(20, 1)
    // The first email to the guest creates the conversation.
    yield* leave(replyDomain)
    const keys = customers.map((id) => ({ orgId: outfitter.orgId, id }))
    const conversations = yield* (yield* ConversationStore).findByCustomer(keys)
    const guests = new Map((yield* (yield* CustomerStore).find(keys)).map(({ email, id }) => [id, email]))
    const sendMail = (isLarge: boolean) => (call: number) =>
      Effect.gen(function*() {
        const conversation = conversations[call % conversations.length]
        const from = guests.get(conversation?.customerId ?? "") ?? ""
        const to = `reply+${conversation?.token}@${replyDomain}`
        const [result] = yield* receive(makeMail(from, to, isLarge), { from, to: [to] }, "pass")
        if (result?._tag !== "Taken") throw new Error(`An email was not accepted: ${JSON.stringify(result)}`)
      })
    yield* runCalls(50, 1, sendMail(false))
    const smallLoad = yield* runCalls(small, 1, sendMail(false))
    const largeLoad = yield* runCalls(large, 1, sendMail(true))
    return formatLines(storage, smallLoad, largeLoad, sentPerSecond)
  }).pipe(
    Effect.provide(Layer.provide(InboundMail.layer({ replyDomain }), MailParserPool.layer))
  )

const formatLines = (
  storage: string,
  smallLoad: LoadResult,
  largeLoad: LoadResult,
  sentPerSecond: number
): ReadonlyArray<Line> => [
  {
    what: `${storage}: inbound emails per second, received sequentially`,
    figure: `${smallLoad.perSecond.toFixed(0)} /s`,
    promise: { text: `at least ${leastPerSecond} per second`, kept: smallLoad.perSecond >= leastPerSecond }
  },
  {
    what: `${storage}: inbound emails per second compared with messages.send`,
    figure: `${(smallLoad.perSecond / sentPerSecond).toFixed(2)} times`
  },
  {
    what: `${storage}: time per inbound email of 1 MB (p50, p99)`,
    figure: `${largeLoad.p50.toFixed(0)} ms, ${largeLoad.p99.toFixed(0)} ms`,
    promise: { text: `p99 at most ${mostMs} ms`, kept: largeLoad.p99 <= mostMs }
  },
  {
    what: `${storage}: time per inbound email of 1 MB compared with an email of a few lines`,
    figure: `${(largeLoad.p50 / smallLoad.p50).toFixed(1)} times`
  }
]
