/**
 * Email replies of the staff to guests. Each staff member has their own address in each conversation. Only their email
 * to this address is forwarded to the guest.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { OrgStore } from "../org/OrgStore.ts"
import { deriveKey } from "../port/deriveIdempotencyKey.ts"
import { Ids } from "../port/Ids.ts"
import { StaffStore } from "../staff/StaffStore.ts"
import { countDroppedMail } from "./droppedMailMetric.ts"
import { makeFindByReplyToken, maxQuotedMessages, withTenant } from "./findByReplyToken.ts"
import { makeGuestContact } from "./guestContact.ts"
import type { AcceptResult, InboundMailHandler, ParsedMail } from "./InboundMail.ts"
import type { AttachmentRef } from "./loadAttachments.ts"
import type { MessageKind } from "./Message.ts"
import { Messages } from "./Messages.ts"
import { MessageStore } from "./MessageStore.ts"
import { makeStaffReplyToken, parseStaffReplyToken } from "./staffReplyToken.ts"
import { makeStoreMailFiles } from "./storeMailFiles.ts"

export const makeStaffReplies = Effect.gen(function*() {
  const guestOf = yield* makeGuestContact
  const ids = yield* Ids
  const keep = yield* makeStoreMailFiles
  const messages = yield* MessageStore
  const orgs = yield* OrgStore
  const reached = yield* makeFindByReplyToken
  const { send } = yield* Messages
  const staff = yield* StaffStore

  /** Finds the staff member and the conversation of an address. */
  const answering = (token: string) =>
    Effect.gen(function*() {
      const conversation = yield* reached(parseStaffReplyToken(token))
      if (conversation === undefined) return undefined
      return yield* withTenant(conversation.orgId)(Effect.gen(function*() {
        const { orgId } = conversation
        const own = parseStaffReplyToken(token)
        const member = (yield* staff.list(orgId)).find(({ id }) => makeStaffReplyToken(ids, own, id) === token)
        const guest = yield* guestOf(conversation)
        return member === undefined || guest.email === "" ? undefined : { conversation, member }
      }))
    })

  const answered = (mail: ParsedMail): Effect.Effect<AcceptResult> =>
    Effect.gen(function*() {
      const found = yield* answering(mail.token)
      if (found === undefined || found.member.email !== mail.from.email.toLowerCase()) return "dropped"
      const { id: conversationId, orgId } = found.conversation
      return yield* withTenant(orgId)(Effect.gen(function*() {
        const { body, files, lost } = yield* keep(orgId, mail)
        const write = (kind: MessageKind, body: string, files: ReadonlyArray<AttachmentRef>) => {
          const key = deriveKey(ids, `${orgId} ${mail.token} ${mail.mailKey} ${kind}`)
          return send({
            orgId,
            to: { conversationId },
            body,
            subject: "",
            kind,
            sentBy: "dashboard",
            files,
            // A server that retries delivers the same message.
            keyed: () => ({ orgId, operation: "mail.answer", key, fingerprint: mail.mailKey, derived: false })
          })
        }
        return yield* write("message", body, files).pipe(
          // Lost files are reported to the staff in a note, not to the guest.
          Effect.zipRight(lost.length === 0 ? Effect.void : write("note", lost.join("\n\n"), [])),
          Effect.as("taken" as const),
          // The guest was erased in the meantime, or a copy of the email has used the files.
          Effect.catchAll(({ code }) =>
            Effect.succeed(code === "attachment_used" ? "again" as const : "dropped" as const)
          )
        )
      }))
    })

  return {
    findTeam: (token) =>
      Effect.gen(function*() {
        const found = yield* answering(token)
        if (found === undefined) return Option.none()
        const { conversation, member: { email, name } } = found
        return yield* withTenant(conversation.orgId)(Effect.gen(function*() {
          const org = Option.getOrUndefined(yield* orgs.find(conversation.orgId))
          if (org === undefined) return Option.none()
          const written = yield* messages.latest(conversation, maxQuotedMessages)
          return Option.some({
            orgId: org.id,
            orgName: org.name,
            member: { email, name },
            addresses: [`team+${token}`],
            sent: written.filter(({ direction }) => direction === "to_outfitter").map(({ body }) => body)
          })
        }))
      }),
    answer: (mail) =>
      Effect.tap(answered(mail), (answer) => answer === "dropped" ? countDroppedMail("stranger") : Effect.void)
  } satisfies Pick<InboundMailHandler["Type"], "answer" | "findTeam">
})
