import * as Event from "../port/Event.ts"
import { OrgView } from "./OrgView.ts"

/**
 * @category models
 */
export const orgEvents = [
  Event.make("org.updated", { data: OrgView, when: "The outfitter's settings change." })
] as const
