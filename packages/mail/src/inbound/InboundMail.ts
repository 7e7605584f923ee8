/**
 * Taking mail in. Whoever hands a mail over keeps it until it is told that it was
 * taken, which is said after the commit: the sender's queue is our queue, and no mail
 * is kept here. A broken database is a defect; the doors answer it with "later".
 */
import { type DropReason, InboundMailHandler } from "@trailbook/core/conversation/InboundMail"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ownAddress } from "./address.ts"
import { MailParserPool } from "./MailParserPool.ts"
import type { DmarcVerdict, Envelope, ParseResult, ReplyContext } from "./ParsedMail.ts"
import type { SharedRequest } from "./parseMail.ts"
import type { ProviderPayload } from "./parseProviderPayload.ts"

/**
 * What became of a mail at one address. What is dropped is not sent back: whoever
 * wrote it may not have sent it. It is counted by its reason, without its content.
 */
export type ReceiveResult =
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  /** An answer of the staff that the guest does not get: whoever wrote it is told so, for they wait for nothing else. */
  | { readonly _tag: "Refused"; readonly reason: DropReason }
  /** It cannot be said now whose it is: it is to come again. */
  | { readonly _tag: "Later" }

/** The largest mail that is taken, in bytes. */
export const mostBytes = 26 * 1024 * 1024

/** The largest report about a mail of ours that is taken, in bytes. It quotes the headers of the mail. */
export const maxReportBytes = 1024 * 1024

export class InboundMail extends Context.Tag("@trailbook/mail/InboundMail")<
  InboundMail,
  {
    /** Whether mail to an address could be for us, to be asked before it is sent. */
    readonly knows: (address: string) => Effect.Effect<boolean>
    /** The largest mail that is taken for these addresses, in bytes. */
    readonly maxBytes: (addresses: ReadonlyArray<string>) => number
    /** Finds the mail in what a provider posted; `undefined` if it contains none. */
    readonly unpack: (
      contentType: string,
      body: Uint8Array,
      query: string
    ) => Effect.Effect<ProviderPayload | undefined>
    /**
     * Takes a mail as it travels (RFC 5322) for each of the addresses of its envelope, and answers in their order.
     * `verdict` is somebody's who has looked at its domain already.
     */
    readonly receive: (
      raw: Uint8Array,
      envelope: Envelope,
      verdict?: DmarcVerdict
    ) => Effect.Effect<ReadonlyArray<ReceiveResult>>
    /** Counts a mail that was refused before it was here whole. */
    readonly refused: (reason: DropReason) => Effect.Effect<void>
  }
