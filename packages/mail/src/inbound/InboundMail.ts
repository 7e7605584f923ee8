/**
 * Receives mail. A sender keeps a mail until it is acknowledged, which happens after the commit. So the sender's queue
 * is the only queue, and no mail is stored before it is processed. A database failure is a defect; the listeners answer
 * it with a temporary error.
 */
import { type DropReason, MailIntake, type ReplyContext } from "@trailbook/core/conversation/mail-intake/MailIntake"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type OwnAddress, ownAddress } from "./address.ts"
import { MailParserPool } from "./MailParserPool.ts"
import type { DmarcVerdict, Envelope, ParseResult } from "./ParsedMail.ts"
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
  ): Layer.Layer<InboundMail, never, MailIntake | MailParserPool> =>
    Layer.effect(
      InboundMail,
      Effect.gen(function*() {
        const intake = yield* MailIntake
        const reader = yield* MailParserPool

        const drop = (reason: DropReason): Effect.Effect<ReceiveResult> =>
          Effect.as(intake.drop(reason), dropped(reason))

        /** An own address, and the context to parse a mail to it with. */
        interface Recipient {
          readonly own: OwnAddress
          readonly to: ReplyContext | "reports"
        }

        const contextOf = ({ purpose, token }: OwnAddress): Effect.Effect<Recipient["to"] | undefined> =>
          purpose === "bounce"
            ? Effect.map(intake.isReportable(token), (isReportable) => isReportable ? "reports" : undefined)
            : Effect.map(intake.loadReplyContext({ purpose, token }), Option.getOrUndefined)

        const maxBytesAt = (address: string): number =>
          ownAddress(address, replyDomain)?.purpose === "bounce" ? maxReportBytes : mostBytes

        const findRecipient = (address: string, { length }: Uint8Array): Effect.Effect<Recipient | ReceiveResult> =>
          Effect.gen(function*() {
            if (length > maxBytesAt(address)) return yield* drop("too_large")
            const own = ownAddress(address, replyDomain)
            const to = own && (yield* contextOf(own))
            return own === undefined || to === undefined ? yield* drop("unknown_address") : { own, to }
          })

        const accept = ({ own: { purpose, token } }: Recipient, reading: ParseResult): Effect.Effect<ReceiveResult> =>
          Effect.gen(function*() {
            // A staff member is notified of an undelivered reply. Automatic emails and forged senders are not.
            const undelivered = (reason: DropReason) =>
              purpose === "team" && told.has(reason) ? refused(reason) : dropped(reason)
            if (reading._tag === "Dropped") {
              if (reading.reason === "undecided") return later
              yield* intake.drop(reading.reason)
              return undelivered(reading.reason)
            }
            if (purpose === "bounce") {
              if (reading._tag === "Message") return yield* drop("automatic")
              const { failure, outcome } = reading
              yield* intake.reported({ bounceToken: token, outcome, failure })
              return taken
            }
            if (reading._tag === "Report") return yield* drop("automatic")
            const result = yield* intake.acceptReply({ ...reading.mail, purpose, token })
            // The guest's address changed or the guest was erased before the lock was taken. The drop is already
            // counted.
            return result === "dropped" ? undelivered("stranger") : taken
          })

        /** Finds the recipients of a mail, parses it once for all of them, and accepts it sequentially. */
        const receive = (mail: Omit<SharedRequest, "to" | "replyDomain">) =>
          Effect.gen(function*() {
            const addresses = [...new Set(mail.envelope.to)]
            const recipients = yield* Effect.forEach(addresses, (address) => findRecipient(address, mail.raw))
            const readers = recipients.filter((each): each is Recipient => "to" in each)
            const readings = readers.length === 0
              ? []
              : yield* reader.read({ ...mail, to: readers.map(({ to }) => to), replyDomain })
            const received = new Map<string, ReceiveResult>()
            let next = 0
            for (const [at, address] of addresses.entries()) {
              const recipient = recipients[at] ?? later
              const reading = "to" in recipient ? readings[next++] : undefined
              if (!("to" in recipient)) received.set(address, recipient)
              else if (reading !== undefined) received.set(address, yield* accept(recipient, reading))
            }
            return mail.envelope.to.map((address) => received.get(address) ?? later)
          })

        return InboundMail.of({
          knows: (address) => {
            const own = ownAddress(address, replyDomain)
            return own === undefined
              ? Effect.succeed(false)
              : Effect.map(contextOf(own), (context) => context !== undefined)
          },
          maxBytes: (addresses) => Math.max(...addresses.map(maxBytesAt)),
          unpack: (contentType, body, query) => reader.unpack({ contentType, body, query, replyDomain }),
          receive: (raw, envelope, verdict) =>
            Effect.withSpan(receive({ raw, envelope, verdict: verdict ?? null }), "InboundMail.receive", {
              attributes: { bytes: raw.length }
            }),
          refused: intake.drop
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
