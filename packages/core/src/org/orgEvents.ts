import * as Event from "../port/Event.ts"
import { OrgView } from "./OrgView.ts"

export const orgEvents = [
  Event.make("org.updated", { data: OrgView, when: "The outfitter's settings change." })
] as const
