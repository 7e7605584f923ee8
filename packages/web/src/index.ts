/** Trailbook's server-rendered pages. Guest pages work without JavaScript. */
export { type Pages, pages, staffPages } from "./pages.ts"
export type { SiteOptions } from "./Site.ts"
