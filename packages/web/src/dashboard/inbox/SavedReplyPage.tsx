import { savedRepliesUpdate } from "@trailbook/core/conversation/saved-reply/savedReplyOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { ReplyFields } from "./ReplyFields.tsx"
import { savedReply } from "./savedReply.ts"

export const view: PageView = (asked) =>
  Effect.map(savedReply(asked), ({ body, title }) => ({
    title: "Edit saved reply",
    part: "inbox",
    lead: <a href={asked.shown.site.link("/dashboard/inbox/saved")}>Back to saved replies</a>,
    body: (
      <form class="card pad stack" method="post" data-once="">
        <ReplyFields fresh={{ title, body }} refused={asked.refused} />
        <p>
          <button class="btn main">Save</button>
        </p>
      </form>
    )
  }))

export const act: FormAction = ({ form, param, run }) =>
  Effect.as(
    run(savedRepliesUpdate, { id: param("id"), title: form["title"] ?? "", body: form["body"] ?? "" }),
    withFlash("/dashboard/inbox/saved", "replySaved")
  )
