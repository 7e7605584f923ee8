import { isId } from "../isId.ts"

/** The contact details as typed, and the form's idempotency key. */
export interface ContactFormValues {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly notes: string
  readonly discount_code: string
  /**
   * The idempotency key, which is unique to each rendered form. Submitting the same form again does not create a second
   * booking.
   */
  readonly key: string
}

export const parseContactForm = (given: Readonly<Record<string, string | undefined>>): ContactFormValues => ({
  name: given["name"] ?? "",
  email: given["email"] ?? "",
  phone: given["phone"] ?? "",
  notes: given["notes"] ?? "",
  discount_code: (given["discount_code"] ?? "").trim(),
  key: isId(given["key"] ?? "") ? given["key"] ?? "" : crypto.randomUUID()
})
