/** The languages of guest-facing pages and of the email that confirms an address. */
export const languages = ["en", "es"] as const

export type Language = (typeof languages)[number]
