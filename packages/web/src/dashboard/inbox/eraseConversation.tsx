import { conversationsDelete, conversationsGet } from "@trailbook/core/conversation"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/getFlashMessage.ts"
import { Button, ErrorNote } from "../kit/elements.tsx"
import { confirmPage } from "../kit/page.tsx"
import { getConversationGuest } from "./getConversationGuest.ts"

/** Erases a question from a person without a booking. A guest's messages are erased along with the guest. */
export const eraseConversationPage = confirmPage("/inbox/:id/erase", {
  *view({ id, rejection, run }) {
    const conversation = yield* run(conversationsGet, { id })
    const { customer, thread } = conversation
    const { name } = getConversationGuest(conversation)
    const head = {
      title: "Erase this question?",
      back: `/inbox/${conversation.id}`,
      backLabel: "Keep question"
    } as const
    if (customer !== null) {
      return {
        ...head,
        body: (
          <div class="stack form">
            {rejection !== undefined && <ErrorNote>{rejection.message}</ErrorNote>}
            <p>
              <b dir="auto">{name}</b> has booked with you. Erase the guest to erase their messages.
            </p>
            <p class="acts">
              <Button to={`/guests/${customer.id}`}>Go to guest</Button>
              <Button look="plain" to={head.back}>Keep question</Button>
            </p>
          </div>
        )
      }
    }
    return {
      ...head,
      happens: [
        <>
          All messages between you and <b dir="auto">{name}</b> ({thread.length}{" "}
          in total) are erased, including their name, email, and files.
        </>,
        "The text of these messages is also removed from past events.",
        "No email is sent.",
        "This cannot be undone."
      ],
      button: "Erase permanently"
    }
  },
  submit: ({ id, run }) => Effect.as(run(conversationsDelete, { id }), withFlash("/dashboard/inbox", "erased"))
})
