/**
 * Receives email. The sending server keeps each email until Trailbook has committed and acknowledged it. Trailbook
 * therefore needs no inbound queue and never acknowledges an email that it could still lose. A database failure is a
 * defect, which makes the listeners respond with a temporary error.
 */
import { type MailDropReason, MailIntake, type ReplyContext } from "@trailbook/core/conversation"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type OwnAddress, parseOwnAddress } from "./address.ts"
import { MailParserPool } from "./parse/MailParserPool.ts"
import type { DmarcVerdict, Envelope, ParseResult } from "./parse/ParsedMail.ts"
import type { SharedParseRequest } from "./parse/parseMail.ts"
import type { ProviderPayload } from "./parseProviderPayload.ts"

/**
 * The result for one recipient address. A dropped email is not bounced, because its sender can be forged. Drops are
 * counted by reason, but the content of dropped emails is not stored.
 */
export type ReceiveResult =
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Dropped"; readonly reason: MailDropReason }
  /**
   * A staff member's reply that was not forwarded to the guest. The staff member gets a bounce, because no page shows
   * the failure.
   */
  | { readonly _tag: "Refused"; readonly reason: MailDropReason }
  /** The email cannot be accepted or rejected yet, so the sending server must retry. */
  | { readonly _tag: "Later" }

/** The maximum size of an email in bytes. */
export const maxMailBytes = 26 * 1024 * 1024

/** The maximum size of a delivery report in bytes. Reports are small, because they quote only the email's headers. */
export const maxReportBytes = 1024 * 1024

export class InboundMail extends Context.Tag("@trailbook/mail/InboundMail")<
  InboundMail,
  {
    /** Whether an address accepts email. Listeners check the address before the client sends the content. */
    readonly knows: (address: string) => Effect.Effect<boolean>
    /** Returns the maximum size in bytes of an email to these addresses. */
    readonly maxBytes: (addresses: ReadonlyArray<string>) => number
    /** Extracts the email from a provider's request, or returns `undefined` if the request contains none. */
    readonly unpack: (
      contentType: string,
      body: Uint8Array,
      query: string
    ) => Effect.Effect<ProviderPayload | undefined>
    /**
     * Receives an email in wire format (RFC 5322) for every address in its envelope. Returns one result per address, in
     * envelope order. `verdict` is the DMARC result from a trusted relay.
     */
    readonly receive: (
      raw: Uint8Array,
      envelope: Envelope,
      verdict?: DmarcVerdict
    ) => Effect.Effect<ReadonlyArray<ReceiveResult>>
    /** Counts an email that a listener rejected before receiving it completely. */
    readonly countRejected: (reason: MailDropReason) => Effect.Effect<void>
  }
