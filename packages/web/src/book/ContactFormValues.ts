import { isId } from "../isId.ts"

/** What somebody has typed about themselves, and the key of their form. */
export interface ContactFormValues {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly notes: string
  /** One for each form: the same form sent again books once. */
  readonly key: string
}

export const parseContactForm = (given: Readonly<Record<string, string | undefined>>): ContactFormValues => ({
  name: given["name"] ?? "",
  email: given["email"] ?? "",
  phone: given["phone"] ?? "",
  notes: given["notes"] ?? "",
  key: isId(given["key"] ?? "") ? given["key"] ?? "" : crypto.randomUUID()
})
