/** The error pages. Every missing resource gets the same page, whatever the reason. */
import type { HttpFailure } from "@trailbook/http/HttpFailure"
import type { Reply } from "@trailbook/http/response/Reply"
import type { Text } from "../text/Text.ts"
import * as Document from "./Document.tsx"
import type { RenderContext } from "./RenderContext.ts"

/** Why access is forbidden: the form came from another site, or the action is limited to owners. */
export type ForbiddenReason = "foreign" | "owners"

export const makeErrorReply = (
  context: RenderContext,
  failure: HttpFailure,
  requestId: string,
  forbidden: ForbiddenReason = "foreign"
): Reply => {
  const { text, title } = wordsOf(context.text.frame.wrong, failure, forbidden)
  const { broken } = context.text.frame.wrong
  return Document.makePageReply(failure.status, context, {
    title,
    // Allow frames, because errors must also be visible on an embedded booking page.
    frames: "*",
    body: (
      <div class="wrap">
        <main class="stack lost">
          <h1>{title}</h1>
          <p>{text}</p>
          {failure.status >= 500 && <p class="soft small">{broken.id(requestId)}</p>}
        </main>
      </div>
    )
  })
}

const wordsOf = (wrong: Text["frame"]["wrong"], { code, headers, status }: HttpFailure, forbidden: ForbiddenReason) => {
  if (status === 404 || status === 405) return wrong.notFound
  if (status === 403 && code === "forbidden") return wrong[forbidden]
  if (status === 429) return { ...wrong.often, text: wrong.often.text(Number(headers["retry-after"] ?? 60)) }
  if (status === 503) return wrong.unavailable
  return status >= 500 ? wrong.broken : wrong.unreadable
}
