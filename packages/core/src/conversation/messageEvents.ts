import * as Schema from "effect/Schema"
import * as Event from "../port/Event.ts"
import { means } from "../wire/Field.ts"
import { Id, ids, personal } from "../wire/View.ts"
import { MessageView } from "./MessageView.ts"

const DraftedView = Schema.Struct({
  conversation_id: means("the conversation", Id, ids.conversation),
  text: means("the draft", personal(Schema.String), "Hi Ada, yes, wetsuits are included.")
})

/**
 * @category models
 */
export const messageEvents = [
  Event.make("message.sent", {
    data: MessageView,
    when: "The outfitter writes to a guest, or the service tells a guest that their message has arrived (`system`)."
  }),
  Event.make("message.received", {
    data: MessageView,
    when: "A guest writes: on their booking's page, by mail, or with a question on the booking page."
  }),
  Event.make("message.drafted", {
    data: DraftedView,
    when: "A reply was drafted for a conversation; nothing was sent.",
    beside: "the words alone, in place of a resource"
  })
] as const
