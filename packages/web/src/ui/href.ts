import type { Shown } from "./Shown.ts"

/** What was said once goes along to every page: the language that was chosen, and how the page is embedded. */
const carried = ["lang", "embed", "accent"] as const

/**
 * The address of a page with a query; what is undefined is left out.
 *
 * @category converting
 */
export const href = (
  { site, url }: Pick<Shown, "site" | "url">,
  path: `/${string}`,
  query: Readonly<Record<string, string | number | undefined>> = {}
): string => {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) all.set(name, String(value))
  for (const name of carried) {
    const value = url.searchParams.get(name)
    if (value !== null && !all.has(name)) all.set(name, value)
  }
  const text = all.toString()
  return site.link(path) + (text === "" ? "" : `?${text}`)
}
