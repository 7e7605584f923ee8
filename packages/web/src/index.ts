/** The pages that Trailbook's guests see: rendered on the server, complete without JavaScript. */
export { type Pages, pages, staffPages } from "./pages.ts"
export type { SiteOptions } from "./Site.ts"
