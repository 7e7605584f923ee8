/**
 * The languages of guest-facing pages, and of the mail that confirms an email address.
 *
 * @category models
 */
export const languages = ["en", "es"] as const

/**
 * @category models
 */
export type Language = (typeof languages)[number]
