/** The languages for guest-facing pages, and for the email that confirms an email address. */
export const languages = ["en", "es"] as const

export type Language = (typeof languages)[number]
