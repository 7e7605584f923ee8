import * as Event from "../port/Event.ts"
import { MessageView } from "./MessageView.ts"

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
  })
] as const
