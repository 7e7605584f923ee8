import { customersDelete, customersGet } from "@trailbook/core/customer/customerOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { isActive } from "../bookings/facts.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Check } from "../parts/Check.tsx"
import { Consequence } from "../parts/Consequence.tsx"

/** Confirmation page for erasing a guest, with the data that is deleted and kept. */
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
            <p class="note">This guest is already erased.</p>
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
                    ? "The guest has an upcoming booking on "
                    : `The guest has ${coming.length} upcoming bookings, the first on `}
                  {`${
                    format.longDay(coming[0]?.starts_at ?? now)
                  }. Erasing does not cancel bookings. Afterward, you cannot contact the guest `}
                  {`about ${coming.length === 1 ? "it" : "them"}. First cancel any booking that is no longer needed. `}
                  <a href={site.link(`/dashboard/guests/${id}`)}>View bookings</a>
                </b>
              ],
              "Name, email address, phone number, and your notes are permanently deleted.",
              "All messages with this guest are deleted, including photos and documents.",
              "Notes and metadata of their bookings are deleted.",
              "This data is also removed from past events and from proposals that await approval.",
              bookings.length === 0
                ? "The guest has no bookings."
                : `${
                  bookings.length === 1 ? "Their booking stays" : `Their ${bookings.length} bookings stay`
                } without a ` +
                  "name. The activity, date, price, and reference are kept. Your reports do not change.",
              "Copies elsewhere are not deleted: email in your mailbox, exports, and the payment provider's records."
            ]}
            confirm="Erase for good"
            back={`/dashboard/guests/${id}`}
            backLabel="Keep guest"
          >
            <Check name="sure" label="The guest asked for erasure" checked={false} required />
          </Consequence>
        )
    }
  })

export const act: FormAction = ({ form, param, run }) =>
  Effect.gen(function*() {
    if (form["sure"] !== "on") return yield* invalid("Not erased: confirm that the guest asked for erasure.")
    yield* run(customersDelete, { id: param("id") })
    return withFlash("/dashboard/guests", "erased")
  })
