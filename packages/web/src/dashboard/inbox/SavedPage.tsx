import { savedRepliesCreate, savedRepliesList } from "@trailbook/core/conversation/saved-reply/savedReplyOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Empty } from "../parts/Empty.tsx"
import { ReplyFields } from "./ReplyFields.tsx"

/** Saved replies. */
export const view: PageView = ({ refused, run, shown: { site } }) =>
  Effect.map(run(savedRepliesList, {}), ({ data }) => ({
    title: "Saved replies",
    part: "inbox",
    lead: <a href={site.link("/dashboard/inbox")}>Back to the inbox</a>,
    body: (
      <div class="two">
        <section class="card" aria-label="Saved replies">
          {data.length === 0 && (
            <Empty>No saved replies yet. Start with a frequent question, such as where to park.</Empty>
          )}
          <ul class="rows">
            {data.map(({ body, id, title }) => (
              <li key={id}>
                <div class="grow">
                  <b dir="auto">{title}</b>
                  <p class="soft small clamp words" dir="auto">{body}</p>
                </div>
                <a class="btn" href={site.link(`/dashboard/inbox/saved/${id}`)} aria-label={`Edit: ${title}`}>Edit</a>
                <a
                  class="btn bad"
                  href={site.link(`/dashboard/inbox/saved/${id}/delete`)}
                  aria-label={`Delete: ${title}`}
                >
                  Delete
                </a>
              </li>
            ))}
          </ul>
        </section>
        <form class="card" method="post" data-once="">
          <header>
            <h2>New saved reply</h2>
          </header>
          <div class="pad stack">
            <ReplyFields fresh={{}} refused={refused} />
            <p>
              <button class="btn main">Save</button>
            </p>
          </div>
        </form>
      </div>
    )
  }))

export const act: FormAction = ({ form, run }) =>
  Effect.as(
    run(savedRepliesCreate, { title: form["title"] ?? "", body: form["body"] ?? "" }),
    withFlash("/dashboard/inbox/saved", "replySaved")
  )
