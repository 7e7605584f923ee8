/** The languages of guest-facing pages, and of the mail that confirms an email address. */
export const languages = ["en", "es"] as const

export type Language = (typeof languages)[number]
