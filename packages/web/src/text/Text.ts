import { bookEnglish, bookSpanish } from "./book.ts"
import { frameEnglish, frameSpanish } from "./frame.ts"
import type { Language } from "./Language.ts"

/**
 * All words of the pages, in one language. A word that a language lacks does not compile. Each part of the site has
 * its words in a file of its own, in every language.
 *
 * @category models
 */
export type Text = typeof english

const english = { frame: frameEnglish, book: bookEnglish }

const spanish: Text = { frame: frameSpanish, book: bookSpanish }

const texts: Readonly<Record<Language, Text>> = { en: english, es: spanish }

/**
 * @category getters
 */
export const textIn = (language: Language): Text => texts[language]
