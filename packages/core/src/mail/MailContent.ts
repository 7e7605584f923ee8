import type { Language } from "../wire/Language.ts"

/**
 * What a message says, before it is set as text and as HTML, so that both say
 * the same. Every word is plain text on one line.
 *
 * @category models
 */
export interface MailContent {
  readonly news: "held" | "confirmed" | "moved" | "cancelled" | "returned"
  /** English if it is left out. */
  readonly language?: Language
  readonly outfitter: string
  readonly subject: string
  /** The news in a few words. The paragraphs do without it: text shows them only. */
  readonly heading: string
  readonly greeting: string
  readonly paragraphs: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** What to do first; shown as the button. */
  readonly action: Link
  readonly further: ReadonlyArray<Link>
  readonly closing: ReadonlyArray<string>
}

/**
 * @category models
 */
export interface Row {
  readonly label: string
  readonly value: string
  /** It holds no longer, and HTML strikes it out. The label has to say so too. */
  readonly over?: true
}

/**
 * @category models
 */
export interface Link {
  readonly label: string
  readonly url: string
}
