/** Trailbook's server-rendered pages. Guest pages work without JavaScript. */
export { makeGuestPages, makeStaffPages, type Pages } from "./pages.ts"
export type { SiteOptions } from "./Site.ts"
