/**
 * The letters of all mails: those that the reader's own device has.
 *
 * @category constants
 */
export const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
