import type { RenderContext } from "./RenderContext.ts"

/**
 * Returns the query parameters that every link keeps: the selected language and the embedding mode. A GET form drops
 * its action's query, so it carries these parameters as hidden fields.
 */
export const getPersistentParameters = ({ searchParams }: URL): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(["lang", "embed", "accent"].map((name) => [name, searchParams.get(name) ?? undefined]))

/** Whether a logo or cover was uploaded. If so, the value is a path instead of a URL on another site. */
export const isUploadedImage = (url: string | null): url is `/${string}` => url?.startsWith("/") === true

/** Returns the URL of a logo or cover. */
export const buildImageHref = ({ site }: Pick<RenderContext, "site">, url: string): string =>
  isUploadedImage(url) ? site.link(url) : url

/** Builds a URL with a query. Undefined values are omitted. */
export const href = (
  { site, url }: Pick<RenderContext, "site" | "url">,
  path: `/${string}`,
  query: Readonly<Record<string, string | number | undefined>> = {}
): string => {
  const all = new URLSearchParams()
  for (const [name, value] of [...Object.entries(query), ...Object.entries(getPersistentParameters(url))]) {
    if (value !== undefined && !all.has(name)) all.set(name, String(value))
  }
  const text = all.toString()
  return site.link(path) + (text === "" ? "" : `?${text}`)
}

/**
 * Returns whether pages can show a file as an image. Most browsers cannot display HEIC, so pages link to such files.
 */
export const isDisplayableImage = (type: string): boolean => type.startsWith("image/") && type !== "image/heic"
