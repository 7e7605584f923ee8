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

export const parseContactForm = (fields: Readonly<Record<string, string | undefined>>): ContactFormValues => ({
  name: fields["name"] ?? "",
  email: fields["email"] ?? "",
  phone: fields["phone"] ?? "",
  notes: fields["notes"] ?? "",
  discount_code: (fields["discount_code"] ?? "").trim(),
  key: isId(fields["key"] ?? "") ? fields["key"] ?? "" : crypto.randomUUID()
})
