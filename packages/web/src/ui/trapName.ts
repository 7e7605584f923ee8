/** The name of the honeypot field. Browsers and password managers do not autofill this name. */
export const trapName = "trail_hint"
