/** The name of the honeypot field, which browsers and password managers do not autofill. */
export const honeypotName = "trail_hint"
