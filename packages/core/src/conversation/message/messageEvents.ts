import * as Schema from "effect/Schema"
import type { AttachmentView } from "../../file/AttachmentView.ts"
import * as Event from "../../port/Event.ts"
import { withDescription } from "../../wire/Field.ts"
import { Id, ids, personal } from "../../wire/View.ts"
import type { Message } from "./Message.ts"
import { MessageView, messageView } from "./MessageView.ts"

const Drafted = Schema.Struct({
  conversation_id: withDescription("the conversation that the draft is for", Id, ids.conversation),
  text: withDescription("the draft, as plain text", personal(Schema.String), "Yes, wetsuits are included.")
}).annotations({ identifier: "Draft" })

export const messageEvents = [
  Event.make("message.sent", {
    data: MessageView,
    when: "The outfitter writes to a guest, or the service acknowledges a guest's message (`system`)."
  }),
  Event.make("message.received", {
    data: MessageView,
    when: "A guest writes on their guest page or by email, or asks a question on the booking page."
  }),
  Event.make("message.drafted", {
    data: Drafted,
    when: "A language model drafts a reply. Nothing is sent."
  })
] as const

/** Returns the event for a written message. */
export const messageEvent = (
  message: Message,
  attachments: ReadonlyArray<AttachmentView> = []
): Extract<Event.EventPayload<typeof messageEvents>, { readonly type: "message.sent" | "message.received" }> => ({
  orgId: message.orgId,
  type: message.direction === "to_guest" ? "message.sent" : "message.received",
  data: messageView(message, attachments),
  person: message.customerId ?? message.conversationId,
  createdAt: message.createdAt
})
