import { type Language, languages } from "@trailbook/core/wire"
import { bookEnglish, bookSpanish } from "./book.ts"
import { guestEnglish, guestSpanish } from "./guest.ts"
import { passkeyEnglish, passkeySpanish, signInEnglish, signInSpanish } from "./signIn.ts"
import { frameEnglish, frameSpanish, frontEnglish, frontSpanish, widgetEnglish, widgetSpanish } from "./site.ts"

export { type Language, languages }

/** The text of all pages in one language. A missing translation is a compile error. */
export type Text = typeof english

const english = {
  frame: frameEnglish,
  front: frontEnglish,
  book: bookEnglish,
  guest: guestEnglish,
  passkey: passkeyEnglish,
  signIn: signInEnglish,
  widget: widgetEnglish
}

const spanish: Text = {
  frame: frameSpanish,
  front: frontSpanish,
  book: bookSpanish,
  guest: guestSpanish,
  passkey: passkeySpanish,
  signIn: signInSpanish,
  widget: widgetSpanish
}

const texts: Readonly<Record<Language, Text>> = { en: english, es: spanish }

export const getText = (language: Language): Text => texts[language]

/** A reader's language and locale. */
export interface ReaderLocale {
  readonly language: Language
  /** The locale, such as `en-GB`, limited to the regions below to keep the number of formatters small. */
  readonly locale: string
}

/** The supported regions for each language. The first region is the default. */
const regions: Readonly<Record<Language, ReadonlyArray<string>>> = {
  en: ["US", "AU", "CA", "GB", "IE", "IN", "NZ", "ZA"],
  es: ["US", "AR", "CL", "CO", "ES", "MX", "PE"]
}

/** Detects the language from `?lang`, or else from `Accept-Language`. */
export const detectReaderLocale = (request: Request): ReaderLocale => {
  const { searchParams } = new URL(request.url)
  const langParam = searchParams.get("lang")
  const tags = [
    ...langParam === null ? [] : [langParam],
    ...preferredLanguages(request.headers.get("accept-language") ?? "")
  ]
  for (const tag of tags) {
    const [name, region] = tag.split("-", 2)
    const language = languages.find((code) => code === name?.toLowerCase())
    if (language === undefined) continue
    const regionCode = regions[language].find((code) => code === region?.toUpperCase()) ?? regions[language][0]
    return { language, locale: `${language}-${regionCode}` }
  }
  return { language: "en", locale: "en-US" }
}

/** Returns the language tags in an `Accept-Language` header, in order of preference. */
const preferredLanguages = (header: string): ReadonlyArray<string> =>
  header.slice(0, 200).split(",").map((part) => {
    const [tag = "", weight] = part.split(/;\s*q=/)
    return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
  }).filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight).map(({ tag }) => tag)
