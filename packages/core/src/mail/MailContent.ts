import type { Language } from "../wire/Language.ts"

/** The content of an email, which is rendered as text and as HTML. Every string is a single line of plain text. */
export interface MailContent {
  readonly news: "held" | "confirmed" | "moved" | "updated" | "cancelled" | "returned"
  /** The language. Default: English. */
  readonly language?: Language
  readonly outfitter: string
  readonly subject: string
  /** A short summary for HTML. The paragraphs repeat the summary, because plain text has no heading. */
  readonly heading: string
  readonly greeting: string
  readonly paragraphs: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** The main action, rendered as a button. */
  readonly action: Link
  readonly further: ReadonlyArray<Link>
  /** An image below the action, only in HTML. */
  readonly image?: MailImage
  readonly closing: ReadonlyArray<string>
}

export interface MailImage {
  readonly png: Uint8Array
  readonly alt: string
  readonly caption: string
}

export interface Row {
  readonly label: string
  readonly value: string
  /** Whether the value is obsolete. HTML strikes out the value, and the label must state that it is obsolete. */
  readonly over?: true
}

export interface Link {
  readonly label: string
  readonly url: string
}
