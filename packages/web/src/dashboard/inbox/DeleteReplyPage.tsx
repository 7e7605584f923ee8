import { automationsList } from "@trailbook/core/operation/automationOperations"
import { savedRepliesDelete } from "@trailbook/core/operation/savedReplyOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { orOver } from "../orOver.ts"
import type { Act, View } from "../View.ts"
import { savedReply } from "./savedReply.ts"

/**
 * What deleting a saved reply does, before it is done.
 *
 * @category views
 */
export const view: View = (asked) =>
  Effect.zipWith(savedReply(asked), asked.run(automationsList, {}), ({ body, id, title }, { data }) => {
    const isSent = data.some(({ settings }) => settings["before_24h_reply_id"] === id)
    const { site } = asked.shown
    return {
      title: "Delete a saved reply",
      part: "inbox",
      isLive: false,
      body: (
        <div class="card pad stack">
          <p>
            <b dir="auto">{title}</b>
          </p>
          <p class="words soft" dir="auto">{body}</p>
          <p>
            {isSent
              ? "Your reminder a day before is made of these words. Without them it says Trailbook’s own."
              : "What was sent with it stays as it is."} It cannot be undone.
          </p>
          <form class="acts" method="post">
            <button class="btn bad">Delete</button>
            <a class="btn" href={site.link("/dashboard/inbox/saved")}>Keep it</a>
          </form>
        </div>
      )
    }
  })

export const act: Act = ({ param, run }) =>
  Effect.as(orOver(run(savedRepliesDelete, { id: param("id") })), saying("/dashboard/inbox/saved", "replyDeleted"))
