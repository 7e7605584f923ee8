import * as Effect from "effect/Effect"
import { guests } from "../conversation/guests.ts"
import { teamToken } from "../conversation/teamToken.ts"
import { oneLine } from "../mail/oneLine.ts"
import { teamAddress } from "../mail/replyAddress.ts"
import { Ids } from "../port/Ids.ts"
import { messageSubjects } from "./messageSubjects.ts"
import { notices } from "./notices.ts"
import type { Options } from "./TaskHandlers.ts"

/**
 * Tells the staff what a guest has written, in the guest's words. Where mail comes in,
 * a mail of it can be answered, and the guest gets the answer.
 *
 * @category handlers
 */
export const staffMails = ({ replyDomain }: Pick<Options, "replyDomain">) =>
  Effect.gen(function*() {
    const guestOf = yield* guests
    const ids = yield* Ids
    const read = yield* messageSubjects

    return yield* notices(read, ({ conversation, message }, member) =>
      Effect.map(guestOf(conversation), (guest) => {
        if (guest.email === "") return undefined
        const who = oneLine(guest.name) || guest.email
        // What the service has noted is told of, and nobody answers it.
        const isNote = message.kind === "note"
        const address = isNote ? undefined : teamAddress(teamToken(ids, conversation.token, member.id), replyDomain)
        return {
          about: isNote ? "undelivered" : "message",
          aboutId: message.id,
          subject: isNote ? `A mail did not reach ${who}` : `${who} has written`,
          text: message.body,
          replyTo: address === undefined ? null : { name: who, email: address }
        }
      }))
  })
