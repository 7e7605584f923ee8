import { staffEndLogin, staffLogins } from "@trailbook/core/staff/staffOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"

/** Active logins of the staff. */
export const view: PageView = ({ login, run, shown: { format, site } }) =>
  Effect.map(run(staffLogins, {}), ({ data }) => ({
    title: "Signed-in browsers",
    part: "team",
    lead: "Sign out a browser to require a new sign-in.",
    body: (
      <section class="card" aria-label="Logins">
        <ul class="rows">
          {data.map(({ device, email, id, last_used_at }) => (
            <li key={id}>
              <div class="grow">
                <b dir="auto">{email}</b>
                {id === login.id && <span class="tag ok">this browser</span>}
                <p class="soft small">{device}</p>
                <p class="soft small">last used on {format.day(last_used_at)}</p>
              </div>
              {id !== login.id && (
                <form method="post" action={site.link(`/dashboard/logins/${id}/end`)}>
                  <button class="btn bad" aria-label={`Sign out: ${email}`}>Sign out</button>
                </form>
              )}
            </li>
          ))}
        </ul>
      </section>
    )
  }))

export const act: FormAction = ({ param, run }) =>
  Effect.as(ignoreNotFound(run(staffEndLogin, { id: param("id") })), withFlash("/dashboard/logins", "ended"))
