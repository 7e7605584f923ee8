import type { RenderContext } from "./RenderContext.ts"

/**
 * What was said once goes along to every page: the language that was chosen, and how the page is embedded. A form that is
 * sent with GET leaves out the query of its address, and has these as fields.
 */
export const carriedBy = ({ searchParams }: URL): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(["lang", "embed", "accent"].map((name) => [name, searchParams.get(name) ?? undefined]))

/** The address of a page with a query; what is undefined is left out. */
export const href = (
  { site, url }: Pick<RenderContext, "site" | "url">,
  path: `/${string}`,
  query: Readonly<Record<string, string | number | undefined>> = {}
): string => {
  const all = new URLSearchParams()
  for (const [name, value] of [...Object.entries(query), ...Object.entries(carriedBy(url))]) {
    if (value !== undefined && !all.has(name)) all.set(name, String(value))
  }
  const text = all.toString()
  return site.link(path) + (text === "" ? "" : `?${text}`)
}
