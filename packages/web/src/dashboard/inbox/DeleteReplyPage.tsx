import { automationsList } from "@trailbook/core/automation/automationOperations"
import { savedRepliesDelete } from "@trailbook/core/conversation/saved-reply/savedReplyOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { savedReply } from "./savedReply.ts"

/** Confirmation page for deleting a saved reply. */
export const view: PageView = (asked) =>
  Effect.zipWith(savedReply(asked), asked.run(automationsList, {}), ({ body, id, title }, { data }) => {
    const isSent = data.some(({ settings }) => settings["before_24h_reply_id"] === id)
    return {
      title: "Delete a saved reply",
      part: "inbox",
      isLive: false,
      body: (
        <Consequence
          asked={asked}
          happens={[
            ...isSent
              ? [<b>Your reminder a day before uses this reply. Without it, the Trailbook default is used.</b>]
              : [],
            <>
              <b dir="auto">{title}</b> is deleted: <span class="words soft" dir="auto">{body}</span>
            </>,
            "Messages sent with it do not change.",
            "This cannot be undone."
          ]}
          confirm="Delete saved reply"
          back="/dashboard/inbox/saved"
          backLabel="Keep it"
        />
      )
    }
  })

export const act: FormAction = ({ param, run }) =>
  Effect.as(
    ignoreNotFound(run(savedRepliesDelete, { id: param("id") })),
    withFlash("/dashboard/inbox/saved", "replyDeleted")
  )
