import type { DashboardContext } from "../Page.ts"

/** Returns a page's absolute URL, for links that staff members share. */
export const publicUrl = ({ site, url }: Pick<DashboardContext, "site" | "url">, path: `/${string}`): string =>
  site.absolute(path) ?? url.origin + site.link(path)
