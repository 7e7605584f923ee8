/**
 * The name of the field that people do not see. Browsers and password managers fill in no field of this name.
 *
 * @category constants
 */
export const trapName = "trail_hint"