>() {
  static readonly layer = (
    { replyDomain }: { readonly replyDomain: string }
  ): Layer.Layer<InboundMail, never, MailIntake | MailParserPool> =>
    Layer.effect(
      InboundMail,
      Effect.gen(function*() {
        const intake = yield* MailIntake
        const parserPool = yield* MailParserPool

        const drop = (reason: MailDropReason): Effect.Effect<ReceiveResult> =>
          Effect.as(intake.drop(reason), toDropped(reason))

        /** One of Trailbook's own addresses, with the context for email sent to it. */
        interface Recipient {
          readonly address: OwnAddress
          readonly to: ReplyContext | "reports"
        }

        const loadContext = ({ purpose, token }: OwnAddress): Effect.Effect<Recipient["to"] | undefined> =>
          purpose === "bounce"
            ? Effect.map(intake.isReportable(token), (isReportable) => isReportable ? "reports" : undefined)
            : Effect.map(intake.loadReplyContext({ purpose, token }), Option.getOrUndefined)

        const findMaxBytes = (address: string): number =>
          parseOwnAddress(address, replyDomain)?.purpose === "bounce" ? maxReportBytes : maxMailBytes

        const findRecipient = (address: string, { length }: Uint8Array): Effect.Effect<Recipient | ReceiveResult> =>
          Effect.gen(function*() {
            if (length > findMaxBytes(address)) return yield* drop("too_large")
            const parsedAddress = parseOwnAddress(address, replyDomain)
            const to = parsedAddress && (yield* loadContext(parsedAddress))
            return parsedAddress === undefined || to === undefined
              ? yield* drop("unknown_address")
              : { address: parsedAddress, to }
          })

        const accept = (
          { address: { purpose, token } }: Recipient,
          parsed: ParseResult
        ): Effect.Effect<ReceiveResult> =>
          Effect.gen(function*() {
            // A staff member gets a bounce for an undelivered reply, but machines and forged senders do not.
            const toUndelivered = (reason: MailDropReason) =>
              purpose === "team" && loggedReasons.has(reason) ? toRefused(reason) : toDropped(reason)
            if (parsed._tag === "Dropped") {
              if (parsed.reason === "undecided") return laterResult
              yield* intake.drop(parsed.reason)
              return toUndelivered(parsed.reason)
            }
            if (purpose === "bounce") {
              if (parsed._tag === "Message") return yield* drop("automatic")
              const { failure, outcome } = parsed
              yield* intake.recordReport({ bounceToken: token, outcome, failure })
              return takenResult
            }
            if (parsed._tag === "Report") return yield* drop("automatic")
            const result = yield* intake.acceptReply({ ...parsed.mail, purpose, token })
            // The guest's address changed or their data was erased before this transaction took the lock. Core has
            // already counted the drop.
            return result === "dropped" ? toUndelivered("stranger") : takenResult
          })

        /** Parses the email once for all recipients, and then handles the result for each recipient in order. */
        const receive = (mail: Omit<SharedParseRequest, "to" | "replyDomain">) =>
          Effect.gen(function*() {
            const addresses = [...new Set(mail.envelope.to)]
            const recipients = yield* Effect.forEach(addresses, (address) => findRecipient(address, mail.raw))
            const parsedRecipients = recipients.filter((recipient): recipient is Recipient => "to" in recipient)
            const parseResults = parsedRecipients.length === 0
              ? []
              : yield* parserPool.read({ ...mail, to: parsedRecipients.map(({ to }) => to), replyDomain })
            const results = new Map<string, ReceiveResult>()
            let nextResult = 0
            for (const [at, address] of addresses.entries()) {
              const recipient = recipients[at] ?? laterResult
              const parsed = "to" in recipient ? parseResults[nextResult++] : undefined
              if (!("to" in recipient)) results.set(address, recipient)
              else if (parsed !== undefined) results.set(address, yield* accept(recipient, parsed))
            }
            return mail.envelope.to.map((address) => results.get(address) ?? laterResult)
          })

        return InboundMail.of({
          knows: (address) => {
            const parsedAddress = parseOwnAddress(address, replyDomain)
            return parsedAddress === undefined
              ? Effect.succeed(false)
              : Effect.map(loadContext(parsedAddress), (replyContext) => replyContext !== undefined)
          },
          maxBytes: (addresses) => Math.max(...addresses.map(findMaxBytes)),
          unpack: (contentType, body, query) => parserPool.unpack({ contentType, body, query, replyDomain }),
          receive: (raw, envelope, verdict) =>
            Effect.withSpan(receive({ raw, envelope, verdict: verdict ?? null }), "InboundMail.receive", {
              attributes: { bytes: raw.length }
            }),
          countRejected: intake.drop
        })
      })
    )
}

const takenResult: ReceiveResult = { _tag: "Taken" }
const laterResult: ReceiveResult = { _tag: "Later" }
const toDropped = (reason: MailDropReason): ReceiveResult => ({ _tag: "Dropped", reason })
const toRefused = (reason: MailDropReason): ReceiveResult => ({ _tag: "Refused", reason })

/** The reasons to drop an email that could be a staff member's genuine reply to a guest. */
const loggedReasons: ReadonlySet<MailDropReason> = new Set(["stranger", "forged", "unverified", "unreadable"])
