/**
 * Taking mail in. Whoever hands a mail over keeps it until it is told that it was
 * taken, which is said after the commit: the sender's queue is our queue, and no mail
 * is kept here. A broken database is a defect; the doors answer it with "later".
 */
import { type DropReason, Inbox } from "@trailbook/core/conversation/Inbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type OwnAddress, ownAddress } from "./address.ts"
import { MailReader } from "./MailReader.ts"
import type { Request } from "./read.ts"
import type { Correspondence, Envelope, Verdict } from "./Reading.ts"

/**
 * What became of a mail at one address. What is dropped is not sent back: whoever
 * wrote it may not have sent it. It is counted by its reason, without its content.
 *
 * @category models
 */
export type Received =
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Dropped"; readonly reason: DropReason }
  /** An answer of the staff that the guest does not get: whoever wrote it is told so, for they wait for nothing else. */
  | { readonly _tag: "Refused"; readonly reason: DropReason }
  /** It cannot be said now whose it is: it is to come again. */
  | { readonly _tag: "Later" }

/**
 * The largest mail that is taken, in bytes.
 *
 * @category constants
 */
export const mostBytes = 26 * 1024 * 1024

/**
 * @category services
 */
export class InboundMail extends Context.Tag("@trailbook/mail/InboundMail")<
  InboundMail,
  {
    /** Whether mail to an address could be for us, to be asked before it is sent. */
    readonly knows: (address: string) => Effect.Effect<boolean>
    /** Whether an address is of the domain that replies go to. */
    readonly isOurs: (address: string) => boolean
    /**
     * Takes a mail as it travels (RFC 5322) for each of the addresses of its envelope, and answers in their order.
     * `verdict` is somebody's who has looked at its domain already.
     */
    readonly receive: (
      raw: Uint8Array,
      envelope: Envelope,
      verdict?: Verdict
    ) => Effect.Effect<ReadonlyArray<Received>>
    /** Counts a mail that was refused before it was here whole. */
    readonly refused: (reason: DropReason) => Effect.Effect<void>
  }
>() {
  static readonly layer = (
    { replyDomain }: { readonly replyDomain: string }
  ): Layer.Layer<InboundMail, never, Inbox | MailReader> =>
    Layer.effect(
      InboundMail,
      Effect.gen(function*() {
        const inbox = yield* Inbox
        const reader = yield* MailReader

        const drop = (reason: DropReason): Effect.Effect<Received> => Effect.as(inbox.drop(reason), dropped(reason))

        const readFor = (to: Correspondence | "reports", mail: Arrived) => reader.read({ ...mail, to, replyDomain })

        const report = (token: string, mail: Arrived) =>
          Effect.flatMap(readFor("reports", mail), (reading) => {
            if (reading._tag !== "Report") return drop("automatic")
            const { failure, outcome } = reading
            return Effect.as(inbox.reported({ bounceToken: token, outcome, failure }), taken)
          })

        const reply = (token: string, mail: Arrived) =>
          Effect.gen(function*() {
            const found = yield* inbox.find(token)
            if (Option.isNone(found)) return yield* drop("unknown_address")
            const { addresses, guest: { email }, orgName, sent } = found.value
            const reading = yield* readFor({ addresses, guest: { email }, orgName, sent }, mail)
            if (reading._tag === "Dropped") return yield* drop(reading.reason)
            if (reading._tag === "Report") return yield* drop("automatic")
            const outcome = yield* inbox.accept({ ...reading.mail, token })
            // Under the lock it was somebody else's: the guest's address has changed, or the guest was erased. It is counted.
            return outcome === "dropped" ? { _tag: "Dropped", reason: "stranger" } as const : taken
          })

        /** Nothing is said to machines and to whom it cannot be from; else the sender hears that it is not on its way. */
        const answer = (token: string, mail: Arrived) =>
          Effect.gen(function*() {
            const found = yield* inbox.findTeam(token)
            if (Option.isNone(found)) return yield* drop("unknown_address")
            const { addresses, member: { email }, orgName, sent } = found.value
            const to = { addresses, guest: { email }, orgName, sent, strict: true }
            const reading = yield* readFor(to, mail)
            if (reading._tag === "Report") return yield* drop("automatic")
            if (reading._tag === "Dropped") {
              if (reading.reason === "undecided") return later
              yield* inbox.drop(reading.reason)
              return told.has(reading.reason) ? refused(reading.reason) : dropped(reading.reason)
            }
            const outcome = yield* inbox.answer({ ...reading.mail, token })
            return outcome === "dropped" ? refused("stranger") : taken
          })

        const by = { bounce: report, team: answer, reply }

        const receiveAt = (own: OwnAddress | undefined, mail: Arrived): Effect.Effect<Received> => {
          if (mail.raw.length > mostBytes) return drop("too_large")
          return own === undefined ? drop("unknown_address") : by[own.purpose](own.token, mail)
        }

        return InboundMail.of({
          // A report may be about a mail of long ago, so any such address is taken.
          knows: (address) => {
            const own = ownAddress(address, replyDomain)
            if (own === undefined || own.purpose === "bounce") return Effect.succeed(own !== undefined)
            return own.purpose === "team"
              ? Effect.map(inbox.findTeam(own.token), Option.isSome)
              : Effect.map(inbox.find(own.token), Option.isSome)
          },
          isOurs: (address) => ownAddress(address, replyDomain) !== undefined,
          receive: (raw, envelope, verdict) =>
            Effect.forEach(
              envelope.to,
              (address) => receiveAt(ownAddress(address, replyDomain), { raw, envelope, verdict: verdict ?? null })
            ).pipe(Effect.withSpan("InboundMail.receive", { attributes: { bytes: raw.length } })),
          refused: inbox.drop
        })
      })
    )
}

type Arrived = Pick<Request, "envelope" | "raw" | "verdict">

const taken: Received = { _tag: "Taken" }
const later: Received = { _tag: "Later" }
const dropped = (reason: DropReason): Received => ({ _tag: "Dropped", reason })
const refused = (reason: DropReason): Received => ({ _tag: "Refused", reason })

/** A person may have written these, and believes that the guest gets them. */
const told: ReadonlySet<DropReason> = new Set(["stranger", "forged", "unverified", "unreadable"])
