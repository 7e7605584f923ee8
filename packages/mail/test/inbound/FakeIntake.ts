/**
 * A fake `MailIntake` that satisfies the port's contract. It stores an email once per key and drops email from senders
 * other than the guest. While the fake is broken, every call fails.
 */
import { type MailDropReason, MailIntake, type ParsedMail, type ReplyContext } from "@trailbook/core/conversation"
import type { DeliveryReport } from "@trailbook/core/conversation/mail-intake/recordDeliveryReport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const replies = join(import.meta.dirname, "../replies")

const thread: Pick<ReplyContext, "addresses" | "orgName" | "sent"> = JSON.parse(
  readFileSync(join(replies, "thread.json"), "utf8")
)

export const token = thread.addresses[0]?.replace("reply+", "") ?? ""
export const replyDomain = "in.trailbook.example"
export const address = `reply+${token}@${replyDomain}`
export const bounceToken = "bounce7k2m9q4t8w3z6b1n5r0s"
export const bounceAddress = `bounce+${bounceToken}@${replyDomain}`

export const conversation: ReplyContext = {
  ...thread,
  senderEmail: "ada@example.com",
  strict: false
}

export const teamToken = `${token}${"t".repeat(26)}`
export const teamAddress = `team+${teamToken}@${replyDomain}`

/** The context for a staff member's email reply to a guest's message. */
export const team: ReplyContext = {
  orgName: conversation.orgName,
  senderEmail: "bo@pine.example",
  strict: true,
  addresses: [`team+${teamToken}`],
  sent: ["Are wetsuits included, or do we have to bring our own?\nThere are four of us."]
}

export interface FakeIntake {
  readonly taken: Array<ParsedMail>
  /** Staff replies to guests. */
  readonly answers: Array<ParsedMail>
  readonly reports: Array<DeliveryReport>
  readonly drops: Array<MailDropReason>
  broken: boolean
  readonly layer: Layer.Layer<MailIntake>
}

export const make = (): FakeIntake => {
  const keys = new Set<string>()
  const guard = <A>(answer: () => A): Effect.Effect<A> =>
    Effect.suspend(() => intake.broken ? Effect.die(new Error("The database is gone.")) : Effect.sync(answer))
  const intake: FakeIntake = {
    taken: [],
    answers: [],
    reports: [],
    drops: [],
    broken: false,
    layer: Layer.succeed(
      MailIntake,
      MailIntake.of({
        loadReplyContext: (mailToken) =>
          guard(() => {
            const [knownToken, context] = mailToken.purpose === "team" ? [teamToken, team] : [token, conversation]
            return mailToken.token === knownToken ? Option.some(context) : Option.none()
          }),
        acceptReply: ({ purpose, token: _token, ...mail }) =>
          guard(() => {
            if (purpose === "team") {
              if (mail.from.email !== team.senderEmail) return "dropped"
              intake.answers.push(mail)
              return "taken"
            }
            if (mail.from.email !== conversation.senderEmail) return "dropped"
            if (keys.has(mail.mailKey)) return "again"
            keys.add(mail.mailKey)
            intake.taken.push(mail)
            return "taken"
          }),
        isReportable: (mailToken) => guard(() => mailToken === bounceToken),
        recordReport: (report) => guard(() => void intake.reports.push(report)),
        drop: (reason) => guard(() => void intake.drops.push(reason))
      })
    )
  }
  return intake
}
