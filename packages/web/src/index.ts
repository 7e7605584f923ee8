/** Trailbook's server-rendered pages. Guest pages work without JavaScript. */
export { makeGuestPages, makeStaffPages, type Pages } from "./guestPages.ts"
export type { SiteOptions } from "./Site.ts"
