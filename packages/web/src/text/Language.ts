import { type Language, languages } from "@trailbook/core/wire/Language"

export { type Language, languages }

/** What somebody reads best: which words, and whose way of writing dates and amounts. */
export interface Reader {
  readonly language: Language
  /** Such as `en-GB`; of the regions below, so that there are few of them. */
  readonly locale: string
}

/** Where a language is written otherwise. The first of each is taken where no region is asked for. */
const regions: Readonly<Record<Language, ReadonlyArray<string>>> = {
  en: ["US", "AU", "CA", "GB", "IE", "IN", "NZ", "ZA"],
  es: ["ES", "AR", "CL", "CO", "MX", "PE", "US"]
}

/** Reads it off a request: `?lang` says it, else the browser. */
export const detectReader = (request: Request): Reader => {
  const { searchParams } = new URL(request.url)
  const said = searchParams.get("lang")
  const tags = [...said === null ? [] : [said], ...preferred(request.headers.get("accept-language") ?? "")]
  for (const tag of tags) {
    const [name, region] = tag.split("-", 2)
    const language = languages.find((known) => known === name?.toLowerCase())
    if (language === undefined) continue
    const known = regions[language].find((known) => known === region?.toUpperCase()) ?? regions[language][0]
    return { language, locale: `${language}-${known}` }
  }
  return { language: "en", locale: "en-US" }
}

/** The tags of an `Accept-Language`, the most wanted first. */
const preferred = (header: string): ReadonlyArray<string> =>
  header.slice(0, 200).split(",").map((part) => {
    const [tag = "", weight] = part.split(/;\s*q=/)
    return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
  }).filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight).map(({ tag }) => tag)
