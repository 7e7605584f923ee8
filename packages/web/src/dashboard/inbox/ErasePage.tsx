import { conversationsDelete, conversationsGet } from "@trailbook/core/operation/conversationOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import type { Act, View } from "../View.ts"
import { guestOf } from "./people.ts"

/**
 * What erasing a question does, before it is done.
 *
 * @category views
 */
export const view: View = ({ param, refused, run, shown: { site } }) =>
  Effect.map(run(conversationsGet, { id: param("id") }), (thread) => {
    const { name } = guestOf(thread)
    const back = site.link(`/dashboard/inbox/${thread.id}`)
    return {
      title: "Erase this question",
      part: "inbox",
      isLive: false,
      body: (
        <div class="card pad stack">
          {refused !== undefined && <p class="note wrong" role="alert">{refused.message}</p>}
          {thread.customer !== null
            ? (
              <>
                <p>
                  <b dir="auto">{name}</b> has booked with you. Their messages are erased with everything else of them.
                </p>
                <p>
                  <a class="btn" href={site.link(`/dashboard/guests/${thread.customer.id}`)}>Go to the guest</a>
                </p>
              </>
            )
            : (
              <>
                <p>
                  All that <b dir="auto">{name}</b>{" "}
                  and you have written to each other is erased, with their name, e-mail and files.{" "}
                  {counted(thread.thread.length)}
                </p>
                <ul class="bullets">
                  <li>It is taken out of past events too.</li>
                  <li>Nobody is mailed.</li>
                  <li>It cannot be undone.</li>
                </ul>
                <form class="acts" method="post">
                  <button class="btn bad">Erase for good</button>
                  <a class="btn" href={back}>Keep it</a>
                </form>
              </>
            )}
        </div>
      )
    }
  })

const counted = (rows: number): string => rows === 1 ? "It is one message." : `These are ${rows} messages.`

export const act: Act = ({ param, run }) =>
  Effect.as(run(conversationsDelete, { id: param("id") }), saying("/dashboard/inbox", "erased"))
