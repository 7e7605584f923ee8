/** The name of the field that people do not see. Browsers and password managers fill in no field of this name. */
export const trapName = "trail_hint"