>() {
  static readonly layer = (
    { replyDomain }: { readonly replyDomain: string }
  ): Layer.Layer<InboundMail, never, InboundMailHandler | MailParserPool> =>
    Layer.effect(
      InboundMail,
      Effect.gen(function*() {
        const inbox = yield* InboundMailHandler
        const reader = yield* MailParserPool

        const drop = (reason: DropReason): Effect.Effect<ReceiveResult> =>
          Effect.as(inbox.drop(reason), dropped(reason))

        /** A recipient of a mail: whom to read it for, and what to do with the reading. */
        interface Recipient {
          readonly to: ReplyContext | "reports"
          readonly store: (reading: ParseResult) => Effect.Effect<ReceiveResult>
        }

        const report = (token: string) =>
          Effect.gen(function*() {
            if (!(yield* inbox.isReportable(token))) return yield* drop("unknown_address")
            const store: Recipient["store"] = (reading) => {
              if (reading._tag === "Dropped") return drop(reading.reason)
              if (reading._tag === "Message") return drop("automatic")
              const { failure, outcome } = reading
              return Effect.as(inbox.reported({ bounceToken: token, outcome, failure }), taken)
            }
            return { to: "reports", store } as const
          })

        const reply = (token: string) =>
          Effect.gen(function*() {
            const found = yield* inbox.find(token)
            if (Option.isNone(found)) return yield* drop("unknown_address")
            const { addresses, guest: { email }, orgName, sent } = found.value
            const store: Recipient["store"] = (reading) =>
              Effect.gen(function*() {
                if (reading._tag === "Dropped") return yield* drop(reading.reason)
                if (reading._tag === "Report") return yield* drop("automatic")
                const outcome = yield* inbox.accept({ ...reading.mail, token })
                // Under the lock it was somebody else's: the guest's address has changed, or the guest was erased. It is counted.
                return outcome === "dropped" ? { _tag: "Dropped", reason: "stranger" } as const : taken
              })
            return { to: { addresses, guest: { email }, orgName, sent }, store }
          })

        /** Nothing is said to machines and to whom it cannot be from; else the sender hears that it is not on its way. */
        const answer = (token: string) =>
          Effect.gen(function*() {
            const found = yield* inbox.findTeam(token)
            if (Option.isNone(found)) return yield* drop("unknown_address")
            const { addresses, member: { email }, orgName, sent } = found.value
            const store: Recipient["store"] = (reading) =>
              Effect.gen(function*() {
                if (reading._tag === "Report") return yield* drop("automatic")
                if (reading._tag === "Dropped") {
                  if (reading.reason === "undecided") return later
                  yield* inbox.drop(reading.reason)
                  return told.has(reading.reason) ? refused(reading.reason) : dropped(reading.reason)
                }
                const outcome = yield* inbox.answer({ ...reading.mail, token })
                return outcome === "dropped" ? refused("stranger") : taken
              })
            return { to: { addresses, guest: { email }, orgName, sent, strict: true }, store }
          })

        const by = { bounce: report, team: answer, reply }

        const maxBytesAt = (address: string): number =>
          ownAddress(address, replyDomain)?.purpose === "bounce" ? maxReportBytes : mostBytes

        const recipientAt = (address: string, { length }: Uint8Array): Effect.Effect<Recipient | ReceiveResult> => {
          if (length > maxBytesAt(address)) return drop("too_large")
          const own = ownAddress(address, replyDomain)
          return own === undefined ? drop("unknown_address") : by[own.purpose](own.token)
        }

        /** Reads the mail once for all of its recipients, and stores it for one after the other. */
        const receive = (mail: Omit<SharedRequest, "to" | "replyDomain">) =>
          Effect.gen(function*() {
            const addresses = [...new Set(mail.envelope.to)]
            const recipients = yield* Effect.forEach(addresses, (address) => recipientAt(address, mail.raw))
            const readers = recipients.filter((each): each is Recipient => "store" in each)
            const readings = readers.length === 0
              ? []
              : yield* reader.read({ ...mail, to: readers.map(({ to }) => to), replyDomain })
            const received = new Map<string, ReceiveResult>()
            let next = 0
            for (const [at, address] of addresses.entries()) {
              const recipient = recipients[at] ?? later
              const reading = "store" in recipient ? readings[next++] : undefined
              if (!("store" in recipient)) received.set(address, recipient)
              else if (reading !== undefined) received.set(address, yield* recipient.store(reading))
            }
            return mail.envelope.to.map((address) => received.get(address) ?? later)
          })

        return InboundMail.of({
          knows: (address) => {
            const own = ownAddress(address, replyDomain)
            if (own === undefined) return Effect.succeed(false)
            if (own.purpose === "bounce") return inbox.isReportable(own.token)
            return own.purpose === "team"
              ? Effect.map(inbox.findTeam(own.token), Option.isSome)
              : Effect.map(inbox.find(own.token), Option.isSome)
          },
          maxBytes: (addresses) => Math.max(...addresses.map(maxBytesAt)),
          unpack: (contentType, body, query) => reader.unpack({ contentType, body, query, replyDomain }),
          receive: (raw, envelope, verdict) =>
            Effect.withSpan(receive({ raw, envelope, verdict: verdict ?? null }), "InboundMail.receive", {
              attributes: { bytes: raw.length }
            }),
          refused: inbox.drop
        })
      })
    )
}

const taken: ReceiveResult = { _tag: "Taken" }
const later: ReceiveResult = { _tag: "Later" }
const dropped = (reason: DropReason): ReceiveResult => ({ _tag: "Dropped", reason })
const refused = (reason: DropReason): ReceiveResult => ({ _tag: "Refused", reason })

/** A person may have written these, and believes that the guest gets them. */
const told: ReadonlySet<DropReason> = new Set(["stranger", "forged", "unverified", "unreadable"])
