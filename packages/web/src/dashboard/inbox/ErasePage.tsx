import { conversationsDelete, conversationsGet } from "@trailbook/core/conversation/conversationOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { conversationGuest } from "./conversationGuest.ts"

/** Confirmation page for erasing a question. */
export const view: PageView = (asked) =>
  Effect.map(asked.run(conversationsGet, { id: asked.param("id") }), (thread) => {
    const { refused, shown: { site } } = asked
    const { name } = conversationGuest(thread)
    const back = `/dashboard/inbox/${thread.id}` as const
    return {
      title: "Erase this question",
      part: "inbox",
      isLive: false,
      body: thread.customer === null
        ? (
          <Consequence
            asked={asked}
            happens={[
              <>
                All that <b dir="auto">{name}</b>{" "}
                and you wrote to each other is erased, including their name, email, and files.{" "}
                {counted(thread.thread.length)}
              </>,
              "Their text is also removed from past events.",
              "No email is sent.",
              "This cannot be undone."
            ]}
            confirm="Erase for good"
            back={back}
            backLabel="Keep it"
          />
        )
        : (
          <div class="stack form">
            {refused !== undefined && (
              <p class="note wrong" role="alert" tabIndex={-1} data-focus="">{refused.message}</p>
            )}
            <p>
              <b dir="auto">{name}</b> has booked with you. Erase the guest to erase their messages.
            </p>
            <p class="acts">
              <a class="btn" href={site.link(`/dashboard/guests/${thread.customer.id}`)}>Go to guest</a>
              <a class="btn plain" href={site.link(back)}>Keep it</a>
            </p>
          </div>
        )
    }
  })

const counted = (rows: number): string => rows === 1 ? "It is one message." : `These are ${rows} messages.`

export const act: FormAction = ({ param, run }) =>
  Effect.as(run(conversationsDelete, { id: param("id") }), withFlash("/dashboard/inbox", "erased"))
