/** Saved replies: the list, a form for a new reply, and the pages to edit and delete a reply. */
import { notFound } from "@trailbook/core"
import { automationsList } from "@trailbook/core/automation"
import {
  savedRepliesCreate,
  savedRepliesDelete,
  savedRepliesList,
  savedRepliesUpdate,
  templateVariables
} from "@trailbook/core/conversation"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../operationCaller.ts"
import { Button, EmptyNote, Link } from "../kit/elements.tsx"
import { Form, formPage, makeOperationForm } from "../kit/operationForm.tsx"
import { confirmPage, page, type PageContext, redirectTo } from "../kit/page.tsx"

const fields = {
  title: { label: "Title", hint: "For your team only. Guests do not see the title." },
  body: {
    label: "Text",
    hint: `These placeholders are replaced for each guest: ${templateVariables.map((name) => `{${name}}`).join(", ")}`,
    rows: 6
  }
} as const

const newReplyForm = makeOperationForm(savedRepliesCreate, fields)

const savedPath = redirectTo("/inbox/saved", "replySaved")

export const savedRepliesPage = page("/inbox/saved", {
  *view({ run }) {
    const { data } = yield* run(savedRepliesList, {})
    return {
      title: "Saved replies",
      isLive: true,
      lead: <Link to="/inbox">Back to inbox</Link>,
      body: (
        <div class="two">
          <section class="card" aria-label="Saved replies">
            {data.length === 0 && (
              <EmptyNote>No saved replies yet. Start with a frequent question, such as where to park.</EmptyNote>
            )}
            <ul class="rows">
              {data.map(({ body, id, title }) => (
                <li key={id}>
                  <div class="grow">
                    <b dir="auto">{title}</b>
                    <p class="soft small clamp words" dir="auto">{body}</p>
                  </div>
                  <Button to={`/inbox/saved/${id}`} aria-label={`Edit: ${title}`}>Edit</Button>
                  <Button look="bad" to={`/inbox/saved/${id}/delete`} aria-label={`Delete: ${title}`}>Delete</Button>
                </li>
              ))}
            </ul>
          </section>
          <Form of={newReplyForm} title="New saved reply" button="Save" />
        </div>
      )
    }
  },
  *submit(context) {
    yield* context.run(savedRepliesCreate, yield* newReplyForm.read(context))
    return savedPath
  }
})

/** Loads the saved reply specified in the path. */
const loadSavedReply = ({ id, run }: PageContext) =>
  Effect.flatMap(run(savedRepliesList, {}), ({ data }) => {
    const match = data.find((reply) => reply.id === id)
    return match === undefined ? notFound("saved reply", "here") : Effect.succeed(match)
  })

export const editSavedReplyPage = formPage("/inbox/saved/:id", savedRepliesUpdate, {
  fields,
  *view(context) {
    return {
      title: "Edit saved reply",
      isLive: true,
      lead: <Link to="/inbox/saved">Back to saved replies</Link>,
      class: "card pad stack",
      values: yield* loadSavedReply(context),
      button: "Save"
    }
  },
  submit: ({ id, run }, input) => Effect.as(run(savedRepliesUpdate, { ...input, id }), savedPath)
})

export const deleteSavedReplyPage = confirmPage("/inbox/saved/:id/delete", {
  *view(context) {
    const { body, id, title } = yield* loadSavedReply(context)
    const { data } = yield* context.run(automationsList, {})
    const isSent = data.some(({ settings }) => settings["before_24h_reply_id"] === id)
    return {
      title: "Delete this saved reply?",
      happens: [
        ...isSent
          ? [
            <b>
              Your reminder 1 day before the trip uses this reply. After deletion, it uses the Trailbook default text.
            </b>
          ]
          : [],
        <>
          <b dir="auto">{title}</b> is deleted: <span class="words soft" dir="auto">{body}</span>
        </>,
        "Messages already sent with this reply do not change.",
        "This cannot be undone."
      ],
      button: "Delete saved reply",
      back: "/inbox/saved",
      backLabel: "Keep saved reply"
    }
  },
  submit: ({ id, run }) =>
    Effect.as(ignoreNotFound(run(savedRepliesDelete, { id })), redirectTo("/inbox/saved", "replyDeleted"))
})
