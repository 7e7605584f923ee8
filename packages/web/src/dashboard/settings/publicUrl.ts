import type { DashboardContext } from "../Page.ts"

/** The whole address of a page, as it is given to others. */
export const publicUrl = ({ site, url }: Pick<DashboardContext, "site" | "url">, path: `/${string}`): string =>
  site.absolute(path) ?? url.origin + site.link(path)
