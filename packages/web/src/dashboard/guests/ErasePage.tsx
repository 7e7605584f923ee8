import { customersDelete, customersGet } from "@trailbook/core/operation/customerOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { Check } from "../parts/Check.tsx"
import { MistakesNote, mistakesOf } from "../parts/Mistakes.tsx"
import type { Act, View } from "../View.ts"

/**
 * What goes and what stays when a guest is erased, before it is done.
 *
 * @category views
 */
export const view: View = ({ param, refused, run, shown: { format, site } }) =>
  Effect.gen(function*() {
    const { bookings, email, id, name } = yield* run(customersGet, { id: param("id") })
    const now = Instant.format(yield* moment)
    const coming = bookings.filter(({ expires_at, starts_at, status }) =>
      starts_at > now && (status === "confirmed" || (expires_at !== null && expires_at > now))
    )
    const who = name === "" ? email : `${name}, ${email}`
    return {
      title: "Erase this guest?",
      part: "guests",
      isLive: false,
      lead: email === "" ? undefined : <span dir="auto">{who}</span>,
      body: email === ""
        ? (
          <div class="stack form">
            <p class="note">They are erased already.</p>
            <p>
              <a class="btn" href={site.link("/dashboard/guests")}>All guests</a>
            </p>
          </div>
        )
        : (
          <div class="card pad stack form">
            <MistakesNote of={mistakesOf(refused, {})} />
            {coming.length > 0 && (
              <p class="note">
                {coming.length === 1
                  ? "A booking is still to come, on "
                  : `${coming.length} bookings are still to come, the first on `}
                {format.longDay(coming[0]?.starts_at ?? now)}. Erasing cancels nothing, and afterwards nobody can be
                reached about {coming.length === 1 ? "it" : "them"}: cancel first what they do not come for.{" "}
                <a href={site.link(`/dashboard/guests/${id}`)}>Look at the bookings</a>
              </p>
            )}
            <div class="stack tight">
              <h2>What goes, for good</h2>
              <ul class="points">
                <li>Name, e-mail address, phone number and your notes about them</li>
                <li>All messages with them, of either side, with photos and documents</li>
                <li>What they wrote with their bookings, and what your programs kept with them</li>
                <li>All of this also from the record of what happened, and from replies that wait to be approved</li>
              </ul>
            </div>
            <div class="stack tight">
              <h2>What stays</h2>
              <ul class="points">
                <li>
                  {bookings.length === 0
                    ? "They have no bookings."
                    : `${
                      bookings.length === 1 ? "Their booking" : `Their ${bookings.length} bookings`
                    }, without a name: ` +
                      "what was booked, when, for how much, and the reference. Your figures stay as they are."}
                </li>
                <li>
                  What you or others keep elsewhere: mails in your mailbox, exports, the payment provider's records
                </li>
              </ul>
            </div>
            <p>It cannot be undone. Do it when they have asked for it.</p>
            <form class="stack" method="post" action={site.link(`/dashboard/guests/${id}/erase`)} data-once="">
              <Check name="sure" label="They have asked to be forgotten" checked={false} required />
              <p class="acts">
                <button class="btn danger">Erase for good</button>
                <a class="btn" href={site.link(`/dashboard/guests/${id}`)}>Keep them</a>
              </p>
            </form>
          </div>
        )
    }
  })

export const act: Act = ({ form, param, run }) =>
  Effect.gen(function*() {
    if (form["sure"] !== "on") return yield* invalid("Nothing was erased: tick that they have asked for it.")
    yield* run(customersDelete, { id: param("id") })
    return saying("/dashboard/guests", "erased")
  })
