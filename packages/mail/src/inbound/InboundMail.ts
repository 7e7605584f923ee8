/**
 * Receives mail. A sender keeps a mail until it is acknowledged, which happens after the commit. So the sender's queue
 * is the only queue, and no mail is stored before it is processed. A database failure is a defect; the listeners answer
 * it with a temporary error.
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
 * The result for a mail at one address. A dropped mail is not bounced, because its sender address can be forged. Drops
 * are counted by reason, without the content.
 */
export type ReceiveResult =
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  /**
   * A staff member's reply that was not delivered to the guest. The sender is notified, because nothing else would show
   * it.
   */
  | { readonly _tag: "Refused"; readonly reason: DropReason }
  /** The decision is not possible now. The sender must retry. */
  | { readonly _tag: "Later" }

/** The maximum size of a mail in bytes. */
export const mostBytes = 26 * 1024 * 1024

/** The maximum size of a delivery report in bytes. A report quotes the headers of the mail. */
export const maxReportBytes = 1024 * 1024

export class InboundMail extends Context.Tag("@trailbook/mail/InboundMail")<
  InboundMail,
  {
    /** Whether an address accepts mail. Called before the mail is transmitted. */
    readonly knows: (address: string) => Effect.Effect<boolean>
    /** The maximum size of a mail to these addresses in bytes. */
    readonly maxBytes: (addresses: ReadonlyArray<string>) => number
    /** Extracts the mail from the request of a provider. Returns `undefined` if it contains none. */
    readonly unpack: (
      contentType: string,
      body: Uint8Array,
      query: string
    ) => Effect.Effect<ProviderPayload | undefined>
    /**
     * Receives a mail in wire format (RFC 5322) for each address of its envelope, and returns the results in the same
     * order. `verdict` is the DMARC result of a trusted relay.
     */
    readonly receive: (
      raw: Uint8Array,
      envelope: Envelope,
      verdict?: DmarcVerdict
    ) => Effect.Effect<ReadonlyArray<ReceiveResult>>
    /** Counts a mail that was rejected before it was complete. */
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

        /** A recipient of a mail: the context to parse it with, and the function that stores the result. */
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
                // The guest's address changed or the guest was erased before the lock was taken. The drop is already
                // counted.
                return outcome === "dropped" ? { _tag: "Dropped", reason: "stranger" } as const : taken
              })
            return { to: { addresses, guest: { email }, orgName, sent }, store }
          })

        /**
         * Notifies the sender that the reply was not delivered. Automatic emails and forged senders are not notified.
         */
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

        /** Parses the mail once for all recipients, and stores it sequentially. */
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

/** Reasons for which a person may have written the mail and expects the guest to receive it. */
const told: ReadonlySet<DropReason> = new Set(["stranger", "forged", "unverified", "unreadable"])
