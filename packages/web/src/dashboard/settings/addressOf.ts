import type { DeskShown } from "../View.ts"

/**
 * The whole address of a page, as it is given to others.
 *
 * @category getters
 */
export const addressOf = ({ site, url }: Pick<DeskShown, "site" | "url">, path: `/${string}`): string =>
  site.absolute(path) ?? url.origin + site.link(path)
