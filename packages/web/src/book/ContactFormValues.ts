import { isId } from "../isId.ts"

/** Contact details as typed, and the idempotency key of the form. */
export interface ContactFormValues {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly notes: string
  readonly discount_code: string
  /**
   * The idempotency key, which is unique per rendered form. If the same form is submitted again, no second booking is
   * created.
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
