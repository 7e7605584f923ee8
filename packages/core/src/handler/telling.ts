/**
 * Telling the staff, by the program's own notifier or else by mail.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { generated } from "../mail/generated.ts"
import { Mailer } from "../mail/Mailer.ts"
import { messageMail } from "../mail/messageMail.ts"
import { oneLine } from "../mail/oneLine.ts"
import { ended } from "../org/ended.ts"
import { type Notice, Notifier, NotifyFailed } from "../staff/Notifier.ts"
import type { StaffMember } from "../staff/StaffMember.ts"
import { TaskFailed } from "../task/Handler.ts"

/**
 * Tells one person, as a task does.
 *
 * @category constructors
 */
export const telling = Effect.gen(function*() {
  const mailer = yield* Mailer
  const notifier = Option.getOrElse(yield* Effect.serviceOption(Notifier), () => byMail(mailer))
  return (notice: Notice): Effect.Effect<"done", TaskFailed> =>
    Effect.mapBoth(notifier.tell(notice), {
      onSuccess: () => "done" as const,
      onFailure: ({ message, permanent }) => new TaskFailed({ message, permanent })
    })
})

/**
 * A person, as a notice names them.
 *
 * @category constructors
 */
export const recipient = ({ email, id, name }: StaffMember): Notice["to"] => ({ id, name: oneLine(name), email })

const byMail = (mailer: Mailer["Type"]): Notifier["Type"] => ({
  tell: (notice) =>
    mailer.send({
      ...generated,
      id: notice.id,
      from: { name: notice.org.name },
      to: { name: notice.to.name, email: notice.to.email },
      replyTo: notice.replyTo,
      subject: notice.subject,
      ...messageMail(notice.text, notes(notice))
    }).pipe(
      Effect.asVoid,
      Effect.mapError(({ message, permanent }) => new NotifyFailed({ message, permanent }))
    )
})

/** What a mail says below the words, of itself. */
const notes = ({ about, org, replyTo }: Notice): ReadonlyArray<string> => {
  if (about === "undelivered") return ["This stands in your conversation with the guest, too."]
  if (about !== "message") return [`You get this message because you are told of what happens at ${ended(org.name)}`]
  return [
    `A guest wrote this to ${ended(org.name)}`,
    replyTo === null
      ? "An answer to this mail does not reach the guest: answer in the conversation."
      : "Answer this mail from your own address: what you write goes to the guest."
  ]
}
