/**
 * @since 0.1.0
 */
import * as Event from "../port/Event.ts"
import { OrgView } from "./OrgView.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const orgEvents = [
  Event.make("org.updated", { data: OrgView, when: "The outfitter's settings change." })
] as const
