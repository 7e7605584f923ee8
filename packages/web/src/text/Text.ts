import { bookEnglish, bookSpanish } from "./book.ts"
import { frameEnglish, frameSpanish } from "./frame.ts"
import { guestEnglish, guestSpanish } from "./guest.ts"
import type { Language } from "./Language.ts"
import { passkeyEnglish, passkeySpanish, signInEnglish, signInSpanish } from "./signIn.ts"
import { frontEnglish, frontSpanish, widgetEnglish, widgetSpanish } from "./site.ts"

/**
 * The text of all pages in one language. A missing translation is a compile error. Each section's text is in a separate
 * file.
 */
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
