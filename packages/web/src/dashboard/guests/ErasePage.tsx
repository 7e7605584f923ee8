import { customersDelete, customersGet } from "@trailbook/core/customer/customerOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { isActive } from "../bookings/facts.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Check } from "../parts/Check.tsx"
import { Consequence } from "../parts/Consequence.tsx"

/**
 * What goes and what stays when a guest is erased, before it is done.
 *
 * @category views
 */
export const view: PageView = (asked) =>
  Effect.map(asked.run(customersGet, { id: asked.param("id") }), ({ bookings, email, id, name }) => {
    const { clock: { stamp: now }, shown: { format, site } } = asked
    const coming = bookings.filter((booking) => booking.starts_at > now && isActive(booking, now))
    const who = name === "" ? email : `${name}, ${email}`
    return {
      title: "Erase this guest?",
      part: "guests" as const,
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
          <Consequence
            asked={asked}
            to={`/dashboard/guests/${id}/erase`}
            happens={[
              ...coming.length === 0 ? [] : [
                <b>
                  {coming.length === 1
                    ? "A booking is still to come, on "
                    : `${coming.length} bookings are still to come, the first on `}
                  {`${
                    format.longDay(coming[0]?.starts_at ?? now)
                  }. Erasing cancels nothing, and afterwards nobody can be `}
                  {`reached about ${coming.length === 1 ? "it" : "them"}: cancel first what they do not come for. `}
                  <a href={site.link(`/dashboard/guests/${id}`)}>Look at the bookings</a>
                </b>
              ],
              "Name, e-mail address, phone number and your notes about them go, for good.",
              "All messages with them go, of either side, with photos and documents.",
              "What they wrote with their bookings goes, and what your programs kept with them.",
              "All of it also goes from the record of what happened, and from replies that wait to be approved.",
              bookings.length === 0
                ? "They have no bookings that would stay."
                : `${
                  bookings.length === 1 ? "Their booking stays" : `Their ${bookings.length} bookings stay`
                }, without a ` +
                  "name: what was booked, when, for how much, and the reference. Your figures stay as they are.",
              "What is kept elsewhere stays: mails in your mailbox, exports, the payment provider's records."
            ]}
            confirm="Erase for good"
            back={`/dashboard/guests/${id}`}
            backLabel="Keep them"
          >
            <Check name="sure" label="They have asked to be forgotten" checked={false} required />
          </Consequence>
        )
    }
  })

export const act: FormAction = ({ form, param, run }) =>
  Effect.gen(function*() {
    if (form["sure"] !== "on") return yield* invalid("Nothing was erased: tick that they have asked for it.")
    yield* run(customersDelete, { id: param("id") })
    return withFlash("/dashboard/guests", "erased")
  })
