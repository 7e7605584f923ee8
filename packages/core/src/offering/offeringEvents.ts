import * as Event from "../port/Event.ts"
import { OfferingView, OfferingWithHoursView } from "./OfferingView.ts"

export const offeringEvents = [
  Event.make("offering.created", { data: OfferingView, when: "An offering is added." }),
  Event.make("offering.updated", { data: OfferingView, when: "An offering is changed, paused, or resumed." }),
  Event.make("offering.deleted", {
    data: OfferingView,
    when: "An offering is deleted after its upcoming bookings are canceled."
  }),
  Event.make("offering.hours_updated", {
    data: OfferingWithHoursView,
    when: "An offering's opening hours are replaced."
  })
] as const
